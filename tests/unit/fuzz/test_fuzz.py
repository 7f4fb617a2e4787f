"""A short run of the fuzzing; `make fuzz` is the long one. Every seed document itself goes the whole way first."""

import time
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.events import Mode
from streams.sandbox import Sandbox
from tests.fuzz.fuzzing import case, children, run, seeds
from tests.fuzz.mutations import mutated
from tests.fuzz.seeds import SEEDS
from tests.fuzz.whole_way import go

SEED = 20_260
COUNT = 6
"""Of each kind: 66 in all, some ten seconds."""


@pytest.fixture(scope="module")
def box() -> Iterator[Sandbox]:
    with children(2) as running:
        yield running


@pytest.mark.parametrize("kind", SEEDS)
def test_an_unharmed_document_is_complete(box: Sandbox, tmp_path: object, kind: str) -> None:
    filename, documents = seeds(kind)
    for data in documents:
        ended = box.submit(go, str(tmp_path), filename, data, Mode.DISABLE_OCR, timeout_s=60).result(120)
        assert (ended.outcome, ended.bugs) == ("complete", ())


def test_mutated_documents_end_as_documents_partials_or_typed_errors() -> None:
    started = time.monotonic()
    tally = run(SEED, list(SEEDS), COUNT)
    assert tally.outcomes.total() == COUNT * len(SEEDS)
    assert not tally.findings, f"after {time.monotonic() - started:.0f} s; make each again with python -m tests.fuzz and what is named"


def test_a_mutation_can_be_made_again() -> None:
    for kind in SEEDS:
        assert case(SEED, kind, 3) == case(SEED, kind, 3)
    assert len({case(SEED, "txt", number)[1] for number in range(20)}) > 15


@given(st.binary(max_size=200), st.integers(0, 2**32))
def test_any_bytes_can_be_mutated(data: bytes, seed: int) -> None:
    assert len(mutated(data, Random(seed))) <= 2**22
