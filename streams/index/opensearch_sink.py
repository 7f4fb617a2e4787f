"""The search index in an OpenSearch cluster, for writing: in bulk, by any number of workers at once.

Guarantees: an older revision never replaces a newer one, however late its writer comes (see `opensearch_rows`); a document's marker is written after
all of its rows, so that a write that was cut off is done again as a whole; a revision that turns out to be older takes its rows with it. Memory is
bounded by `SEND_BYTES` and one document.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from msgspec import Struct

from schemas.identity import path_name
from streams.index.chunks import Chunk
from streams.index.opensearch_client import Cluster, Item
from streams.index.opensearch_rows import VERSION, Row, action, chunk_rows, empty_rows, index_body, marker_row, slots_row
from streams.index.sink import IndexedDocument, Outcome, Result, SinkUnavailable

SEND_BYTES = 8 * 2**20
"""Rows held before they are sent, however young: the backpressure of the worker, which takes no records meanwhile."""
BULK_BYTES = 4 * 2**20
"""Of one request: larger ones are no faster, and a node holds them in memory."""
BUSY = (429, 503)
"""A node's queue is full, or a shard is on its way."""
BLOCKED = "block"
"""In the name of an error: the index takes no writes, for want of disk space, say."""
BUSY_PAUSES_S = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Before operations that a busy node turned away are sent again."""
CONFLICT = 409

_Operation = tuple[str, bytes]
"""Key of the document, and the lines of the bulk."""


class _Write(Struct, frozen=True):
    """What a document is to be."""

    document_id: str
    revision: int
    rows: tuple[Row, ...]


class OpenSearchSink:
    """See `SearchSink`."""

    def __init__(self, cluster: Cluster, languages: Sequence[str], pause: Callable[[float], None] = time.sleep) -> None:
        """Makes the index where it does not exist. Raises SinkRefuses, SinkUnavailable."""
        self._cluster = cluster
        self._pause = pause
        self.place = f"OpenSearch, index {cluster.index}"
        self.is_new = cluster.ensure_index(index_body(languages), VERSION)
        self._writes: dict[str, _Write] = {}
        self._bytes = 0
        self._outcomes: list[Outcome] = []

    def replace(self, document: IndexedDocument, chunks: Sequence[Chunk]) -> None:
        """See `SearchSink.replace`."""
        key = path_name(document.document_id)
        self._add(key, _Write(document.document_id, document.revision, tuple(chunk_rows(key, document, chunks))))

    def delete(self, document_id: str, revision: int) -> None:
        """See `SearchSink.delete`."""
        self._add(path_name(document_id), _Write(document_id, revision, ()))

    def commit(self) -> list[Outcome]:
        """See `SearchSink.commit`. What was written is found once the index refreshes, after a second at most."""
        self._send()
        outcomes, self._outcomes = self._outcomes, []
        return outcomes

    def close(self) -> None:
        """See `SearchSink.close`."""

    def _add(self, key: str, write: _Write) -> None:
        """Holds a write; of two of one document the newer counts."""
        held = self._writes.get(key)
        if held is not None and held.revision > write.revision:
            self._outcomes.append(_outcome(write, Result.OLDER))
            return
        if held is not None:
            if held.revision < write.revision:
                self._outcomes.append(_outcome(held, Result.OLDER))
            self._bytes -= _size(held)
        self._writes[key] = write
        self._bytes += _size(write)
        if self._bytes >= SEND_BYTES:
            self._send()

    def _send(self) -> None:
        """Writes what is held. On SinkUnavailable all of it is still held: rows that went through go again.

        The order is what makes it safe beside other writers: how many chunks there may be, the chunks, the marker, then a look at what others
        wrote meanwhile. Whoever writes its marker last sees what the others announced before, and empties it.
        """
        if not self._writes:
            return
        keys = list(self._writes)
        markers, slots = self._cluster.markers(keys), self._cluster.slots(keys)
        older = {key for key, write in self._writes.items() if key in markers and markers[key].revision > write.revision}
        fresh = {key: write for key, write in self._writes.items() if key not in older}
        more = {key: len(write.rows) for key, write in fresh.items() if len(write.rows) > slots.get(key, 0)}
        refused, _ = self._written(_operation(key, chunks, slots_row(key, chunks)) for key, chunks in more.items())
        rows = (_operation(key, write.revision, row) for key, write in fresh.items() if key not in refused for row in write.rows)
        refused |= self._written(rows)[0]
        whole = {key: write for key, write in fresh.items() if key not in refused}
        marked, overtaken = self._written(_operation(key, write.revision, _marker(key, write)) for key, write in whole.items())
        refused |= marked
        older |= overtaken  # another worker was faster with a newer revision
        self._sweep(older, whole.keys() - older)
        for key, write in self._writes.items():
            result = Result.OLDER if key in older else Result.REFUSED if key in refused else Result.WRITTEN
            self._outcomes.append(_outcome(write, result, refused.get(key, "")))
        self._writes.clear()
        self._bytes = 0

    def _sweep(self, older: AbstractSet[str], newest: AbstractSet[str]) -> None:
        """Empties the rows that the newest revisions do not need: of earlier ones, and of older ones whose writer was late or killed."""
        needless: list[tuple[str, int, range]] = []
        if newest:
            slots = self._cluster.slots(sorted(newest))
            needless += [(key, self._writes[key].revision, range(len(self._writes[key].rows), slots.get(key, 0))) for key in sorted(newest)]
        if older:
            markers = self._cluster.markers(sorted(older))
            needless += [(key, marker.revision, range(marker.chunks, len(self._writes[key].rows))) for key, marker in markers.items()]
        self._written(_operation(key, revision, row) for key, revision, numbers in needless for row in empty_rows(key, revision, numbers))

    def _written(self, operations: Iterable[_Operation]) -> tuple[dict[str, str], set[str]]:
        """Sends operations, in requests of `BULK_BYTES`; gives back what was refused, by document, and the documents that conflicted."""
        refused: dict[str, str] = {}
        conflicts: set[str] = set()
        batch: list[_Operation] = []
        size = 0
        for operation in operations:
            if batch and size + len(operation[1]) > BULK_BYTES:
                self._bulk(batch, refused, conflicts)
                batch, size = [], 0
            batch.append(operation)
            size += len(operation[1])
        if batch:
            self._bulk(batch, refused, conflicts)
        return refused, conflicts

    def _bulk(self, batch: list[_Operation], refused: dict[str, str], conflicts: set[str]) -> None:
        """One request, and again for what a busy node turned away. Raises SinkUnavailable when that does not end."""
        for pause_s in (*BUSY_PAUSES_S, None):
            items = self._cluster.bulk(b"".join(lines for _, lines in batch))
            busy = []
            for (key, lines), item in zip(batch, items, strict=True):
                if item.status in BUSY or BLOCKED in item.error:
                    busy.append((key, lines))
                elif item.status == CONFLICT:
                    conflicts.add(key)
                elif item.status >= 300:
                    refused.setdefault(key, _reason(item))
            if not busy:
                return
            if pause_s is None:
                break
            batch = busy
            self._pause(pause_s)
        why = next((item.error for item in items if item.error), "busy")
        raise SinkUnavailable(f"OpenSearch takes no rows into index {self._cluster.index!r} ({why}); look at the load and the disks of its nodes")


def _operation(key: str, revision: int, row: Row) -> _Operation:
    return key, action(row[0], key, revision) + b"\n" + row[1] + b"\n"


def _marker(key: str, write: _Write) -> Row:
    return marker_row(key, write.document_id, write.revision, len(write.rows))


def _size(write: _Write) -> int:
    return sum(len(source) for _, source in write.rows)


def _reason(item: Item) -> str:
    return f"HTTP {item.status}, {item.error}" if item.error else f"HTTP {item.status}"


def _outcome(write: _Write, result: Result, reason: str = "") -> Outcome:
    return Outcome(document_id=write.document_id, revision=write.revision, result=result, chunks=len(write.rows), reason=reason)
