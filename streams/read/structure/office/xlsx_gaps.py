"""Where a sheet is cut into regions: at empty rows and columns, other than those that merely give one table some air.

Pure: places of cells in, groups of them out, each place once. A narrow column or a low row is no gap between rows that are named on one side of it
only; nor is an empty column before or behind a single one that fills the same rows. Two tables side by side have names of their own and stay apart.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from msgspec import Struct

from streams.read.structure.office.xlsx_cells import Merged, SheetCell

Place = tuple[int, int]
MAX_CUTS = 16
"""Cuts inside each other: real sheets have two or three."""
MAX_WIDE_GAP = 2
"""Empty columns of usual width between a table and a last column of it."""
SAME_ROWS = 0.75
"""Of the rows of the side that has fewer: how many the other side must fill as well."""
ROWS, COLUMNS = 0, 1


class Spacing(Struct, frozen=True):
    """Rows and columns that are too small to hold text."""

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()


NO_SPACING = Spacing()


class _Group(Struct):
    """Places along one axis, where they stand along the other one, and the empty lines between them and the group before."""

    places: list[Place]
    across: set[int]
    gap: range


def regions(cells: Mapping[Place, SheetCell], extents: Mapping[Place, Merged], spacing: Spacing) -> Iterator[list[Place]]:
    """Groups of cells, from top to bottom and left to right. `extents`: of merged cells, their areas."""
    for places in _Cutter(cells, extents, spacing).regions(list(cells), 0):
        yield from _apart_at_corners(places, extents)


class _Cutter(Struct, frozen=True):
    cells: Mapping[Place, SheetCell]
    extents: Mapping[Place, Merged]
    spacing: Spacing

    def regions(self, places: list[Place], depth: int) -> Iterator[list[Place]]:
        """Groups between gaps, cut in turns until nothing can be cut."""
        by_rows = self._cut(places, ROWS)
        if len(by_rows) == 1 and depth:
            yield places
            return
        for band in by_rows:
            parts = self._cut(band, COLUMNS)
            for part in parts:
                if len(parts) == 1 or depth >= MAX_CUTS:
                    yield part
                else:
                    yield from self.regions(part, depth + 1)

    def _cut(self, places: list[Place], axis: int) -> list[list[Place]]:
        """The places in groups that an empty row or column sets apart."""
        groups: list[_Group] = []
        reach = -2
        for place in sorted(places, key=lambda one: (one[axis], one[1 - axis])):
            if place[axis] > reach + 1 or not groups:
                groups.append(_Group([], set(), range(reach + 1, place[axis])))
            groups[-1].places.append(place)
            groups[-1].across.add(place[1 - axis])
            area = self.extents.get(place)
            end = place[axis] if area is None else (area.bottom, area.right)[axis]
            reach = max(reach, end)
        joined = groups[:1]
        for group in groups[1:]:
            if self._joins(joined[-1], group, axis):
                joined[-1].places.extend(group.places)
                joined[-1].across |= group.across
            else:
                joined.append(group)
        return [group.places for group in joined]

    def _joins(self, before: _Group, group: _Group, axis: int) -> bool:
        """Whether what an empty row or column sets apart is one table."""
        if axis == ROWS:
            return all(row in self.spacing.rows for row in group.gap) and not before.across.isdisjoint(group.across)
        is_narrow = all(column in self.spacing.columns for column in group.gap)
        if not is_narrow and len(group.gap) > MAX_WIDE_GAP:
            return False
        left, right = before.across, group.across
        if len(left & right) < max(2, SAME_ROWS * min(len(left), len(right))):
            return False
        if is_narrow and not self._is_named(group.places):
            return True
        return (left <= right and _is_column(before.places)) or (right <= left and _is_column(group.places))

    def _is_named(self, places: Sequence[Place]) -> bool:
        """Whether the first column, its head aside, names rows: most of it is text."""
        first = min(place[1] for place in places)
        names = sorted(place for place in places if place[1] == first)[1:]
        return 2 * sum(self.cells[place].is_text for place in names) > len(names)


def _apart_at_corners(places: list[Place], extents: Mapping[Place, Merged]) -> Iterator[list[Place]]:
    """Tables that touch at nothing but their corners, each for itself."""
    places = sorted(places)
    rights = [place[1] if (area := extents.get(place)) is None else area.right for place in places]
    rest_left = list(accumulate((place[1] for place in reversed(places)), min))[::-1]
    rest_right = list(accumulate(reversed(rights), max))[::-1]
    starts, left, right = [0], places[0][1], rights[0]
    for index in range(1, len(places)):
        if places[index][0] > places[index - 1][0] and (right < rest_left[index] or rest_right[index] < left):
            starts.append(index)
            left, right = places[index][1], rights[index]
        left, right = min(left, places[index][1]), max(right, rights[index])
    parts = [places[start:end] for start, end in pairwise([*starts, len(places)])]
    yield from parts if all(map(_is_full, parts)) else [places]


def _is_column(places: Sequence[Place]) -> bool:
    return all(place[1] == places[0][1] for place in places)


def _is_full(places: Sequence[Place]) -> bool:
    """Whether cells fill two rows and two columns at the least, all of them."""
    rows, columns = {place[0] for place in places}, {place[1] for place in places}
    return len(rows) > 1 and len(columns) > 1 and len(places) == len(rows) * len(columns)
