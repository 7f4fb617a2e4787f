"""How a worker on Faust starts: with a broker that goes away meanwhile, or that is there and knows of no broker yet.

Guarantees: a start ends, as a worker that works or with an error that says what is missing, within a bounded time. Knows nothing of documents.
"""

import asyncio
import time

import faust
from aiokafka.client import AIOKafkaClient
from aiokafka.errors import GroupCoordinatorNotAvailableError, KafkaConnectionError

from streams.kafka.errors import BrokerUnreachableError, KafkaClientError

RETRY_BACKOFF_MS = 400
"""Between two tries at a broker that is away: at the default of 100 ms, six workers took a third of a core from the broker that was starting."""
START_PATIENCE_S = 30.0
"""With a broker that goes away while a client starts: longer than its restart, short enough to be seen."""
START_TIMEOUT_S = 180.0
"""Of a whole start. It takes two seconds, and a minute on a machine that has too much to do; what takes longer waits for what never comes."""


def be_patient(client: AIOKafkaClient) -> None:
    """Lets the first request of a client be repeated: it is tried once by itself, and ends the worker.

    A broker that has just started, or is fenced by its controller, names no broker at all. The client goes on with that, and the first look for
    a group's coordinator fails an assertion that ends the group's task and not the worker (0.14): it waited for ever. So that look fails in a way
    that the client repeats.
    """
    ask_once, look_up = client.bootstrap, client.coordinator_lookup

    async def bootstrap() -> None:
        deadline_s = time.monotonic() + START_PATIENCE_S
        while True:
            try:
                await ask_once()
            except KafkaConnectionError:
                if time.monotonic() > deadline_s:
                    raise
                await asyncio.sleep(RETRY_BACKOFF_MS / 1000)
            else:
                return

    async def coordinator_lookup(kind: int, key: str) -> int:
        if client.get_random_node() is None:
            raise GroupCoordinatorNotAvailableError
        node: int = await look_up(kind, key)
        return node

    client.bootstrap = bootstrap
    client.coordinator_lookup = coordinator_lookup


async def start(app: faust.App) -> None:
    """Starts an app. Raises BrokerUnreachableError for a broker that goes away meanwhile and stays away, KafkaClientError for a start without end."""
    try:
        await asyncio.wait_for(app.start(), START_TIMEOUT_S)
    except KafkaConnectionError as error:
        brokers = ", ".join(f"{url.host}:{url.port}" for url in app.conf.broker)
        raise BrokerUnreachableError(f"no broker at {brokers} within {START_PATIENCE_S:g} s; check that Kafka runs") from error
    except TimeoutError:
        raise KafkaClientError(f"the worker did not start within {START_TIMEOUT_S:g} s; look at the broker's log, then start it again") from None
