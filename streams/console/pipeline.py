"""The pipeline as the console uses it: Kafka, the blob store and the search index behind the protocol of `port`."""

import threading
import time
from pathlib import Path

from schemas.events import DocumentOptions, Format
from streams.console.board import Board
from streams.console.card import Stage
from streams.console.gauges import Gauges, Sample
from streams.console.library import Library
from streams.console.port import Absent, Download, OpenDocument
from streams.console.tracking import Tracker
from streams.failures import FailureEntry, replay
from streams.index.sink import Found, SinkUnavailable
from streams.index.sinks import open_reader
from streams.publishing import Publisher, own_document_id
from streams.settings import Settings, SettingsError


class KafkaPipeline:
    """One cluster. A context: follows it between entry and exit."""

    def __init__(self, settings: Settings) -> None:
        self.board = Board()
        self._settings = settings
        self._library = Library(settings, self.board)
        self._tracker = Tracker(settings, self.board)
        self._gauges = Gauges(settings, self.board)
        self._publisher = Publisher(settings)
        self._publishing = threading.Lock()

    def __enter__(self) -> "KafkaPipeline":
        self._tracker.start()
        self._gauges.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._tracker.stop()
        self._gauges.stop()
        self._library.close()

    def submit(self, path: Path, filename: str, options: DocumentOptions, password: str | None) -> str:
        """See `Pipeline.submit`."""
        document_id = own_document_id(filename)
        with self._publishing:  # each holds a whole document in memory
            key = self.board.submitted(document_id, filename, int(time.time() * 1000))
            try:
                self._publisher.publish_file(path, document_id, options, filename=filename, password=password)
            except BaseException:
                self.board.deleted(document_id)
                raise
        return key

    def cancel(self, key: str) -> None:
        """See `Pipeline.cancel`."""
        known = self.board.known(key)
        if known is None:
            raise Absent("no such document here")
        self._publisher.cancel(known.document_id, int(time.time() * 1000), "cancelled in the console", timeout_s=10.0)

    def replay(self, key: str) -> None:
        """See `Pipeline.replay`."""
        known = self.board.known(key)
        if known is None or known.submission is None or known.stage not in (Stage.FAILED, Stage.PARTIAL):
            raise Absent("nothing of this document failed")
        entry = FailureEntry(
            kind="document", time_ms=0, document_id=known.document_id, code="", stage="", message="", submission=known.submission
        )  # fmt: skip
        for outcome in replay(self._settings, [entry]):
            if outcome.place is None:
                raise Absent(f"it cannot be tried again: {outcome.reason}")

    def open(self, key: str) -> OpenDocument:
        """See `Pipeline.open`."""
        return self._library.open(key)

    def picture(self, key: str, page: int) -> bytes:
        """See `Pipeline.picture`."""
        return self._library.picture(key, page)

    def figure(self, key: str, name: str) -> bytes:
        """See `Pipeline.figure`."""
        return self._library.figure(key, name)

    def download(self, key: str, form: Format) -> Download:
        """See `Pipeline.download`."""
        return self._library.download(key, form)

    def search(self, query: str, limit: int) -> Found:
        """See `Pipeline.search`."""
        try:
            found = open_reader(self._settings).search(query, limit)
        except (FileNotFoundError, SettingsError, SinkUnavailable) as error:
            raise Absent(str(error)) from error
        self._library.remember(found.hits)
        return found

    def samples(self) -> list[Sample]:
        """See `Pipeline.samples`."""
        return self._gauges.samples()

    def connected(self) -> bool:
        """See `Pipeline.connected`."""
        return self._tracker.connected
