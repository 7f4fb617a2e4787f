"""Workers as they are watched: one trace of a document over all of them, metrics, health. A collector of traces is a server of this test."""

import gzip
import re
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from samples.make_samples import mixed
from streams import local
from streams.kafka.admin import TopicAdmin
from streams.kafka.clients import producer_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.producing import Producing
from streams.kafka.records import OutputRecord
from streams.loading import load_settings
from streams.settings import Settings
from streams.topics import INGEST
from tests.waiting import wait_until

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"
KINDS = ("open", "infer", "assemble", "index")
"""By their ports; `read` shares the process of `open`."""
PORTS = {"open": 0, "infer": 2, "assemble": 3, "index": 4}


@pytest.fixture(scope="module")
def collector() -> Iterator[tuple[str, list[Span]]]:
    """Where traces are sent, and what came."""
    spans: list[Span] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = ExportTraceServiceRequest.FromString(gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body)
            spans.extend(span for resource in request.resource_spans for scope in resource.scope_spans for span in scope.spans)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1/traces", spans
        server.shutdown()


def free_ports() -> int:
    """The first of five ports that nobody listens at."""
    for base in range(28_470, 60_000, 10):
        with socket.socket() as one:
            if all(one.connect_ex(("127.0.0.1", base + offset)) != 0 for offset in range(5)):
                return base
    raise AssertionError("no free ports")


@pytest.fixture(scope="module")
def watched(kafka: EmbeddedKafka, collector: tuple[str, list[Span]], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """All workers, watched."""
    settings = load_settings(
        {},
        bootstrap_servers=kafka.bootstrap_servers,
        data_dir=str(tmp_path_factory.mktemp("watched")),
        read_processes=1,
        engine_processes=1,
        metrics_port=free_ports(),
        otlp_endpoint=collector[0],
    )
    TopicAdmin(settings.bootstrap_servers).ensure_topics(local.topic_specs(settings))
    with local.LocalWorkers(settings):
        yield settings


def ask(settings: Settings, kind: str, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{settings.metrics_port + PORTS[kind]}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return 0, str(error)


@pytest.mark.timeout(400)
def test_a_document_is_one_trace_and_every_stage_counts_it(watched: Settings, collector: tuple[str, list[Span]], tmp_path: Path) -> None:
    mixed().save(tmp_path / "mixed.pdf")
    headers = (("filename", b"mixed.pdf"), ("traceparent", f"00-{TRACE}-{PARENT}-01".encode()))
    with Producing(producer_config(watched.bootstrap_servers, "test")) as producing:
        producing.send(OutputRecord(INGEST.name, b"traced", (tmp_path / "mixed.pdf").read_bytes(), headers))

    def of_trace() -> dict[str, Span]:
        return {span.name: span for span in collector[1] if span.trace_id.hex() == TRACE}

    wait_until(lambda: of_trace().keys() >= {"open", "read", "infer", "assemble", "index"}, 240, "spans of all stages have come")
    spans = of_trace()
    parents = {name: span.parent_span_id.hex() for name, span in spans.items()}
    assert parents["open"] == PARENT
    assert parents["read"] == spans["open"].span_id.hex()
    assert parents["infer"] == spans["read"].span_id.hex()
    assert parents["index"] == spans["assemble"].span_id.hex()
    said = {attribute.key: attribute.value.string_value for attribute in spans["read"].attributes}
    assert said == {"pageloom.document": "traced", "pageloom.pages": "1-2"}

    for kind in KINDS:
        assert wait_until(lambda kind=kind: ask(watched, kind, "/ready") == (200, "ok\n"), 30, f"{kind} is ready")
        assert ask(watched, kind, "/live") == (200, "ok\n")
    texts = {kind: ask(watched, kind, "/metrics")[1] for kind in KINDS}
    assert 'pageloom_events_total{code="",event="PageExtracted",stage="read"} 2.0' in texts["open"]
    assert 'pageloom_events_total{code="",event="DocumentOpened",stage="open"} 1.0' in texts["open"]
    assert 'pageloom_recognized_pages_total{outcome="recognized"} 1.0' in texts["infer"]
    assert 'pageloom_document_seconds_count{outcome="complete"} 1.0' in texts["assemble"]
    found = re.search(r"^pageloom_searchable_seconds_count (\d+)", texts["index"], re.MULTILINE)
    assert found is not None
    assert int(found[1]) >= 1  # a new index is filled with what other tests left on the topic as well
    assert 'pageloom_workers{stage="index"} 1.0' in texts["index"]
    assert all("pageloom_kafka_reachable 1.0" in text for text in texts.values())
