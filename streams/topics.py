"""The one map of topics: what is written where, keyed how, kept how long, by whom and for whom. Docs and `pageloom topics` come from it.

Partition counts never change after creation: state lives on the partition of its document.
"""

from dataclasses import dataclass
from enum import Enum

DAY_MS = 24 * 60 * 60 * 1000


class Cleanup(str, Enum):
    """How the broker forgets."""

    DELETE = "delete"
    COMPACT = "compact"


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic. `events` are the names of its Avro records; none means bytes. `retention_ms` applies to `delete` only.

    `public`: an interface for other programs; the others may change with any version.
    """

    name: str
    key: str
    events: tuple[str, ...]
    written_by: str
    read_by: str
    retention_ms: int = 7 * DAY_MS
    cleanup: Cleanup = Cleanup.DELETE
    log_append_time: bool = False
    public: bool = False
    partitions: int | None = None

    def config(self, max_message_bytes: int) -> dict[str, str]:
        """The broker's settings of this topic."""
        config = {"cleanup.policy": self.cleanup.value, "max.message.bytes": str(max_message_bytes)}
        if self.cleanup is Cleanup.DELETE:
            config["retention.ms"] = str(self.retention_ms)
        else:
            # Tombstones stay long enough for a reader that was down for a while; small segments let compaction get at old entries.
            config |= {"delete.retention.ms": str(DAY_MS), "segment.ms": str(DAY_MS // 4), "segment.bytes": str(64 * 2**20)}
        if self.log_append_time:
            config["message.timestamp.type"] = "LogAppendTime"
        return config


_PAGES = ("PageExtracted", "PageWindowRecognized", "PageFailed")
_DOCUMENTS = ("DocumentOpened", "DocumentRejected", "DocumentDeleted", "DocumentCancelled")

INGEST = Topic("documents.ingest", "document id", ("DocumentSubmitted",), "anyone", "open", log_append_time=True, public=True)
CONTROL = Topic("documents.control", "document id", ("DocumentCancelled",), "anyone", "open, infer", 1 * DAY_MS, public=True)
RANGES = Topic("pages.ready", "document id and range", ("PageRangeReady",), "open", "read")
RANGES_EXPRESS = Topic("pages.ready.express", "document id and range", ("PageRangeReady",), "open", "read")
WINDOWS = Topic("windows.requested", "document id and first page", ("PageWindowRequested",), "read", "infer")
WINDOWS_EXPRESS = Topic("windows.requested.express", "document id and first page", ("PageWindowRequested",), "read", "infer")
EVENTS = Topic("pages.events", "document id", _DOCUMENTS + _PAGES, "open, read, infer", "assemble, anyone", public=True)
PARSED = Topic("documents.parsed", "document id", ("DocumentParsed",), "assemble", "index, anyone", public=True)
FAILED = Topic("documents.failed", "document id", ("DocumentFailed",), "assemble", "anyone", 30 * DAY_MS, public=True)
PAGES_FAILED = Topic("pages.failed", "document id", ("PageFailed",), "assemble", "anyone", 30 * DAY_MS, public=True)
PROGRESS = Topic("documents.progress", "document id", ("DocumentProgressed",), "assemble", "anyone", cleanup=Cleanup.COMPACT, public=True)
CHANGELOG = Topic("assemble.changelog", "document id and entry", ("DocumentRecorded", *_PAGES), "assemble", "assemble", cleanup=Cleanup.COMPACT)
DEAD_LETTERS = Topic("dead.letters", "none", ("DeadLettered",), "any stage", "people", 30 * DAY_MS, public=True)

TOPICS: tuple[Topic, ...] = (
    INGEST, CONTROL, RANGES, RANGES_EXPRESS, WINDOWS, WINDOWS_EXPRESS, EVENTS,
    PARSED, FAILED, PAGES_FAILED, PROGRESS, CHANGELOG, DEAD_LETTERS,
)  # fmt: skip
