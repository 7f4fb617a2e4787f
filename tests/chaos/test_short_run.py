"""A short chaos run: two workers of each kind, a fault of each sort, and every document as if nothing had happened. The long one is `make chaos`."""

import subprocess
import sys

import pytest

PLAN = ("--seed", "24329", "--documents", "60", "--faults", "7", "--per-kind", "2", "--alone", "0", "--minutes", "0.7")
"""The first faults of this seed: a kill, a broker's death, a model's death, a zombie, a store that is away, a SIGTERM, a full state folder."""


@pytest.mark.timeout(600)
def test_a_short_run_breaks_no_promise() -> None:
    done = subprocess.run([sys.executable, "-m", "tests.chaos", *PLAN], capture_output=True, text=True, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken promises" in done.stdout
