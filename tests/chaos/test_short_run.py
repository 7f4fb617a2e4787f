"""A short chaos run: three workers of each kind, faults of all sorts, and every document as if nothing had happened. The long one is `make chaos`."""

import subprocess
import sys

import pytest

PLAN = ("--seed", "2120", "--documents", "150", "--faults", "16", "--alone", "0", "--minutes", "1.3")


@pytest.mark.timeout(600)
def test_a_short_run_breaks_no_promise() -> None:
    done = subprocess.run([sys.executable, "-m", "tests.chaos", *PLAN], capture_output=True, text=True, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken promises" in done.stdout
