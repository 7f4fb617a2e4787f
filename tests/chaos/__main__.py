"""`python -m tests.chaos`: one chaos run and its verdict. Prints the seed first, so that a run can be repeated; ends with 1 for a broken promise."""

import argparse
import logging
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from streams.logs import configure_logging
from tests.chaos.driver import Account, Plan, Run, write_account
from tests.chaos.fleet import ROOT
from tests.chaos.report import faults_of, summary
from tests.chaos.verifier import Verdict
from tests.chaos.world import SERVED, World

RECOGNIZE_TIMEOUT_S = 60.0
"""Longer than anything that the model does on purpose, but for one slow answer."""


def run(plan: Plan, folder: Path, keep: Path | None) -> tuple[Account, Verdict]:
    """One run in an empty folder; `keep` gets what is left of it. Raises AssertionError for one that comes to no end."""
    world = World(folder, plan.per_kind, plan.documents, RECOGNIZE_TIMEOUT_S + plan.slow_s, plan.engine)
    try:
        account = Run(world, plan).go()
        stuck = world.fleet.stop()
        account.findings += [f"{name} did not end after SIGTERM" for name in stuck]
        write_account(account, folder / "account.json")
        command = [sys.executable, "-m", "tests.chaos.verifier", str(folder)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        if done.returncode:
            raise AssertionError(f"the verifier failed: {done.stderr.decode()}")
        return account, msgspec.json.decode(done.stdout.splitlines()[-1], type=Verdict)
    finally:
        world.close(keep)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**31))
    parser.add_argument("--documents", type=int, default=1_000)
    parser.add_argument("--faults", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=15.0, help="of disturbance, at most")
    parser.add_argument("--per-kind", type=int, default=3, help="instances of each kind of worker")
    parser.add_argument("--alone", type=int, default=1, help="times that each kind of fault comes by itself")
    parser.add_argument("--pause-s", type=float, default=2.5, help="between two faults of the storm, on average")
    parser.add_argument("--slow-s", type=float, default=0.0, help="of one answer of the model that takes this long")
    parser.add_argument("--engine", default=SERVED, choices=(SERVED, "rapidocr"), help="what recognizes: a model server, or an engine of the workers")
    parser.add_argument("--scans", action="store_true", help="most documents have scans")
    parser.add_argument("--keep", type=Path, help="folder that gets the logs, the state and the topics of the run, as evidence")
    parser.add_argument("--summary", type=Path, help="file for the figures, as Markdown")
    asked = parser.parse_args()
    plan = Plan(**{name: value for name, value in vars(asked).items() if name not in ("summary", "keep")})
    print(f"seed {plan.seed}", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that everything is ended in order
    configure_logging("warning", json=False)
    logging.getLogger("streams.kafka.client").setLevel(logging.CRITICAL)  # a broker that is away is away on purpose
    with tempfile.TemporaryDirectory(prefix="pageloom-chaos-") as folder:
        account, verdict = run(plan, Path(folder), asked.keep)
    text = summary(account, verdict)
    wrong = faults_of(account, verdict)
    print("\n".join([text, "", *wrong, f"{len(wrong)} broken promises"]))
    if asked.summary is not None:
        asked.summary.write_text(text + "\n", encoding="utf-8")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
