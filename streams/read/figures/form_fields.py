"""The form fields of a page: name, value and label of each as its PDF objects say, since PyMuPDF's widgets cost a millisecond each.

A door to PyMuPDF; everything that comes out is bounded. A value is what the page shows: of a choice the words of its chosen options, never the
others, nor the codes that stand for them in the file; what is typed into a field for passwords is not told.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pymupdf
from msgspec import Struct

from schemas.content import FormField
from streams.read.characters.normalise import clean_text, collapse

MAX_VALUE_CHARS = 20_000
MAX_NAME_CHARS = 500
MAX_PARENTS = 16
"""Levels of a field's full name; deeper is a cycle."""
MAX_OPTIONS = 5_000
"""Options of all choices of a page that are looked at, 16 µs each; a list of countries has 250."""
SIGNED, HIDDEN = "signed", "hidden"
"""The values of a field with a signature, and of one with a password."""

_PASSWORD, _RADIO, _PUSH_BUTTON, _COMBO = 1 << 13, 1 << 15, 1 << 16, 1 << 17
"""Flags of texts, buttons and choices (ISO 32000, 12.7.4)."""

KeyOf = Callable[[int, str], tuple[str, str]]
"""(kind, text) of a key of an object, remembered for a page: fields ask those above them for the same."""


class Control(Struct, frozen=True):
    """What a widget is. `field` is None of a push button. `shown`: what its box shows that the field says, or that nobody chose; None where nothing
    printed there is text of the page: ticks, dots, secrets.
    """

    field: FormField | None
    shown: str | None


class FormReader:
    """Reads the widgets of one page. Its state is how many options may still be looked at."""

    def __init__(self, document: pymupdf.Document, key_of: KeyOf) -> None:
        self._document, self._key_of = document, key_of
        self._left: Iterator[int] = iter(range(MAX_OPTIONS))

    def control(self, xref: int) -> Control | None:
        """What a widget is; None where it has no type."""
        chain = _chain(self._key_of, xref)
        kind, said = self._inherited(chain, "FT"), self._inherited(chain, "Ff")
        flags = int(said) if said.isdecimal() else 0
        if kind == "/Btn":
            if flags & _PUSH_BUTTON:
                return Control(None, "")
            state = self._key_of(xref, "AS")
            return Control(self._field(chain, "on" if state[0] == "name" and state[1] not in ("/Off", "/") else "off"), None)
        if kind == "/Sig":
            return Control(self._field(chain, SIGNED if any(self._key_of(node, "V")[0] != "null" for node in chain) else ""), "")
        if kind == "/Ch":
            chosen, offered = self._choice(xref)
            value = collapse(clean_text(chosen[:MAX_VALUE_CHARS]))
            return Control(self._field(chain, value), value if flags & _COMBO else f"{value}\n{offered}"[:MAX_VALUE_CHARS])
        if kind != "/Tx":
            return None
        value = collapse(clean_text(self._inherited(chain, "V")[:MAX_VALUE_CHARS]))
        secret = bool(flags & _PASSWORD)
        return Control(self._field(chain, HIDDEN if secret and value else value), None if secret else value)

    def _field(self, chain: Sequence[int], value: str) -> FormField:
        """A field with its full name and the label that the file gives it."""
        names = [name for name in (text_of(self._key_of, node, "T") for node in reversed(chain)) if name]
        label = next(filter(None, (text_of(self._key_of, node, "TU") for node in chain)), "")
        return FormField(name=".".join(names)[:MAX_NAME_CHARS], value=value, label=collapse(clean_text(label[:MAX_NAME_CHARS])))

    def _inherited(self, chain: Sequence[int], key: str) -> str:
        for xref in chain:
            kind, text = self._key_of(xref, key)
            if kind == "xref":
                return _stream_text(self._document, text)
            if kind != "null":
                return str(text)
        return ""

    def _choice(self, xref: int) -> tuple[str, str]:
        """(the words of the options chosen, of all options in order); each option is its words, or a pair of a code and its words."""
        value, offered = self._object(xref, "V"), self._object(xref, "Opt")
        chosen = [_text(item) for item in self._items(value)] if pymupdf.mupdf.pdf_is_array(value) else [_text(value)]
        words: dict[str, str] = {}
        for option in self._items(offered):
            pair = pymupdf.mupdf.pdf_is_array(option)
            code, shown = (_text(pymupdf.mupdf.pdf_array_get(option, place)) if pair else _text(option) for place in (0, 1))
            words.setdefault(code, shown)
        return ", ".join(words.get(code, code) for code in chosen), "\n".join(words.values())

    def _object(self, xref: int, key: str) -> Any:
        document = pymupdf.mupdf.pdf_document_from_fz_document(self._document.this)
        return pymupdf.mupdf.pdf_dict_get_inheritable(pymupdf.mupdf.pdf_load_object(document, xref), pymupdf.mupdf.pdf_new_name(key))

    def _items(self, array: Any) -> Iterator[Any]:
        return (pymupdf.mupdf.pdf_array_get(array, place) for place, _ in zip(range(pymupdf.mupdf.pdf_array_len(array)), self._left, strict=False))


def text_of(key_of: KeyOf, xref: int, key: str) -> str:
    """The text of a key of an object, "" where it is none."""
    kind, text = key_of(xref, key)
    return str(text) if kind == "string" else ""


def _chain(key_of: KeyOf, xref: int) -> list[int]:
    """A field and the fields above it."""
    chain = [xref]
    while len(chain) < MAX_PARENTS:
        kind, text = key_of(chain[-1], "Parent")
        above = int(text.partition(" ")[0]) if kind == "xref" else 0
        if not above or above in chain:
            break
        chain.append(above)
    return chain


def _text(item: Any) -> str:
    """A string of the file, cut; "" for anything else."""
    return str(pymupdf.mupdf.pdf_to_text_string(item))[:MAX_VALUE_CHARS] if pymupdf.mupdf.pdf_is_string(item) else ""


def _stream_text(document: pymupdf.Document, reference: str) -> str:
    """A long value may be a stream."""
    number = int(reference.partition(" ")[0])
    if not document.xref_is_stream(number):
        return ""
    return bytes(document.xref_stream(number)[:MAX_VALUE_CHARS]).decode("utf-8", "replace")
