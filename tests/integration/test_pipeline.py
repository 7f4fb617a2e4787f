"""The whole pipeline: documents in, finished documents out and found, on a real Kafka with real worker processes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pymupdf
import pytest
from confluent_kafka import Producer

from samples.make_samples import harvest, letter, mixed, scanned
from schemas.document import Document
from schemas.events import DocumentFailed, DocumentOptions, Format, Mode
from streams import local
from streams.following import DocumentFinished, Follower
from streams.index.tantivy_index import TantivyReader
from streams.kafka.admin import TopicAdmin
from streams.kafka.embedded import EmbeddedKafka
from streams.loading import load_settings
from streams.publishing import Publisher
from streams.settings import Settings
from streams.topics import INGEST, PARSED
from tests.waiting import wait_until

ALL_FORMATS = DocumentOptions(formats=(Format.MARKDOWN, Format.JSON, Format.HTML))


def document_of(finished: DocumentFinished) -> Document:
    """The JSON that people get, as a value."""
    (text,) = [r.text for r in finished.renderings if r.format is Format.JSON]
    assert text is not None
    return msgspec.json.decode(text, type=Document)


class Pipeline:
    """A running pipeline with a publisher, and a follower that keeps what it saw."""

    def __init__(self, settings: Settings, workers: local.LocalWorkers) -> None:
        self.settings = settings
        self.workers = workers
        self.publisher = Publisher(settings)
        self.follower = Follower(settings)
        self.ended: list[tuple[str, DocumentFinished | DocumentFailed | None]] = []

    def look(self) -> None:
        self.workers.watch()
        for record, event in self.follower.events(0.2):
            if event is None or isinstance(event, DocumentFinished | DocumentFailed):
                self.ended.append(((record.key or b"").decode(), event))

    def endings(self, document_id: str) -> list[DocumentFinished | DocumentFailed | None]:
        return [event for key, event in self.ended if key == document_id]

    def await_ending(self, document_id: str, count: int = 1) -> DocumentFinished | DocumentFailed | None:
        def ended() -> bool:
            self.look()
            return len(self.endings(document_id)) >= count

        wait_until(ended, timeout_s=90, what=f"{document_id} ends")
        return self.endings(document_id)[-1]

    def parse(self, path: Path, document_id: str, options: DocumentOptions = ALL_FORMATS, password: str | None = None) -> Document:
        self.publisher.publish_file(path, document_id, options, password=password)
        ended = self.await_ending(document_id)
        assert isinstance(ended, DocumentFinished), ended
        return document_of(ended)


@pytest.fixture(scope="module")
def pipeline(kafka: EmbeddedKafka, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    folder = tmp_path_factory.mktemp("pipeline")
    settings = load_settings(
        {}, bootstrap_servers=kafka.bootstrap_servers, data_dir=str(folder), session_timeout_s=6.0, read_processes=1, engine_processes=1
    )
    TopicAdmin(settings.bootstrap_servers).ensure_topics(local.topic_specs(settings))
    with local.LocalWorkers(settings) as workers:
        running = Pipeline(settings, workers)
        yield running
        running.follower.close()


def saved(document: pymupdf.Document, path: Path, **options: object) -> Path:
    document.save(path, **options)
    return path


def test_a_table_over_three_pages_comes_back_whole(pipeline: Pipeline, tmp_path: Path) -> None:
    document = pipeline.parse(saved(harvest(), tmp_path / "harvest.pdf"), "harvest")
    assert document.status == "complete"
    assert [p.number for p in document.pages] == [1, 2, 3, 4]
    (table,) = [b.table for b in document.blocks if b.table is not None]
    assert (table.columns, table.header_rows, len(table.rows)) == (5, 1, 113)
    assert [row[0] for row in table.rows[1:]] == [str(n) for n in range(1, 113)]
    assert [(j.from_page, j.to_page) for j in table.joins] == [(1, 2), (2, 3)]
    headings = [(b.level, b.text) for b in document.blocks if b.type == "heading"]
    assert headings == [(1, "Harvest of 1986"), (2, "1. Lots and yields"), (2, "2. Remarks")]
    over_the_break = next(b for b in document.blocks if "weighed at the" in b.text)
    assert "weighed at the station and brought" in over_the_break.text
    assert [r.page for r in over_the_break.regions] == [3, 4]
    assert not [b for b in document.blocks if b.type in ("paragraph", "heading") and "river villages" in b.text]


def test_scans_are_recognized_and_digital_pages_are_not(pipeline: Pipeline, tmp_path: Path) -> None:
    document = pipeline.parse(saved(mixed(), tmp_path / "mixed.pdf"), "mixed")
    assert [p.status for p in document.pages] == ["extracted", "recognized"]
    assert document.pages[1].engine == "rapidocr"
    text = " ".join(b.text for b in document.blocks)
    assert "found in the blue box" in text
    assert "the mill has been running again since Tuesday" in text


def test_disable_ocr_never_calls_the_engine(pipeline: Pipeline, tmp_path: Path) -> None:
    document = pipeline.parse(saved(scanned(letter()), tmp_path / "letter.pdf"), "no-ocr", DocumentOptions(mode=Mode.DISABLE_OCR))
    assert [(p.status, p.engine) for p in document.pages] == [("extracted", None)]
    assert document.pages[0].text_layer_confidence < 0.5
    assert document.warnings


def test_raw_bytes_without_headers_and_with_them(pipeline: Pipeline, tmp_path: Path) -> None:
    """What `kcat -P -t documents.ingest -k my-id file.pdf` sends."""
    data = saved(harvest(), tmp_path / "raw.pdf").read_bytes()
    producer = Producer({"bootstrap.servers": pipeline.settings.bootstrap_servers, "message.max.bytes": 16_000_000})
    producer.produce(INGEST.name, data, key=b"raw")
    producer.produce(INGEST.name, data, key=b"raw-with-headers", headers={"filename": "h.pdf", "pages": "2-3", "metadata-shelf": "B4"})
    producer.flush(10)
    plain, with_headers = pipeline.await_ending("raw"), pipeline.await_ending("raw-with-headers")
    assert isinstance(plain, DocumentFinished)
    assert document_of(plain).page_count == 4
    assert isinstance(with_headers, DocumentFinished)
    document = document_of(with_headers)
    assert ([p.number for p in document.pages], with_headers.filename) == ([2, 3], "h.pdf")
    assert document.metadata["shelf"] == "B4"


def encrypted() -> bytes:
    document = harvest()
    return document.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="geheim", owner_pw="owner")


BAD_INPUTS = {
    "empty": (b"", "empty_file"),
    "stub": (b"../files/report.pdf\n", "unknown_type"),
    "noise": (bytes(range(256)) * 20, "unknown_type"),
    "truncated": (b"%PDF-1.7\n" + b"x" * 300, "corrupt"),
    "encrypted": (encrypted(), "encrypted"),
}


def test_bad_inputs_fail_with_their_code_and_the_next_goes_on(pipeline: Pipeline, tmp_path: Path) -> None:
    for name, (data, _code) in BAD_INPUTS.items():
        path = tmp_path / f"{name}.pdf"
        path.write_bytes(data)
        pipeline.publisher.publish_file(path, f"bad-{name}", DocumentOptions())
    assert pipeline.parse(saved(harvest(), tmp_path / "good.pdf"), "after-bad").status == "complete"
    for name, (_data, code) in BAD_INPUTS.items():
        ended = pipeline.await_ending(f"bad-{name}")
        assert isinstance(ended, DocumentFailed), name
        assert ended.failure.code == code, name


def test_a_password_opens_and_leaves_no_trace(pipeline: Pipeline, tmp_path: Path) -> None:
    path = tmp_path / "locked.pdf"
    path.write_bytes(encrypted())
    document = pipeline.parse(path, "locked", password="geheim")
    assert document.page_count == 4
    logs = "".join(p.read_text(errors="replace") for p in (pipeline.settings.data_path / "logs").iterdir())
    assert "geheim" not in logs
    assert "geheim" not in msgspec.json.encode(document).decode()


def test_a_document_is_found_replaced_and_deleted(pipeline: Pipeline, tmp_path: Path) -> None:
    def found(query: str, document_id: str) -> bool:
        return any(hit.document_id == document_id for hit in TantivyReader(pipeline.settings.index_path).search(query, 50).hits)

    def one_page(text: str) -> Path:
        document = pymupdf.open()
        document.new_page().insert_text((72, 72), text)
        return saved(document, tmp_path / "note.pdf")

    first = pipeline.parse(one_page("the pelican counts its fish"), "note")
    wait_until(lambda: found("pelican", "note"), timeout_s=10, what="the first revision is found")
    pipeline.publisher.publish_file(one_page("the cormorant dries its wings"), "note", DocumentOptions())
    second = pipeline.await_ending("note", 2)
    assert isinstance(second, DocumentFinished)
    assert second.revision > first.revision
    wait_until(lambda: found("cormorant", "note"), timeout_s=10, what="the second revision is found")
    assert not found("pelican", "note")
    pipeline.publisher.delete("note")
    assert pipeline.await_ending("note", 3) is None
    wait_until(lambda: not found("cormorant", "note"), timeout_s=10, what="the deleted document is gone")


def test_a_file_above_the_message_limit_travels_as_a_blob(pipeline: Pipeline, tmp_path: Path) -> None:
    document = harvest()
    document.embfile_add("ballast", os.urandom(17 * 2**20))
    path = saved(document, tmp_path / "large.pdf")
    assert path.stat().st_size > pipeline.settings.max_message_bytes
    assert pipeline.parse(path, "large").page_count == 4


def test_what_failed_is_listed_shown_and_replayed_until_it_is_superseded(pipeline: Pipeline, tmp_path: Path) -> None:
    locked = saved(letter(), tmp_path / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="open sesame")
    pipeline.publisher.publish_file(locked, "replayed", ALL_FORMATS)
    assert isinstance(pipeline.await_ending("replayed"), DocumentFailed)
    assert command(pipeline, "failed", "list", "--code", "encrypted").stdout.count("replayed") == 1
    shown = command(pipeline, "failed", "show", "replayed").stdout
    assert "open encrypted" in shown
    assert "password" in shown  # what to do next

    again = command(pipeline, "failed", "replay", "replayed")
    assert again.returncode == 0, again.stderr
    assert isinstance(pipeline.await_ending("replayed", 2), DocumentFailed)
    lines = command(pipeline, "failed", "show", "replayed", "--json").stdout.split("\n")
    first, second = (json.loads(line)["submission"] for line in lines if line)
    assert second["appended_ms"] > first["appended_ms"]

    pipeline.publisher.publish_file(locked, "replayed", ALL_FORMATS, password="open sesame")
    assert isinstance(pipeline.await_ending("replayed", 3), DocumentFinished)
    refused = command(pipeline, "failed", "replay", "replayed")
    assert refused.returncode == 3
    assert "newer submission" in refused.stderr
    assert command(pipeline, "failed", "replay").returncode == 2
    assert command(pipeline, "failed", "show", "no such document").returncode == 1


def test_a_parsed_document_is_fetched_from_the_topic_until_it_is_deleted(pipeline: Pipeline, tmp_path: Path) -> None:
    pipeline.parse(saved(harvest(), tmp_path / "harvest.pdf"), "fetched")
    done = command(pipeline, "get", "fetched", "--output", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert {p.suffix for p in (tmp_path / "out").iterdir()} >= {".md", ".json", ".html"}
    assert "Harvest of 1986" in (tmp_path / "out" / "harvest.pdf.md").read_text()
    pipeline.publisher.delete("fetched")
    pipeline.await_ending("fetched", 2)
    assert command(pipeline, "get", "fetched", "--output", str(tmp_path / "out")).returncode == 1
    for wrong in (["--engine", "nope"], ["--pages", "5-2"]):
        assert command(pipeline, "parse", str(tmp_path / "harvest.pdf"), "-o", str(tmp_path / "x"), *wrong).returncode == 2


def test_a_document_is_cancelled_from_the_command_line(pipeline: Pipeline, tmp_path: Path) -> None:
    book = pymupdf.open()
    for _ in range(40):
        book.insert_pdf(scanned(letter()))
    pipeline.publisher.publish_file(saved(book, tmp_path / "book.pdf"), "given up", ALL_FORMATS)
    assert command(pipeline, "cancel", "given up", "--reason", "not wanted").returncode == 0
    ended = pipeline.await_ending("given up")
    assert isinstance(ended, DocumentFailed)
    assert ended.failure.code == "cancelled"
    mistyped = command(pipeline, "cancel", "givne up")
    assert (mistyped.returncode, "no document givne up is known" in mistyped.stderr) == (1, True)


def command(pipeline: Pipeline, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PAGELOOM_BOOTSTRAP_SERVERS": pipeline.settings.bootstrap_servers, "PAGELOOM_DATA_DIR": pipeline.settings.data_dir}
    line = [sys.executable, "-m", "streams.start", *arguments]
    return subprocess.run(line, capture_output=True, text=True, check=False, env=environment | {"COLUMNS": "200"})


def test_workers_killed_in_the_middle_lose_and_double_nothing(pipeline: Pipeline, tmp_path: Path) -> None:
    path = saved(harvest(), tmp_path / "often.pdf")
    ids = [f"often-{number}" for number in range(30)]
    for document_id in ids:
        pipeline.publisher.publish_file(path, document_id, DocumentOptions(formats=(Format.JSON,)))
    wait_until(lambda: pipeline.look() or any(key in ids for key, _ in pipeline.ended), timeout_s=60, what="the first of many is finished")
    for pid in pipeline.workers.processes.values():
        os.kill(pid, signal.SIGKILL)
    for document_id in ids:
        ended = pipeline.await_ending(document_id)
        assert isinstance(ended, DocumentFinished)
        assert ended.status == "complete"
    pipeline.parse(path, "after-the-kill")
    assert all(len(pipeline.endings(document_id)) == 1 for document_id in ids)
    (table,) = [b.table for b in document_of(pipeline.endings(ids[-1])[0]).blocks if b.table is not None]
    assert len(table.rows) == 113


def test_the_log_agrees_with_what_was_seen(pipeline: Pipeline) -> None:
    listing = next(t for t in TopicAdmin(pipeline.settings.bootstrap_servers).list_topics() if t.name == PARSED.name)
    assert listing.at_most_records >= sum(1 for _, event in pipeline.ended if isinstance(event, DocumentFinished))


def test_the_command_line_parses_indexes_and_finds_on_a_machine_of_its_own(tmp_path: Path) -> None:
    """`pageloom parse` starts its own broker and workers, and leaves an index that `pageloom search` reads."""
    inputs = tmp_path / "in"
    subprocess.run([sys.executable, "samples/make_samples.py", str(inputs)], check=True, capture_output=True)
    environment = {**os.environ, "PAGELOOM_DATA_DIR": str(tmp_path / "data")}
    command = [sys.executable, "-m", "streams.start"]
    started = time.monotonic()
    done = subprocess.run(
        [*command, "parse", str(inputs), "--output", str(tmp_path / "out"), "--formats", "markdown,json,html"],
        env=environment, capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip
    assert done.returncode == 3, done.stdout + done.stderr
    names = {p.name for p in (tmp_path / "out").iterdir()}
    good = ("harvest.pdf", "letter.pdf", "mixed.pdf")
    assert names == {f"{name}{suffix}" for name in good for suffix in (".json", ".md", ".html")} | {"broken.pdf.error.json"}
    found = subprocess.run([*command, "search", '"blue box"', "--json"], env=environment, capture_output=True, text=True, check=True)
    hits = [msgspec.json.decode(line) for line in found.stdout.splitlines()]
    assert {hit["filename"] for hit in hits} == {"letter.pdf", "mixed.pdf"}
    print(f"parse took {time.monotonic() - started:.1f} s")
