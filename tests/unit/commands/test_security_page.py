"""SECURITY.md names a test for every promise, and every test that it names exists."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ROWS = [line for line in (ROOT / "SECURITY.md").read_text().splitlines() if line.startswith("| ") and not line.startswith(("| promise", "|---"))]
NAMED = sorted({found for row in ROWS for found in re.findall(r"`(tests/[^`]+)`", row)})


def test_every_promise_names_a_test() -> None:
    assert len(ROWS) > 20
    assert not [row for row in ROWS if "`tests/" not in row]


@pytest.mark.parametrize("named", NAMED)
def test_the_named_test_exists(named: str) -> None:
    path, _, function = named.partition("::")
    tree = ast.parse((ROOT / path).read_text())
    assert function in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
