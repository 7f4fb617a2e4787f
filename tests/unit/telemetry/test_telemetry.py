"""Metrics, health and traces of workers, without Kafka."""

import asyncio
import threading
import time
import urllib.error
import urllib.request

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from inference.desk import InferCounts
from schemas import codec
from schemas.content import BlobReference
from schemas.errors import Code, Stage, failure_of
from schemas.events import DocumentFailed, DocumentOpened, DocumentOptions, DocumentProgressed, PageFailed, Progress
from schemas.identity import Submission
from streams.kafka.errors import BrokerUnreachableError
from streams.kafka.logic import Effects
from streams.kafka.records import OutputRecord, Record
from streams.loading import load_settings
from streams.observing import RecognitionObserver
from streams.settings import SettingsError
from streams.telemetry.answers import watched
from streams.telemetry.assembly import watched_logic
from streams.telemetry.composing import metrics_port, telemetry_of
from streams.telemetry.groups import FRESH_S, GROUPS, GroupLag
from streams.telemetry.health import STUCK_S, Health, Heartbeat
from streams.telemetry.metrics import EVENTS, METRICS, Kind, NoMeters, Reading
from streams.telemetry.outcomes import outcome_of
from streams.telemetry.prometheus import PrometheusMeters
from streams.telemetry.server import MAX_CONNECTIONS, Answers, serving
from streams.telemetry.spans import NoTracer, about
from streams.telemetry.telemetry import SILENT, Telemetry
from streams.telemetry.tracing import OpenTelemetryTracer
from streams.topics import EVENTS as PAGE_EVENTS
from streams.topics import FAILED, PARSED, PROGRESS, RANGES

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=7, appended_ms=1_000)
FAILURE = failure_of(Code.TIMED_OUT, Stage.READ, "page 3: too slow")
PAGE_FAILED = codec.encode(PageFailed(document_id="d", submission=SUBMISSION, page=3, failure=FAILURE))


def record(key: bytes = b"d:1-8", headers: tuple[tuple[str, bytes], ...] = (), topic: str = RANGES.name) -> Record:
    return Record(topic, 0, 1, int(time.time() * 1000) - 500, True, key, b"value", headers)


def traced() -> tuple[OpenTelemetryTracer, InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    return OpenTelemetryTracer("test", 1.0, SimpleSpanProcessor(exporter)), exporter


def test_outcomes_are_told_from_records() -> None:
    assert outcome_of(PAGE_FAILED) == ("PageFailed", "timed_out")
    failed = DocumentFailed(document_id="d", submission=SUBMISSION, filename="f", failure=FAILURE)
    assert outcome_of(codec.encode(failed)) == ("DocumentFailed", "timed_out")
    assert outcome_of(None) == ("deleted", "")
    assert outcome_of(b"nonsense") == ("unknown", "")
    assert outcome_of(PAGE_FAILED[:12]) == ("PageFailed", "unknown")


def test_an_answer_that_nobody_watches_is_itself() -> None:
    async def answer(_: Record) -> tuple[tuple[OutputRecord, ...], ...]:
        return ()

    assert watched(answer, "read", SILENT) is answer
    assert watched_logic(len, SILENT) is len  # type: ignore[arg-type, comparison-overlap]


def test_an_answer_carries_the_trace_of_its_record_and_is_counted() -> None:
    tracer, exporter = traced()
    meters = PrometheusMeters()

    async def answer(_: Record) -> tuple[tuple[OutputRecord, ...], ...]:
        return ((OutputRecord(PAGE_EVENTS.name, b"d", PAGE_FAILED, (("own", b"1"),)),),)

    parent = tracer.begin("publish", (), {})
    watching = watched(answer, "read", Telemetry(meters, tracer))
    ((written,),) = asyncio.run(watching(record(headers=parent.headers)))
    parent.end()
    span = next(span for span in exporter.get_finished_spans() if span.name == "read")
    assert span.parent is not None
    assert span.parent.span_id == int(parent.headers[0][1].split(b"-")[2], 16)
    assert dict(span.attributes or {}) == {"pageloom.document": "d", "pageloom.pages": "1-8", "pageloom.code": "timed_out"}
    assert written.headers[0] == ("own", b"1")
    name, value = written.headers[1]
    assert (name, value[:-2]) == ("traceparent", f"00-{span.context.trace_id:032x}-{span.context.span_id:016x}-".encode())
    assert int(value[-2:], 16) & 1  # sampled
    text = meters.text().decode()
    assert 'pageloom_events_total{code="timed_out",event="PageFailed",stage="read"} 1.0' in text
    assert 'pageloom_queue_age_seconds_count{stage="read",topic="pages.ready"} 1.0' in text
    assert 'pageloom_in_work{stage="read"} 0.0' in text


def test_an_answer_that_raises_ends_its_span() -> None:
    tracer, exporter = traced()

    async def answer(_: Record) -> tuple[tuple[OutputRecord, ...], ...]:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        asyncio.run(watched(answer, "read", Telemetry(NoMeters(), tracer))(record()))
    (span,) = exporter.get_finished_spans()
    assert not span.status.is_ok


@pytest.mark.parametrize("header", [b"", b"00-zz", b"\xff\xfe", b"00-" + b"0" * 32 + b"-" + b"0" * 16 + b"-01"])
def test_a_damaged_context_begins_a_trace_of_its_own(header: bytes) -> None:
    tracer, exporter = traced()
    tracer.begin("open", (("traceparent", header),), {}).end()
    (span,) = exporter.get_finished_spans()
    assert span.parent is None


def test_a_publisher_that_does_not_sample_is_obeyed() -> None:
    tracer, exporter = traced()
    tracer.begin("open", (("traceparent", b"00-" + b"1" * 32 + b"-" + b"2" * 16 + b"-00"),), {}).end()
    assert exporter.get_finished_spans() == ()


class ScriptedLogic:
    """Publishes what it is told to."""

    full = False

    def __init__(self) -> None:
        self.next = Effects()

    def restore(self, entries: object) -> None:
        pass

    def process(self, record: Record) -> Effects:
        return self.next

    def tick(self, now_s: float, caught_up: bool) -> Effects:
        return self.next

    def close(self) -> None:
        pass


def test_a_document_carries_its_trace_through_assembly() -> None:
    tracer, exporter = traced()
    meters = PrometheusMeters()
    inner = ScriptedLogic()
    logic = watched_logic(lambda *_: inner, Telemetry(meters, tracer))(0, lambda: None)
    parent = tracer.begin("open", (), {})
    logic.process(record(b"d", parent.headers, PAGE_EVENTS.name))
    logic.process(record(b"d", (), PAGE_EVENTS.name))
    assert 'pageloom_in_work{stage="assemble"} 1.0' in meters.text().decode()
    progress = DocumentProgressed(document_id="d", submission=SUBMISSION, filename="f", progress=Progress.COMPLETE, pages=1)
    inner.next = Effects((), [OutputRecord(PROGRESS.name, b"d", codec.encode(progress)), OutputRecord(PARSED.name, b"d", b"x")])
    effects = logic.tick(0.0, True)
    (span,) = exporter.get_finished_spans()
    assert span.context.trace_id == int(parent.headers[0][1].split(b"-")[1], 16)
    assert effects.outputs[0].headers == ()
    assert effects.outputs[1].headers[0][1].split(b"-")[2].decode() == f"{span.context.span_id:016x}"
    text = meters.text().decode()
    assert 'pageloom_document_seconds_count{outcome="complete"} 1.0' in text
    assert 'pageloom_in_work{stage="assemble"} 0.0' in text
    logic.close()


def test_a_failed_document_ends_its_span_with_its_code() -> None:
    tracer, exporter = traced()
    inner = ScriptedLogic()
    logic = watched_logic(lambda *_: inner, Telemetry(NoMeters(), tracer))(0, lambda: None)
    failed = DocumentFailed(document_id="d", submission=SUBMISSION, filename="f", failure=FAILURE)
    inner.next = Effects((), [OutputRecord(FAILED.name, b"d", codec.encode(failed))])
    logic.process(record(b"d", (), PAGE_EVENTS.name))
    (span,) = exporter.get_finished_spans()
    assert span.status.description == "timed_out"


def test_recognition_is_watched_by_its_counts() -> None:
    tracer, exporter = traced()
    meters = PrometheusMeters()
    counts = InferCounts()
    observer = RecognitionObserver(Telemetry(meters, tracer), counts)
    position = (("windows.requested", 0), 3)
    parent = tracer.begin("read", (), {})
    observer.taken(position, b"d:4", parent.headers, int(time.time() * 1000))
    observer.taken((("windows.requested", 1), 0), b"e:1", (), -1)
    counts.failures["engine_failed"] += 2
    counts.batches, counts.batch_pages = 2, 7
    carried = observer.answered(position)
    assert observer.answered(position) == ()
    observer.forgotten([("windows.requested", 1)])
    done, revoked = exporter.get_finished_spans()
    assert carried[0][1] is not None
    assert carried[0][1].split(b"-")[2].decode() == f"{done.context.span_id:016x}"
    assert revoked.status.description == "revoked"
    text = meters.text().decode()
    assert 'pageloom_events_total{code="engine_failed",event="PageWindowRecognized",stage="infer"} 2.0' in text
    assert 'pageloom_batch_items_total{stage="infer"} 7.0' in text


def test_keys_say_what_a_record_is_about() -> None:
    assert about(b"a:b:3-7") == {"pageloom.document": "a:b", "pageloom.pages": "3-7"}
    assert about(b"report.pdf") == {"pageloom.document": "report.pdf"}
    assert about(None) == {"pageloom.document": ""}


def test_every_metric_can_be_fed_and_is_named_as_prometheus_wants() -> None:
    meters = PrometheusMeters()
    for metric in METRICS:
        labels = tuple("x" for _ in metric.labels)
        if metric.kind is Kind.COUNTER:
            assert metric.name.endswith("_total")
            meters.count(metric, *labels)
        elif metric.kind is Kind.HISTOGRAM:
            meters.observe(metric, 0.2, *labels)
        else:
            meters.watch(lambda metric=metric, labels=labels: [Reading(metric, labels, 1.0)])
    text = meters.text().decode()
    assert [metric.name for metric in METRICS if metric.name not in text] == []


def test_a_counter_may_be_counted_by_threads() -> None:
    meters = PrometheusMeters()
    threads = [threading.Thread(target=lambda: [meters.count(EVENTS, "a", "b", "") for _ in range(500)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 'event="b",stage="a"} 2000.0' in meters.text().decode()


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_a_worker_lives_while_its_loop_asks_and_is_ready_while_kafka_answers() -> None:
    clock, stop, kafka = Clock(), threading.Event(), [""]
    beat = Heartbeat(stop, clock)
    health = Health(beat, lambda: kafka[0])
    assert (health.not_alive(), health.not_ready()) == ("", "it is starting")
    assert not beat.is_set()
    assert (health.not_alive(), health.not_ready()) == ("", "")
    kafka[0] = "no broker at b:1"
    assert (health.not_alive(), health.not_ready()) == ("", "no broker at b:1")
    kafka[0] = ""
    clock.now_s += STUCK_S + 1
    asking = threading.Thread(target=beat.is_set)  # another thread of the worker is no sign that its loop turns
    asking.start()
    asking.join()
    assert "has not turned for 61 s" in health.not_alive()
    assert "has not turned" in health.not_ready()
    assert not beat.wait(0)
    assert health.not_alive() == ""
    beat.set()
    assert stop.is_set()
    assert health.not_ready() == "it is stopping"


class ScriptedAdmin:
    def __init__(self) -> None:
        self.asked = 0
        self.error: Exception | None = None

    def list_topics(self, names: object) -> list:
        self.asked += 1
        if self.error is not None:
            raise self.error
        return [type("Listing", (), {"name": name, "ranges": ((2, 12), (0, 5))})() for name in names]

    def group_members(self, groups: list[str]) -> dict[str, int]:
        return dict.fromkeys(groups, 3)

    def committed_offsets(self, group: str, names: object) -> dict[tuple[str, int], int]:
        return {(name, 0): 10 for name in names}


def test_lag_is_asked_for_seldom_and_its_absence_is_told() -> None:
    clock, admin = Clock(), ScriptedAdmin()
    lag = GroupLag(admin, GROUPS[1:2], clock)  # type: ignore[arg-type]
    values = {(reading.metric.name, reading.labels): reading.value for reading in lag.readings()}
    assert values["pageloom_lag_records", ("read", "pages.ready")] == 7
    assert values["pageloom_workers", ("read",)] == 3
    assert values["pageloom_kafka_reachable", ()] == 1
    assert lag.error() == ""
    assert admin.asked == 1
    for error in (BrokerUnreachableError("no broker"), TimeoutError()):
        clock.now_s += FRESH_S
        admin.error = error
        assert [(reading.metric.name, reading.value) for reading in lag.readings()] == [("pageloom_kafka_reachable", 0)]
        assert lag.error()


def ask(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_metrics_and_health_are_served_and_nothing_else() -> None:
    problem = [""]
    answers = Answers(lambda: b"# metrics\n", "text/plain", lambda: "", lambda: problem[0])
    with serving("127.0.0.1", 0, answers) as port:
        base = f"http://127.0.0.1:{port}"
        assert ask(f"{base}/metrics") == (200, "# metrics\n")
        assert ask(f"{base}/live") == (200, "ok\n")
        assert ask(f"{base}/ready?x=1") == (200, "ok\n")
        problem[0] = "Kafka is away"
        assert ask(f"{base}/ready") == (503, "Kafka is away\n")
        assert ask(f"{base}/etc/passwd")[0] == 404
        for _ in range(3 * MAX_CONNECTIONS):
            assert ask(f"{base}/live")[0] == 200
        with pytest.raises(SettingsError, match="PAGELOOM_METRICS_PORT"), serving("127.0.0.1", port, answers):
            pass


def test_off_by_default_and_a_worker_gets_its_own_stop() -> None:
    stop = threading.Event()
    with telemetry_of(load_settings({}), ["read"], stop) as (telemetry, by):
        assert telemetry.silent
        assert by is stop
        assert isinstance(telemetry.tracer, NoTracer)


def test_each_kind_listens_at_a_port_of_its_own() -> None:
    settings = load_settings({}, metrics_port=9470)
    assert [metrics_port(settings, [kind]) for kind in ("open", "read", "infer", "assemble", "index")] == [9470, 9471, 9472, 9473, 9474]
    assert metrics_port(settings, ["read", "open"]) == 9470


def test_opened_documents_are_counted_by_name() -> None:
    opened = DocumentOpened(
        document_id="d", submission=SUBMISSION, document=BlobReference(name="n", size_bytes=1, sha256="0" * 64), content_sha256="", filename="",
        media_type="application/pdf", page_count=1, pages=(1,), options=DocumentOptions(),
    )  # fmt: skip
    assert outcome_of(codec.encode(opened)) == ("DocumentOpened", "")
