"""A lane: the records of one topic, worked on side by side, each finished when its answer is on the log.

Guarantees: at most `width` records are in work, none is skipped, and the offset of a record moves only after every record that answers it
was acknowledged by all replicas. What cannot be written ends the worker (`failed` holds the error), so that nothing is passed over.
Knows nothing of documents.
"""

import asyncio
from typing import Any

import faust

from streams.agents.answering import Answer
from streams.agents.driver import record_of
from streams.kafka.encoding import outgoing
from streams.kafka.records import OutputRecord


class Outbox:
    """Writes records and waits for their acknowledgement."""

    def __init__(self, app: faust.App) -> None:
        self._app = app
        self._topics: dict[str, Any] = {}

    async def send(self, records: tuple[OutputRecord, ...]) -> None:
        """Returns when all are acknowledged. Raises what the client raises."""
        pending = []
        for record in records:
            value, headers = outgoing(record.topic, record.value), list(record.headers)
            pending.append(await self._topic(record.topic).send(key=record.key, value=value, headers=headers))
        for acknowledged in pending:
            await acknowledged

    def _topic(self, name: str) -> Any:
        if name not in self._topics:
            self._topics[name] = self._app.topic(name, key_serializer="raw", value_serializer="raw")
        return self._topics[name]


class Lane:
    """One topic of one app. `drain` ends it in order; without, the records in work come again after a restart."""

    def __init__(self, app: faust.App, topic: str, answer: Answer, outbox: Outbox, *, width: int) -> None:
        self._app, self._answer, self._outbox = app, answer, outbox
        self._slots = asyncio.Semaphore(width)
        self._tasks: set[asyncio.Task[None]] = set()
        self._draining = False
        self.failed: BaseException | None = None
        self.answered = 0
        source = app.topic(topic, key_serializer="raw", value_serializer="raw", allow_empty=True)
        app.agent(source, name=f"{app.conf.id}.{topic}", concurrency=1)(self._consume)

    async def drain(self) -> None:
        """Takes no more records and waits for those in work."""
        self._draining = True
        while self._tasks:
            await asyncio.wait(self._tasks)

    def cancel(self) -> None:
        """Gives up what is in work."""
        for task in self._tasks:
            task.cancel()

    async def _consume(self, stream: Any) -> None:
        async for event in stream.noack().events():
            await self._slots.acquire()
            if self._draining or self.failed is not None:
                await asyncio.Event().wait()  # until the worker ends; the record comes again
            self._app.consumer.begin(event.message)
            task = asyncio.create_task(self._work(event.message))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _work(self, message: Any) -> None:
        try:
            for batch in await self._answer(record_of(message)):
                await self._outbox.send(batch)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - ends the worker: its caller raises it
            self.failed = error
            return
        finally:
            self._slots.release()
        self.answered += 1
        self._app.consumer.finish(message)
