"""Who may ask: every request passes here first. Pure decisions about headers, and the ASGI layer that applies them.

Guarantees: a request to a host name that is not ours is refused (a page elsewhere may point its own name at this machine), so is what a page of
another origin asks, and, where a token is set, what comes without it. Every answer forbids inline scripts, frames of strangers, sniffing and
referrers.
"""

import hashlib
import hmac
import ipaddress
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "pageloom_console"
COOKIE_AGE_S = 30 * 24 * 3600
SAFE_METHODS = frozenset({"GET", "HEAD"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
"""On every answer that does not say otherwise."""


class Access(Struct, frozen=True, kw_only=True):
    """Who may ask. `hosts`: names beside addresses and `localhost`; `token` empty: nobody is asked for one."""

    hosts: frozenset[str] = frozenset()
    token: str = ""

    @property
    def cookie_value(self) -> str:
        """What a browser keeps instead of the token itself."""
        return hmac.new(self.token.encode(), b"pageloom console cookie", hashlib.sha256).hexdigest()


def refusal(access: Access, method: str, path: str, headers: Mapping[str, str]) -> tuple[int, str] | None:
    """Status and reason why a request is refused, None for one that is not. Header names are lower case."""
    host = headers.get("host", "")
    if not _is_ours(host, access.hosts):
        return 421, "this host name is not one of the console's; add it to PAGELOOM_CONSOLE_HOSTS"
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
        return 403, "a page of another origin may not ask here"
    site = headers.get("sec-fetch-site", "none")
    opens_page = method in SAFE_METHODS and path == "/" and headers.get("sec-fetch-mode") == "navigate"
    if site not in ("same-origin", "none") and not opens_page:
        return 403, "a page of another site may not ask here"
    if access.token and not _has_token(access, headers):
        return 401, "a token is needed: open the address that `pageloom console` printed"
    return None


def _is_ours(host: str, names: frozenset[str]) -> bool:
    """Addresses are: no name leads there but by our will. Names are only if they are known."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == "localhost" or name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _has_token(access: Access, headers: Mapping[str, str]) -> bool:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), access.token.encode()):
        return True
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return False
    return cookie is not None and hmac.compare_digest(cookie.value.encode(), access.cookie_value.encode())


def admission(access: Access, method: str, path: str, query: str, headers: Mapping[str, str]) -> Response | None:
    """The answer to the address with the token in it: a cookie, and on to the page without it. None for every other request."""
    if not access.token or method != "GET" or path != "/":
        return None
    given = parse_qs(query).get("token", [""])[0]
    if not hmac.compare_digest(given.encode(), access.token.encode()):
        return None
    answer = RedirectResponse("/", 303)
    secure = headers.get("x-forwarded-proto") == "https"
    answer.set_cookie(COOKIE, access.cookie_value, max_age=COOKIE_AGE_S, httponly=True, samesite="strict", secure=secure)
    return answer


class Guard:
    """The ASGI layer around the application."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a refused request itself; adds headers to every answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        method, path = scope["method"], scope["path"]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered = MutableHeaders(scope=message)
                if path.startswith("/static/"):
                    answered.setdefault("cache-control", "no-cache")  # asked for again, and sent only where it changed
                for name, value in HEADERS.items():
                    answered.setdefault(name, value)
            await send(message)

        answer: Any = self._app
        refused = refusal(self._access, method, path, headers)
        if refused is not None:
            admitted = None
            if refused[0] == 401:
                admitted = admission(self._access, method, path, scope["query_string"].decode("latin-1"), headers)
            answer = admitted or PlainTextResponse(refused[1] + "\n", refused[0])
        await answer(scope, receive, send_with_headers)
