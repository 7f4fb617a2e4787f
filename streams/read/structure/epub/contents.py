"""The table of contents of an EPUB as an outline: the navigation document of EPUB 3 or the NCX of EPUB 2."""

import posixpath
from collections.abc import Iterator

from schemas.document import OutlineEntry
from streams.read.structure.epub.package import Archive, inside
from streams.read.structure.markup.inline_text import normalised
from streams.read.structure.markup.targets import place_in
from streams.read.structure.markup.tree import Element, kind_of, name_of, parse_markup, parse_xml, plain_text, value_of
from streams.read.structure.text.encodings import decode_text

MAX_ENTRIES = 5_000
"""The outline travels in the event as a whole."""
MAX_TITLE = 300
MAX_LEVEL = 20

Place = tuple[str, str]
"""Path of a file in the archive, and an id in it or nothing."""
RawEntry = tuple[int, str, Place | None]


def read_contents(archive: Archive, path: str) -> list[RawEntry]:
    """(level from 1, title, place) of every entry, in order; empty where the book has no contents that can be read."""
    data = archive.read(path) if path else b""
    if not data:
        return []
    folder = posixpath.dirname(path)
    root = parse_xml(data)
    if root is not None and name_of(root) == "ncx":
        entries = _of_ncx(root, folder)
    else:
        markup = parse_markup(decode_text(data, markup=True).text, is_xml=True)
        entries = _of_navigation(markup, folder) if markup is not None else iter(())
    found = []
    for level, title, place in entries:
        text = normalised(title[: 4 * MAX_TITLE])[:MAX_TITLE]
        if text:
            found.append((min(level, MAX_LEVEL), text, place))
        if len(found) == MAX_ENTRIES:
            break
    return found


def outline_of(entries: list[RawEntry], page_at: dict[str, int], anchored: dict[Place, int]) -> tuple[OutlineEntry, ...]:
    """Entries with the numbers of their pages: of the id where it is known, else of its file's first page."""
    return tuple(
        OutlineEntry(level=level, title=title, page=None if place is None else anchored.get(place, page_at.get(place[0])))
        for level, title, place in entries
    )


def _of_ncx(root: Element, folder: str) -> Iterator[RawEntry]:
    for point in root.iter():
        if name_of(point) != "navpoint":
            continue
        label = next((node for node in point if name_of(node) == "navlabel"), None)
        content = next((node for node in point if name_of(node) == "content"), None)
        yield (
            _nesting(point, "navpoint"),
            plain_text(label) if label is not None else "",
            _place(folder, "" if content is None else value_of(content, "src")),
        )


def _of_navigation(root: Element, folder: str) -> Iterator[RawEntry]:
    navigations = [node for node in root.iter() if name_of(node) == "nav"]
    contents = next((node for node in navigations if "toc" in kind_of(node).split()), navigations[0] if navigations else None)
    if contents is None:
        return
    for item in contents.iter():
        if name_of(item) != "li":
            continue
        label = next((node for node in item if name_of(node) in ("a", "span")), None)
        if label is not None:
            yield _nesting(item, "li"), plain_text(label), _place(folder, value_of(label, "href"))


def _nesting(node: Element, tag: str) -> int:
    """How many elements of a name stand around a node, itself counted; as far as levels are told apart."""
    level = 0
    while node is not None and level < MAX_LEVEL:
        level += name_of(node) == tag
        node = node.getparent()
    return level


def _place(folder: str, address: str) -> Place | None:
    path = inside(folder, address) if address else ""
    place = place_in(address) if path else None
    return (path, place[1]) if place is not None else None
