"""TEDS: how alike two tables are as trees, 0..1 (X. Zhong, E. ShafieiBavani, A. Jimeno Yepes: Image-based table recognition, 2020).

A table is a tree of rows of cells; the edit distance over both trees is set against the larger one. A cell with another text costs the
normalised edit distance of the texts, a cell with another span costs 1. Places that no cell covers are empty cells, as HTML has them.
Distances by the exact algorithm of Pawlik and Augsten (`apted`), whose cost grows with the square of the table: tables of more than
`MAX_NODES` are not scored, and are counted.
"""

from collections.abc import Sequence
from typing import Any

from apted import APTED, Config  # type: ignore[import-untyped]
from msgspec import Struct
from rapidfuzz.distance import Levenshtein

from tests.bench.scoring.cells import match_tables
from tests.bench.scoring.grids import Grid

MAX_NODES = 700
"""Of the larger of two trees: some 60 rows of 10 columns, and more than any single page of the competition holds; about ten seconds."""


class _Node(Struct):
    tag: str
    children: "list[_Node]" = []
    span: tuple[int, int] = (1, 1)
    text: str = ""


class _Costs(Config):  # type: ignore[misc]
    """What an edit costs: 1 for an added or removed node, the difference of the texts for a changed cell."""

    def rename(self, node1: _Node, node2: _Node) -> float:
        """0 for alike, 1 for different."""
        if node1.tag != node2.tag or node1.span != node2.span:
            return 1.0
        return float(Levenshtein.normalized_distance(node1.text, node2.text))

    def children(self, node: Any) -> list[Any]:
        """The nodes below one."""
        below: list[Any] = node.children
        return below


class TedsScore(Struct, frozen=True):
    """The sum of the scores of `tables` tables (partners once, tables without one at 0), and the pairs too large to be compared."""

    total: float = 0.0
    tables: int = 0
    too_large: int = 0

    def __add__(self, other: "TedsScore") -> "TedsScore":
        return TedsScore(self.total + other.total, self.tables + other.tables, self.too_large + other.too_large)

    @property
    def mean(self) -> float:
        """Over all tables of both sides; 1 where there is none."""
        return self.total / self.tables if self.tables else 1.0


def teds(true: Grid, found: Grid) -> float | None:
    """The likeness of two tables, 1 for equal ones; None where they are too large.

    Trees of other shapes can cost more edits than the larger one has nodes; that is no less like than 0.
    """
    first, second = _tree(true), _tree(found)
    size = max(_size(first), _size(second))
    if true == found:
        return 1.0
    if size > MAX_NODES:
        return None
    return max(0.0, 1.0 - float(APTED(first, second, _Costs()).compute_edit_distance()) / size)


def score_teds(true: Sequence[Grid], found: Sequence[Grid]) -> TedsScore:
    """The score of one document; partners as for cells, a table without a partner counts 0 on either side.

    Rows and columns without any text are left out on both sides: the truth of the competition counts from 0 in one file and from 1 in another,
    and its own measure passes over blank cells.
    """
    true, found = [grid.compact() for grid in true], [grid.compact() for grid in found]
    partners = match_tables(true, found)
    score = TedsScore(0.0, len(true) + len(found) - 2 * len(partners), 0)
    for i, j in partners:
        likeness = teds(true[i], found[j])
        score += TedsScore(0.0, 0, 1) if likeness is None else TedsScore(likeness, 1, 0)
    return score


def _tree(grid: Grid) -> _Node:
    covered = {
        (y + down, x + across)
        for (y, x), (rows, columns) in grid.spans.items()
        for down in range(min(rows, len(grid.rows)))
        for across in range(min(columns, len(grid.rows[0])))
        if down or across
    }
    lines = [
        _Node("row", [_Node("cell", [], grid.spans.get((y, x), (1, 1)), text) for x, text in enumerate(row) if (y, x) not in covered])
        for y, row in enumerate(grid.rows)
    ]
    return _Node("table", lines)


def _size(node: _Node) -> int:
    return 1 + sum(_size(child) for child in node.children)
