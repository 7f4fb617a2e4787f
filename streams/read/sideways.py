"""Tables whose text is turned against the page: wide ones on a portrait page, read by turning the head. Found in the frame of their own text.

Promise: a page without turned text pays nothing. A table is sideways where most letters in it are turned one way: heads of an upright table that
stand on end do not make it one. Boxes that come out are of the page as displayed; `column_edges` are of the page turned so that the text is upright,
and the block's `rotation` says so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace as with_values
from typing import Any

from msgspec.structs import replace

from schemas.content import Block, BlockType, Table
from schemas.geometry import BBox, center, contains_point, rounded, union
from streams.read.blocks.lines import Fragment
from streams.read.page_tables import has_aligned_texts
from streams.read.placed_words import Character, Word, bold_indexes
from streams.read.tables import FoundTable, Rulings, TableFinder, has_table_candidate, rulings_of
from streams.read.turning import VERTICAL, Matrix, angle_of, combined, inverse, quarter_turn, to_page, turn_box, turn_direction

ANGLES = (270, 90, 180)
"""Read from below, from above, upside down."""
MIN_RUNS = 4
"""Turned runs of text from which on they may be a table: two rows of two."""
EDGE_PT = 3.0
"""How far rules of a table stand outside of its box."""
MOSTLY = 0.6
"""Share of a table's letters that are turned the same way."""

Words = Callable[[Matrix | None], list[Word]]
Characters = Callable[[Matrix | None], list[Character]]


def sideways_tables(
    content: Mapping[str, Any],
    words: Words,
    characters: Characters,
    drawings: Sequence[Mapping[str, Any]],
    fragments: Sequence[Fragment],
    box: BBox,
    matrix: Matrix | None,
) -> list[Block]:
    """The tables of turned text. `content` is the page's text dictionary; `words` and `characters` give its words and characters under a matrix,
    as `matrix` takes MuPDF's coordinates to the page as displayed; `box` is the page's.
    """
    found: list[Block] = []
    for angle in ANGLES:
        turned = [fragment for fragment in fragments if fragment.angle == angle]
        if len(turned) >= MIN_RUNS:
            found += _tables_at(angle, turned, content, words, characters, drawings, fragments, box, matrix)
    return found


def _tables_at(
    angle: int,
    turned: Sequence[Fragment],
    content: Mapping[str, Any],
    words: Words,
    characters: Characters,
    drawings: Sequence[Mapping[str, Any]],
    fragments: Sequence[Fragment],
    box: BBox,
    matrix: Matrix | None,
) -> list[Block]:
    turn = quarter_turn(angle, box[2], box[3])
    whole = combined(matrix, turn)
    rulings = rulings_of(drawings, whole)
    ruled, aligned = has_table_candidate(rulings), has_aligned_texts([replace(fragment, angle=0) for fragment in turned])
    if not (ruled or aligned):
        return []
    mine = [word for word in words(whole) if _angle_of(content, word, matrix) == angle]
    finder = TableFinder(mine, rulings, turn_box(box, turn), bold_indexes(content, mine), lambda: characters(whole))
    drawn = finder.ruled() if ruled else []
    sure = finder.unruled([table.bbox for table in drawn]).sure if aligned else ()
    back = inverse(turn)
    blocks = [_block(table, angle, back) for table in (*drawn, *sure)]
    return [block for block in blocks if _is_sideways(block.bbox, angle, fragments)]


def _angle_of(content: Mapping[str, Any], word: Word, matrix: Matrix | None) -> int:
    line = content["blocks"][word[5]]["lines"][word[6]]
    return VERTICAL if line["wmode"] else angle_of(*turn_direction(line["dir"], matrix))


def _block(table: FoundTable, angle: int, back: Matrix) -> Block:
    """The block of a table; `back` takes the frame of its text to the page as displayed."""
    cells = tuple(replace(cell, bbox=rounded(turn_box(cell.bbox, back))) if cell.bbox else cell for cell in table.table.cells)
    placed: Table = replace(table.table, cells=cells)
    return Block(type=BlockType.TABLE, bbox=rounded(turn_box(table.bbox, back)), table=placed, confidence=placed.confidence, rotation=angle)


def _is_sideways(box: BBox, angle: int, fragments: Sequence[Fragment]) -> bool:
    """Whether most letters in a box are turned this way."""
    inside = [fragment for fragment in fragments if contains_point(box, *center(to_page(fragment.box, fragment.angle)))]
    letters = sum(fragment.letters for fragment in inside)
    return sum(fragment.letters for fragment in inside if fragment.angle == angle) >= MOSTLY * max(letters, 1)


def with_turned_lines(words: Sequence[Word], content: Mapping[str, Any], matrix: Matrix | None) -> list[Word]:
    """Words of a page, those of each line that stands on end as one: heads of narrow columns are read along their line, not from above."""
    found: list[Word] = []
    ends: dict[tuple[int, int], int] = {}
    for word in words:
        place = word[5], word[6]
        if place in ends:
            before = found[ends[place]]
            found[ends[place]] = (*union((before[:4], word[:4])), f"{before[4]} {word[4]}", *before[5:])
            continue
        if _angle_of(content, word, matrix) in (90, 270):
            ends[place] = len(found)
        found.append(word)
    return found


def words_outside(words: Sequence[Word], boxes: Sequence[BBox]) -> list[Word]:
    """The words whose middle is in none of the boxes."""
    return [word for word in words if not any(contains_point(box, *center(word[:4])) for box in boxes)]


def rulings_outside(rulings: Rulings, boxes: Sequence[BBox]) -> Rulings:
    """The rulings whose middle is in none of the boxes, edges counted in."""
    wide = [(box[0] - EDGE_PT, box[1] - EDGE_PT, box[2] + EDGE_PT, box[3] + EDGE_PT) for box in boxes]

    def outside(x: float, y: float) -> bool:
        return not any(contains_point(box, x, y) for box in wide)

    return with_values(
        rulings,
        horizontal=tuple(line for line in rulings.horizontal if outside((line[1] + line[2]) / 2, line[0])),
        vertical=tuple(line for line in rulings.vertical if outside(line[0], (line[1] + line[2]) / 2)),
        fills=tuple(fill for fill in rulings.fills if outside(*center(fill.box))),
    )
