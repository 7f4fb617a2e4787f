"""The runner: seeded mutations go the whole way in child processes with limits; whatever ends otherwise than it may is a finding."""

import contextlib
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from schemas.errors import Code, PageloomError
from schemas.events import Mode
from streams.sandbox import Sandbox
from tests.fuzz.mutations import mutated
from tests.fuzz.seeds import SEEDS
from tests.fuzz.whole_way import Ended, go

MEMORY_BYTES = 1536 * 2**20
TIMEOUT_S = 60.0
"""Of one document; a parser that needs longer than this on so small a file is a finding."""
KEPT_S = 10 * TIMEOUT_S
"""Of what a document stored: no document is on its way for so long."""
SWEPT_EVERY = 20
FINDINGS = frozenset({Code.INTERNAL, Code.CRASHED, Code.TIMED_OUT, Code.OUT_OF_MEMORY})
"""Codes that are typed errors, as they must be, and yet worth a look: the child contained what the code did not."""


@dataclass
class Tally:
    """What a run saw. `findings`: how to make each again, and what it was."""

    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


@cache
def seeds(kind: str) -> tuple[str, tuple[bytes, ...]]:
    """The name and the unharmed documents of a kind."""
    filename, makers = SEEDS[kind]
    return filename, tuple(make() for make in makers)


def case(seed: int, kind: str, number: int) -> tuple[str, bytes, Mode]:
    """One mutation by its three names: the file's name, its bytes, the mode it is read in."""
    chance = Random(f"{seed}/{kind}/{number}")
    filename, originals = seeds(kind)
    data = mutated(chance.choice(originals), chance)
    return filename, data, chance.choice((Mode.FAST, Mode.DISABLE_OCR))


@contextmanager
def children(processes: int) -> Iterator[Sandbox]:
    """Child processes as the workers have them."""
    preload = ("tests.fuzz.whole_way",)
    box = Sandbox(processes, max_tasks=500, memory_bytes=MEMORY_BYTES, preload=preload, network=False)
    try:
        yield box
    finally:
        box.close()


def run(seed: int, kinds: Sequence[str], count: int, processes: int = 2, timeout_s: float = TIMEOUT_S) -> Tally:
    """`count` mutations of each kind."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder, children(processes) as box:
        waiting: list[tuple[str, Future[Ended]]] = []
        for number in range(count):
            for kind in kinds:
                future = box.submit(go, folder, *case(seed, kind, number), timeout_s=timeout_s)
                waiting.append((f"--seed {seed} --kind {kind} --number {number}", future))
            while len(waiting) > 4 * processes or (waiting and number == count - 1):
                name, future = waiting.pop(0)
                _count(tally, name, future, 2 * timeout_s + 60)
            if number % SWEPT_EVERY == SWEPT_EVERY - 1:
                _sweep(Path(folder))
    return tally


def _count(tally: Tally, name: str, future: "Future[Ended]", patience_s: float) -> None:
    kind = name.split()[3]
    try:
        ended = future.result(patience_s)
    except PageloomError as error:
        tally.outcomes[f"{kind}: {error.code.value}"] += 1
        if error.code in FINDINGS:
            tally.findings.append(f"{name}: {error.code.value}: {error}")
        return
    tally.outcomes[f"{kind}: {ended.outcome}"] += 1
    tally.findings += [f"{name}: {bug}" for bug in ended.bugs]


def _sweep(folder: Path) -> None:
    """Forgets what was stored some time ago: thousands of runs would fill the disk."""
    before_s = time.time() - KEPT_S
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # a file on its way to its name
            if path.is_file() and path.stat().st_mtime < before_s:
                path.unlink()
