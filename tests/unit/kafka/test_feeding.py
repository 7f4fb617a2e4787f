"""How long a feed waits, without Kafka."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from streams.kafka.feeding import MAX_BATCH, arriving


class Handed:
    """A message of a client: a record, or the end of a partition."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def error(self) -> str | None:
        return None if self._kind == "record" else self._kind


def handed_out(kinds: list[str], within_s: float) -> tuple[int, list[float]]:
    """Messages that arrive, and for how long each was waited for."""
    left: Any = iter([Handed(kind) for kind in kinds])
    waits: list[float] = []

    def poll(wait_s: float) -> Any:
        waits.append(wait_s)
        return next(left, None)

    return len(list(arriving(poll, within_s))), waits


@given(st.lists(st.sampled_from(["record", "end"]), max_size=20))
def test_a_record_is_waited_for_and_nothing_after_it(kinds: list[str]) -> None:
    arrived, waits = handed_out(kinds, 30.0)
    assert arrived == len(kinds)
    first = kinds.index("record") + 1 if "record" in kinds else len(waits)
    assert all(wait_s > 20 for wait_s in waits[:first])
    assert waits[first:] == [0.0] * (len(waits) - first)


def test_no_time_is_no_wait_and_a_batch_is_bounded() -> None:
    assert handed_out(["end", "record"], 0.0) == (2, [0.0] * 3)
    assert handed_out(["record"] * (MAX_BATCH + 1), 1.0)[0] == MAX_BATCH
