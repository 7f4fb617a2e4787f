"""The tables of one page: from its rulings, from its words where they stand in columns, and from the layout tier where that is asked.

Words are fetched only where something can come of them: rulings that could be a table's, runs of short texts side by side, or a table that
the layout model sees.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache, partial
from itertools import pairwise
from typing import Any

from msgspec import Struct

from schemas.content import Block, BlockType
from schemas.geometry import BBox
from streams.read.blocks.lines import Fragment
from streams.read.layout.boxes import CONFIDENT, LayoutBox, LayoutLabel
from streams.read.layout.settling import SURE_ALONE, settled
from streams.read.placed_words import Character, Word, bold_indexes
from streams.read.tables import SURE, FoundTable, Rulings, TableFinder, has_table_candidate

SHORT_LETTERS = 28
"""A text with more letters is a line of prose; in a table of words alone the longest labels have about as many."""
BESIDE_HEIGHTS = 0.4
"""Texts with at least this many line heights between them stand side by side."""
MIN_ROWS = 3
"""Rows of short texts side by side from which on a page may hold a table without rules."""
MIN_NUMBERS = 3
"""Numbers of a row from which on it may be one of a table."""
SAME_BASELINE_PT = 2.0
MAX_RESTS = 8
"""Rows between rules, and tables that words alone do not vouch for, that are handed on: the first of a page may go on with a table, and boxes of
forms are many."""

_DIGIT = re.compile("[0-9]")

AskLayout = Callable[[], Sequence[LayoutBox] | None]
"""Gives the layout model's boxes of the page, or None where there is no such model or the page is none for it."""


class LayoutWish(Enum):
    """When the layout model is asked about a page."""

    NEVER = "never"
    WHERE_DOUBTFUL = "where doubtful"
    ALWAYS = "always"


class TextSource(Struct):
    """Where the words and characters of a page can be had, in points of the page as displayed. `content` is MuPDF's text dictionary."""

    content: Mapping[str, Any]
    words: Callable[[], list[Word]]
    characters: Callable[[], list[Character]]


class PageTables(Struct):
    """The tables of a page as blocks from top to bottom, the layout model's boxes where it was asked and answered, and rows that are no table
    by themselves. `held` are the words in these tables, as the page's words were given; those of tables of turned text are not among them.
    """

    blocks: list[Block]
    layout: tuple[LayoutBox, ...] = ()
    rests: tuple[Block, ...] = ()
    held: frozenset[Word] = frozenset()


def tables_of_page(text: TextSource, rulings: Rulings, fragments: Sequence[Fragment], box: BBox, wish: LayoutWish, ask: AskLayout) -> PageTables:
    """Every table that rules, words or the layout model vouch for; a word is in one table at most."""
    ruled, has_aligned = has_table_candidate(rulings), cache(partial(has_aligned_texts, fragments))  # where tables hold most texts nobody asks
    boxes = ask() if wish is LayoutWish.ALWAYS else None
    if not (ruled or has_aligned() or _has_table(boxes)):
        return PageTables([], tuple(boxes or ()))
    words = text.words()
    finder = TableFinder(words, rulings, box, bold_indexes(text.content, words), cache(text.characters))
    drawn = finder.ruled() if ruled else []
    parts = [table for table in drawn if finder.lacks_labels(table, drawn) and has_aligned()]
    taken = [table.bbox for table in drawn if table not in parts]
    told = finder.unruled(taken) if (not taken or has_aligned_texts(_outside(fragments, taken))) and has_aligned() else None
    sure = told.sure if told else ()
    if parts:
        drawn, sure = _without_parts(drawn, parts, sure)
        drawn = [finder.with_labels(table, [*drawn, *sure]) if table in parts else table for table in drawn]
    weak = any(table.table.confidence < SURE for table in drawn) or any(table.table.confidence < SURE_ALONE for table in sure)
    if (weak or (told is not None and told.doubtful)) and wish is LayoutWish.WHERE_DOUBTFUL:
        boxes = ask()
    found = sorted([*drawn, *sure], key=lambda t: (t.bbox[1], t.bbox[0])) if boxes is None else settled(drawn, sure, boxes, finder.within)
    rests = [*finder.rests, *(told.doubtful if told else ())]
    rests = sorted((rest for rest in rests if not any(rest.words & table.words for table in found)), key=lambda rest: rest.bbox[1])
    held = frozenset([words[index] for table in found for index in table.words])
    return PageTables([_block(table) for table in found], tuple(boxes or ()), tuple(_block(rest) for rest in rests[:MAX_RESTS]), held)


def _without_parts(
    drawn: Sequence[FoundTable], parts: Sequence[FoundTable], sure: Sequence[FoundTable]
) -> tuple[list[FoundTable], tuple[FoundTable, ...]]:
    """(tables that rules tell, tables that words tell): of those that rules tell in part, the whole where words tell it, else the part."""
    wholes = [whole for whole in sure if any(part.words <= whole.words for part in parts)]
    kept = [table for table in drawn if table not in parts or not any(table.words <= whole.words for whole in wholes)]
    return kept, tuple(table for table in sure if table in wholes or not any(table.words & part.words for part in parts if part in kept))


def _outside(fragments: Sequence[Fragment], boxes: Sequence[BBox]) -> list[Fragment]:
    """The upright runs of text whose middle is in none of the boxes."""
    found = []
    for fragment in fragments:
        if not fragment.angle:
            x, y = (fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2
            for x0, y0, x1, y1 in boxes:  # spelled out: of every text of a page and every table
                if x0 <= x <= x1 and y0 <= y <= y1:
                    break
            else:
                found.append(fragment)
    return found


def _has_table(boxes: Sequence[LayoutBox] | None) -> bool:
    return any(box.label is LayoutLabel.TABLE and box.confidence >= CONFIDENT for box in boxes or ())


def has_aligned_texts(fragments: Sequence[Fragment]) -> bool:
    """Whether short texts stand side by side in several rows, or runs of text are rows of numbers: some tenths of a millisecond spare most
    pages of prose the search for columns.
    """
    ordered = sorted([(f.baseline, f.x0, f.x1, f.letters, f.y1 - f.y0) for f in fragments if not f.angle])
    rows = 0
    for (y, x0, x1, letters, height), (next_y, next_x0, next_x1, next_letters, _) in pairwise(ordered):
        if next_y - y > SAME_BASELINE_PT or letters + next_letters > 4 * SHORT_LETTERS:
            continue
        if letters <= SHORT_LETTERS or next_letters <= SHORT_LETTERS:
            rows += next_x0 - x1 >= BESIDE_HEIGHTS * height or x0 - next_x1 >= BESIDE_HEIGHTS * height
            if rows >= MIN_ROWS:
                return True
    return sum([_is_row_of_numbers(f.text) for f in fragments if f.text.count(" ") >= MIN_NUMBERS]) >= MIN_ROWS


def _is_row_of_numbers(text: str) -> bool:
    """Whether half the words of a run of text begin with a digit: what a typewriter face makes of a row, whose gaps are spaces."""
    if text.isascii() and not _DIGIT.search(text):
        return False
    words = text.split()
    return sum(1 for word in words if word[0].isdigit()) >= max(MIN_NUMBERS, len(words) / 2)


def _block(table: FoundTable) -> Block:
    return Block(type=BlockType.TABLE, bbox=table.bbox, table=table.table, confidence=table.table.confidence)
