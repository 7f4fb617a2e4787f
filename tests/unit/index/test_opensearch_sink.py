"""What the OpenSearch sink sends and does with the answers, without a cluster; `tests/integration/test_opensearch.py` asks a real one."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streams.index.opensearch_client import Cluster, Item, Marker, connect
from streams.index.opensearch_rows import index_body, slots_id
from streams.index.opensearch_sink import BULK_BYTES, BUSY_PAUSES_S, SEND_BYTES, OpenSearchSink
from streams.index.sink import IndexedDocument, Result, SinkRefuses, SinkUnavailable
from streams.index.sinks import check_search_settings
from streams.settings import Settings, SettingsError
from tests.unit.index.test_index import block, chunks_of, document


class ScriptedCluster(Cluster):
    """Keeps rows by version as a cluster does; each bulk is first answered by the next of `statuses`, for its first row."""

    def __init__(self, statuses: Sequence[int | Exception] = ()) -> None:
        super().__init__(None, "index")
        self.rows: dict[str, tuple[int, dict[str, Any]]] = {}
        self.bulks: list[int] = []
        self._statuses = list(statuses)

    def ensure_index(self, body: dict[str, Any], version: int) -> bool:
        return True

    def markers(self, keys: Sequence[str]) -> dict[str, Marker]:
        return {key: Marker(revision=row["revision"], chunks=row["chunks"]) for key in keys if key in self.rows for row in [self.rows[key][1]]}

    def slots(self, keys: Sequence[str]) -> dict[str, int]:
        return {key: self.rows[slots_id(key)][1]["chunks"] for key in keys if slots_id(key) in self.rows}

    def bulk(self, lines: bytes) -> list[Item]:
        self.bulks.append(len(lines))
        first = self._statuses.pop(0) if self._statuses else 0
        if isinstance(first, Exception):
            raise first
        pairs = [json.loads(line) for line in lines.splitlines()]
        results = []
        for number, (head, source) in enumerate(zip(pairs[::2], pairs[1::2], strict=True)):
            action = head["index"]
            held = self.rows.get(action["_id"], (-1, {}))[0]
            if first and number == 0:
                results.append(Item(status=first, error="some_exception"))
            elif held > action["version"]:
                results.append(Item(status=409, error="version_conflict_engine_exception"))
            else:
                self.rows[action["_id"]] = (action["version"], source)
                results.append(Item(status=200))
        return results

    def chunks(self) -> list[tuple[int, str]]:
        return sorted((row["chunk"], row["text"]) for _, row in self.rows.values() if row["kind"] == "chunk")


def sink_of(cluster: Cluster) -> tuple[OpenSearchSink, list[float]]:
    pauses: list[float] = []
    return OpenSearchSink(cluster, ("english",), pauses.append), pauses


def write(sink: OpenSearchSink, texts: Sequence[str], revision: int, document_id: str = "d") -> None:
    meta = IndexedDocument(document_id=document_id, revision=revision, filename="a.pdf", metadata={"author": "Harrow"})
    parts = document(*(block(text, page=number + 1) for number, text in enumerate(texts)), document_id=document_id, revision=revision)
    sink.replace(meta, chunks_of(parts))


def test_a_shorter_revision_leaves_nothing_of_the_longer_one() -> None:
    cluster = ScriptedCluster()
    sink, _ = sink_of(cluster)
    write(sink, ["one", "two", "three"], 1)
    assert [o.result for o in sink.commit()] == [Result.WRITTEN]
    write(sink, ["uno"], 2)
    sink.commit()
    assert cluster.chunks() == [(0, "uno")]
    write(sink, ["one", "two", "three"], 1)
    assert [o.result for o in sink.commit()] == [Result.OLDER]
    sink.delete("d", 3)
    sink.commit()
    assert cluster.chunks() == []


def test_a_writer_that_was_frozen_before_it_wrote_changes_nothing() -> None:
    """Its look at the markers is older than what others wrote meanwhile."""

    class Frozen(ScriptedCluster):
        def markers(self, keys: Sequence[str]) -> dict[str, Marker]:
            return {}

    cluster = ScriptedCluster()
    sink, _ = sink_of(cluster)
    for revision, texts in ((1, ["one", "two", "three"]), (2, ["uno"])):
        write(sink, texts, revision)
        sink.commit()
    thawed = Frozen()
    thawed.rows = cluster.rows
    late, _ = sink_of(thawed)
    write(late, ["one", "two", "three"], 1)
    assert [o.result for o in late.commit()] == [Result.OLDER]
    assert cluster.chunks() == [(0, "uno")]


def test_rows_of_an_older_revision_that_came_beside_a_newer_one_go_with_it() -> None:
    """Its writer was killed after its rows and before its marker, or a newer revision was faster: nobody had seen them."""
    cluster = ScriptedCluster()
    sink, _ = sink_of(cluster)
    write(sink, ["uno"], 2)
    sink.commit()
    late = ScriptedCluster()
    write(sink_of(late)[0], ["uno"], 2)
    killed, _ = sink_of(late)
    write(killed, ["one", "two", "three"], 1)
    killed.commit()
    for row_id, held in late.rows.items():
        if row_id not in cluster.rows:
            cluster.rows[row_id] = held
    assert len(cluster.chunks()) == 3
    write(sink, ["one", "two", "three"], 1)
    assert [o.result for o in sink.commit()] == [Result.OLDER]
    assert cluster.chunks() == [(0, "uno")]


class Interrupted(ScriptedCluster):
    """Lets another writer do all of its work before a request: the first before the request with the first number, and so on."""

    def __init__(self, before: Sequence[int], writers: list[Callable[[], object]]) -> None:
        super().__init__()
        self._before, self._writers, self._requests = list(before), writers, 0

    def _let_others(self) -> None:
        self._requests += 1
        while self._before and self._before[0] <= self._requests:
            self._before.pop(0)
            self._writers.pop(0)()

    def markers(self, keys: Sequence[str]) -> dict[str, Marker]:
        self._let_others()
        return super().markers(keys)

    def slots(self, keys: Sequence[str]) -> dict[str, int]:
        self._let_others()
        return super().slots(keys)

    def bulk(self, lines: bytes) -> list[Item]:
        self._let_others()
        return super().bulk(lines)


@settings(max_examples=300)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(0, 5)), min_size=2, max_size=5, unique_by=lambda write: write[0]),
    st.lists(st.integers(1, 14), min_size=4, max_size=4).map(sorted),
)
def test_writers_that_interrupt_each_other_leave_the_newest_revision_alone(writes: list[tuple[int, int]], before: list[int]) -> None:
    """Each is a worker of its own that knows nothing of the others, with revisions in any order: more than the log ever does."""
    writers: list[Callable[[], object]] = []
    cluster = Interrupted(before, writers)

    def writer(revision: int, chunks: int) -> Callable[[], object]:
        sink, _ = sink_of(cluster)

        def work() -> None:
            write(sink, [f"part {part} of {revision}" for part in range(chunks)], revision)
            sink.commit()

        return work

    first, *others = [writer(revision, chunks) for revision, chunks in writes]
    writers += others
    cluster._before = cluster._before[: len(others)]
    first()
    for other in list(writers):
        writers.remove(other)
        cluster._before.clear()
        other()
    revision, chunks = max(writes)
    assert cluster.chunks() == [(part, f"part {part} of {revision}") for part in range(chunks)]


def test_of_two_revisions_in_one_batch_the_newer_counts_whichever_came_first() -> None:
    for order in ((1, 2), (2, 1)):
        cluster = ScriptedCluster()
        sink, _ = sink_of(cluster)
        for revision in order:
            write(sink, [f"text of {revision}"], revision)
        assert {(o.revision, o.result) for o in sink.commit()} == {(1, Result.OLDER), (2, Result.WRITTEN)}
        assert cluster.chunks() == [(0, "text of 2")]


def test_a_busy_node_gets_the_rest_again() -> None:
    cluster = ScriptedCluster([429, 503])
    sink, pauses = sink_of(cluster)
    write(sink, ["one", "two"], 1)
    assert [o.result for o in sink.commit()] == [Result.WRITTEN]
    assert pauses == list(BUSY_PAUSES_S[:2])
    assert cluster.chunks() == [(0, "one"), (1, "two")]


def test_nothing_is_forgotten_while_the_cluster_is_away() -> None:
    cluster = ScriptedCluster([SinkUnavailable("away"), *[429] * (len(BUSY_PAUSES_S) + 1)])
    sink, _ = sink_of(cluster)
    write(sink, ["one"], 1)
    for _ in range(2):
        with pytest.raises(SinkUnavailable):
            sink.commit()
    assert [o.result for o in sink.commit()] == [Result.WRITTEN]
    assert cluster.chunks() == [(0, "one")]


def test_a_refused_row_costs_its_document_alone() -> None:
    cluster = ScriptedCluster([400])
    sink, _ = sink_of(cluster)
    write(sink, ["one"], 1, "bad")
    write(sink, ["two"], 1, "good")
    results = {o.document_id: (o.result, o.reason) for o in sink.commit()}
    assert results == {"bad": (Result.REFUSED, "HTTP 400, some_exception"), "good": (Result.WRITTEN, "")}
    assert {row["document_id"] for _, row in cluster.rows.values() if row["kind"] == "marker"} == {"good"}


def test_much_is_sent_before_it_is_committed_and_in_bounded_requests() -> None:
    cluster = ScriptedCluster()
    sink, _ = sink_of(cluster)
    text = "x" * 1_500
    write(sink, [text] * (SEND_BYTES // len(text)), 1)
    assert len(cluster.bulks) > 2
    assert max(cluster.bulks) <= BULK_BYTES
    sink.commit()
    assert len(cluster.chunks()) == SEND_BYTES // len(text)


def test_the_mapping_takes_every_field_that_is_written() -> None:
    cluster = ScriptedCluster()
    sink, _ = sink_of(cluster)
    write(sink, ["one", "two"], 1)
    sink.commit()
    write(sink, [], 2)
    sink.commit()
    written = {name for _, row in cluster.rows.values() for name in row}
    assert written <= index_body(["english"])["mappings"]["properties"].keys()


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"search_index": "lucene"}, "allowed are tantivy, opensearch"),
        ({"search_index": "opensearch"}, "opensearch_url is empty"),
        ({"search_index": "opensearch", "opensearch_url": "search:9200"}, "http or https"),
        ({"search_index": "opensearch", "opensearch_url": "https://a:1, ftp://b"}, "http or https"),
        ({"search_index": "opensearch", "opensearch_url": "http://h:99999999"}, "http or https"),
        ({"search_index": "opensearch", "opensearch_url": "https://user:secret@host"}, "would show in logs"),
    ],
)
def test_settings_that_no_index_can_be_opened_with(changed: dict[str, str], problem: str) -> None:
    with pytest.raises(SettingsError, match=problem) as raised:
        check_search_settings(Settings(**changed))
    assert "secret" not in str(raised.value)


def test_credentials_go_to_the_client_and_show_nowhere() -> None:
    settings = Settings(
        search_index="opensearch", opensearch_url="https://h:9200", opensearch_user="u", opensearch_password="pw-1", opensearch_api_key=""
    )
    client = connect(settings)._client
    assert client.transport.kwargs["http_auth"] == ("u", "pw-1")
    assert "pw-1" not in repr(settings)
    with_key = Settings(opensearch_url="https://h:9200", opensearch_user="u", opensearch_password="pw-1", opensearch_api_key="key-1")
    kwargs = connect(with_key)._client.transport.kwargs
    assert kwargs["headers"]["Authorization"] == "ApiKey key-1"
    assert "http_auth" not in kwargs
    assert "key-1" not in repr(with_key)


def test_a_file_of_certificates_that_is_not_there_is_named() -> None:
    with pytest.raises(SettingsError, match="/nowhere"):
        connect(Settings(opensearch_url="https://h:9200", opensearch_ca="/nowhere/ca.pem"))


def test_nobody_listening_is_said_without_the_address() -> None:
    cluster = connect(Settings(opensearch_url="http://127.0.0.1:1"))
    with pytest.raises(SinkUnavailable, match="does not answer"):
        cluster.markers(["k"])


@pytest.mark.parametrize(
    ("status", "name", "kind"),
    [
        (403, "cluster_block_exception", SinkUnavailable),
        (401, "", SinkRefuses),
        (403, "security_exception", SinkRefuses),
        (400, "parsing_exception", SinkRefuses),
        (429, "circuit_breaking_exception", SinkUnavailable),
        (500, "", SinkUnavailable),
    ],
)
def test_what_an_error_status_means(status: int, name: str, kind: type[Exception]) -> None:
    assert isinstance(Cluster(None, "index")._failure(status, name), kind)
