"""Tables without rules: the runs of lines that may be one, made tables by the same steps as ruled ones, and told from what only looks like one.

Each comes with a confidence. From `SURE` on the words alone vouch for it; a doubtful one is only a question for the layout tier.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec.structs import replace as with_fields

from schemas.geometry import BBox
from streams.read.tables.builder import drawn_grid, refined_grid
from streams.read.tables.captioned import caption_above
from streams.read.tables.cells import FoundTable, PageMarks, filled_table
from streams.read.tables.cut_off import is_cut_off
from streams.read.tables.lines import Word, words_in
from streams.read.tables.lookalikes import has_bars, has_curves, has_label_row, is_lookalike, open_confidence, outweighs_curves
from streams.read.tables.regions import Region
from streams.read.tables.unruled import open_regions, region_around

SURE = 0.6
"""From this confidence on a table without rules is one without the layout tier's word."""
MAX_OPEN_REGIONS = 40
"""Runs looked at on one page."""
MAX_OPEN_WORDS = 6_000
"""Words of a page that is looked at for tables without rules: a page full of numbers in 6-point text has 3,000."""


MIN_CELLS = 4
"""Words of the smallest table: two rows and two columns."""


@dataclass(frozen=True, slots=True)
class OpenTables:
    """What words alone say: tables that they vouch for, and others that they do not."""

    sure: tuple[FoundTable, ...]
    doubtful: tuple[FoundTable, ...]


NONE = OpenTables((), ())


def open_tables(words: Sequence[Word], page: PageMarks, taken: Sequence[BBox]) -> OpenTables:
    """The tables that no rule draws, of words sorted as `words_of` does; those within boxes `taken` by other tables are left out."""
    free = list(words)
    for x0, y0, x1, y1 in taken:
        free = [w for w in free if not (x0 <= (w[0] + w[2]) / 2 <= x1 and y0 <= (w[1] + w[3]) / 2 <= y1)]
    if len(free) > MAX_OPEN_WORDS:
        return NONE
    sure: list[FoundTable] = []
    doubtful: list[FoundTable] = []
    for found in open_regions(free, page.rulings.horizontal)[:MAX_OPEN_REGIONS]:
        if has_bars(found.region.box, page.rulings.fills):
            continue
        table = open_table(found.region, free, page)
        if table is not None and (outweighs_curves(table.table) or not has_curves(found.region.box, page.rulings.curves)):
            (sure if table.table.confidence >= SURE else doubtful).append(table)
    return OpenTables(tuple(sure), tuple(doubtful))


def table_within(box: BBox, words: Sequence[Word], page: PageMarks) -> FoundTable | None:
    """The table that the words in a box make, which somebody else took for one's place."""
    inside = words_in(words, box)
    return open_table(region_around(inside, page.rulings.horizontal), words, page) if len(inside) >= MIN_CELLS else None


def open_table(region: Region, words: Sequence[Word], page: PageMarks) -> FoundTable | None:
    """The table in a region without rules between its columns, with its confidence; None where there is none."""
    x0, y0, x1, y1 = region.box
    inside = words_in(words, (x0 - 1.0, y0 - 1.0, x1 + 1.0, y1 + 1.0))
    grid = drawn_grid(region, inside)
    if grid is None:
        return None
    found = filled_table(refined_grid(grid, region, inside), region, inside, page)
    if found is None:
        return None
    table, caption = found.table, caption_above(found.bbox, words)
    captioned = caption.is_captioned
    if is_lookalike(table, captioned=captioned) or is_cut_off(found, words):
        return None
    if captioned and not caption.is_continued and not table.header_rows and has_label_row(table):
        table = with_fields(table, header_rows=1)  # words over words: only the caption says that a table begins here
    return replace(found, table=with_fields(table, confidence=open_confidence(table, table.confidence, captioned=captioned)))
