"""The handlers: requests to what `port` offers. Text of documents leaves as JSON or as a download, never as a page of this origin that may run."""

from collections.abc import AsyncIterator
from importlib import resources
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from schemas.events import Format
from schemas.identity import path_name
from streams.console.finding import find_places
from streams.console.port import Pipeline
from streams.console.views import overview_of, page_view
from streams.console.web.stream import MAX_LISTENERS, changes
from streams.console.web.uploads import Uploads, described
from streams.index.sink import Hit

MAX_UNDER_WAY = 500
"""Unfinished documents beyond which no more are taken from here: the pipeline has enough to do, and what waits is seen on the page."""
MAX_QUERY_CHARS = 2_000
"""More is no query; the search itself says how much of it counts."""
MAX_HITS = 50
INERT = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'"
"""For a document's HTML in a frame: an origin of its own, no scripts, no requests."""
PICTURE_AGE = "private, max-age=3600"


class Console:
    """The handlers, over one pipeline."""

    def __init__(self, pipeline: Pipeline, *, max_document_bytes: int, low_confidence: float, engines: tuple[str, ...]) -> None:
        self._pipeline = pipeline
        self._uploads = Uploads(max_document_bytes)
        self._low_confidence, self._engines = low_confidence, engines
        self._listeners = 0
        self.stopping = False
        """Set it, and the streams of events end."""

    def routes(self) -> list[Route | Mount]:
        """What is asked for how."""
        document = "/api/documents/{key:str}"
        return [
            Route("/", self.page),
            Mount("/static", StaticFiles(packages=[("streams.console", "static")])),
            Route("/api/about", self.about),
            Route("/api/events", self.events),
            Route("/api/search", self.search),
            Route("/api/documents", self.upload, methods=["POST"]),
            Route(document, self.overview),
            Route(f"{document}/pages/{{page:int}}", self.one_page),
            Route(f"{document}/pages/{{page:int}}/image", self.picture),
            Route(f"{document}/figure", self.figure),
            Route(f"{document}/find", self.find),
            Route(f"{document}/preview", self.preview),
            Route(f"{document}/download/{{form:str}}", self.download),
            Route(f"{document}/cancel", self.cancel, methods=["POST"]),
            Route(f"{document}/replay", self.replay, methods=["POST"]),
        ]

    async def page(self, _request: Request) -> Response:
        """The one page."""
        text = (resources.files("streams.console") / "static" / "index.html").read_bytes()
        return Response(text, media_type="text/html; charset=utf-8")

    async def about(self, _request: Request) -> Response:
        """What the page needs to know once."""
        return _json({"max_bytes": self._uploads.max_bytes, "engines": self._engines, "low_confidence": self._low_confidence})

    async def events(self, request: Request) -> Response:
        """See `stream`."""
        if self._listeners >= MAX_LISTENERS:
            raise HTTPException(429, f"{MAX_LISTENERS} pages are open already; close some")

        async def told() -> AsyncIterator[bytes]:
            self._listeners += 1
            try:
                async for event in changes(self._pipeline, lambda: self.stopping, request.is_disconnected):
                    yield event
            finally:
                self._listeners -= 1

        return StreamingResponse(told(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def upload(self, request: Request) -> Response:
        """A file for the pipeline."""
        what = described(request)
        if self._pipeline.board.under_way() >= MAX_UNDER_WAY:
            raise HTTPException(429, f"{MAX_UNDER_WAY} documents are under way; send more when some are done")
        async with self._uploads.received(request) as path:
            key = await run_in_threadpool(self._pipeline.submit, path, what.filename, what.options, what.password or None)
        return _json({"key": key}, 202)

    async def overview(self, request: Request) -> Response:
        """A finished document, without its text."""
        opened = await run_in_threadpool(self._pipeline.open, _key(request))
        return _json(overview_of(opened.document, opened.key, drawable=opened.drawable, low_confidence=self._low_confidence))

    async def one_page(self, request: Request) -> Response:
        """The blocks of one page."""
        opened = await run_in_threadpool(self._pipeline.open, _key(request))
        view = await run_in_threadpool(page_view, opened.document, request.path_params["page"])
        if view is None:
            raise HTTPException(404, "the document has no such page")
        return _json(view)

    async def picture(self, request: Request) -> Response:
        """A page as displayed."""
        drawn = await run_in_threadpool(self._pipeline.picture, _key(request), request.path_params["page"])
        return Response(drawn, media_type="image/png", headers={"cache-control": PICTURE_AGE})

    async def figure(self, request: Request) -> Response:
        """A picture that was cut out of a page."""
        name = request.query_params.get("name", "")
        data = await run_in_threadpool(self._pipeline.figure, _key(request), name)
        kind = {"png": "image/png", "jpg": "image/jpeg"}.get(name.rpartition(".")[2])
        if kind is None:
            raise HTTPException(404, "no picture of a kind that is shown")
        return Response(data, media_type=kind, headers={"cache-control": PICTURE_AGE})

    async def find(self, request: Request) -> Response:
        """Where words stand in a document."""
        opened = await run_in_threadpool(self._pipeline.open, _key(request))
        return _json(await run_in_threadpool(find_places, opened.document, _query(request)))

    async def preview(self, request: Request) -> Response:
        """The document as HTML, for a sandboxed frame."""
        made = await run_in_threadpool(self._pipeline.download, _key(request), Format.HTML)
        return Response(made.content, media_type=made.media_type, headers={"content-security-policy": INERT})

    async def download(self, request: Request) -> Response:
        """The document as a file."""
        form = next((form for form in Format if form.value == request.path_params["form"]), None)
        if form is None:
            raise HTTPException(404, f"a document is written as {', '.join(f.value for f in Format)}")
        made = await run_in_threadpool(self._pipeline.download, _key(request), form)
        disposition = f"attachment; filename*=UTF-8''{quote(made.filename, safe='')}"
        return Response(made.content, media_type=made.media_type, headers={"content-disposition": disposition, "content-security-policy": INERT})

    async def search(self, request: Request) -> Response:
        """What is found in all documents."""
        query = _query(request)
        if not query.strip():
            return _json({"hits": [], "problems": []})
        found = await run_in_threadpool(self._pipeline.search, query, MAX_HITS)
        return _json({"hits": [shown(hit) for hit in found.hits], "problems": found.problems})

    async def cancel(self, request: Request) -> Response:
        """Gives up what is unfinished."""
        await run_in_threadpool(self._pipeline.cancel, _key(request))
        return _json({}, 202)

    async def replay(self, request: Request) -> Response:
        """Tries again."""
        await run_in_threadpool(self._pipeline.replay, _key(request))
        return _json({}, 202)


def shown(hit: Hit) -> dict[str, Any]:
    """A hit as JSON: its excerpt in pieces, of which some are what was searched for."""
    return {
        "key": path_name(hit.document_id),
        "filename": hit.filename or hit.document_id,
        "page": hit.page,
        "heading_path": hit.heading_path,
        "excerpt": hit.excerpt,
    }


def _key(request: Request) -> str:
    key: str = request.path_params["key"]
    return key


def _query(request: Request) -> str:
    return request.query_params.get("q", "")[:MAX_QUERY_CHARS]


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")
