"""Which offsets may move: never past work in flight, in whatever order it finishes."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.agents.driver import PartitionProgress, credentials_of
from streams.kafka.errors import KafkaClientError


@given(st.lists(st.sampled_from("ab"), max_size=30), st.randoms(use_true_random=False))
def test_messages_are_released_in_order_without_gaps(places: list[str], chance: random.Random) -> None:
    progress = PartitionProgress()
    begun: dict[str, list[object]] = {"a": [], "b": []}
    for place in places:
        message = object()
        begun[place].append(message)
        progress.begin(place, message)
    work = [(place, message) for place, messages in begun.items() for message in messages]
    chance.shuffle(work)
    finished: set[int] = set()
    released: dict[str, list[object]] = {"a": [], "b": []}
    for place, message in work:
        finished.add(id(message))
        released[place] += progress.finish(place, message)
        assert released[place] == begun[place][: len(released[place])]
        assert all(id(m) in finished for m in released[place])
        following = begun[place][len(released[place]) :]
        assert not following or id(following[0]) not in finished, "what is finished without a gap is released at once"
    assert released == begun


def test_a_message_of_an_earlier_assignment_is_let_go() -> None:
    progress = PartitionProgress()
    old, new = object(), object()
    progress.begin(("p", 1), old)
    progress.begin(("p", 2), new)
    assert progress.finish(("p", 2), new) == [new]
    assert progress.finish(("p", 1), old) == [old]
    assert progress.finish(("p", 1), old) == []


def test_security_properties() -> None:
    assert credentials_of({}) is None
    given = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "SCRAM-SHA-512", "sasl.username": "u", "sasl.password": "hidden"}
    assert "hidden" not in repr(credentials_of(given))
    with pytest.raises(KafkaClientError, match=r"sasl\.kerberos"):
        credentials_of({"security.protocol": "SASL_SSL", "sasl.kerberos.principal": "x"})
