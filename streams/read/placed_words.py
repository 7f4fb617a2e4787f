"""Words with their boxes, for tables and links: normalised, of the page as displayed. Pure functions of what the text pass gave."""

from collections.abc import Mapping, Sequence
from typing import Any

from schemas.geometry import BBox, union
from streams.read.lines import is_bold
from streams.read.normalise import clean_text, collapse
from streams.read.turning import Matrix, turn_box

Word = tuple[float, float, float, float, str, int, int, int]
"""PyMuPDF's word: box, text, number of block, of line, of word."""

Character = tuple[float, float, float, float, str]
"""A character's box and text, more than one letter where it is a ligature."""


def words_from_tuples(words: Sequence[Sequence[Any]], matrix: Matrix | None) -> list[Word]:
    """`TextPage.extractWORDS` with normalised text and boxes of the displayed page; words of which nothing is left are dropped."""
    found: list[Word] = []
    for word in words:
        x0, y0, x1, y1, text, block, line, number = word
        plain = text if text.isascii() and text.isprintable() and "....." not in text else collapse(clean_text(text))
        if matrix is not None:
            x0, y0, x1, y1 = turn_box((x0, y0, x1, y1), matrix)
        if plain:
            found.append((x0, y0, x1, y1, plain, block, line, number))
    return found


def words_from_characters(raw: Mapping[str, Any], matrix: Matrix | None) -> list[Word]:
    """The same from a raw dictionary, where what MuPDF calls words is not to be had: right-to-left pages, shifted codes."""
    found: list[Word] = []
    for block_number, block in enumerate(raw["blocks"]):
        for line_number, line in enumerate(block.get("lines", ())):
            chars = [
                (char["c"] if char["c"].isspace() else clean_text(char["c"], span["font"]), char) for span in line["spans"] for char in span["chars"]
            ]
            number = 0
            for group in _split_at_spaces(chars):
                text = collapse(clean_text("".join(plain for plain, _ in group)))
                if text:
                    box = turn_box(union(tuple(char["bbox"]) for _, char in group), matrix)
                    found.append((*box, text, block_number, line_number, number))
                    number += 1
    return found


def characters_of(raw: Mapping[str, Any], matrix: Matrix | None) -> list[Character]:
    """The characters of `TextPage.extractRAWDICT` on the displayed page, normalised like the words that they spell; white space is left out."""
    found: list[Character] = []
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                for char in span["chars"]:
                    text = char["c"]
                    plain = clean_text(text, span["font"])
                    if plain and not plain.isspace():
                        found.append((*turn_box(char["bbox"], matrix), plain))
    return found


def _split_at_spaces(chars: Sequence[tuple[str, Mapping[str, Any]]]) -> list[list[tuple[str, Mapping[str, Any]]]]:
    groups: list[list[tuple[str, Mapping[str, Any]]]] = [[]]
    for plain, char in chars:
        if plain.isspace():
            groups.append([])
        else:
            groups[-1].append((plain, char))
    return [group for group in groups if group]


def bold_indexes(text: Mapping[str, Any], words: Sequence[Word]) -> frozenset[int]:
    """Indexes of words in lines whose spans are all bold.

    `text` is the text dictionary of the same pass, text blocks only, which is how words are numbered.
    """
    bold: set[tuple[int, int]] = set()
    for block_number, block in enumerate(text["blocks"]):
        for line_number, line in enumerate(block.get("lines", ())):
            if _is_bold_line(line["spans"]):
                bold.add((block_number, line_number))
    return frozenset(index for index, word in enumerate(words) if (word[5], word[6]) in bold) if bold else frozenset()


def _is_bold_line(spans: Sequence[Mapping[str, Any]]) -> bool:
    """Whether all spans are bold that hold more than white space, and there are such. The first plain one of most lines says no."""
    seen = False
    for span in spans:
        shows = bool(span["text"].strip())
        if shows and not is_bold(span):
            return False
        seen = seen or shows
    return seen


def text_inside(box: BBox, words: Sequence[Word]) -> str:
    """The words whose middle lies in a box, in the order given."""
    x0, y0, x1, y1 = box
    return " ".join(w[4] for w in words if x0 <= (w[0] + w[2]) / 2 <= x1 and y0 <= (w[1] + w[3]) / 2 <= y1)
