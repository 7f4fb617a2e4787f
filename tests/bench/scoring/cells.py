"""Cell precision, recall and F1 by the measure of the ICDAR-2013 table competition: pairs of neighbouring cells.

A pair is two filled cells that follow each other in a row or a column, blank cells skipped (M. Göbel, T. Hassan, E. Oro, G. Orsi: ICDAR 2013
Table Competition). Found and true tables are matched one to one, the largest overlap first; all pairs of a table without a partner are errors,
on either side. So a table cut in two, two tables run into one, and a table made of prose all cost.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from tests.bench.scoring.grids import Grid

Pairs = Counter[tuple[str, str, str]]
"""(direction, text, next text) with how often it occurs."""


class CellScore(Struct, frozen=True):
    """Pairs that are right, that were found and are not true, and that are true and were not found. Scores of documents are added."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def __add__(self, other: "CellScore") -> "CellScore":
        return CellScore(self.right + other.right, self.wrong + other.wrong, self.missed + other.missed)

    @property
    def precision(self) -> float:
        """Of what was found, how much is right; 1 where nothing was found and nothing was to be found."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else float(not self.missed)

    @property
    def recall(self) -> float:
        """Of what was to be found, how much was; 1 where nothing was to be found."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / total if total else 1.0


def neighbour_pairs(grid: Grid) -> Pairs:
    """All pairs of neighbours of a table."""
    rows: dict[int, list[tuple[int, str]]] = {}
    columns: dict[int, list[tuple[int, str]]] = {}
    for (y, x), text in sorted(grid.filled.items()):
        rows.setdefault(y, []).append((x, text))
        columns.setdefault(x, []).append((y, text))
    pairs: Pairs = Counter()
    for direction, lines in (("across", rows), ("down", columns)):
        for line in lines.values():
            pairs.update((direction, first, second) for (_, first), (_, second) in pairwise(line))
    return pairs


def match_tables(true: Sequence[Grid], found: Sequence[Grid]) -> list[tuple[int, int]]:
    """Partners as (index of the true table, index of the found one), the largest overlap first.

    Of equal overlaps the smaller tables go first, then their texts decide, so that the order in which tables are given changes no score.
    """
    return [(i, j) for i, j, _ in _matched([neighbour_pairs(t) for t in true], [neighbour_pairs(f) for f in found])]


def score_cells(true: Sequence[Grid], found: Sequence[Grid]) -> CellScore:
    """The score of one document, or of one page where tables of different pages must not be mixed."""
    true_pairs, found_pairs = [neighbour_pairs(t) for t in true], [neighbour_pairs(f) for f in found]
    right = sum(overlap for _, _, overlap in _matched(true_pairs, found_pairs))
    return CellScore(right, sum(p.total() for p in found_pairs) - right, sum(p.total() for p in true_pairs) - right)


def _matched(true: Sequence[Pairs], found: Sequence[Pairs]) -> Iterator[tuple[int, int, int]]:
    candidates = []
    for i, wanted in enumerate(true):
        for j, got in enumerate(found):
            if overlap := (wanted & got).total():
                candidates.append((-overlap, wanted.total() + got.total(), sorted(wanted), sorted(got), i, j))
    free_true, free_found = set(range(len(true))), set(range(len(found)))
    for overlap, _, _, _, i, j in sorted(candidates):
        if i in free_true and j in free_found:
            free_true.discard(i)
            free_found.discard(j)
            yield i, j, -overlap
