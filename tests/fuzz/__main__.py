"""`python -m tests.fuzz --count 150`: fuzzes every kind and prints what became of the mutations; exits with 1 where something was found.

`--kind pdf --number 17 --keep file.pdf` writes one mutation again, and takes it the whole way in this process, so that its traceback shows.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.fuzzing import case, run
from tests.fuzz.seeds import SEEDS
from tests.fuzz.whole_way import go


def main() -> None:
    """Runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(SEEDS), action="append")
    parser.add_argument("--count", type=int, default=100, help="mutations of each kind")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--number", type=int, help="this one mutation only, here")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    kinds = given.kind or list(SEEDS)
    if given.number is not None:
        filename, data, mode = case(given.seed, kinds[0], given.number)
        if given.keep:
            given.keep.write_bytes(data)
        with tempfile.TemporaryDirectory() as folder:
            print(go(folder, filename, data, mode))
        return
    started = time.monotonic()
    tally = run(given.seed, kinds, given.count, given.processes)
    for outcome, times in sorted(tally.outcomes.items()):
        print(f"{times:6} {outcome}")
    print(f"{tally.outcomes.total()} mutations, seed {given.seed}, {time.monotonic() - started:.0f} s, {len(tally.findings)} findings")
    for finding in tally.findings:
        print(f"FOUND {finding}")
    sys.exit(1 if tally.findings else 0)


if __name__ == "__main__":
    main()
