"""A model behind a shared OpenAI-compatible server: pages go there as images, answers come back in the dialect of the model.

Runs in the worker itself: it loads no native code of its own. One engine asks one thing at a time; as many of them run as the server has room for.
Guarantees: `abort`, from any thread, ends what is being asked at once and for good; a page that the server refuses, or whose answer is cut, is
refused or noted, never made up.
"""

import asyncio
import base64
import threading
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from inference.dialects import Dialect
from inference.engines.chat import ChatClient, ChatRefused, ChatRequest, server_state
from inference.engines.generation import answered
from inference.engines.served_spec import prompt_of, spoken
from inference.guards import is_loop
from inference.images import PagePixels, png_at
from inference.types import EngineOptions, PageRefused, UnitAnswer
from schemas.errors import Code, PageloomError

WARMER = 0.2
"""Added to the temperature with each further attempt."""
DEFAULT_CAPACITY = 16
"""Of a server that does not say: a small model on one GPU serves as many at once."""

T = TypeVar("T")


class ServedEngine:
    """The engine: units one by one, each as one request."""

    def __init__(self, options: EngineOptions) -> None:
        self._options = options
        self._dialect = spoken(options)
        self._client: ChatClient | None = None
        self._asking: asyncio.Task[Any] | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="chat", daemon=True)
        self._thread.start()

    def warm_up(self) -> None:
        """Nothing is loaded; a server that is away is waited for with the first page. Raises PageloomError for settings that cannot work."""
        if not self._options.url.startswith(("http://", "https://")):
            raise PageloomError(
                Code.ENGINE_FAILED, "engine openai: the URL of its server does not begin with http:// or https://; set PAGELOOM_ENGINE_URL"
            )

    def recognize(self, batch: Sequence[tuple[PagePixels, ...]], attempt: int, /) -> list[UnitAnswer]:
        """Asks for each unit in turn. A later attempt is warmer."""
        return [self._wait(self._read(unit, attempt)) for unit in batch]

    def abort(self) -> None:
        """Ends what is being asked; from any thread."""
        self._loop.call_soon_threadsafe(self._cancel)

    def close(self) -> None:
        """Ends the connections."""
        if self._client is not None:
            self._wait(self._client.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _cancel(self) -> None:
        # Once, and the outermost task alone: a second cancellation would interrupt the closing of the connection.
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    async def _read(self, unit: tuple[PagePixels, ...], attempt: int) -> UnitAnswer:
        dialect, options = self._dialect, self._options
        self._asking = asyncio.current_task()
        try:
            client = await self._connected()
            completion = await client.complete(question(dialect, unit, options, attempt), is_loop)
        except ChatRefused as error:
            return tuple(_refused(page, Code.ENGINE_FAILED, str(error), attempt) for page in unit)
        finally:
            self._asking = None
        return answered(dialect, [page.image for page in unit], completion, attempt)

    async def _connected(self) -> ChatClient:
        """The client; where the settings name no model, it asks for the first one of the server."""
        if self._client is None:
            options = self._options
            model = options.model
            if not model:
                lister = ChatClient(options.url, "", options.api_key)
                try:
                    model = next(iter(await lister.models()), "")
                finally:
                    await lister.close()
            self._client = ChatClient(options.url, model, options.api_key)
        return self._client


def question(dialect: Dialect, unit: Sequence[PagePixels], options: EngineOptions, attempt: int) -> ChatRequest:
    """The request for a unit: its images in order, then the prompt, in one message."""
    parts: list[dict[str, Any]] = []
    for page in unit:
        png = png_at(page, dialect.dpi)
        parts.append({"type": "image_url", "image_url": {"url": "data:image/png;base64," + base64.b64encode(png).decode("ascii")}})
    parts.append({"type": "text", "text": prompt_of(dialect, options, len(unit), dialect.repeated)})
    return ChatRequest(
        messages=[{"role": "user", "content": parts}],
        max_tokens=(options.max_tokens or dialect.max_tokens) * len(unit),
        temperature=dialect.temperature + WARMER * (attempt - 1),
        extra=dialect.extra,
        timeout_s=options.page_timeout_s * len(unit),
    )


def server_capacity(options: EngineOptions) -> int:
    """How many requests the server works on at once; `DEFAULT_CAPACITY` where it does not say, or is away."""
    return server_state(options.url, options.model, options.api_key)[1] or DEFAULT_CAPACITY


def create_engine(options: EngineOptions) -> ServedEngine:
    """The engine, not yet connected."""
    return ServedEngine(options)


def _refused(page: PagePixels, code: Code, message: str, attempt: int) -> PageRefused:
    return PageRefused(page=page.image.page, code=code, message=f"page {page.image.page}: engine openai: {message}", attempts=attempt)
