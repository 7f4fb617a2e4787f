"""What infer asks of the broker when it starts."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException

from inference import control
from inference.control import partitions_of


class Asked:
    """A client whose broker gives these answers, the last one for ever."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)

    def list_topics(self, topic: str, timeout_s: float) -> Any:
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, KafkaException):
            raise answer
        if isinstance(answer, KafkaError):
            return SimpleNamespace(topics={topic: SimpleNamespace(partitions={}, error=answer)})
        return SimpleNamespace(topics={topic: SimpleNamespace(partitions=dict.fromkeys(answer), error=None)})


AWAY = KafkaException(KafkaError(KafkaError._TRANSPORT))
FORBIDDEN = KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED)


def test_a_broker_that_is_away_and_a_topic_that_is_being_made_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "RETRY_S", 0.0)
    assert partitions_of(cast("Consumer", Asked(AWAY, (), AWAY, (2, 0, 1))), "windows", lambda: False) == [0, 1, 2]


@pytest.mark.parametrize(
    ("answer", "says"), [(AWAY, "transport"), ((), "windows does not exist; create it with"), (FORBIDDEN, "windows: .*authorization failed")]
)
def test_what_stays_away_is_told(answer: Any, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "RETRY_S", 0.0)
    monkeypatch.setattr(control, "START_PATIENCE_S", 0.01)
    with pytest.raises(KafkaException, match=says):
        partitions_of(cast("Consumer", Asked(answer)), "windows", lambda: False)


def test_a_worker_that_is_told_to_stop_waits_for_no_broker() -> None:
    asked = Asked(AWAY)
    said = iter([False, False, True])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(control, "RETRY_S", 0.0)
        assert partitions_of(cast("Consumer", asked), "windows", lambda: next(said)) == []
