"""Tables among the recognized lines of a page: their words and the rules drawn on the page, by the steps that read tables of a text layer.

Guarantees: every word is in one table or in the lines that are left; spans, header rows and confidence are those of `streams.read.tables`, whose
measures are points of usual print, so that a page of another size is scaled to that first. Pure: no image, no model.
"""

from collections.abc import Sequence
from statistics import median

from msgspec import Struct
from msgspec.structs import replace

from inference.layout.lines import Frame, Line, Word, baseline_of, width_size, words_of
from inference.types import Shade
from schemas.content import Block, BlockType, Cell, Table, TextStyle
from schemas.geometry import BBox, rounded, scaled, union
from streams.read.tables import FoundTable, Rulings, TableFinder
from streams.read.tables.rulings import Fill, merged

USUAL_SIZE = 9.5
"""Type size in points of most pages that tables are read from; a page is scaled to it."""
SAME_SCALE = 1.5
"""Factor up to which a page is left as it is."""
ASCENT, DESCENT = 1.0, 0.27
"""Of the type size, above and below the baseline: boxes of words in a text layer have room for any letter."""
SAME_BASELINE = 0.12
"""Type sizes within which lines stand on one baseline; two columns of text seldom share theirs, and must not be pulled together."""
SAME_SIZE = 1.3
"""Factor up to which a line has the usual size."""
SAME_SIDE, SAME_LEVEL = 3.0, 8.0
"""Points, and gray levels, within which sides of shaded boxes and their shades are the same: a scan moves a side by 1 and a level by 3."""


class TableLines(Struct, frozen=True):
    """A table in points of the upright page, and the lines and parts of lines that are in it."""

    bbox: BBox
    table: Table
    lines: tuple[Line, ...]


def tables_among(
    lines: Sequence[Line], rules: Sequence[BBox], usual_size: float, shades: Sequence[Shade] = ()
) -> tuple[list[TableLines], list[Line]]:
    """The tables of a page, and the lines that are left, parts of them where a table takes only some of their words.

    Boxes are in points of the upright page; `usual_size` is the type size of most of its characters.
    """
    scale = USUAL_SIZE / usual_size if not 1 / SAME_SCALE <= usual_size / USUAL_SIZE <= SAME_SCALE else 1.0
    placed = [(index, word) for index, line in enumerate(lines) for word in words_of(line)]
    boxes = _type_boxes(lines, usual_size)
    words = [(word.x0 * scale, boxes[index][0] * scale, word.x1 * scale, boxes[index][1] * scale, word.text) for index, word in placed]
    box = scaled(union(line.box for line in lines), scale)
    drawn = _rulings(rules, shades, scale)
    found = _found(words, drawn, box)
    if drawn.fills:
        found = _finer(found, _found(words, Rulings(drawn.horizontal, drawn.vertical, ()), box))
    owner = {word: number for number, table in enumerate(found) for word in table.words}
    parts: dict[tuple[int, int], list[Word]] = {}
    for number, (index, word) in enumerate(placed):
        parts.setdefault((owner.get(number, -1), index), []).append(word)
    split = [(table, _part(lines[index], own)) for (table, index), own in parts.items()]
    tables = [_unscaled(table, [line for owned, line in split if owned == n], scale) for n, table in enumerate(found)]
    return tables, [line for owned, line in split if owned < 0]


def _found(words: Sequence[tuple[float, float, float, float, str]], drawn: Rulings, box: BBox) -> list[FoundTable]:
    finder = TableFinder(words, drawn, box, frozenset(), None)
    ruled = finder.ruled()
    return [*ruled, *finder.unruled([table.bbox for table in ruled]).sure]


def _finer(shaded: list[FoundTable], plain: list[FoundTable]) -> list[FoundTable]:
    """The tables that shades tell, unless one that words and rules alone tell is torn there or has more columns: a scan may lose a stripe, and
    shades say little of columns.
    """
    for other in plain:
        if not any(other.words <= mine.words and mine.table.columns >= other.table.columns for mine in shaded):
            return plain
    return shaded


def table_block(found: TableLines, frame: Frame) -> Block:
    """A table as a block of the page as displayed."""
    weight = sum(line.weight for line in found.lines)
    confidence = sum(line.confidence * line.weight for line in found.lines) / weight
    cells = tuple(_on_page(cell, frame) for cell in found.table.cells)
    # Edges are x positions of the page as displayed, which a table that stands across it does not have.
    middle = (found.bbox[1] + found.bbox[3]) / 2
    edges = () if frame.rotation else tuple(round(frame.edge_on_page(x, middle), 2) for x in found.table.column_edges)
    table = replace(found.table, cells=cells, column_edges=edges, confidence=round(found.table.confidence * confidence, 4))
    return Block(
        type=BlockType.TABLE,
        bbox=rounded(frame.turn_back(found.bbox)),
        confidence=round(confidence, 4),
        style=TextStyle(size_pt=round(median(line.size for line in found.lines), 1)),
        line_count=found.table.rows,
        rotation=frame.rotation,
        table=table,
    )


def _on_page(cell: Cell, frame: Frame) -> Cell:
    return cell if cell.bbox is None else replace(cell, bbox=rounded(frame.turn_back(cell.bbox)))


def _type_boxes(lines: Sequence[Line], usual_size: float) -> list[tuple[float, float]]:
    """(top, bottom) of each line as a text layer has it: with room for any letter, and of the usual size where the line has about that."""
    sizes = [usual_size if _is_like(line.size, usual_size) or _is_like(width_size(line), usual_size) else line.size for line in lines]
    bases = _shared([baseline_of(line, size) for line, size in zip(lines, sizes, strict=True)], SAME_BASELINE * usual_size)
    return [(base - ASCENT * size, base + DESCENT * size) for base, size in zip(bases, sizes, strict=True)]


def _shared(bases: Sequence[float], reach: float) -> list[float]:
    """Baselines that lie within `reach` as one, the middle one of them: what ink tells of a word differs by its letters."""
    shared = list(bases)
    order = sorted(range(len(bases)), key=bases.__getitem__)
    start = 0
    for end in range(1, len(order) + 1):
        if end == len(order) or bases[order[end]] - bases[order[start]] > reach:
            middle = median(bases[index] for index in order[start:end])
            for index in order[start:end]:
                shared[index] = middle
            start = end
    return shared


def _is_like(size: float, usual_size: float) -> bool:
    return 1 / SAME_SIZE <= size / usual_size <= SAME_SIZE


def _rulings(rules: Sequence[BBox], shades: Sequence[Shade], scale: float) -> Rulings:
    flat, upright = [], []
    for x0, y0, x1, y1 in (scaled(rule, scale) for rule in rules):
        if x1 - x0 >= y1 - y0:
            flat.append(((y0 + y1) / 2, x0, x1))
        else:
            upright.append(((x0 + x1) / 2, y0, y1))
    return Rulings(tuple(merged(flat)), tuple(merged(upright)), tuple(_fills(shades, scale)))


def _fills(shades: Sequence[Shade], scale: float) -> list[Fill]:
    """Shades as filled boxes: sides and levels that differ by no more than a scan makes them are the same, as they are where they were drawn."""
    boxes = [scaled(shade.box, scale) for shade in shades]
    lefts, rights = (_shared([box[side] for box in boxes], SAME_SIDE) for side in (0, 2))
    levels = _shared([shade.gray for shade in shades], SAME_LEVEL)
    return [Fill((x0, box[1], x1, box[3]), (level,)) for x0, x1, box, level in zip(lefts, rights, boxes, levels, strict=True) if x1 > x0]


def _part(line: Line, words: Sequence[Word]) -> Line:
    """The line of some of its words; the whole line where these are all."""
    if len(words) == len(words_of(line)):
        return line
    box = words[0].x0, line.box[1], words[-1].x1, line.box[3]
    return Line(box, " ".join(word.text for word in words), line.confidence, line.size, tuple(words))


def _unscaled(found: FoundTable, lines: Sequence[Line], scale: float) -> TableLines:
    cells = tuple(replace(cell, bbox=scaled(cell.bbox, 1 / scale)) if cell.bbox else cell for cell in found.table.cells)
    table = replace(found.table, cells=cells, column_edges=tuple(x / scale for x in found.table.column_edges))
    return TableLines(scaled(found.bbox, 1 / scale), table, tuple(lines))
