"""Tests in the form of olmOCR-bench (J. Poznanski et al., 2025): facts about one page that its text must hold, by type.

`present` and `absent`: a text stands on the page, or does not. `order`: one text before another. `table`: a cell with its neighbours. Likeness is the
best partial match, less than the `max_diffs` that a test allows. `table_headings` repeats the table tests with their headings above or left of
the cell; `math` asks for the formula's LaTeX, white space aside, and not for how it looks: both are listed apart and are in no sum.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from rapidfuzz import fuzz

from tests.bench.scoring.grids import Grid, fold
from tests.bench.scoring.outputs import Output

COUNTED = ("present", "absent", "order", "table")
ALIKE_CELL = 90.0
"""Percent of likeness from which two cells are the same."""

_MARKUP, _SPACE = re.compile(r"[*_#|`]|<[^>]+>"), re.compile(r"\s+")
_NEIGHBOURS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class OlmocrScore(Struct, frozen=True):
    """By type, tests that pass and all tests; ids of those that fail."""

    passed: dict[str, int]
    total: dict[str, int]
    failed: tuple[str, ...]

    @property
    def share(self) -> float:
        """Of all tests that count, the share that passes; 1 without tests."""
        total = sum(self.total.get(kind, 0) for kind in COUNTED)
        return sum(self.passed.get(kind, 0) for kind in COUNTED) / total if total else 1.0


def score_olmocr(tests: Iterable[Mapping[str, Any]], outputs: Mapping[str, Output]) -> OlmocrScore:
    """The score of outputs by file name (without folders). A test without output fails, whatever it asks for."""
    passed: dict[str, int] = {}
    total: dict[str, int] = {}
    failed = []
    for test in tests:
        output = outputs.get(page_of(test))
        for kind in _kinds(test):
            total[kind] = total.get(kind, 0) + 1
            if output is not None and holds(kind, test, output):
                passed[kind] = passed.get(kind, 0) + 1
            else:
                failed.append(f"{kind} {test['id']}")
    return OlmocrScore(passed, total, tuple(failed))


def page_of(test: Mapping[str, Any]) -> str:
    """The file that a test is about, by its name without folders."""
    return str(test["pdf"]).rsplit("/", 1)[-1]


def holds(kind: str, test: Mapping[str, Any], output: Output) -> bool:
    """Whether one fact holds. Raises ValueError for a type that is not known."""
    if kind in {"table", "table_headings"}:
        return any(_table_holds(test, grid, headings=kind == "table_headings") for grid in output.grids)
    if kind == "math":
        return bool(formula := _SPACE.sub("", test["math"])) and formula in _SPACE.sub("", output.markdown)
    text = _folded(_MARKUP.sub(" ", output.markdown))
    if kind == "present":
        return _stands(test, test["text"], text)
    if kind == "absent":
        return not _stands(test, test["text"], text)
    if kind == "order":
        first, second = (fuzz.partial_ratio_alignment(_folded(test[end]), text) for end in ("before", "after"))
        if first is None or second is None:
            return False
        both = _stands(test, test["before"], text) and _stands(test, test["after"], text)
        return both and first.dest_start < second.dest_start
    raise ValueError(f"test {test.get('id')}: no scorer for tests of type {kind}")


def _kinds(test: Mapping[str, Any]) -> tuple[str, ...]:
    kind = str(test["type"])
    return (kind, "table_headings") if kind == "table" and (test.get("top_heading") or test.get("left_heading")) else (kind,)


def _folded(text: str) -> str:
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text))


def _stands(test: Mapping[str, Any], wanted: str, text: str) -> bool:
    least = 1 - (test.get("max_diffs") or 0) / max(len(wanted), 1)
    return fuzz.partial_ratio(_folded(wanted), text) / 100 >= least - 1e-9


def _table_holds(test: Mapping[str, Any], grid: Grid, *, headings: bool) -> bool:
    wanted = {name: fold(test[name]) for name in _NEIGHBOURS if test.get(name)}
    return any(
        _alike(text, fold(test["cell"]))
        and all(_alike(grid.at(y + down, x + across), wanted[name]) for name, (down, across) in _NEIGHBOURS.items() if name in wanted)
        and (not headings or _has_headings(test, grid, y, x))
        for (y, x), text in grid.filled.items()
    )


def _has_headings(test: Mapping[str, Any], grid: Grid, y: int, x: int) -> bool:
    """Headings stand anywhere above or left; one that spans begins left of, or above, what it heads."""
    above = [text for (row, column), text in grid.filled.items() if row < y and column <= x < column + grid.spans.get((row, column), (1, 1))[1]]
    left = [text for (row, column), text in grid.filled.items() if column < x and row <= y < row + grid.spans.get((row, column), (1, 1))[0]]
    top, side = test.get("top_heading"), test.get("left_heading")
    return (not top or any(_alike(text, fold(top)) for text in above)) and (not side or any(_alike(text, fold(side)) for text in left))


def _alike(one: str, other: str) -> bool:
    return one == other or fuzz.ratio(one, other) >= ALIKE_CELL
