"""Waiting for a condition with a deadline: the only way that tests wait."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_POLL_S = 0.01


def wait_until(condition: Callable[[], T], timeout_s: float, what: str) -> T:
    """The first true value of `condition`. Fails with `what` and the last value after `timeout_s`."""
    deadline = time.monotonic() + timeout_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {timeout_s:g} s: {what}; last value {value!r}")
        time.sleep(_POLL_S)
