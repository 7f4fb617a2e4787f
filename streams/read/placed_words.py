"""Words with their boxes, for tables and links: normalised, of the page as displayed. Pure functions of what the text pass gave."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from schemas.geometry import BBox, union
from streams.read.blocks.faces import SUPERSCRIPT_FLAG, is_bold, is_coded
from streams.read.blocks.lines import UPRIGHT
from streams.read.blocks.raised import as_exponent
from streams.read.characters.normalise import clean_text, collapse
from streams.read.characters.symbol_fonts import pictures_of
from streams.read.turning import Matrix, turn_box

Word = tuple[float, float, float, float, str, int, int, int]
"""PyMuPDF's word: box, text, number of block, of line, of word."""

Character = tuple[float, float, float, float, str]
"""A character's box and text, more than one letter where it is a ligature."""


def words_from_tuples(words: Sequence[Word], matrix: Matrix | None) -> list[Word]:
    """`TextPage.extractWORDS` with normalised text and boxes of the displayed page; words of which nothing is left are dropped."""
    found = list(words)
    texts = [word[4] for word in found]
    whole = " ".join(texts)
    simple = whole.isprintable() and "....." not in whole  # then words of ASCII are normalised already: nearly all are
    odd = []
    if not (simple and whole.isascii()):
        odd = [index for index, text in enumerate(texts) if not text.isascii() or not (simple or (text.isprintable() and "....." not in text))]
    for index in odd:
        x0, y0, x1, y1, text, block, line, number = found[index]
        found[index] = (x0, y0, x1, y1, collapse(clean_text(text)), block, line, number)
    if odd or not all(texts):
        found = [word for word in found if word[4]]
    return found if matrix is None else [(*turn_box(word[:4], matrix), *word[4:]) for word in found]


def raised_numbers(content: Mapping[str, Any]) -> dict[tuple[int, int], list[tuple[float, str]]]:
    """Raised numbers right behind a text, by block and line of a text dictionary: (x of their middle, number). Most pages have none."""
    found: dict[tuple[int, int], list[tuple[float, str]]] = {}
    for block_number, block in enumerate(content["blocks"]):
        for line_number, line in enumerate(block.get("lines", ())):
            spans = line["spans"]
            if len(spans) > 1 and line["dir"] == UPRIGHT:
                for before, span in pairwise(spans):
                    if (
                        span["flags"] & SUPERSCRIPT_FLAG
                        and (text := span["text"].strip())
                        and as_exponent(span["text"], before["text"]) != span["text"]
                    ):
                        found.setdefault((block_number, line_number), []).append(((span["bbox"][0] + span["bbox"][2]) / 2, text))
    return found


def with_exponents(words: Sequence[Word], numbers: Mapping[tuple[int, int], Sequence[tuple[float, str]]]) -> list[Word]:
    """Words of `TextPage.extractWORDS` with the raised numbers at their ends as superscripts: the mark of a note makes no value longer."""
    return [_with_exponent(word, numbers[word[5], word[6]]) if (word[5], word[6]) in numbers else word for word in words]


def _with_exponent(word: Word, numbers: Sequence[tuple[float, str]]) -> Word:
    text = word[4]
    for x, number in numbers:
        if word[0] <= x <= word[2] and text.endswith(number) and len(text) > len(number):
            return (*word[:4], text[: -len(number)] + as_exponent(number, text), *word[5:])
    return word


def words_from_characters(raw: Mapping[str, Any], matrix: Matrix | None) -> list[Word]:
    """The same from a raw dictionary, where what MuPDF calls words is not to be had: right-to-left pages, shifted codes."""
    found: list[Word] = []
    for block_number, block in enumerate(raw["blocks"]):
        for line_number, line in enumerate(block.get("lines", ())):
            chars = [char for span in line["spans"] for char in _plain_characters(span)]
            number = 0
            for group in _split_at_spaces(chars):
                text = collapse(clean_text("".join(plain for plain, _ in group)))
                if text:
                    box = turn_box(union([char["bbox"] for _, char in group]), matrix)
                    found.append((*box, text, block_number, line_number, number))
                    number += 1
    return found


def characters_of(raw: Mapping[str, Any], matrix: Matrix | None) -> list[Character]:
    """The characters of `TextPage.extractRAWDICT` on the displayed page, normalised like the words that they spell; white space is left out."""
    found: list[Character] = []
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                shown = [(plain, char["bbox"]) for plain, char in _plain_characters(span) if plain and not plain.isspace()]
                found += [(*box, plain) if matrix is None else (*turn_box(box, matrix), plain) for plain, box in shown]
    return found


def _plain_characters(span: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """The characters of a raw span with their normalised texts; white space stays what it is. Most are ASCII, of a font without pictures."""
    font: str = span["font"]
    if pictures_of(font) is not None:
        coded = is_coded(span)
        return [(char["c"] if char["c"].isspace() else clean_text(char["c"], font, coded=coded), char) for char in span["chars"]]
    whole = "".join([char["c"] for char in span["chars"]])
    if whole.isascii() and whole.isprintable():
        return [(char["c"], char) for char in span["chars"]]
    return [
        (text if (text.isascii() and text.isprintable()) or text.isspace() else clean_text(text, font), char)
        for char in span["chars"]
        for text in (char["c"],)
    ]


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
            spans = line["spans"]
            if (len(spans) != 1 or is_bold(spans[0])) and _is_bold_line(spans):  # most lines are one plain span
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


def texts_inside(boxes: Sequence[BBox], words: Sequence[Word]) -> list[str]:
    """For each box the words whose middle lies in it, in the order given."""
    middles = sorted([((w[1] + w[3]) / 2, index) for index, w in enumerate(words)]) if boxes else []
    texts = []
    for x0, y0, x1, y1 in boxes:
        level = middles[bisect_left(middles, (y0, -1)) : bisect_right(middles, (y1, len(words)))]
        texts.append(" ".join([words[index][4] for index in sorted([i for _, i in level]) if x0 <= (words[index][0] + words[index][2]) / 2 <= x1]))
    return texts
