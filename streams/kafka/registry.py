"""A client of schema registries that speak Confluent's HTTP interface. The door to httpx of this room; knows no document.

Guarantees: every call ends within its deadline, tried again while the registry does not answer or is overloaded; answers are bounded and checked
before anything is made of them; no message holds a user, a password or a query of the URL. Used by one thread at a time.
"""

import time
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from streams.kafka.errors import RegistryError

if TYPE_CHECKING:
    import httpx

MAX_ANSWER_BYTES = 2**20
"""Of one answer: a schema of ours has 12 KB."""
REQUEST_TIMEOUT_S = 5.0
PATIENCE_S = 20.0
"""For a registry that restarts. A poll loop that waits so long keeps its partitions (`max.poll.interval.ms` is 300 s)."""
RETRY_PAUSE_S = 0.5
CONTENT_TYPE = "application/vnd.schemaregistry.v1+json"
MAX_SCHEMA_ID = 2**31 - 1


class SchemaRegistry:
    """One registry. Opens its connection with the first call."""

    def __init__(self, url: str, credentials: str = "", ca_file: str = "", *, patience_s: float = PATIENCE_S) -> None:
        """`credentials`: `user:password`, or empty. `ca_file`: certificates to trust instead of the system's. Raises RegistryError for a bad URL."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise RegistryError("schema_registry_url of the settings is no http or https URL")
        if parts.username is not None or parts.password is not None:
            raise RegistryError("schema_registry_url of the settings holds a user; put `user:password` into schema_registry_auth")
        self._base, self._shown = url.rstrip("/"), f"the schema registry at {parts.scheme}://{parts.hostname}"
        self._credentials, self._ca_file, self._patience_s = credentials, ca_file, patience_s
        self._client: httpx.Client | None = None

    def register(self, subject: str, schema: str) -> int:
        """The id of a schema, registered under a subject if it is not there yet.

        Raises RegistryError for a registry that refuses it (it is not compatible with its predecessor, or may not be written) or stays away.
        """
        status, answer = self._ask("POST", f"/subjects/{quote(subject, safe='')}/versions", {"schema": schema})
        schema_id = answer.get("id")
        if status != 200 or not isinstance(schema_id, int) or isinstance(schema_id, bool) or not 0 <= schema_id <= MAX_SCHEMA_ID:
            raise RegistryError(f"{self._shown} does not take the schema of {subject}: {_said(status, answer)}; check its compatibility rules")
        return schema_id

    def schema_of(self, schema_id: int) -> str | None:
        """The text of an Avro schema; None where the registry has none under the id, or one of another kind. Raises RegistryError."""
        status, answer = self._ask("GET", f"/schemas/ids/{schema_id}", None)
        if status == 404:
            return None
        schema = answer.get("schema")
        if status != 200 or not isinstance(schema, str):
            raise RegistryError(f"{self._shown} does not give schema {schema_id}: {_said(status, answer)}; check its address and credentials")
        return schema if answer.get("schemaType", "AVRO") == "AVRO" and not answer.get("references") else None

    def close(self) -> None:
        """Closes its connection."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, dict[str, Any]]:
        """Status and answer, as soon as there is one that is no passing trouble."""
        import httpx  # noqa: PLC0415 - without a registry nobody pays for it

        deadline = time.monotonic() + self._patience_s
        while True:
            try:
                status, answer = self._answer(method, path, body)
                trouble = _said(status, answer) if status >= 500 or status in (408, 429) else ""
            except httpx.HTTPError:
                status, answer, trouble = 0, {}, "it cannot be reached"
            except ValueError:
                status, answer, trouble = 0, {}, "its answer is no JSON"
            if not trouble:
                return status, answer
            if time.monotonic() + RETRY_PAUSE_S > deadline:
                raise RegistryError(f"{self._shown} did not answer within {self._patience_s:g} s ({trouble}); check that it runs, then start again")
            time.sleep(RETRY_PAUSE_S)

    def _answer(self, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, dict[str, Any]]:
        import httpx  # noqa: PLC0415
        import msgspec  # noqa: PLC0415

        if self._client is None:
            user, _, password = self._credentials.partition(":")
            self._client = httpx.Client(
                timeout=REQUEST_TIMEOUT_S,
                auth=(user, password) if self._credentials else None,
                verify=_trusting(self._ca_file) if self._base.startswith("https:") else True,
                trust_env=False,
                headers={"Accept": f"{CONTENT_TYPE}, application/json", "Content-Type": CONTENT_TYPE},
            )
        with self._client.stream(method, self._base + path, json=body) as response:
            data = bytearray()
            for piece in response.iter_bytes(64 * 1024):
                data += piece
                if len(data) > MAX_ANSWER_BYTES:
                    raise ValueError("an answer above the bound")
        if response.status_code in (401, 403):
            return response.status_code, {}
        answer = msgspec.json.decode(bytes(data)) if data else {}
        if not isinstance(answer, dict):
            raise ValueError("an answer that is no JSON object")
        return response.status_code, answer


def _trusting(ca_file: str) -> Any:
    import ssl  # noqa: PLC0415

    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except OSError as error:
        raise RegistryError(f"schema_registry_ca of the settings cannot be read ({error.strerror or type(error).__name__})") from None


def _said(status: int, answer: dict[str, Any]) -> str:
    """What a registry said, cut: it quotes schemas, which are public, and nothing else of ours."""
    return f"HTTP status {status} {str(answer.get('message', ''))[:300]}".strip()
