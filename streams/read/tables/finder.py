"""Tables of a page from its words and rulings.

Guarantees: a word is in at most one cell of one table (one that runs over a border in one of each side); cells stand where they are drawn,
empty ones among them; no exception for any words and drawings that PyMuPDF can give; nothing is found where text does not fill two rows and
two columns. Pure functions of their arguments. The order: regions (rulings alone) → grid (rulings) → what text adds → cells → is it a table.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from msgspec.structs import replace as with_fields

from schemas.geometry import BBox
from streams.read.tables.builder import drawn_grid, refined_grid
from streams.read.tables.cells import FoundTable, PageMarks, filled_table
from streams.read.tables.contents import is_contents, is_underlined
from streams.read.tables.cut_off import is_cut_off
from streams.read.tables.frames import with_headers
from streams.read.tables.headings_above import with_headings
from streams.read.tables.labelled import lacks_labels, with_labels
from streams.read.tables.lines import Word, text_lines, typed_rules, words_in, words_of
from streams.read.tables.lookalikes import has_curves, is_form_grid, is_lookalike, open_confidence, outweighs_curves, rows_of_texts
from streams.read.tables.open_tables import NONE, OpenTables, open_tables, table_within
from streams.read.tables.regions import MIN_FILLS, SAME_END_PT, Region, regions_of, shaded_regions_of
from streams.read.tables.rests import rest_of
from streams.read.tables.rows import Style
from streams.read.tables.rulings import Rulings, merged, rulings_of
from streams.read.tables.splitting import Glyphs, cut_at_borders, cuts_through_letters
from streams.read.tables.stacks import tables_in_stack
from streams.read.tables.stripes import with_header, with_last_row
from streams.read.tables.trimming import separate_tables, without_caption_and_notes

MAX_REGIONS = 200
"""Regions looked at on one page; a page of forms has dozens of boxes."""
MOSTLY_RULED = 0.5
"""From this share of drawn borders on, backgrounds within a table tell nothing more."""
OPEN_SIDES = 0.3
"""Below this share of drawn borders the sides of a table are open, and it may be a part of wider lines."""
OUTSIDE_PT = 1.5
"""How far a cell's words may stand outside of its outermost rulings."""
MAX_WORDS = 20_000
"""Words of a page that is looked at; the densest real page, a newspaper, has 5,000."""
HIGHEST_REST_PT = 150.0
"""Height of three rows of some lines: what is higher is no rest of a table."""
MAX_CUT = 0.6
"""Words cut at borders through their letters, a line of text: more, and the rules run through what they have nothing to do with."""
MIN_WORDS = 3
"""Fewer words do not fill two rows and two columns."""


def find_tables(
    words: Sequence[Sequence[Any]],
    drawings: Rulings | Sequence[Mapping[str, Any]],
    page_box: BBox,
    bold_words: Set[int] = frozenset(),
    glyphs: Glyphs | None = None,
) -> list[FoundTable]:
    """The tables of a page that rules or backgrounds draw, wholly or in part, from top to bottom.

    `words` are PyMuPDF's word tuples, `drawings` the dicts of `get_cdrawings` or the rulings already made of them, all in points of the
    page as displayed, whose box is `page_box`. `bold_words` are indexes of words set in bold; they help to tell header rows. `glyphs` gives
    the page's characters, asked for only where a word runs over a border; without it their places are estimated.
    """
    rulings = drawings if isinstance(drawings, Rulings) else rulings_of(drawings)
    return TableFinder(words, rulings, page_box, bold_words, glyphs).ruled()


class TableFinder:
    """The tables of one page by what tells them, its words looked through once. Arguments are as for `find_tables`."""

    def __init__(self, words: Sequence[Sequence[Any]], rulings: Rulings, page_box: BBox, bold_words: Set[int], glyphs: Glyphs | None) -> None:
        self._words = words_of(words) if len(words) <= MAX_WORDS else []
        typed = typed_rules(words) if len(words) <= MAX_WORDS else []
        if typed:
            rulings = replace(rulings, horizontal=tuple(merged([*rulings.horizontal, *typed])))
        self._page = PageMarks(rulings, bold_words, glyphs)
        self._box = page_box
        self.rests: list[FoundTable] = []
        """Rows between rules that are no table by themselves (see `rests`), once `ruled` has looked."""

    def ruled(self) -> list[FoundTable]:
        """The tables that rules or backgrounds draw, wholly or in part, from top to bottom."""
        rulings = self._page.rulings
        if not self._words:
            return []
        found = _tables_in(regions_of(rulings), self._words, self._page, self.rests)
        if len(rulings.fills) >= MIN_FILLS:
            shaded = shaded_regions_of(rulings, self._box, [t.bbox for t in found if t.table.ruled >= MOSTLY_RULED])
            taken = frozenset[int]().union(*(table.words for table in found))
            shaded = [with_header(with_last_row(region, self._words, taken), self._words, rulings.horizontal) for region in shaded]
            told = _tables_in(shaded, self._words, self._page, []) if shaded else []
            _part(found, told)
            for table in told:
                _add_or_replace(found, table)
        found = [table for table in found if not _is_frame(table, found)]
        free = self._outside(found) if found else []
        found = [with_headings(table, free) if table.table.ruled >= OPEN_SIDES else table for table in found]
        self.rests = [rest for rest in self.rests if not any(rest.words & table.words for table in found)]
        return sorted(found, key=lambda t: (t.bbox[1], t.bbox[0]))

    def unruled(self, taken: Sequence[BBox]) -> OpenTables:
        """The tables outside of the boxes `taken` that nothing draws."""
        return open_tables(self._words, self._page, taken) if self._words else NONE

    def lacks_labels(self, table: FoundTable, others: Sequence[FoundTable]) -> bool:
        """Whether a table that rules told has the labels of its rows left of them; what is in `others` is no label."""
        return lacks_labels(table.bbox, self._outside([other for other in others if other is not table]))

    def with_labels(self, table: FoundTable, others: Sequence[FoundTable]) -> FoundTable:
        """A table that lacks them with the labels of its rows; what is in `others` is no label."""
        return with_labels(table, self._outside([other for other in others if other is not table]))

    def _outside(self, tables: Sequence[FoundTable]) -> list[Word]:
        """The words of the page that are in none of the tables."""
        taken = frozenset[int]().union(*(table.words for table in tables))
        return [word for word in self._words if word[5] not in taken] if taken else self._words

    def within(self, box: BBox) -> FoundTable | None:
        """The table that the words in a box make, whether rules tell it or not; None where they make none."""
        return table_within(box, self._words, self._page) if self._words else None


def _tables_in(regions: Sequence[Region], words: Sequence[Word], page: PageMarks, rests: list[FoundTable]) -> list[FoundTable]:
    """The tables in regions; no two share a word. Adds to `rests` what is too little for one."""
    free = list(words)
    found: list[FoundTable] = []
    for region in with_headers(regions[:MAX_REGIONS], words):
        parts = tables_in_stack(region, free, page.rulings.horizontal, [t.bbox for t in found]) if region.is_stack else [region]
        tables: list[FoundTable] = []
        for part in parts:
            own = [table for table in _tables_of(part, free, page) if table.table.ruled >= OPEN_SIDES or not is_cut_off(table, free)]
            tables += own
            for table in own:
                free = [w for w in free if w[5] not in table.words]
            if not own and part is not region and not _is_low(region):
                _add_rest(rests, part, free)
        found += tables
        if not tables and _is_low(region):
            _add_rest(rests, region, free)
    return found


def _is_low(region: Region) -> bool:
    return region.box[3] - region.box[1] <= HIGHEST_REST_PT


def _add_rest(rests: list[FoundTable], region: Region, words: Sequence[Word]) -> None:
    if _is_low(region) and (rest := rest_of(region, words)):
        rests.append(rest)


def _part(found: list[FoundTable], shaded: Sequence[FoundTable]) -> None:
    """Parts a table of rules where backgrounds tell several that hold all of its words, each of other columns and with more of its borders drawn."""
    for before in list(found) if len(shaded) > 1 else ():
        parts = [table for table in shaded if table.words & before.words]
        if (
            len(parts) > 1
            and before.words <= frozenset[int]().union(*(part.words for part in parts))
            and all(part.table.ruled > before.table.ruled for part in parts)
            and len({part.table.columns for part in parts}) == len(parts)
        ):
            found[:] = [table for table in found if not any(table.words & part.words for part in parts)] + parts


def _add_or_replace(found: list[FoundTable], shaded: FoundTable) -> None:
    """Takes a table that backgrounds told: where lines told none, or in place of the same table without, say, its shaded header."""
    others = [t for t in found if t.words & shaded.words]
    if not others:
        found.append(shaded)
        return
    if len(others) > 1 and _are_parts(others, shaded):
        found[:] = [table for table in found if table not in others] + [shaded]
        return
    before = others[0]
    is_glued = before.table.rows == shaded.table.rows and _filled(before) > _filled(shaded)
    is_plainer = before.table.ruled < shaded.table.ruled and not is_glued
    is_frame = before.table.ruled >= MOSTLY_RULED > shaded.table.ruled  # around a table whose own borders are drawn
    better = (before.words < shaded.words and not is_frame) or (before.words == shaded.words and is_plainer)
    if len(others) == 1 and better and before.table.columns == shaded.table.columns:
        found[found.index(before)] = shaded


def _are_parts(parts: Sequence[FoundTable], whole: FoundTable) -> bool:
    """Whether tables of rules are parts of one whose backgrounds hang together: of the same columns, as nearly all of its borders are drawn."""
    edges = whole.table.column_edges
    return (
        whole.table.ruled >= MOSTLY_RULED
        and all(part.words <= whole.words and part.table.columns == whole.table.columns for part in parts)
        and all(abs(a - b) <= SAME_END_PT for part in parts for a, b in zip(part.table.column_edges, edges, strict=True))
    )


def _is_frame(table: FoundTable, found: Sequence[FoundTable]) -> bool:
    """Whether a table is hardly ruled, and what is left of the words in a frame around another one with more rows."""
    if table.table.ruled >= MOSTLY_RULED:
        return False
    x0, y0, x1, y1 = table.bbox
    inside = [other for other in found if x0 <= other.bbox[0] and y0 <= other.bbox[1] and other.bbox[2] <= x1 and other.bbox[3] <= y1]
    return any(other.table.rows > table.table.rows for other in inside)


def _filled(found: FoundTable) -> int:
    """The cells that hold text: fewer in as many rows of the same words are some that were taken for one."""
    return sum(1 for cell in found.table.cells if cell.text)


def _tables_of(region: Region, free: Sequence[Word], page: PageMarks) -> list[FoundTable]:
    """The tables in a region: mostly one or none, several where tables stand on each other without a gap."""
    x0, y0, x1, y1 = region.box
    words = words_in(free, (x0 - OUTSIDE_PT, y0 - OUTSIDE_PT, x1 + OUTSIDE_PT, y1 + OUTSIDE_PT))
    if len(words) < MIN_WORDS:
        return []
    grid = drawn_grid(region, words)
    if grid is None:
        return []
    parts = separate_tables(grid, region, words)
    if len(parts) > 1:
        return [table for part in parts for table in _tables_of(part, words, page)]
    trimmed = without_caption_and_notes(grid, region, words)
    if trimmed is not region:
        words = words_in(words, trimmed.box)
        grid = drawn_grid(trimmed, words) if len(words) >= MIN_WORDS else None
        if grid is None:
            return []
    whole = words
    words = cut_at_borders(words, grid, grid, page.glyphs) if grid.columns > 1 else words
    bound = MAX_CUT * len(text_lines(words)) if len(words) > len(whole) else 0.0
    if len(words) - len(whole) > bound and cuts_through_letters(whole, grid, page.glyphs) > bound:
        return []
    refined = refined_grid(grid, trimmed, words)
    table = filled_table(refined, trimmed, words, page)
    if table is None and not trimmed.is_stack and refined.style not in (None, Style.RULED):  # lines of tall cells were taken for rows
        table = filled_table(refined_grid(grid, trimmed, words, Style.RULED), trimmed, words, page)
    if table is None or (grid.rows == grid.columns == 1 and is_lookalike(table.table)):  # a frame around a list, a form, a chart
        return []
    if is_form_grid(table.table) or (is_underlined(words, trimmed.horizontal) and is_contents(rows_of_texts(table.table), table.table)):
        return []
    if has_curves(table.bbox, page.rulings.curves) and not outweighs_curves(table.table):
        return []
    return [_weighed(table)]


def _weighed(found: FoundTable) -> FoundTable:
    """The table with a confidence that rests on its rules as far as these are drawn, and on its text for the rest."""
    drawn = min(1.0, found.table.ruled / MOSTLY_RULED)
    if drawn == 1.0:
        return found
    regularity = found.table.confidence
    confidence = drawn * regularity + (1 - drawn) * open_confidence(found.table, regularity)
    return replace(found, table=with_fields(found.table, confidence=round(confidence, 3)))
