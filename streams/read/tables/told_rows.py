"""The rows of a table that its lines of text tell: in the header above a rule, in one without any rule, and in the body.

The middle step of a grid: columns are known, borders between cells are not yet.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from streams.read.tables.borders import reaches
from streams.read.tables.grid import EDGE_PT, Grid, nearest
from streams.read.tables.held_rows import MIN_FULL, holds_rows
from streams.read.tables.line_parts import parts_of
from streams.read.tables.lines import Line, between, chunks_of
from streams.read.tables.open_headers import header_cuts, header_lines, headings_above
from streams.read.tables.regions import Region
from streams.read.tables.rows import Style, has_full_line_below_room, row_cuts

LINES_OF_OPEN_BAND = 3
"""A band with this many lines of several columns holds rows, where column lines are all that is drawn."""
SAME_EDGE_PT = 1.0
"""An edge that text tells this near to a drawn one is that one."""


@dataclass(slots=True)
class ToldRows:
    """Row edges that text tells. `spanners`: edges that part a heading over several columns from its labels, with its columns alone;
    `groups`: edges below a row of headings, with the columns [first, last) that each spans; `header_end`: the edge below a header that no
    rule sets off; `style`: what was taken to part the rows.
    """

    edges: list[float]
    spanners: dict[float, set[int]]
    groups: dict[float, tuple[tuple[int, int], ...]]
    header_end: float | None = None
    style: Style | None = None


def rows_told(
    region: Region, grid: Grid, bands: Sequence[Sequence[Line]], xs: Sequence[float], header_bands: int, style: Style | None = None
) -> ToldRows:
    """The row edges within the drawn bands of a region whose columns are known; `header_bands` of them stand above a header rule. `style` as for
    `refined_grid`.
    """
    body = [(i, band) for i, band in enumerate(bands) if band and i >= header_bands]
    style = style or _style(region, [band for _, band in body], xs)
    told = ToldRows([], {}, {}, style=style)
    titles = 0
    for i, band in enumerate(bands):
        titles += i == titles and len(band) > 0 and all(len(chunks_of(line)) == 1 for line in band)
        if i < header_bands or (i <= titles and style is Style.RULED and len(band) > 1):
            found = _spanner_cut(band, xs) or _drawn_cut(region, band, xs, grid.ys[i], grid.ys[i + 1])
            if found:
                told.edges.append(found[0])
                told.spanners[found[0]] = found[1]
            elif i == 0 < header_bands and (cut := headings_above(band, xs)) is not None:
                told.edges.append(cut.y)
                told.spanners[cut.y] = set(range(1, len(xs) - 1))
                told.groups[cut.y] = cut.groups
            elif i >= header_bands and holds_rows(band, [parts_of(line, xs) for line in band], xs):
                _tell_band(told, band, xs, style, header_lines(band, xs))
        elif style is Style.RULED and (section := _section_cut(region, band, xs, grid.ys[i], grid.ys[i + 1])):
            told.edges.append(section[0])
            told.spanners[section[0]] = section[1]
        elif len(band) > 1:
            is_top = region.is_stack and style is Style.OPEN and not header_bands and not any(bands[:i])
            _tell_band(told, band, xs, style, header_lines(band, xs) if is_top else 0)
    told.edges[:] = [y for y in told.edges if all(abs(y - edge) > SAME_EDGE_PT for edge in grid.ys)]
    kept = set(told.edges)
    told.spanners = {y: columns for y, columns in told.spanners.items() if y in kept}
    told.groups = {y: groups for y, groups in told.groups.items() if y in kept}
    return told


def _tell_band(told: ToldRows, band: Sequence[Line], xs: Sequence[float], style: Style, head: int) -> None:
    """Adds the edges within a band whose first `head` lines are a header."""
    if head:
        cuts = header_cuts(band[:head], xs)
        told.groups.update((cut.y, cut.groups) for cut in cuts)
        told.header_end = between(band[head - 1], band[head])
        told.edges.extend([*(cut.y for cut in cuts), told.header_end])
    told.edges.extend(row_cuts(band[head:], xs, style))


def _style(region: Region, body: Sequence[Sequence[Line]], xs: Sequence[float]) -> Style:
    """How rows are told apart: by rules, if there are more bands than a header, a body and a last row make, or else by text."""
    tall = [band for band in body if len(band) > 1]
    few = len(body) <= 2
    if region.is_stack and tall and few and are_rows(body, xs):
        return Style.RULED
    if region.is_stack and (few or sum(2 for band in tall if holds_rows(band, [parts_of(line, xs) for line in band], xs)) >= max(1, len(tall))):
        return Style.OPEN
    if not region.is_stack and few and any(_may_hold_rows(band, xs) for band in tall):
        return Style.COLUMNS
    return Style.RULED


def are_rows(bands: Sequence[Sequence[Line]], xs: Sequence[float]) -> bool:
    """Whether two bands are a row each: the first line of both fills all columns, three or more, and one of these holds a number there alone. The
    upper one may be what a page break left of a row, without a label and without such a number.
    """
    if len(bands) != 2 or len(xs) <= MIN_FULL:
        return False
    above, below = ([parts_of(line, xs) for line in band] for band in bands)
    is_rest = not any(0 in line for line in above)
    leads = [below[0]] if is_rest else [above[0], below[0]]
    others = [*above[not is_rest :], *below[1:]]
    if any(len(lead) < len(xs) - 1 for lead in leads):
        return False
    return any(all(lead[c].value for lead in leads) and not any(c in line for line in others) for c in range(1, len(xs) - 1))


def _may_hold_rows(band: Sequence[Line], xs: Sequence[float]) -> bool:
    """Whether a band has some lines of several columns, or one that fills all of its columns below room."""
    return sum(1 for line in band if len(chunks_of(line)) > 1) >= LINES_OF_OPEN_BAND or has_full_line_below_room(band, xs)


def _drawn_cut(region: Region, band: Sequence[Line], xs: Sequence[float], top: float, bottom: float) -> tuple[float, set[int]] | None:
    """The same where no rule is drawn below the headings, but those between the columns that they span begin there."""
    begun = [(at, start) for at, start, end in region.vertical if top + EDGE_PT < start < bottom - EDGE_PT and end >= bottom - EDGE_PT]
    inner = {nearest(xs, at): start for at, start in begun if abs(xs[nearest(xs, at)] - at) <= EDGE_PT}
    if not inner or max(inner.values()) - min(inner.values()) > EDGE_PT:
        return None
    y = min(inner.values())
    if not any(line.middle < y for line in band) or not any(line.middle > y for line in band):
        return None
    return y, {column for edge in inner for column in (edge - 1, edge)}


def _section_cut(region: Region, band: Sequence[Line], xs: Sequence[float], top: float, bottom: float) -> tuple[float, set[int]] | None:
    """The same for the name of a section that stands over the first of its rows, with columns that begin below it."""
    found = _drawn_cut(region, band, xs, top, bottom) if len(band) > 1 else None
    if found is None or len(found[1]) <= MIN_FULL or any(len(chunks_of(line)) > 1 for line in band if line.middle < found[0]):
        return None
    return found


def _spanner_cut(band: Sequence[Line], xs: Sequence[float]) -> tuple[float, set[int]] | None:
    """Where headings over several columns end within a header band, and the columns that they span."""
    if len(band) < 2 or len(xs) < 4:
        return None
    for i, line in enumerate(band[:-1]):
        below = [reach for other in band[i + 1 :] for reach in reaches(other, xs)]
        spanned: set[int] = set()
        for first, last in reaches(line, xs):
            labels = [r for r in below if first <= r[0] < last]
            if last - first >= 2 and len(labels) >= 2 and all(b - a == 1 for a, b in labels):
                spanned.update(range(first, last))
        if spanned:
            return (line.y1 + band[i + 1].y0) / 2, spanned
    return None
