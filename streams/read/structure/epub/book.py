"""EPUB books by their structure: a logical page for each file of the reading order, contents as outline, pictures of the book as figures.

Guarantees: as `package`; a chapter that is missing or damaged is a blank page with a warning, so that page numbers count the reading order;
nothing outside the archive is read. Raises PageloomError: ENCRYPTED, CORRUPT, TOO_LARGE.
"""

import posixpath
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from schemas.content import Block, BlockType
from schemas.errors import Code, PageloomError
from streams.read.structure.epub.contents import Place, outline_of, read_contents
from streams.read.structure.epub.package import Archive, Item, Package, inside, read_package
from streams.read.structure.logical_page import UNPLACED, LogicalDocument, LogicalPage, Picture
from streams.read.structure.markup.blocks import ReadMarkup, read_tree
from streams.read.structure.markup.pictures import load_data
from streams.read.structure.markup.targets import outside_target, place_in
from streams.read.structure.markup.tree import parse_markup
from streams.read.structure.paging import divided, logical_pages, with_page_links
from streams.read.structure.text.encodings import decode_text

MAX_PICTURE_BYTES = 256 * 2**20
"""Of all pictures of a book that are kept: an illustrated one has some 100 MB. The rest is named and left out."""


class _Chapter(Struct, frozen=True):
    """One file of the reading order, its pages, and the index of the block that each id stands at."""

    path: str
    pages: list[LogicalPage]
    markup: ReadMarkup


def read(path: Path) -> LogicalDocument:
    """The book."""
    archive = Archive(path)
    try:
        package = read_package(archive)
        if not package.spine:
            raise PageloomError(Code.NO_PAGES, "the book's reading order names no file")
        pictures = _Pictures(archive, package)
        chapters = [_chapter(archive, item, package, pictures) for item in package.spine]
        entries = read_contents(archive, package.contents)
    finally:
        archive.close()
    first_pages, anchored = _places(chapters)

    def page_at(place: str) -> int | None:
        file, _, identity = place.partition("#")
        return anchored.get((file, identity), first_pages.get(file))

    pages = [page for chapter in chapters for page in chapter.pages]
    return LogicalDocument(
        pages=tuple(with_page_links(page, number, page_at) for number, page in enumerate(pages, 1)),
        metadata=package.metadata,
        outline=outline_of(entries, first_pages, anchored),
        warnings=(*package.warnings, *pictures.warnings),
    )


class _Pictures:
    """The pictures of a book, within a bound on all of them."""

    def __init__(self, archive: Archive, package: Package) -> None:
        self._archive = archive
        self._package = package
        self._left = MAX_PICTURE_BYTES
        self.warnings: list[str] = []

    def loader(self, folder: str) -> Callable[[str], tuple[bytes, str] | None]:
        """Loads what addresses in a file of `folder` stand for."""

        def load(address: str) -> tuple[bytes, str] | None:
            if address[:5].lower() == "data:":
                return load_data(address)
            return self.load(inside(folder, address))

        return load

    def load(self, path: str) -> tuple[bytes, str] | None:
        """A picture of the book by its path; None for what is none, and for those beyond the bound."""
        item = self._package.items.get(path)
        if item is None or not item.media_type.startswith("image/"):
            return None
        data = self._archive.read(path) if self._left > 0 else b""
        self._left -= len(data)
        if self._left <= 0:
            self.warnings = [f"pictures beyond {MAX_PICTURE_BYTES} bytes of the book are left out"]
            return None
        return (data, item.media_type) if data else None


def _chapter(archive: Archive, item: Item, package: Package, pictures: _Pictures) -> _Chapter:
    """One file of the reading order."""
    if item.media_type.startswith("image/") and "svg" not in item.media_type:
        return _plate(item, pictures)
    data = archive.read(item.path)
    decoded = decode_text(data, markup=True)
    root = parse_markup(decoded.text, is_xml=True) if data else None
    if root is None:
        warning = "a file of the book's reading order is missing or damaged; export the book again to have it"
        return _Chapter(item.path, [LogicalPage(blocks=(), warnings=(warning,))], _NOTHING)
    folder = posixpath.dirname(item.path)
    markup = read_tree(root, _resolver(item.path, folder, package), pictures.loader(folder))
    pages = logical_pages(
        markup.blocks, markup.pictures, confidence=decoded.confidence, reasons=decoded.reasons, warnings=(*decoded.warnings, *markup.warnings)
    )
    return _Chapter(item.path, pages, markup)


_NOTHING = ReadMarkup(blocks=(), pictures=(), anchors={}, warnings=())


def _plate(item: Item, pictures: _Pictures) -> _Chapter:
    """A picture in the reading order."""
    found = pictures.load(item.path)
    figure = Block(type=BlockType.FIGURE, bbox=UNPLACED)
    shown = (Picture(block=0, data=found[0], media_type=found[1]),) if found else ()
    return _Chapter(item.path, [LogicalPage(blocks=(figure,) if found else (), pictures=shown)], _NOTHING)


def _resolver(path: str, folder: str, package: Package) -> Callable[[str], str | None]:
    """How the links of a chapter are kept: outside addresses, and places in the book as `#path#id`."""

    def resolve(href: str) -> str | None:
        place = place_in(href)
        if place is None:
            return outside_target(href)
        target = inside(folder, href) if place[0] else path
        return f"#{target}#{place[1]}" if target in package.items else None

    return resolve


def _places(chapters: list[_Chapter]) -> tuple[dict[str, int], dict[Place, int]]:
    """The first page of every file, and the page of every id in one that has several."""
    first_pages: dict[str, int] = {}
    anchored: dict[Place, int] = {}
    number = 1
    for chapter in chapters:
        first_pages[chapter.path] = number
        if len(chapter.pages) > 1:
            ends = [end for _, end in divided(chapter.markup.blocks)]
            for identity, block in chapter.markup.anchors.items():
                anchored[chapter.path, identity] = number + next((place for place, end in enumerate(ends) if block < end), len(ends) - 1)
        number += len(chapter.pages)
    return first_pages, anchored
