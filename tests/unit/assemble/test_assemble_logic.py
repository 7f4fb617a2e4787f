"""One partition's logic, with finishing in this process: records in, effects out."""

from collections.abc import Callable
from concurrent.futures import Future

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.codec import decode, encode
from schemas.errors import Code, PageloomError
from schemas.events import DeadLettered, DocumentFailed, DocumentParsed, DocumentProgressed, PageFailed, Progress
from schemas.identity import Submission
from streams import topics
from streams.assemble.finish.child import Finished, FinishTask
from streams.assemble.finish.queue import FinishQueue
from streams.assemble.logic import TELL_S, AssembleLimits, AssembleLogic
from streams.kafka.logic import Effects
from streams.kafka.records import OutputRecord, Record
from streams.topics import Topic
from tests.unit.assemble.logged import DOCUMENT, Logged, deleted, extracted, opened, page_failed, recognized, submission

DAY_MS = 86_400_000
LIMITS = AssembleLimits(
    blob_url="memory://assemble-logic",
    trusted_confidence=0.5,
    inline_bytes=2**20,
    event_bytes=2**22,
    no_progress_timeout_s=600.0,
    document_timeout_s=3600.0,
    record_retention_ms=8 * DAY_MS,
)


class Here:
    """Finishes in this process, at once or when told."""

    def __init__(self, waiting: bool = False) -> None:
        self.waiting = waiting
        self.calls: list[tuple[Callable[[FinishTask], Finished], FinishTask, Future[Finished]]] = []

    def submit(self, function: Callable[[FinishTask], Finished], task: FinishTask, /, *, timeout_s: float, limit_setting: str) -> "Future[Finished]":
        future: Future[Finished] = Future()
        self.calls.append((function, task, future))
        if not self.waiting:
            self.run()
        return future

    def run(self, error: Code | None = None) -> None:
        while self.calls:
            function, task, future = self.calls.pop(0)
            if not future.set_running_or_notify_cancel():
                continue
            if error is not None:
                future.set_exception(PageloomError(error, "as the test says"))
            else:
                future.set_result(function(task))


class Partition:
    """A logic and the log beside it: state entries and output as they would be committed."""

    def __init__(self, children: Here | None = None, entries: dict[bytes, bytes] | None = None) -> None:
        self.children = children or Here()
        self.entries = entries if entries is not None else {}
        self.outputs: list[OutputRecord] = []
        self.purges: list[tuple[str, tuple[Submission, ...], Future[None]]] = []
        self.now_s = 1000.0
        self.offset = 0
        self.start()

    def start(self) -> None:
        """A new logic from what is committed."""
        finish_queue = FinishQueue(self.children, max_running=2, timeout_s=60.0)
        self.woken = 0
        self.logic = AssembleLogic(0, finish_queue, self._purge, LIMITS, now_ms=lambda: int(self.now_s * 1000), started_s=self.now_s, wake=self._wake)
        self.logic.restore(list(self.entries.items()))

    def feed(self, *events: Logged) -> "Partition":
        for event in events:
            self.commit(self.logic.process(self.record(encode(event))))
        return self

    def record(self, value: bytes | None, key: bytes = DOCUMENT.encode()) -> Record:
        self.offset += 1
        return Record(topics.EVENTS.name, 0, self.offset, 0, False, key, value)

    def tick(self, seconds: float = 0.01, caught_up: bool = True) -> "Partition":
        self.now_s += seconds
        self.commit(self.logic.tick(self.now_s, caught_up))
        return self

    def commit(self, effects: Effects) -> None:
        for key, value in effects.state:
            if value is None:
                self.entries.pop(key, None)
            else:
                self.entries[key] = value
        self.outputs += effects.outputs

    def on(self, topic: Topic) -> list[bytes | None]:
        return [record.value for record in self.outputs if record.topic == topic.name]

    @property
    def parsed(self) -> list[DocumentParsed | None]:
        return [value and decode(value, DocumentParsed) for value in self.on(topics.PARSED)]  # type: ignore[misc]

    @property
    def progress(self) -> list[DocumentProgressed]:
        return [decode(value, DocumentProgressed) for value in self.on(topics.PROGRESS) if value is not None]

    @property
    def failures(self) -> list[DocumentFailed]:
        return [decode(value or b"", DocumentFailed) for value in self.on(topics.FAILED)]

    def _wake(self) -> None:
        self.woken += 1

    def _purge(self, document_id: str, submissions: tuple[Submission, ...]) -> "Future[None]":
        future: Future[None] = Future()
        self.purges.append((document_id, submissions, future))
        return future


def test_a_document_comes_out_once() -> None:
    partition = Partition().feed(opened(1, (1, 2)), extracted(1), extracted(2)).tick().tick()
    [document] = partition.parsed
    assert document is not None
    assert document.document is not None
    assert len(document.document.pages) == 2
    headers = dict(next(record.headers for record in partition.outputs if record.topic == topics.PARSED.name))
    assert headers == {"revision": str(document.revision).encode(), "submission": submission(1).id.encode()}
    assert [one.progress for one in partition.progress] == [Progress.OPENED, Progress.COMPLETE]
    assert len(partition.entries) == 1
    partition.feed(opened(1, (1, 2)), extracted(1)).tick()
    assert len(partition.parsed) == 1


def test_a_failed_page_is_told_with_its_document() -> None:
    partition = Partition().feed(opened(1, (1, 2)), page_failed(1), extracted(2)).tick()
    [failed] = partition.on(topics.PAGES_FAILED)
    assert decode(failed or b"", PageFailed).failure == page_failed(1).failure
    assert [one.progress for one in partition.progress] == [Progress.OPENED, Progress.PARTIAL]


def test_bytes_that_are_no_event_become_dead_letters() -> None:
    partition = Partition()
    for value, key in ((b"what?", b"k"), (None, b"k"), (encode(extracted(1)), b"another document")):
        partition.commit(partition.logic.process(partition.record(value, key)))
    letters = [decode(value or b"", DeadLettered) for value in partition.on(topics.DEAD_LETTERS)]
    assert [letter.cause for letter in letters] == ["undecodable"] * 3
    assert letters[0].value == b"what?"
    assert letters[0].offset == 1
    assert partition.entries == {}


def test_a_finished_document_asks_for_its_tick() -> None:
    partition = Partition().feed(opened(1, (1, 2)), extracted(1))
    assert partition.woken == 0
    assert partition.feed(extracted(2)).woken == 1
    assert partition.parsed == []
    assert len(partition.tick().parsed) == 1


def test_a_restart_finishes_what_was_complete() -> None:
    partition = Partition(Here(waiting=True)).feed(opened(1), extracted(1)).tick()
    assert partition.parsed == []
    partition.logic.close()
    partition.children = Here()
    partition.start()
    partition.tick().tick()
    assert len(partition.parsed) == 1


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_a_restart_after_any_record_gives_the_same_output(data: st.DataObject) -> None:
    events: list[Logged] = [opened(1, (1, 2, 3)), extracted(1), extracted(2, requested=True), recognized(2), page_failed(3)]
    order = data.draw(st.permutations([*events, *events]))
    restarts = data.draw(st.sets(st.integers(0, len(order))))
    through, restarted = Partition(), Partition()
    for index, event in enumerate(order):
        through.feed(event).tick()
        restarted.feed(event)
        if index in restarts:
            restarted.logic.close()
            restarted.start()
        restarted.tick()
    through.tick()
    restarted.tick().tick()
    assert restarted.on(topics.PARSED) == through.on(topics.PARSED)
    assert restarted.on(topics.PAGES_FAILED) == through.on(topics.PAGES_FAILED)
    assert len(through.parsed) == 1


def test_a_submission_that_is_superseded_while_it_is_finished_is_not_published() -> None:
    partition = Partition(Here(waiting=True)).feed(opened(1), extracted(1)).tick()
    partition.feed(opened(2), extracted(1, number=2))
    partition.children.run()
    partition.tick().tick()
    partition.children.run()
    partition.tick()
    assert [document and document.submission for document in partition.parsed] == [submission(2)]
    assert [failed.failure.code for failed in partition.failures] == [Code.SUPERSEDED]


def test_finishing_that_always_crashes_ends_the_document() -> None:
    partition = Partition(Here(waiting=True)).feed(opened(1), extracted(1))
    for _ in range(3):
        partition.tick()
        partition.children.run(Code.CRASHED)
    partition.tick()
    [failed] = partition.failures
    assert failed.failure.code is Code.CRASHED
    assert DOCUMENT in failed.failure.message
    assert len(partition.entries) == 1
    assert partition.progress[-1].progress is Progress.FAILED


def test_a_store_that_stays_away_ends_the_document_at_last() -> None:
    partition = Partition(Here(waiting=True)).feed(opened(1), extracted(1))
    for _ in range(70):
        partition.tick(60.0)
        partition.children.run(Code.STORE_UNAVAILABLE)
    partition.tick()
    assert [failed.failure.code for failed in partition.failures] == [Code.TIMED_OUT]


def test_a_document_that_gets_nowhere_ends_as_partial() -> None:
    partition = Partition().feed(opened(1, (1, 2, 3)), extracted(1))
    for _ in range(130):
        partition.tick(5.0)
    [document] = partition.parsed
    assert document is not None
    assert document.status == "partial"
    failed = [decode(value or b"", PageFailed) for value in partition.on(topics.PAGES_FAILED)]
    assert [(one.page, one.failure.code) for one in failed] == [(2, Code.NO_PROGRESS), (3, Code.NO_PROGRESS)]


def test_a_document_waits_while_assembly_is_behind_or_a_window_is_outstanding() -> None:
    behind = Partition().feed(opened(1, (1, 2)))
    outstanding = Partition().feed(opened(1, (1, 2)), extracted(1, requested=True))
    for _ in range(200):
        behind.tick(5.0, caught_up=False)
        outstanding.tick(5.0)
    assert behind.parsed == outstanding.parsed == []
    outstanding.tick(3600.0).tick(1.0).tick()
    [document] = outstanding.parsed
    assert document is not None
    assert document.status == "partial"


def test_progress_is_told_a_few_times_a_second() -> None:
    partition = Partition().feed(opened(1, range(1, 1001)))
    for page in range(1, 1000):
        partition.feed(extracted(page)).tick(0.004)
    told = [one.extracted for one in partition.progress]
    assert told == sorted(told)
    assert 5 <= len(told) <= 4.0 / TELL_S + 2
    assert {one.progress for one in partition.progress[1:]} == {Progress.READING}


def test_the_blobs_of_a_deleted_document_are_removed_and_tried_again() -> None:
    partition = Partition().feed(opened(1), extracted(1)).tick()
    partition.feed(deleted(2))
    assert partition.parsed[-1] is None
    [(document_id, submissions, future)] = partition.purges
    assert (document_id, submissions) == (DOCUMENT, (submission(1),))
    future.set_exception(PageloomError(Code.STORE_UNAVAILABLE, "away"))
    partition.tick().tick(5.0)
    assert len(partition.purges) == 1
    partition.tick(30.0)
    partition.logic.close()
    partition.start()
    partition.tick(1.5)
    assert len(partition.purges) == 3
    partition.purges[-1][2].set_result(None)
    partition.tick().tick(60.0)
    assert len(partition.purges) == 3


def test_a_record_is_forgotten_when_nothing_older_can_come() -> None:
    partition = Partition().feed(opened(1), extracted(1)).tick()
    assert partition.entries
    partition.tick(7 * 86_400.0)
    assert partition.entries
    partition.tick(2 * 86_400.0)
    assert partition.entries == {}
    assert partition.on(topics.PROGRESS)[-1] is None
