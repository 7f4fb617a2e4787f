"""What is said of a message that no broker takes: where it was looked for."""

import pytest

from streams.kafka.clients import producer_config
from streams.kafka.errors import DeliveryError
from streams.kafka.producing import Producing
from streams.kafka.records import OutputRecord


def test_who_waited_in_vain_is_told_for_which_broker() -> None:
    """It was "the broker", with an address mistyped in the environment."""
    producing = Producing(producer_config("127.0.0.1:1", "test"))
    with pytest.raises(DeliveryError, match=r"not acknowledged within 0\.3 s; check that the broker at 127\.0\.0\.1:1 answers"):
        producing.send(OutputRecord("documents.ingest", b"a", b"b"), timeout_s=0.3)
