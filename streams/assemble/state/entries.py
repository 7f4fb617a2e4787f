"""The aggregator's state as keys and values of `assemble.changelog`.

A key is text, `<kind>:<pages>:<document id>`: kind and pages hold no colon, so the rest is the document id whatever it holds, and a key is at most
24 bytes longer than its document id. A value is Avro: the record, or the page event as it was logged. A null value forgets the entry.
"""

from collections.abc import Iterable

from schemas.codec import Undecodable, decode, encode
from schemas.state import DocumentRecorded
from streams.assemble.state.document_state import Change, PageDropped, PageKept, RecordChange, WindowDropped, WindowKept
from streams.assemble.state.envelopes import PageRead, WindowAnswered, open_envelope

RECORD, PAGE, WINDOW = "d", "p", "w"

Entry = tuple[bytes, bytes | None]


def entry_of(document_id: str, change: Change) -> Entry:
    """A change of a document's state as an entry of the changelog."""
    match change:
        case RecordChange(record):
            return _key(RECORD, "", document_id), None if record is None else encode(record)
        case PageKept(page):
            return _key(PAGE, str(page.page), document_id), page.raw
        case PageDropped(page=number):
            return _key(PAGE, str(number), document_id), None
        case WindowKept(window):
            return _key(WINDOW, f"{window.first_page}-{window.last_page}", document_id), window.raw
        case WindowDropped(first_page, last_page):
            return _key(WINDOW, f"{first_page}-{last_page}", document_id), None


def change_of(key: bytes, value: bytes) -> tuple[str, Change]:
    """A live entry as the document's id and the change that puts it into the state. Raises Undecodable for what is no entry of ours."""
    try:
        kind, _, document_id = key.decode("utf-8").split(":", 2)
    except ValueError:
        raise Undecodable("a changelog key that is none of ours") from None
    if kind == RECORD:
        return document_id, RecordChange(decode(value, DocumentRecorded))
    event = open_envelope(value)
    if kind == PAGE and isinstance(event, PageRead):
        return document_id, PageKept(event)
    if kind == WINDOW and isinstance(event, WindowAnswered):
        return document_id, WindowKept(event)
    raise Undecodable(f"a changelog entry of kind {kind!r} that holds a {type(event).__name__}")


def entries_of(document_id: str, changes: Iterable[Change]) -> list[Entry]:
    """Changes as entries, in their order."""
    return [entry_of(document_id, change) for change in changes]


def _key(kind: str, pages: str, document_id: str) -> bytes:
    return f"{kind}:{pages}:{document_id}".encode()
