"""Pages with known text, made with PyMuPDF, as the reader sees them."""

from collections.abc import Callable

import pymupdf

from schemas.content import Block, BlockType, PageContent
from streams.read.page import Survey, page_content, surroundings_of, survey_page

WIDTH, HEIGHT = 595.0, 842.0

WORDS = [
    "the",
    "harbour",
    "opens",
    "at",
    "seven",
    "and",
    "closes",
    "after",
    "the",
    "last",
    "ferry",
    "so",
    "that",
    "goods",
    "which",
    "arrive",
    "later",
    "stay",
    "in",
    "the",
    "northern",
    "shed",
    "until",
    "morning",
    "when",
    "every",
    "parcel",
    "gets",
    "a",
    "number",
    "and",
    "a",
    "clerk",
    "writes",
    "it",
    "on",
    "two",
    "labels",
    "one",
    "for",
    "the",
    "parcel",
    "and",
    "one",
    "for",
    "whoever",
    "sent",
    "it",
]


def prose(letters: int, start: int = 0) -> str:
    """Running text of about so many letters."""
    text, index = "", start
    while len(text) < letters:
        text += ("" if not text else " ") + WORDS[index % len(WORDS)]
        index += 1
    return text.capitalize() + "."


def made(draw: Callable[[pymupdf.Page], None], *, width: float = WIDTH, height: float = HEIGHT) -> pymupdf.Document:
    """A document of one page, saved and opened again, so that it is what a file is."""
    document = pymupdf.open()
    draw(document.new_page(width=width, height=height))
    return pymupdf.open("pdf", document.tobytes())


def write(page: pymupdf.Page, x: float, y: float, lines: list[str], *, size: float = 10, font: str = "helv", leading: float = 1.3) -> float:
    """Writes lines under each other; returns the baseline after the last one."""
    for line in lines:
        page.insert_text((x, y), line, fontsize=size, fontname=font)
        y += size * leading
    return y


def wrap(text: str, width_pt: float, *, size: float = 10, font: str = "helv") -> list[str]:
    """Text cut into lines of a width."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if pymupdf.get_text_length(longer, font, size) > width_pt:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def survey(document: pymupdf.Document, number: int = 1) -> Survey:
    """A surveyed page."""
    return survey_page(document[number - 1])


def read(document: pymupdf.Document, number: int = 1) -> PageContent:
    """The content of a page, read by itself."""
    found = survey(document, number)
    return page_content(found, surroundings_of([found]))


def texts(content: PageContent, *types: BlockType) -> list[str]:
    """Texts of the blocks of these types, or of all, in order."""
    return [block.text for block in content.blocks if not types or block.type in types]


def block_with(content: PageContent, text: str) -> Block:
    """The only block that holds a text."""
    (found,) = [block for block in content.blocks if text in block.text]
    return found
