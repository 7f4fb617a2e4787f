"""The whole application: handlers, failures as JSON with a message for a person, and the guard before all of it."""

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from schemas.errors import RULES, Code, Fault, PageloomError
from streams.console.port import Absent
from streams.console.web.guard import Access, Guard
from streams.console.web.server import Console
from streams.kafka.errors import KafkaClientError

GONE = frozenset({Code.BLOB_MISSING, Code.NO_SUCH_PAGES})
"""Failures that mean: it is not there."""


def create_application(console: Console, access: Access) -> Starlette:
    """The ASGI application. Raises nothing that a handler does not turn into an answer."""
    return Starlette(
        routes=console.routes(),
        middleware=[Middleware(Guard, access=access)],
        exception_handlers={HTTPException: _http, Absent: _absent, PageloomError: _failed, KafkaClientError: _kafka, OSError: _disk},
    )


async def _http(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _answer(error.status_code, error.detail)


async def _absent(_request: Request, error: Exception) -> Response:
    return _answer(404, str(error))


async def _failed(_request: Request, error: Exception) -> Response:
    assert isinstance(error, PageloomError)
    rule = RULES[error.code]
    status = 404 if error.code in GONE else 422 if rule.fault is Fault.DOCUMENT else 503
    return _answer(status, f"{error}; {rule.next_step}")


async def _kafka(_request: Request, error: Exception) -> Response:
    return _answer(503, str(error))


async def _disk(_request: Request, error: Exception) -> Response:
    assert isinstance(error, OSError)
    return _answer(503, f"the console cannot keep or read a file: {error.strerror or type(error).__name__}; check the disk of the machine it runs on")


def _answer(status: int, message: str) -> Response:
    return Response(msgspec.json.encode({"message": message}), status, media_type="application/json")
