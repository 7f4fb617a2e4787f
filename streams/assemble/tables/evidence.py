"""Whether a table goes on over a page break: evidence 0..1 with reasons, and vetoes that no evidence outweighs.

One decision for one pair of fragments, made of values only. The weights stand in one table; they add up so that equal columns with fitting
content at the right places join, and so that a single kind of evidence never does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from streams.assemble.tables.column_fit import PLACED, ColumnFit, fit_below_row, fit_columns
from streams.assemble.tables.column_profile import SAMPLE_ROWS, head_sample, profile_of, types_agree
from streams.assemble.tables.grid import Grid, spread
from streams.assemble.tables.headers import HeaderMatch, begins_another_table, is_same_but_for_numbers, match_header
from streams.assemble.tables.joined_table import MAX_WIDENINGS, JoinedTable, moved_profile
from streams.assemble.tables.row_numbers import Numbering, numbering
from streams.assemble.tables.split_rows import is_cut
from streams.assemble.text.continuation import begins_with_total, is_carried
from streams.assemble.text.wording import fold

JOINED = 0.6
POSSIBLE = 0.45
"""Scores from which two fragments are one table, or are named as perhaps one and left apart."""
VETOED = 0.2
"""A vetoed pair scores no more than this."""

WEIGHTS = {
    "columns_agree": 0.45,
    "types_agree": 0.2,
    "header_repeated": 0.3,
    "no_header": 0.1,
    "continued_caption": 0.3,
    "title_repeated": 0.15,
    "ends_at_bottom": 0.1,
    "starts_at_top": 0.05,
    "row_cut": 0.2,
    "rows_numbered_on": 0.25,
    "carried_forward": 0.2,
    "model_tag": 0.15,
    "ends_with_total": -0.15,
    "numbers_begin_again": -0.55,
    "space_below": -0.45,
    "starts_low": -0.1,
}

BOUND = frozenset({"columns_agree", "types_agree", "ends_at_bottom", "starts_at_top"})
VOUCHING = frozenset({"header_repeated", "rows_numbered_on", "continued_caption"})
"""All of the former and one of the latter say that doubtful rows are the beginning of a table."""
STUB_ROWS = 4
SAME_STUBS = 0.7
"""Different row labels that two fragments must share, and their share of all, to be the left and right half of one wide table."""


class Decision(str, Enum):
    """What becomes of two fragments; the words stand in the finished document."""

    JOINED = "joined"
    POSSIBLE = "possible"
    APART = "apart"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a break. `veto` names what forbids a join. Spaces are shares of the page's height left free by the fragments."""

    veto: str | None = None
    continued: bool = False
    title_repeated: bool = False
    header_outside: bool = False
    space_below: float = 0.0
    space_above: float = 0.0
    model_tag: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a fragment. `grid` is the fragment on the table's columns, `upper_bounds` how the table must widen first."""

    score: float
    decision: Decision
    reasons: tuple[str, ...]
    grid: Grid
    header: HeaderMatch
    merge_first: bool = False
    upper_bounds: list[int] | None = None


def judge(table: JoinedTable, grid: Grid, around: Surroundings, known_texts: Callable[[str], int]) -> Verdict:
    """Whether `grid` continues `table` over a page break."""
    ruled = min(table.ruled, grid.ruled)
    fit = PLACED if grid.is_placed else fit_columns(table.columns, table.edges, grid.columns, grid.edges, ruled)
    if fit is None and table.edges and 1 < grid.columns < table.columns:
        fit = fit_below_row(table.last_row_bounds(), table.edges, grid.edges, ruled)
    if around.veto:
        return _vetoed(around.veto, grid)
    if fit is None or (fit.upper_bounds and table.widenings >= MAX_WIDENINGS):
        return _vetoed("continued_sideways" if _same_stubs(table, grid) else "columns_differ", grid)
    if fit.upper_bounds:
        return _judge_wider(table, grid, around, fit)
    fragment = spread(grid, fit.lower_bounds, table.columns) if fit.lower_bounds else grid
    header = match_header(table, fragment)
    header_rows = header.repeated
    numbers = numbering(table.rows[max(table.header_rows, table.fragment_start) :], fragment.rows[header_rows:])
    ends_with_total = begins_with_total(next((text for text in table.rows[-1] if text), ""))
    veto = _veto(table, fragment, header_rows, fit)
    if veto is None and ends_with_total and numbers is Numbering.BEGINS_AGAIN and not around.continued:
        veto = "begins_again"
    if veto:
        return _vetoed(veto, fragment)
    merge_first = _cuts_row(table, fragment, header_rows, known_texts)
    reasons = _around(around)
    reasons["columns_agree"] = fit.agreement
    reasons["types_agree"] = types_agree(table.profile, profile_of(head_sample(fragment.rows, header_rows), fragment.columns))
    reasons["header_repeated" if header_rows or around.header_outside else "no_header"] = 1.0
    reasons["row_cut"] = float(merge_first)
    reasons["ends_with_total"] = float(ends_with_total)
    reasons["rows_numbered_on"] = float(numbers is Numbering.GOES_ON)
    reasons["numbers_begin_again"] = float(numbers is Numbering.BEGINS_AGAIN)
    reasons["carried_forward"] = _carried(table.rows[-1], fragment.rows[header_rows:])
    return _weighed(reasons, fragment, header, merge_first)


def with_missing_page(verdict: Verdict) -> Verdict:
    """The verdict where a page between the fragments could not be read: at most possible, as its rows are not known."""
    if verdict.decision is not Decision.JOINED:
        return verdict
    return replace(verdict, decision=Decision.POSSIBLE, score=min(verdict.score, JOINED), reasons=("page_missing_between", *verdict.reasons))


def vouches(verdict: Verdict) -> bool:
    """Whether a table says by going on that rows before the break, which are doubtful by themselves, are its beginning: more than equal columns at
    the right places, which lists and forms have as well.
    """
    reasons = frozenset(verdict.reasons)
    return verdict.decision is Decision.JOINED and reasons >= BOUND and not reasons.isdisjoint(VOUCHING)


def _judge_wider(table: JoinedTable, grid: Grid, around: Surroundings, fit: ColumnFit) -> Verdict:
    """A fragment with a column more than the table had so far: joined only as data, without a header of its own."""
    profile = moved_profile(table.profile, fit.upper_bounds or [], grid.columns)
    if grid.header_rows or _same_stubs(table, grid):
        return _vetoed("another_header" if grid.header_rows else "continued_sideways", grid)
    reasons = _around(around)
    reasons["columns_agree"] = fit.agreement
    reasons["types_agree"] = types_agree(profile, profile_of(head_sample(grid.rows, 0), grid.columns))
    reasons["no_header"] = 1.0
    verdict = _weighed(reasons, grid, HeaderMatch(0, table.header_rows), False)
    return replace(verdict, upper_bounds=fit.upper_bounds)


def _veto(table: JoinedTable, grid: Grid, header_rows: int, fit: ColumnFit) -> str | None:
    if header_rows == 0 and _same_stubs(table, grid):
        return "continued_sideways"
    if is_same_but_for_numbers(table, grid):
        return "header_differs"
    if header_rows == 0 and begins_another_table(table, grid):
        return "another_header"
    if fit.known and fit.agreement == 0.0 and (header_rows == 0 or min(table.ruled, grid.ruled) >= 0.5):
        return "columns_differ"
    return None


def _carried(last: Sequence[str], below: Sequence[Sequence[str]]) -> float:
    """How plainly a sum is carried over the break: 1 where both sides say so, 0.5 where one does."""
    sides = (last, below[0] if below else ())
    return sum(0.5 for row in sides if is_carried(next((text for text in row if text), "")))


def _same_stubs(table: JoinedTable, grid: Grid) -> bool:
    """Whether both have the same row labels in the same order: then the lower one holds further columns of the same rows."""
    pairs = zip(table.rows[table.fragment_start :][::-1], grid.rows[::-1], strict=False)
    stubs = [(fold(upper[0]), fold(lower[0])) for upper, lower in pairs if upper[0] or lower[0]]
    same = [upper for upper, lower in stubs if upper == lower]
    return len(set(same)) >= STUB_ROWS and len(same) >= SAME_STUBS * len(stubs)


def _cuts_row(table: JoinedTable, grid: Grid, row: int, known_texts: Callable[[str], int]) -> bool:
    if row >= len(grid.rows):
        return False
    below = grid.rows[row + 1 : min(len(grid.rows) - 1, row + 1 + SAMPLE_ROWS)]  # the next break may have cut the last one
    profile = table.profile.with_rows(below)
    return is_cut(table.rows[-1], grid.rows[row], profile, table.full_cells, known_texts) and table.can_merge(grid, row)


def _around(around: Surroundings) -> dict[str, float]:
    at_bottom, at_top = around.space_below <= 0.12, around.space_above <= 0.12
    return {
        "continued_caption": float(around.continued),
        "title_repeated": float(around.title_repeated),
        "model_tag": float(around.model_tag),
        "ends_at_bottom": float(at_bottom),
        "space_below": float(around.space_below > 0.3),
        "starts_at_top": float(at_top),
        "starts_low": float(around.space_above > 0.3),
    }


def _weighed(evidence: dict[str, float], grid: Grid, header: HeaderMatch, merge_first: bool) -> Verdict:
    score = min(1.0, max(0.0, sum(WEIGHTS[name] * value for name, value in evidence.items())))
    decision = Decision.JOINED if score >= JOINED else Decision.POSSIBLE if score >= POSSIBLE else Decision.APART
    reasons = tuple(sorted((name for name, value in evidence.items() if value >= 0.5), key=lambda name: (-abs(WEIGHTS[name]), name)))
    return Verdict(round(score, 4), decision, reasons, grid, header, merge_first)


def _vetoed(reason: str, grid: Grid) -> Verdict:
    return Verdict(VETOED, Decision.APART, (f"veto:{reason}",), grid, HeaderMatch(0, 0))
