"""A client of an OpenAI-compatible chat server (vLLM, SGLang, llama.cpp, `transformers serve`). The only door to httpx.

Guarantees: an answer is streamed, bounded in size and time, and ended early when it runs in a loop; an overloaded or absent server is asked
again with growing pauses, as long as patience lasts; cancelling a call closes its connection, which is what makes these servers stop.
Nothing that a server says is believed beyond its types.
"""

import asyncio
import math
import random
import re
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import msgspec
from msgspec import Struct

from inference.engines.generation import Completion

MAX_LINE_BYTES = 4 * 2**20
"""Of one line of a stream, or of a body: tokens with their probabilities take some hundred bytes."""
MAX_ANSWER_CHARS = 4_000_000
"""Of one answer: ten pages of the most that a dialect reads. A server that ignores the limit on tokens is cut here, as at that limit."""
CONNECT_TIMEOUT_S = 10.0
QUIET_TIMEOUT_S = 120.0
"""Between two pieces of an answer; a full server lets a request wait in its queue for as long."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 20.0
PATIENCE_S = 600.0
"""For a server that is away or overloaded: loading the weights of a large model takes minutes."""
SERVER_FAULTS = 3
"""How often one request may end in a fault of the server (500, a cut stream, nonsense) before it is the request's."""
LOOP_CHECK_CHARS = 2_000
"""New characters between two looks whether an answer runs in a loop."""
LOOP_TAIL_CHARS = 12_000

OVERLOADED = frozenset({429, 502, 503, 504})
"""States that say: not now."""


class ChatRequest(Struct, frozen=True, kw_only=True):
    """One question: messages as the API has them, and what else is in its body."""

    messages: list[dict[str, Any]]
    max_tokens: int
    temperature: float
    extra: dict[str, object] = {}
    timeout_s: float = 120.0


class ChatRefused(Exception):
    """The server will not or cannot answer this request; `retryable` says whether the same request may succeed later."""

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable


class _Logprob(Struct):
    logprob: float | None = None


class _Logprobs(Struct):
    content: list[_Logprob] | None = None


class _Delta(Struct):
    content: str | None = None


class _Choice(Struct):
    delta: _Delta | None = None
    message: _Delta | None = None
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _Chunk(Struct):
    choices: list[_Choice] = []


class _Model(Struct):
    id: str


class _Models(Struct):
    data: list[_Model] = []


class _NotNow(Exception):
    """Overloaded or away: asked again while patience lasts."""

    def __init__(self, message: str, pause_s: float = 0.0) -> None:
        super().__init__(message)
        self.pause_s = pause_s


class _Fault(Exception):
    """The server broke while it answered: asked again a few times."""


class ChatClient:
    """One server and model. Used inside one event loop."""

    def __init__(self, url: str, model: str, api_key: str = "", *, patience_s: float = PATIENCE_S, pause_s: float = FIRST_PAUSE_S) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        timeout = httpx.Timeout(QUIET_TIMEOUT_S, connect=CONNECT_TIMEOUT_S)
        # No proxies of the environment, no redirects: pages go to the server that the settings name and to no other.
        self._client = httpx.AsyncClient(base_url=url.rstrip("/") + "/", headers=headers, timeout=timeout, trust_env=False, follow_redirects=False)
        self._model = model
        self._patience_s = patience_s
        self._pause_s = pause_s
        self._wants_logprobs = True

    async def complete(self, request: ChatRequest, is_loop: Callable[[str], bool]) -> Completion:
        """The answer to a request. Raises ChatRefused."""
        started = time.monotonic()
        faults, pause_s = 0, self._pause_s
        while True:
            try:
                return await asyncio.wait_for(self._once(request, is_loop), request.timeout_s)
            except TimeoutError:
                raise ChatRefused(f"no whole answer within {request.timeout_s:g} s", retryable=True) from None
            except _NotNow as error:
                if time.monotonic() - started + pause_s > self._patience_s:
                    raise ChatRefused(f"{error}, for {self._patience_s:g} s", retryable=True) from error
                await asyncio.sleep(max(min(error.pause_s, LONGEST_PAUSE_S), pause_s * random.uniform(0.7, 1.3)))
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
            except _Fault as error:
                faults += 1
                if faults >= SERVER_FAULTS:
                    raise ChatRefused(f"{error}, {faults} times", retryable=True) from error
                await asyncio.sleep(pause_s)

    async def models(self) -> list[str]:
        """The models that the server has. Raises ChatRefused where it does not say."""
        try:
            async with self._client.stream("GET", "models") as response:
                response.raise_for_status()
                return [model.id for model in msgspec.json.decode(await _body(response), type=_Models).data]
        except (httpx.HTTPError, msgspec.DecodeError, _Fault) as error:
            raise ChatRefused("the server cannot be reached, or does not list its models", retryable=True) from error

    async def capacity(self) -> int | None:
        """How many requests the server works on at once, where it says so: SGLang, llama.cpp and vLLM each in their own way; None elsewhere."""
        root = str(self._client.base_url).rstrip("/").removesuffix("/v1")
        for path, field in CAPACITIES:
            try:
                async with self._client.stream("GET", f"{root}/{path}", timeout=CONNECT_TIMEOUT_S) as response:
                    found = field(await _body(response)) if response.status_code == httpx.codes.OK else None
            except (httpx.HTTPError, _Fault):
                continue
            if found:
                return found
        return None

    async def close(self) -> None:
        """Closes its connections."""
        await self._client.aclose()

    async def _once(self, request: ChatRequest, is_loop: Callable[[str], bool]) -> Completion:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": request.messages,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "stream": True,
            **request.extra,
        }
        if self._wants_logprobs:
            body["logprobs"] = True
        try:
            async with self._client.stream("POST", "chat/completions", json=body) as response:
                if response.status_code == httpx.codes.BAD_REQUEST and self._wants_logprobs:
                    self._wants_logprobs = False  # not every server gives them; a request that is bad for another reason fails again at once
                    raise _NotNow("the server refuses to give probabilities")
                _check(response)
                return await _collected(response, is_loop)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise _NotNow("the server cannot be reached") from error
        except (httpx.TransportError, httpx.DecodingError, httpx.StreamError) as error:
            raise _Fault("the server broke off its answer") from error


def server_state(url: str, model: str, api_key: str) -> tuple[list[str] | None, int | None]:
    """(the models of the server, how many requests it works on at once), None for what it does not say."""

    async def ask() -> tuple[list[str] | None, int | None]:
        client = ChatClient(url, model, api_key)
        try:
            return await client.models(), await client.capacity()
        except ChatRefused:
            return None, None
        finally:
            await client.close()

    return asyncio.run(ask())


def _number_after(name: bytes) -> Callable[[bytes], int | None]:
    """A reader of the number that follows a name in what a server says of itself."""
    pattern = re.compile(rb'"?' + name + rb'"?\s*[:=]\s*(\d{1,6})')

    def read(body: bytes) -> int | None:
        found = pattern.search(body)
        return int(found[1]) if found else None

    return read


CAPACITIES: tuple[tuple[str, Callable[[bytes], int | None]], ...] = (
    ("get_server_info", _number_after(b"max_running_requests")),
    ("props", _number_after(b"total_slots")),
    ("server_info", _number_after(b"max_num_seqs")),
)
"""Where servers say how many requests they work on at once."""


def _check(response: httpx.Response) -> None:
    status = response.status_code
    if status in OVERLOADED:
        after = response.headers.get("retry-after", "")
        raise _NotNow(f"the server is overloaded (HTTP {status})", float(after) if after.isdigit() and len(after) < 6 else 0.0)
    if status >= 500:
        raise _Fault(f"the server failed (HTTP {status})")
    if status != httpx.codes.OK:
        raise ChatRefused(f"the server refuses the request (HTTP {status})", retryable=status in (401, 403, 404, 408))


async def _collected(response: httpx.Response, is_loop: Callable[[str], bool]) -> Completion:
    """Reads a stream to its end, or to where the answer is known to be no use. Raises _Fault for what is no answer."""
    parts: list[str] = []
    length = checked = 0
    total, count = 0.0, 0
    finish = ""
    async for data in _events(response):
        chunk = _decoded(data)
        for choice in chunk.choices[:1]:
            said = choice.delta or choice.message
            if said is not None and said.content:
                parts.append(said.content)
                length += len(said.content)
            for one in (choice.logprobs.content if choice.logprobs else None) or ():
                if one.logprob is not None and math.isfinite(one.logprob):
                    total, count = total + one.logprob, count + 1
            finish = choice.finish_reason or finish
        if length - checked >= LOOP_CHECK_CHARS:
            checked = length
            if is_loop("".join(parts)[-LOOP_TAIL_CHARS:]):
                finish = "loop"
                break
        if length > MAX_ANSWER_CHARS:
            finish = "length"
            break
    if not finish:
        raise _Fault("the server ended its answer without saying why")
    confidence = math.exp(max(-50.0, min(0.0, total / count))) if count else None
    return Completion(text="".join(parts), finish=finish if finish in ("length", "loop") else "stop", confidence=confidence)


async def _events(response: httpx.Response) -> AsyncIterator[bytes]:
    """The data of each server-sent event; a whole JSON body counts as one. Raises _Fault for endless lines."""
    if "event-stream" not in response.headers.get("content-type", "event-stream"):
        yield await _body(response)
        return
    rest = b""
    async for piece in response.aiter_bytes():
        *lines, rest = (rest + piece).split(b"\n")
        if len(rest) > MAX_LINE_BYTES:
            raise _Fault("the server sends a line without end")
        for line in lines:
            data = line.strip()
            if data == b"data: [DONE]":
                return
            if data.startswith(b"data:"):
                yield data[5:]


async def _body(response: httpx.Response) -> bytes:
    """A whole body. Raises _Fault for one without end."""
    body = b""
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > MAX_LINE_BYTES:
            raise _Fault("the server answers without end")
    return body


def _decoded(data: bytes) -> _Chunk:
    try:
        return msgspec.json.decode(data, type=_Chunk)
    except msgspec.DecodeError as error:
        raise _Fault("the server says what is not an answer") from error
