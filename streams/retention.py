"""What of the blob store and of local copies goes by age: when nothing on the log can refer to it any more.

Guarantees: a blob stays at least as long as every topic that may refer to it keeps its records, and a day more; sweeping twice, or from two workers
at once, does no harm; a store that is away costs one sweep. What belongs to a deleted or cancelled document goes at once and elsewhere.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import structlog
from msgspec import Struct

from schemas.blobs import BlobStore
from schemas.errors import PageloomError
from streams import topics
from streams.settings import Settings

REFERRING = (topics.INGEST, topics.RANGES, topics.RANGES_EXPRESS, topics.WINDOWS, topics.WINDOWS_EXPRESS, topics.EVENTS, topics.PARSED)
"""Topics whose events hold references to blobs. State refers to them as well, and ends within the deadline of a document, which is shorter."""
LEAST_DAYS = max(topic.retention_ms for topic in REFERRING) / topics.DAY_MS + 1
CACHE_S = 24 * 3600.0
"""For local copies of documents from a remote store: a document is read within its deadline, and fetched again if need be."""
PERIOD_S = 6 * 3600.0
FIRST_WITHIN_S = 600.0
"""The first sweep begins at a random time within these, so that workers started together do not sweep together."""

log = structlog.get_logger(__name__)


class Swept(Struct, frozen=True, kw_only=True):
    """Files that were removed, by what they were."""

    runs: int
    shared: int
    recognized: int
    copies: int


def sweep(settings: Settings, now_s: float) -> Swept:
    """Removes what is older than its retention. `now_s`: seconds since the epoch. Raises STORE_UNAVAILABLE."""
    store = BlobStore(settings.blob_store_url)
    blobs_before_s = now_s - max(settings.blob_retention_days, LEAST_DAYS) * 86_400
    recognized_before_s = now_s - settings.recognized_retention_days * 86_400
    return Swept(
        runs=store.remove_older("runs", blobs_before_s),
        shared=store.remove_older("shared", blobs_before_s),
        recognized=store.remove_older("recognized", recognized_before_s),
        copies=_remove_copies(settings.cache_path, now_s - CACHE_S),
    )


@contextmanager
def sweeping(settings: Settings, chance: Random | None = None) -> Iterator[None]:
    """Sweeps now and then, in a thread, for as long as the context is open."""
    ended = threading.Event()
    first_s = (chance or Random()).uniform(0.0, FIRST_WITHIN_S)
    thread = threading.Thread(target=_sweep_until, args=(settings, ended, first_s), name="retention", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()


def _sweep_until(settings: Settings, ended: threading.Event, first_s: float) -> None:
    wait_s = first_s
    while not ended.wait(wait_s):
        wait_s = PERIOD_S
        try:
            swept = sweep(settings, time.time())
        except PageloomError as error:
            log.warning("retention.failed", code=error.code.value, reason=str(error))
        else:
            log.info("retention.swept", runs=swept.runs, shared=swept.shared, recognized=swept.recognized, copies=swept.copies)


def _remove_copies(folder: Path, before_s: float) -> int:
    removed = 0
    for path in folder.iterdir() if folder.is_dir() else ():
        try:
            if path.is_file() and path.stat().st_mtime < before_s:
                path.unlink()
                removed += 1
        except OSError:  # another worker was first, or its owner is: it is looked at again next time
            continue
    return removed
