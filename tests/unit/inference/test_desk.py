"""What becomes of records: every request is answered once, and only what is answered and acknowledged may be committed."""

import itertools
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from inference import cancellations
from inference.desk import Desk, Incoming, InferCounts
from inference.lanes import Lanes, Outcome
from inference.reading import Interrupted
from inference.scheduler import Budget
from schemas import codec
from schemas.errors import Code
from schemas.events import DeadLettered, DocumentCancelled, PageWindowRecognized, RecognizedPage
from schemas.identity import Submission
from tests.unit.inference.engine_for_tests import spec_of
from tests.unit.inference.making import request_of
from tests.waiting import wait_until

P, Q = ("windows", 0), ("windows", 1)


class Reader:
    """Reads nothing; may be held up by a test."""

    def read(self, units):
        return [tuple(RecognizedPage(page=image.page, confidence=1.0) for image in unit.images) for unit in units]


class NoEngine:
    def kill(self) -> None:
        pass

    def cancel(self) -> None:
        pass

    def close(self) -> None:
        pass


class HeldLanes:
    """Lanes that finish when a test says so, in any order."""

    def __init__(self, count: int = 2) -> None:
        self.count, self.held, self.done, self.cancelled = count, [], [], set()
        self.limit = count

    @property
    def idle(self) -> int:
        return self.count - len(self.held)

    def submit(self, batch, units) -> None:
        self.held.append((batch, tuple(units)))

    def cancel(self, keys) -> None:
        self.cancelled.update(keys)

    def finish(self, index: int = 0) -> None:
        batch, units = self.held.pop(index)
        self.done.append(Outcome(batch, units, tuple(Reader().read(units))))

    def collect(self):
        done, self.done = self.done, []
        return done


def desk_of(lanes, window_queue=100, max_message_bytes=10**6, **spec):
    return Desk(spec_of(**spec), lanes, Budget(2, 10**9, 0.0), window_queue=window_queue, max_message_bytes=max_message_bytes, counts=InferCounts())


def record(offset, request, partition=P, express=False):
    return Incoming(partition, offset, request.document_id.encode(), codec.encode(request), express)


def answer_of(out):
    return codec.decode(out.value, PageWindowRecognized)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 4), st.integers(0, 3)), min_size=1, max_size=15), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_every_request_is_answered_once_and_committed_after_its_acknowledgement(rows, random):
    lanes = HeldLanes()
    desk = desk_of(lanes)
    left = [record(offset, request_of(first, first + more, document)) for offset, (document, first, more) in enumerate(rows)]
    unacknowledged, answered, now, committed = [], [], itertools.count(), 0
    while left or desk.busy or unacknowledged:
        if left and random.random() < 0.4:
            desk.take(left.pop(0), float(next(now)))
        desk.step(float(next(now)))
        if lanes.held and random.random() < 0.6:
            lanes.finish(random.randrange(len(lanes.held)))
        unacknowledged += desk.outgoing()
        if unacknowledged and random.random() < 0.5:
            out = unacknowledged.pop(random.randrange(len(unacknowledged)))
            answered.append(out.position)
            desk.written(out.position)
        for offset in desk.committable().values():
            assert {(P, n) for n in range(offset)} <= set(answered)
            committed = offset
    assert sorted(answered) == [(P, n) for n in range(len(rows))]
    assert committed == len(rows)


def test_an_answer_holds_exactly_the_pages_of_its_request():
    lanes = HeldLanes(1)
    desk = desk_of(lanes)
    desk.take(record(0, request_of(3, 5)), 0.0)
    for _ in range(3):
        desk.step(1.0)
        if lanes.held:
            lanes.finish()
    desk.step(1.0)
    (out,) = desk.outgoing()
    assert [page.page for page in answer_of(out).pages] == [3, 4, 5]
    assert out.key == b"a document"
    assert answer_of(out).engine_version == "test-1"


@pytest.mark.parametrize("value", [None, b"", b"junk", codec.encode(DocumentCancelled(document_id="d", requested_ms=1))])
def test_what_is_no_request_is_dead_lettered_and_committed(value):
    desk = desk_of(HeldLanes())
    desk.take(Incoming(P, 4, b"key", value), 0.0)
    (out,) = desk.outgoing()
    letter = codec.decode(out.value, DeadLettered)
    assert out.dead_letter
    assert (letter.topic, letter.partition, letter.offset, letter.stage, letter.cause) == ("windows", 0, 4, "infer", "undecodable")
    assert letter.value == value
    desk.written(out.position)
    assert desk.committable() == {P: 5}
    assert desk.counts.dead_lettered == 1


def test_a_request_that_contradicts_itself_is_dead_lettered():
    desk = desk_of(HeldLanes())
    desk.take(record(0, replace(request_of(), last_page=9)), 0.0)
    assert desk.outgoing()[0].dead_letter


def test_a_long_record_is_cut_in_its_dead_letter():
    desk = desk_of(HeldLanes())
    desk.take(Incoming(P, 0, None, b"x" * 10**6), 0.0)
    letter = codec.decode(desk.outgoing()[0].value, DeadLettered)
    assert len(letter.value) == 64 * 1024
    assert letter.value_size_bytes == 10**6


def test_another_engine_is_unknown_on_every_page():
    desk = desk_of(HeldLanes())
    desk.take(record(0, request_of(1, 2, engine="surya")), 0.0)
    pages = answer_of(desk.outgoing()[0]).pages
    assert [page.failure.code for page in pages] == [Code.ENGINE_UNKNOWN] * 2
    assert "surya" in pages[0].failure.message
    assert "page 1" in pages[0].failure.message


def test_a_record_that_comes_again_is_left_to_the_work_on_it():
    lanes = HeldLanes()
    desk = desk_of(lanes)
    desk.take(record(0, request_of()), 0.0)
    desk.take(record(0, request_of()), 0.0)
    desk.step(1.0)
    assert desk.counts.repeated == 1
    assert len(lanes.held) == 1


def test_the_same_pages_asked_for_twice_are_read_once_and_answered_twice():
    lanes = HeldLanes()
    desk = desk_of(lanes)
    desk.take(record(0, request_of()), 0.0)
    desk.step(1.0)
    desk.take(record(9, request_of(), Q), 1.0)
    desk.step(2.0)
    assert len(lanes.held) == 1
    lanes.finish()
    desk.step(3.0)
    assert sorted(out.position for out in desk.outgoing()) == [(P, 0), (Q, 9)]


def test_a_page_that_is_being_read_for_a_lost_partition_is_not_read_twice_when_it_comes_back():
    lanes = HeldLanes()
    desk = desk_of(lanes)
    desk.take(record(0, request_of(1, 3)), 0.0)
    desk.step(1.0)
    desk.revoke({P})
    desk.take(record(0, request_of(1, 3)), 2.0)
    desk.step(3.0)
    running = [unit.key for batch in lanes.held for unit in batch[1]]
    assert len(running) == len(set(running))
    while desk.busy:
        if lanes.held:
            lanes.finish()
        desk.step(4.0)
    (out,) = desk.outgoing()
    assert [page.page for page in answer_of(out).pages] == [1, 2, 3]


def test_what_waits_for_a_lost_partition_is_dropped_and_nothing_of_it_committed():
    lanes = HeldLanes(1)
    desk = desk_of(lanes)
    for offset in range(5):
        desk.take(record(offset, request_of(document=f"d{offset}")), 0.0)
    desk.step(1.0)
    desk.revoke({P})
    lanes.finish()
    desk.step(2.0)
    assert desk.outgoing() == []
    assert desk.committable() == {}
    assert not desk.busy


def test_cancelling_answers_what_waits_and_leaves_what_is_read():
    lanes = HeldLanes(1)
    desk = desk_of(lanes)
    desk.take(record(0, request_of(1, 4, "gone")), 0.0)
    desk.step(1.0)
    desk.cancel(DocumentCancelled(document_id="gone", requested_ms=1_800_000_000_000))
    (told,) = desk.outgoing()
    assert codec.decode(told.value, DocumentCancelled).document_id == "gone"
    desk.written(told.position)
    assert desk.committable() == {}
    assert {key[2] for key in lanes.cancelled} == {1, 2, 3, 4}
    lanes.finish()
    desk.step(2.0)
    pages = answer_of(desk.outgoing()[0]).pages
    assert [page.failure is None for page in pages] == [True, True, False, False]
    assert pages[3].failure.code is Code.CANCELLED


def test_a_window_that_comes_after_its_cancellation_is_not_read_and_the_cancellation_goes_before_its_answer():
    """Answered as cancelled before assemble heard of it, the document ended as partial; read, it cost model calls that nobody wanted."""
    lanes = HeldLanes(1)
    desk = desk_of(lanes)
    appended_ms = request_of().submission.appended_ms
    desk.cancel(DocumentCancelled(document_id="gone", requested_ms=appended_ms + 1))
    desk.cancel(DocumentCancelled(document_id="submitted again", requested_ms=appended_ms))
    assert desk.outgoing() == []
    desk.take(record(0, request_of(1, 2, "gone")), 0.0)
    desk.take(record(1, request_of(1, 1, "submitted again")), 0.0)
    desk.step(1.0)
    assert [unit.request.document_id for _, units in lanes.held for unit in units] == ["submitted again"]
    told, answered = desk.outgoing()
    assert codec.decode(told.value, DocumentCancelled).requested_ms == appended_ms + 1
    assert {page.failure.code for page in answer_of(answered).pages} == {Code.CANCELLED}


def test_the_cancellations_remembered_are_the_latest(monkeypatch):
    monkeypatch.setattr(cancellations, "KEPT", 2)
    known = cancellations.Cancellations()
    for document, requested_ms in (("a", 10), ("b", 10), ("a", 5), ("c", 10)):
        known.add(DocumentCancelled(document_id=document, requested_ms=requested_ms))
    early = Submission(topic="t", partition=0, offset=1, appended_ms=9)
    assert [known.of(request_of(document=name, submission=early)) is not None for name in "abc"] == [True, False, True]


def test_an_answer_that_is_too_large_becomes_failures():
    lanes = HeldLanes(1)
    desk = desk_of(lanes, max_message_bytes=1100)
    desk.take(record(0, request_of()), 0.0)
    desk.step(1.0)
    lanes.finish()
    desk.step(2.0)
    (out,) = desk.outgoing()
    assert answer_of(out).pages[0].failure.code is Code.MESSAGE_TOO_LARGE


def test_express_requests_go_first():
    lanes = HeldLanes(1)
    desk = desk_of(lanes)
    for offset in range(4):
        desk.take(record(offset, request_of(document=f"d{offset}")), 0.0)
    desk.take(record(0, request_of(document="quick"), ("express", 0), express=True), 0.5)
    desk.step(1.0)
    assert lanes.held[0][1][0].key[0] == "quick"


def test_lanes_read_beside_the_loop_and_hand_over_what_ended_them():
    class Broken:
        def read(self, units):
            raise RuntimeError("broken")

    lanes = Lanes(2, NoEngine, lambda engine: Reader())
    desk = desk_of(lanes)
    try:
        desk.take(record(0, request_of(1, 6)), 0.0)

        def answered():
            desk.step(time.monotonic())
            return desk.outgoing()

        assert len(wait_until(answered, 5, "the answer")) == 1
    finally:
        lanes.close()
    broken = Lanes(1, NoEngine, lambda engine: Broken())
    desk = desk_of(broken)
    try:
        desk.take(record(0, request_of()), 0.0)
        with pytest.raises(RuntimeError, match="broken"):
            wait_until(lambda: desk.step(time.monotonic()), 5, "the error")
    finally:
        broken.close()


def test_what_a_stop_interrupts_is_neither_answered_nor_committed_nor_a_death():
    class Stops:
        def read(self, units):
            raise Interrupted

    lanes = Lanes(1, NoEngine, lambda engine: Stops())
    desk = desk_of(lanes)
    try:
        desk.take(record(0, request_of()), 0.0)
        desk.step(1.0)
        assert desk.reading
        desk.drop_waiting()

        def has_ended():
            desk.step(2.0)
            return not desk.reading

        wait_until(has_ended, 5, "the lane is free again")
        assert desk.outgoing() == []
        assert desk.committable() == {}
    finally:
        lanes.close()


def test_a_loop_whose_lanes_all_read_waits_for_them_and_is_woken_by_the_first_that_ends():
    go = threading.Event()

    class Waits(Reader):
        def read(self, units):
            assert go.wait(60.0)
            return super().read(units)

    lanes = Lanes(1, NoEngine, lambda engine: Waits())
    try:
        desk = desk_of(lanes)
        assert not desk.occupied
        for offset in range(2):
            desk.take(record(offset, request_of(document=str(offset))), 0.0)
        desk.step(1.0)
        assert desk.occupied
        desk.wait(0.0)
        assert desk.outgoing() == []
        threading.Timer(0.01, go.set).start()
        started = time.monotonic()
        desk.wait(60.0)
        assert time.monotonic() - started < 30.0
        desk.step(2.0)
        assert len(desk.outgoing()) >= 1
    finally:
        go.set()
        lanes.close()
