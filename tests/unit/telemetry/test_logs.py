"""What repeats in logs is bounded and counted; what differs is not."""

import io
import json
import logging
import sys

import pytest
import structlog

from streams.logs import ALIKE_PER_MINUTE, KEPT, LIBRARY_PER_MINUTE, WINDOW_S, LibraryLimit, Repeats, configure_logging


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_a_line_passes_a_few_times_a_minute_and_then_says_how_many_were_left_out() -> None:
    clock = Clock()
    repeats = Repeats(2, clock)
    assert [repeats.pass_on("a") for _ in range(5)] == [0, 0, None, None, None]
    assert repeats.pass_on("b") == 0
    clock.now_s += WINDOW_S
    assert repeats.pass_on("a") == 3
    assert repeats.pass_on("a") == 0


def test_memory_is_bounded() -> None:
    repeats = Repeats(1)
    for number in range(3 * KEPT):
        repeats.pass_on(number)
    assert len(repeats._seen) == KEPT


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch):
    """What is written to standard error, as JSON."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    kept, level = list(logging.getLogger().handlers), logging.getLogger().level
    configure_logging("info", json=True)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    structlog.reset_defaults()
    logging.getLogger().handlers[:] = kept
    logging.getLogger().setLevel(level)


def test_a_worker_that_says_the_same_for_ever_writes_little(lines) -> None:
    log = structlog.get_logger("test")
    for _ in range(1_000):
        log.warning("index.unavailable", error="nobody answers")
    assert [line["event"] for line in lines()] == ["index.unavailable"] * ALIKE_PER_MINUTE


def test_failures_of_different_pages_are_all_written(lines) -> None:
    log = structlog.get_logger("test")
    for page in range(100):
        log.warning("page.failed", document="d", page=page, code="timed_out")
    assert [(line["document"], line["page"]) for line in lines()] == [("d", page) for page in range(100)]


def test_a_document_is_named_by_one_word(lines) -> None:
    structlog.get_logger("test").warning("assemble.document_not_finished", document_id="d")
    (line,) = lines()
    assert (line["document"], "document_id" in line) == ("d", False)


def test_lines_of_libraries_that_differ_in_numbers_are_bounded(lines) -> None:
    log = logging.getLogger("aiokafka.client")
    for port in range(1_000):
        log.error("Unable connect to node with id %s: [Errno 111] Connect call failed ('127.0.0.1', %s)", port % 7, port)
    log.error("something else")
    found = lines()
    assert len(found) == LIBRARY_PER_MINUTE + 1
    assert found[-1]["event"] == "something else"
    assert {line["logger"] for line in found} == {"aiokafka.client"}


def test_a_traceback_of_a_library_is_one_json_line(lines) -> None:
    try:
        raise ValueError("inner")
    except ValueError:
        logging.getLogger("lib").exception("it failed")
    (line,) = lines()
    assert "ValueError: inner" in line["exception"]


def test_the_first_line_after_a_pause_says_how_many_were_left_out() -> None:
    clock = Clock()
    limit = LibraryLimit(Repeats(1, clock))
    record = logging.LogRecord("lib", logging.ERROR, "f", 1, "node %s is away", (7,), None)
    assert [limit.filter(record) for _ in range(4)] == [True, False, False, False]
    clock.now_s += WINDOW_S
    assert limit.filter(record)
    assert record.getMessage() == "node 7 is away (3 lines like this were left out)"
