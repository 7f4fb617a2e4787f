"""The search index in a real OpenSearch node: revisions, late writers, queries, and a node that goes away while a worker indexes."""

import os
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from schemas import codec
from schemas.document import Document
from schemas.events import DeadLettered, DocumentParsed
from schemas.identity import Submission
from streams.index.chunks import chunks_of
from streams.index.opensearch_client import Cluster, Marker, connect
from streams.index.opensearch_reader import OpenSearchReader
from streams.index.opensearch_rows import VERSION, index_body
from streams.index.opensearch_sink import OpenSearchSink
from streams.index.sink import IndexedDocument, Result, SinkRefuses, SinkUnavailable
from streams.index.sinks import open_reader, open_sink
from streams.index.worker import run_index
from streams.kafka.admin import TopicAdmin
from streams.kafka.clients import producer_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.producing import Producing
from streams.kafka.reading import RecordReader
from streams.kafka.records import OutputRecord
from streams.loading import load_settings
from streams.local import topic_specs
from streams.settings import Settings
from streams.topics import DEAD_LETTERS, PARSED
from tests.search_node.node import SearchNode
from tests.unit.index.test_index import QUERIES, block, document
from tests.waiting import wait_until

MakeCluster = Callable[[], Cluster]


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchNode]:
    with SearchNode(tmp_path_factory.mktemp("opensearch"), os.environ) as started:
        yield started


@pytest.fixture
def settings(node: SearchNode) -> Settings:
    """An index of its own for each test."""
    return Settings(search_index="opensearch", opensearch_url=node.url, opensearch_index=f"pageloom-{uuid.uuid4().hex[:8]}")


def write(sink: Any, texts: Sequence[str], revision: int, document_id: str = "d", filename: str = "annual_report.pdf") -> None:
    meta = IndexedDocument(
        document_id=document_id,
        revision=revision,
        filename=filename,
        metadata={"Author": "Edmund Härrow"},
        media_type="application/pdf",
        status="complete",
    )
    parts = document(*(block(text, page=4 + number) for number, text in enumerate(texts)), document_id=document_id, revision=revision)
    sink.replace(meta, chunks_of(parts))


def refreshed(settings: Settings) -> Any:
    """The client, after everything that was written can be found."""
    client = connect(settings)._client
    client.indices.refresh(index=settings.opensearch_index)
    return client


def chunks_in(settings: Settings) -> list[tuple[str, int, str]]:
    """Every chunk that a search can find."""
    answer = refreshed(settings).search(index=settings.opensearch_index, body={"size": 1000, "query": {"term": {"kind": "chunk"}}})
    return sorted((hit["_source"]["document_id"], hit["_source"]["revision"], hit["_source"]["text"]) for hit in answer["hits"]["hits"])


def test_revisions_replace_older_ones_never_win_and_deletions_stay(settings: Settings) -> None:
    sink = open_sink(settings)
    assert sink.is_new
    assert not open_sink(settings).is_new
    write(sink, ["one", "two", "three"], 5)
    sink.commit()
    assert chunks_in(settings) == [("d", 5, "one"), ("d", 5, "three"), ("d", 5, "two")]
    write(sink, ["uno"], 9)
    sink.commit()
    assert chunks_in(settings) == [("d", 9, "uno")]
    write(sink, ["one", "two", "three"], 5)
    write(sink, ["other"], 1, "e")
    assert {(o.document_id, o.result) for o in sink.commit()} == {("d", Result.OLDER), ("e", Result.WRITTEN)}
    assert chunks_in(settings) == [("d", 9, "uno"), ("e", 1, "other")]
    sink.delete("d", 9)
    sink.commit()
    write(sink, ["one", "two", "three"], 8)
    sink.commit()
    assert chunks_in(settings) == [("e", 1, "other")]
    write(sink, ["again"], 10)
    sink.commit()
    assert chunks_in(settings) == [("d", 10, "again"), ("e", 1, "other")]


def test_a_thawed_writer_leaves_nothing_stale_though_the_node_forgets_deletions_at_once(settings: Settings) -> None:
    """The writer looked at the markers, froze, and sends its rows after two others: one with fewer chunks, and a deletion."""

    class Frozen(Cluster):
        def markers(self, keys: Sequence[str]) -> dict[str, Marker]:
            return {}

    sink = open_sink(settings)
    client = connect(settings)._client
    client.indices.put_settings(index=settings.opensearch_index, body={"index": {"gc_deletes": "0s"}})
    late = OpenSearchSink(Frozen(client, settings.opensearch_index), ("english",))
    for document_id in ("d", "gone"):
        write(late, ["one", "two", "three"], 1, document_id)
        write(sink, ["one", "two", "three"], 1, document_id)
    sink.commit()
    write(sink, ["uno"], 2)
    sink.delete("gone", 2)
    sink.commit()
    refreshed(settings)
    assert {o.result for o in late.commit()} == {Result.OLDER}
    assert chunks_in(settings) == [("d", 2, "uno")]


def test_writers_side_by_side_end_with_the_newest_revision_of_every_document(settings: Settings) -> None:
    open_sink(settings)

    def writer(number: int) -> None:
        sink = open_sink(settings)
        for revision in range(1 + number, 13, 3):
            for document_id in ("a", "b", "c"):
                write(sink, [f"part {part} of {revision}" for part in range(13 - revision)], revision, document_id)
                sink.commit()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(writer, range(3)))
    assert chunks_in(settings) == [(document_id, 12, "part 0 of 12") for document_id in ("a", "b", "c")]


def test_queries_are_answered_as_by_the_embedded_index(settings: Settings) -> None:
    texts = {text: f"d{number}" for number, text in enumerate(dict.fromkeys(text for text, _, _ in QUERIES))}
    sink = open_sink(settings)
    for text, document_id in texts.items():
        write(sink, [text], 1, document_id)
    sink.commit()
    refreshed(settings)
    reader = open_reader(settings)
    wrong = []
    for text, query, hits in QUERIES:
        asked = query.replace("document:d ", f"document:{texts[text]} ")
        found = [hit for hit in reader.search(asked, 50).hits if hit.document_id == texts[text]]
        if len(found) != hits or any(
            (hit.page, hit.text, hit.types, hit.filename) != (4, text, ("paragraph",), "annual_report.pdf") for hit in found
        ):
            wrong.append((text, query, hits, found))
    assert wrong == []


def test_forms_of_a_word_are_found_and_highlighted(settings: Settings) -> None:
    sink = open_sink(settings)
    write(sink, ["The harvests of 1986 were plentiful", "<b>nothing</b>"], 1)
    sink.commit()
    refreshed(settings)
    (hit,) = open_reader(settings).search("harvest", 5).hits
    assert [piece.text for piece in hit.excerpt if piece.hit] == ["harvests"]
    (hit,) = open_reader(settings).search("NOTHING", 5).hits
    assert [(piece.text, piece.hit) for piece in hit.excerpt] == [("<b>", False), ("nothing", True), ("</b>", False)]


def test_an_index_of_somebody_else_is_left_alone(settings: Settings) -> None:
    connect(settings)._client.indices.create(index=settings.opensearch_index)
    with pytest.raises(SinkRefuses, match="not made by this version"):
        open_sink(settings)


def test_an_unknown_analyzer_is_said(settings: Settings) -> None:
    with pytest.raises(SinkRefuses, match="opensearch_languages"):
        OpenSearchSink(connect(settings), ("klingon",))


def test_a_search_before_anything_was_indexed_is_said(settings: Settings) -> None:
    with pytest.raises(SinkRefuses, match="HTTP 404"):
        OpenSearchReader(connect(settings), ()).search("a", 1)


def test_a_blocked_index_is_waited_for(settings: Settings) -> None:
    sink = OpenSearchSink(connect(settings), (), lambda _: None)
    client = connect(settings)._client
    client.indices.put_settings(index=settings.opensearch_index, body={"index": {"blocks": {"write": True}}})
    write(sink, ["one"], 1)
    with pytest.raises(SinkUnavailable, match="block"):
        sink.commit()
    client.indices.put_settings(index=settings.opensearch_index, body={"index": {"blocks": {"write": False}}})
    assert [o.result for o in sink.commit()] == [Result.WRITTEN]


def parsed(document_id: str, text: str, number: int, filename: str = "1.pdf") -> OutputRecord:
    submission = Submission(topic="documents.ingest", partition=0, offset=number, appended_ms=number)
    finished: Document = document(block(text), document_id=document_id, revision=number)
    event = DocumentParsed(
        document_id=document_id, submission=submission, revision=number, status="complete", filename=filename, content_sha256="", document=finished
    )  # fmt: skip
    return OutputRecord(PARSED.name, document_id.encode(), codec.encode(event))


def test_a_worker_waits_for_a_node_that_was_killed_and_dead_letters_what_it_refuses(
    kafka: EmbeddedKafka, node: SearchNode, settings: Settings, tmp_path: Path
) -> None:
    settings = load_settings(
        {},
        bootstrap_servers=kafka.bootstrap_servers,
        data_dir=str(tmp_path),
        search_index="opensearch",
        opensearch_url=node.url,
        opensearch_index=settings.opensearch_index,
        index_commit_s=0.05,
    )
    TopicAdmin(kafka.bootstrap_servers).ensure_topics(topic_specs(settings))
    body = index_body(["english"])
    body["mappings"]["properties"]["filename"] = {"type": "float"}  # so that this node refuses names that are no number
    connect(settings).ensure_index(body, VERSION)
    tag = uuid.uuid4().hex[:8]
    producing = Producing(producer_config(settings.bootstrap_servers, "test"))
    stop = threading.Event()
    worker = threading.Thread(target=run_index, args=(settings, stop), daemon=True)

    def texts_of_run() -> set[str]:
        return {text for document_id, _, text in chunks_in(settings) if document_id.startswith(tag)}

    producing.send(parsed(f"{tag}-1", "before", 1, "1"))
    worker.start()
    try:
        wait_until(lambda: texts_of_run() == {"before"}, 60, "the first document is indexed")
        node.kill()
        producing.send(parsed(f"{tag}-2", "meanwhile", 2, "2"))
        producing.send(parsed(f"{tag}-3", "refused", 3, "no number"))
        node.start()
        wait_until(lambda: texts_of_run() == {"before", "meanwhile"}, 60, "what came while the node was away is indexed")
        reader = RecordReader(settings.bootstrap_servers, "test", None, max_message_bytes=settings.max_message_bytes)

        def letters() -> list[DeadLettered]:
            found = [codec.decode(record.value or b"", DeadLettered) for record in reader.since([DEAD_LETTERS.name], 0, None)]
            return [letter for letter in found if letter.key == f"{tag}-3".encode()]

        (letter,) = wait_until(letters, 30, "the refused document is a dead letter")
        assert (letter.stage, letter.cause) == ("index", "not_indexed")
        assert "no number" not in letter.message
    finally:
        stop.set()
        worker.join(30)
    assert not worker.is_alive()
