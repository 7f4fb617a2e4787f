"""Tables joined over page breaks: every row in place and none too many; and tables of facing pages that must stay apart."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from tests.bench.scoring.grids import Grid
from tests.bench.scoring.outputs import Output
from tests.bench.scoring.teds import teds
from tests.bench.scoring.truth import JoinedTable

Rows = tuple[tuple[str, ...], ...]


class JoinScore(Struct, frozen=True):
    """One joined table: `exact` if its rows are the true ones in their order (other rows of a heading above them may stay), `same_rows` of
    `true_rows` rows found anywhere in the best table, its size, and its likeness (None where too large to be compared).
    """

    name: str
    exact: bool
    same_rows: int
    true_rows: int
    found_rows: int
    teds: float | None


def score_join(table: JoinedTable, output: Output | None) -> JoinScore:
    """The score of the table of an output that shares most rows with the true one."""
    true = _filled(table.grid)
    grids = output.grids if output else []
    best = max(grids, key=lambda grid: _shared(_filled(grid), true), default=None)
    found = _filled(best) if best else ()
    exact = bool(true) and found[-len(true) :] == true
    likeness = teds(Grid(true, {}), Grid(found, {})) if found else 0.0
    return JoinScore(table.name, exact, _shared(found, true), len(true), len(found), likeness)


class FacingTables(Struct, frozen=True):
    """Like tables on neighbouring pages of a file that are tables of their own; the file holds at least `least` tables."""

    file: str
    pages: tuple[int, int]
    least: int


FACING = (FacingTables("t10_neg_same_layout.pdf", (2, 3), 3), FacingTables("t11_neg_mmwr.pdf", (2, 3), 2))
"""What the corpus says must not be joined."""


def false_joins(cases: Sequence[FacingTables], outputs: Mapping[str, Output]) -> list[str]:
    """The cases that are wrong, with the pages of each table found. A case without output is wrong."""
    wrong = []
    for case in cases:
        output = outputs.get(case.file)
        spans = [table.pages for table in output.tables] if output else []
        if output is None or any(set(case.pages) <= set(span) for span in spans) or len(spans) < case.least:
            wrong.append(f"{case.file}: {'no output' if output is None else f'tables on pages {[list(s) for s in spans]}'}")
    return wrong


def _filled(grid: Grid) -> Rows:
    return tuple(row for row in grid.rows if any(row))


def _shared(one: Rows, other: Rows) -> int:
    return (Counter(one) & Counter(other)).total()
