"""What an output says against the truth: which parts became one table, how like the table is (TEDS), which cut rows are whole again.

TEDS is the tree edit similarity of Zhong, ShafieiBavani and Jimeno Yepes (2020): a table is a tree of rows of cells; a cell that differs in its spans
costs 1, one that differs in its text the normalised edit distance of the texts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from apted import APTED, Config
from rapidfuzz.distance import Levenshtein

from schemas.document import Document, FinishedBlock, FinishedTable
from schemas.geometry import BBox, area, intersection_area
from tests.bench.joins.making import Made
from tests.bench.joins.tables import Part, Table

COVERED, WHOLE = 0.4, 0.93
"""Shares of a part's area from which a table of the output holds it, and holds all of it: then the reader found all of its rows."""
LARGEST_TREE = 60
"""Differing cells up to which the trees are compared as such; above, rows are aligned with rows, which can only lower the result."""


@dataclass
class Score:
    """Counts over documents. `links` are breaks within tables, `pairs` neighbours that are no table.

    Of `unread` links a part was read as no table, or not all of it: what is joined there is no merit or fault of joining. `healed_read` of `cut_read`
    are cut rows of tables whose parts were all read whole, `apart_read` the missed links between such parts.
    """

    documents: int = 0
    links: int = 0
    joined: int = 0
    unread: int = 0
    apart_read: int = 0
    cut_read: int = 0
    healed_read: int = 0
    pairs: int = 0
    false: int = 0
    cut: int = 0
    healed: int = 0
    rows: int = 0
    rows_right: int = 0
    teds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        """Adds the counts of another one."""
        for name in (
            "documents",
            "links",
            "joined",
            "unread",
            "apart_read",
            "cut_read",
            "healed_read",
            "pairs",
            "false",
            "cut",
            "healed",
            "rows",
            "rows_right",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.teds += other.teds
        self.faults += other.faults

    @property
    def f1(self) -> float:
        """Of joins."""
        return 2 * self.joined / max(1, 2 * self.joined + self.false + (self.links - self.joined))

    @property
    def f1_read(self) -> float:
        """Of joins between parts that were read whole."""
        return 2 * self.joined / max(1, 2 * self.joined + self.false + self.apart_read)


def score_document(made: Made, document: Document) -> Score:
    """Compares one document."""
    score = Score(documents=1)
    blocks = [block for block in document.blocks if block.table is not None]
    before: tuple[Part, FinishedBlock | None] | None = None
    for table in made.tables:
        held = [(part, _holding(part, blocks)) for part in table.parts if part.page not in made.failed]
        read = all(_is_whole(part, block) for part, block in held)
        for (above, first), (below, second) in pairwise(held):
            if any(above.page < page < below.page for page in made.failed):
                _count_pair(score, first, second, above, below)
            else:
                _count_link(score, first, second, above, below)
        if before is not None and held:
            _count_pair(score, before[1], held[0][1], before[0], held[0][0])
        before = held[-1] if held else before
        if not made.failed and len(table.parts) > 1:
            _count_rows(score, table, held[0][1], read)
    return score


def _holding(part: Part, blocks: Sequence[FinishedBlock]) -> FinishedBlock | None:
    shares = [(max((_share(part.bbox, r.bbox) for r in block.regions if r.page == part.page), default=0.0), block) for block in blocks]
    best = max(shares, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] >= COVERED else None


def _is_whole(part: Part, block: FinishedBlock | None) -> bool:
    return block is not None and max(_share(part.bbox, r.bbox) for r in block.regions if r.page == part.page) >= WHOLE


def _share(part: BBox, box: BBox) -> float:
    return intersection_area(part, box) / max(1.0, area(part))


def _count_link(score: Score, first: FinishedBlock | None, second: FinishedBlock | None, above: Part, below: Part) -> None:
    score.links += 1
    read = _is_whole(above, first) and _is_whole(below, second)
    is_joined = first is not None and first is second
    score.unread += not read
    score.joined += is_joined
    score.apart_read += read and not is_joined
    if first is None or first is not second:
        why = "not read as a table" if first is None or second is None else _reasons(first, above)
        score.faults.append(f"apart at {above.page}/{below.page}: {why}")


def _count_pair(score: Score, first: FinishedBlock | None, second: FinishedBlock | None, above: Part, below: Part) -> None:
    score.pairs += 1
    if first is not None and first is second:
        score.false += 1
        score.faults.append(f"joined at {above.page}/{below.page}: {_reasons(first, above)}")


def _reasons(block: FinishedBlock, above: Part) -> str:
    assert block.table is not None
    joins = [join for join in block.table.joins if join.from_page == above.page]
    return "; ".join(f"{join.decision} {join.score} {' '.join(join.reasons)}" for join in joins) or "no verdict"


def _count_rows(score: Score, table: Table, block: FinishedBlock | None, read: bool) -> None:
    rows = [tuple(map(_plain, row)) for row in block.table.rows] if block is not None and block.table is not None else []
    wanted = [tuple(map(_plain, row)) for row in table.rows]
    whole = set(rows)
    for number in dict.fromkeys(table.cut):
        score.cut += 1
        score.cut_read += read
        score.healed += wanted[number] in whole
        score.healed_read += read and wanted[number] in whole
        if wanted[number] not in whole:
            near = max(rows, key=lambda row: Levenshtein.normalized_similarity(" ".join(row), " ".join(wanted[number])), default=())
            score.faults.append(f"cut row {wanted[number]} is {near}")
    score.rows += len(wanted)
    score.rows_right += sum(row in whole for row in wanted)
    value = teds(table, block.table) if block is not None and block.table is not None else 0.0
    score.teds.append(value)
    if value < 0.999:
        score.faults.append(f"TEDS {value:.3f}: {len(wanted)} rows are {len(rows)}, {sum(row not in whole for row in wanted)} of them not exact")


def _plain(text: str) -> str:
    """The text with white space folded; none is left where a line of the script may end within a word."""
    return ("" if any(character >= "\u1100" for character in text) else " ").join(text.split())


@dataclass(frozen=True)
class _Node:
    name: str
    text: str = ""
    children: tuple["_Node", ...] = ()


class _Costs(Config):  # type: ignore[misc]
    def rename(self, node1: _Node, node2: _Node) -> float:
        if node1.name != node2.name:
            return 1.0
        return float(Levenshtein.normalized_distance(node1.text, node2.text))

    def children(self, node: _Node) -> tuple[_Node, ...]:
        return node.children


_COSTS = _Costs()


def teds(truth: Table, found: FinishedTable) -> float:
    """Tree edit similarity 0..1."""
    spans = {(s.row, s.column): (s.rows, s.columns) for s in truth.spans}
    wanted = _tree([(r, c, *spans.get((r, c), (1, 1)), text) for r, row in enumerate(truth.rows) for c, text in enumerate(row)], len(truth.rows))
    got = _tree([(cell.row, cell.column, cell.row_span, cell.column_span, cell.text) for cell in found.cells], len(found.rows), found.columns)
    size = max(1 + sum(1 + len(row) for row in rows) for rows in (wanted, got))
    while wanted and got and wanted[0] == got[0]:
        wanted, got = wanted[1:], got[1:]
    while wanted and got and wanted[-1] == got[-1]:
        wanted, got = wanted[:-1], got[:-1]
    if not wanted and not got:
        return 1.0
    if max(sum(map(len, wanted)), sum(map(len, got))) > LARGEST_TREE:
        return 1.0 - min(1.0, _aligned(wanted, got) / size)
    trees = (_Node("table", children=tuple(_Node("tr", children=row) for row in rows)) for rows in (wanted, got))
    return 1.0 - float(APTED(*trees, _COSTS).compute_edit_distance()) / size


def _aligned(wanted: Sequence[tuple[_Node, ...]], got: Sequence[tuple[_Node, ...]]) -> float:
    """The least cost of turning rows into rows, each row or cell kept, left out, put in or changed into one of the same level."""
    before = [0.0]
    for row in got:
        before.append(before[-1] + 1 + len(row))
    for ours in wanted:
        now = [before[0] + 1 + len(ours)]
        for place, theirs in enumerate(got):
            change = before[place] + (0.0 if ours == theirs else _row_cost(ours, theirs))
            now.append(min(change, before[place + 1] + 1 + len(ours), now[place] + 1 + len(theirs)))
        before = now
    return before[-1]


@lru_cache(maxsize=100_000)
def _row_cost(ours: tuple[_Node, ...], theirs: tuple[_Node, ...]) -> float:
    before = [float(n) for n in range(len(theirs) + 1)]
    for one in ours:
        now = [before[0] + 1]
        for place, other in enumerate(theirs):
            now.append(min(before[place] + _COSTS.rename(one, other), before[place + 1] + 1, now[place] + 1))
        before = now
    return before[-1]


def _tree(cells: Sequence[tuple[int, int, int, int, str]], rows: int, columns: int = 0) -> list[tuple[_Node, ...]]:
    """Rows of cells; what a span covers is no cell, an empty place is an empty one."""
    columns = columns or max((c + w for _, c, _, w, _ in cells), default=0)
    covered: set[tuple[int, int]] = set()
    placed = {}
    for r, c, h, w, text in cells:
        if (r, c) in covered:
            continue
        placed[(r, c)] = _Node(f"td {h} {w}", _plain(text))
        if h > 1 or w > 1:
            covered |= {(y, x) for y in range(r, r + h) for x in range(c, c + w)} - {(r, c)}
    empty = _Node("td 1 1")
    return [tuple(placed.get((r, c), empty) for c in range(columns) if (r, c) not in covered) for r in range(rows)]
