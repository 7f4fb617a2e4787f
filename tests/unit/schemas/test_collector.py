"""The search for cycles rests, and is as it was afterwards."""

import gc

import pytest

from schemas.collector import without_collector
from schemas.errors import Code, PageloomError


def fail_without_collector() -> None:
    with without_collector():
        raise PageloomError(Code.CORRUPT, "a page")


def test_the_collector_rests_and_is_as_it_was_afterwards() -> None:
    assert gc.isenabled()
    with without_collector():
        with without_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()  # the inner one leaves it as it found it
    assert gc.isenabled()
    with pytest.raises(PageloomError):
        fail_without_collector()
    assert gc.isenabled()
