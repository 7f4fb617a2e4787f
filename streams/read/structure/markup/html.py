"""HTML and XHTML files by their structure: one logical page, its title and what the head says of the document.

Guarantees: as `blocks` and `text.encodings`; nothing is fetched and nothing runs. Raises PageloomError: TOO_LARGE.
"""

from collections.abc import Callable
from pathlib import Path

from streams.read.structure.logical_page import LogicalDocument, LogicalPage
from streams.read.structure.markup.blocks import ReadMarkup, read_tree
from streams.read.structure.markup.inline_text import normalised
from streams.read.structure.markup.pictures import load_data
from streams.read.structure.markup.targets import outside_target, place_in
from streams.read.structure.markup.tree import Element, name_of, parse_markup, plain_text, value_of
from streams.read.structure.paging import divided, logical_pages, with_page_links
from streams.read.structure.text.encodings import Decoded, decode_text

MAX_METADATA_VALUE = 2_000
"""Characters: metadata travels in the event as a whole."""
_META = {
    "author": "author", "dc.creator": "author", "dcterms.creator": "author", "article:author": "author", "citation_author": "author",
    "description": "subject", "dc.description": "subject", "og:description": "subject", "keywords": "keywords", "generator": "creator",
    "date": "created", "dc.date": "created", "dcterms.created": "created", "article:published_time": "created", "citation_date": "created",
    "dcterms.modified": "modified", "article:modified_time": "modified", "last-modified": "modified", "og:title": "title", "dc.title": "title",
}  # fmt: skip
"""Names of `meta` elements, and ours, which are those of PDF."""


def read(path: Path) -> LogicalDocument:
    """The document. Raises PageloomError: TOO_LARGE."""
    return read_html(decode_text(path.read_bytes(), markup=True))


def read_html(decoded: Decoded) -> LogicalDocument:
    """The document of a text that is markup."""
    root = parse_markup(decoded.text)
    if root is None:
        return LogicalDocument(pages=(LogicalPage(blocks=(), warnings=decoded.warnings),))
    markup = read_tree(root, resolver_of(root), load_data)
    return LogicalDocument(pages=pages_of(markup, decoded), metadata=metadata_of(root))


def pages_of(markup: ReadMarkup, decoded: Decoded) -> tuple[LogicalPage, ...]:
    """The pages of one file, its inner links naming them."""
    pages = logical_pages(
        markup.blocks, markup.pictures, confidence=decoded.confidence, reasons=decoded.reasons, warnings=(*decoded.warnings, *markup.warnings)
    )
    page_at = anchor_pages(markup)
    return tuple(with_page_links(page, number, page_at) for number, page in enumerate(pages, 1))


def anchor_pages(markup: ReadMarkup) -> Callable[[str], int | None]:
    """From an id to the number of the page it stands on, counted from 1 within the file; the empty id is the top."""
    ends = [end for _, end in divided(markup.blocks)]

    def page_at(identity: str) -> int | None:
        block = 0 if identity in ("", "top") else markup.anchors.get(identity)
        return None if block is None else next((number for number, end in enumerate(ends, 1) if block < end), len(ends))

    return page_at


def resolver_of(root: Element) -> Callable[[str], str | None]:
    """How links of one file are kept: outside addresses, places inside the file as `#` and the id; relative ones by the file's `base` alone."""
    base = next((value_of(node, "href") for node in root.iter() if name_of(node) == "base"), "")
    base = outside_target(base) or ""

    def resolve(href: str) -> str | None:
        if href.startswith("#"):
            place = place_in(href)
            return None if place is None else f"#{place[1]}"
        return outside_target(href, base)

    return resolve


def metadata_of(root: Element) -> dict[str, str]:
    """Title, author and the like of a document's head, under the names that PDF's have."""
    found: dict[str, str] = {}
    for node in root.iter():
        tag = name_of(node)
        if tag == "body":
            break
        if tag == "title":
            _keep(found, "title", plain_text(node))
        elif tag == "meta":
            name = (value_of(node, "name") or value_of(node, "property") or value_of(node, "http-equiv")).strip().lower()
            if name in _META and _META[name] != "title":
                _keep(found, _META[name], value_of(node, "content"))
        elif tag == "html":
            _keep(found, "language", value_of(node, "lang") or value_of(node, "{http://www.w3.org/XML/1998/namespace}lang"))
    return found


def _keep(found: dict[str, str], name: str, value: str) -> None:
    text = normalised(value[: 4 * MAX_METADATA_VALUE])[:MAX_METADATA_VALUE]
    if text:
        found.setdefault(name, text)
