"""An infer worker with the engine made for tests, as a process of its own: `python -m tests.integration.infer_worker BOOTSTRAP GROUP BLOBS TOPIC...`.

The topics are: express windows, windows, events, dead letters.
"""

import signal
import sys
import threading

from inference.config import InferConfig
from inference.consumer import run_consumer
from streams.kafka.clients import close_within, consumer_config, producer_config
from tests.unit.inference.engine_for_tests import spec_of


def main() -> None:
    bootstrap, group, blobs, express, windows, events, dead_letters = sys.argv[1:]
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    config = InferConfig(
        consumer_config=consumer_config(bootstrap, "test-infer", group, session_timeout_ms=6_000),
        producer_config=producer_config(bootstrap, "test-infer"),
        topics=(express, windows),
        events_topic=events,
        dead_letter_topic=dead_letters,
        blob_url=blobs,
        engine="test",
        engines={"test": spec_of()},
        engine_processes=1,
        leave=close_within,
    )
    run_consumer(config, stop)


if __name__ == "__main__":
    main()
