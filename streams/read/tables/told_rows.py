"""The rows of a table that its lines of text tell: in the header above a rule, in one without any rule, and in the body.

The middle step of a grid: columns are known, borders between cells are not yet.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from streams.read.tables.borders import reaches
from streams.read.tables.grid import Grid
from streams.read.tables.lines import Line, chunks_of
from streams.read.tables.open_headers import between, header_cuts, header_lines, headings_above
from streams.read.tables.regions import Region
from streams.read.tables.rows import Style, holds_rows, parts_of, row_cuts

LINES_OF_OPEN_BAND = 3
"""A band with this many lines of several columns holds rows, where column lines are all that is drawn."""
SAME_EDGE_PT = 1.0
"""An edge that text tells this near to a drawn one is that one."""


@dataclass(slots=True)
class ToldRows:
    """Row edges that text tells. `spanners`: edges that part a heading over several columns from its labels, with its columns alone;
    `groups`: edges below a row of headings, with the columns [first, last) that each spans; `header_end`: the edge below a header that no
    rule sets off.
    """

    edges: list[float]
    spanners: dict[float, set[int]]
    groups: dict[float, tuple[tuple[int, int], ...]]
    header_end: float | None = None


def rows_told(region: Region, grid: Grid, bands: Sequence[Sequence[Line]], xs: Sequence[float], header_bands: int) -> ToldRows:
    """The row edges within the drawn bands of a region whose columns are known; `header_bands` of them stand above a header rule."""
    body = [(i, band) for i, band in enumerate(bands) if band and i >= header_bands]
    style = _style(region, [band for _, band in body], xs)
    told = ToldRows([], {}, {})
    for i, band in enumerate(bands):
        if i < header_bands or (i == 0 and style is Style.RULED and len(band) > 1):
            found = _spanner_cut(band, xs)
            if found:
                told.edges.append(found[0])
                told.spanners[found[0]] = found[1]
            elif i == 0 < header_bands and (cut := headings_above(band, xs)) is not None:
                told.edges.append(cut.y)
                told.spanners[cut.y] = set(range(1, len(xs) - 1))
                told.groups[cut.y] = cut.groups
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
    if region.is_stack and (few or sum(2 for band in tall if holds_rows([parts_of(line, xs) for line in band])) >= max(1, len(tall))):
        return Style.OPEN
    if not region.is_stack and few and any(sum(1 for line in band if len(chunks_of(line)) > 1) >= LINES_OF_OPEN_BAND for band in tall):
        return Style.COLUMNS
    return Style.RULED


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
