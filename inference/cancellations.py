"""The documents that somebody gave up, as far as they are remembered: so that a window that comes after its cancellation is not read either. Pure."""

from schemas.events import DocumentCancelled, PageWindowRequested

KEPT = 10_000
"""Documents remembered, the latest cancelled; one that is forgotten costs its model calls, not its cancellation, which assemble decides."""


class Cancellations:
    """What is cancelled up to when."""

    def __init__(self) -> None:
        self._until_ms: dict[str, DocumentCancelled] = {}

    def add(self, event: DocumentCancelled) -> None:
        """Takes a cancellation in; of two of one document the later one stands."""
        known = self._until_ms.pop(event.document_id, None)
        self._until_ms[event.document_id] = event if known is None or event.requested_ms > known.requested_ms else known
        if len(self._until_ms) > KEPT:
            del self._until_ms[next(iter(self._until_ms))]

    def of(self, request: PageWindowRequested) -> DocumentCancelled | None:
        """The cancellation that a request falls under: it was submitted before."""
        event = self._until_ms.get(request.document_id)
        return event if event is not None and request.submission.appended_ms < event.requested_ms else None
