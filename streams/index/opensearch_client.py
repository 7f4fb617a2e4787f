"""The few requests that the index makes to an OpenSearch cluster, as values. The only door to opensearch-py.

Elasticsearch answers them alike. Every failure is `SinkUnavailable` (the same may be asked again) or `SinkRefuses` (somebody has to act); neither
quotes a document, an address with credentials, or what the cluster says about the content of a request.
"""

import ssl
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from streams.index.opensearch_rows import slots_id
from streams.index.sink import SinkRefuses, SinkUnavailable
from streams.settings import Settings, SettingsError

TIMEOUT_S = 30.0
"""Of one request: a bulk of some megabytes takes tenths of a second."""

T = TypeVar("T")


class Item(Struct, frozen=True, kw_only=True):
    """How one operation of a bulk ended; `error` is the cluster's name for what was wrong, empty for none."""

    status: int
    error: str = ""


class Marker(Struct, frozen=True, kw_only=True):
    """What the index knows of a document: its newest revision, and how many chunks that has."""

    revision: int
    chunks: int


class Cluster:
    """One index of a cluster."""

    def __init__(self, client: Any, index: str) -> None:
        """`client` is an `opensearchpy.OpenSearch`."""
        self._client = client
        self.index = index

    def ensure_index(self, body: dict[str, Any], version: int) -> bool:
        """Makes the index unless it is there; whether this call made it. Raises SinkRefuses for one that is there and not of this version."""
        while True:
            found = self._asked(lambda: self._client.indices.get_mapping(index=self.index, ignore=[404]))
            if found.get("status") != 404:
                break
            answer = self._asked(lambda: self._client.indices.create(index=self.index, body=body, ignore=[400]))
            if answer.get("status") != 400:
                return True
            error = (answer.get("error") or {}).get("type", "")
            if error != "resource_already_exists_exception":  # made by another worker at this moment: look at it
                raise SinkRefuses(f"the index {self.index!r} cannot be made ({error}); check opensearch_index and opensearch_languages")
        metas = {mapping["mappings"].get("_meta", {}).get("pageloom", 0) for mapping in found.values()}
        if metas != {version}:
            raise SinkRefuses(
                f"the index {self.index!r} was not made by this version of Pageloom; name another with PAGELOOM_OPENSEARCH_INDEX: "
                "it is filled from the documents that documents.parsed still holds"
            )
        return False

    def markers(self, keys: Sequence[str]) -> dict[str, Marker]:
        """The markers of documents, as they are now: not as a search would show them."""
        return {key: msgspec.convert(source, Marker) for key, source in self._sources([(key, key) for key in keys]).items()}

    def slots(self, keys: Sequence[str]) -> dict[str, int]:
        """How many chunks any revision of documents had, likewise."""
        ids = {slots_id(key): key for key in keys}
        return {ids[row_id]: int(source["chunks"]) for row_id, source in self._sources(list(ids.items())).items()}

    def _sources(self, rows: Sequence[tuple[str, str]]) -> dict[str, dict[str, Any]]:
        """The sources of rows that are there, by id; asked for by id and key."""
        docs = [{"_id": row_id, "routing": key, "_source": ["revision", "chunks"]} for row_id, key in rows]
        answer = self._asked(lambda: self._client.mget(index=self.index, body={"docs": docs}))
        if failed := [doc["error"].get("type", "") for doc in answer["docs"] if "error" in doc]:
            raise SinkUnavailable(f"the index {self.index!r} cannot be read ({failed[0]}); look at the cluster")
        return {doc["_id"]: doc["_source"] for doc in answer["docs"] if doc.get("found")}

    def bulk(self, lines: bytes) -> list[Item]:
        """Sends operations, each an action and a source; one result each, in their order."""
        answer = self._asked(lambda: self._client.bulk(index=self.index, body=lines))
        results = [next(iter(item.values())) for item in answer["items"]]
        return [Item(status=result["status"], error=(result.get("error") or {}).get("type", "")) for result in results]

    def search(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        """The hits of a search."""
        answer = self._asked(lambda: self._client.search(index=self.index, body=body))
        hits: list[dict[str, Any]] = answer["hits"]["hits"]
        return hits

    def state(self) -> str:
        """Version, health of the index, and how many rows it has, for a person."""
        version = self._asked(self._client.info)["version"]
        health = self._asked(lambda: self._client.cluster.health(index=self.index, ignore=[404, 408]))
        if health.get("error") or not self._asked(lambda: self._client.indices.exists(index=self.index)):
            return f"{version.get('distribution', 'elasticsearch')} {version['number']}; the index {self.index!r} is not made yet"
        count = self._asked(lambda: self._client.count(index=self.index, body={"query": {"term": {"kind": "chunk"}}}))["count"]
        return f"{version.get('distribution', 'elasticsearch')} {version['number']}; index {self.index!r} is {health.get('status')}, {count} chunks"

    def _asked(self, request: Callable[[], T]) -> T:
        """The answer to a request. Raises SinkUnavailable, SinkRefuses."""
        from opensearchpy.exceptions import ConnectionError as Unreachable  # noqa: PLC0415 - loaded by `connect` already
        from opensearchpy.exceptions import TransportError  # noqa: PLC0415

        try:
            return request()
        except Unreachable as error:
            cause = type(error.info).__name__
            raise SinkUnavailable(f"OpenSearch does not answer ({cause}); check PAGELOOM_OPENSEARCH_URL, the nodes and their certificates") from error
        except TransportError as error:
            raise self._failure(error.status_code, error.error if isinstance(error.error, str) else "") from error

    def _failure(self, status: int | str, name: str) -> SinkUnavailable | SinkRefuses:
        """What an answer with an error status means."""
        if "block" in name:
            return SinkUnavailable(f"the index {self.index!r} is blocked for writing ({name}); free disk space on the nodes, or remove the block")
        if status in (401, 403):
            return SinkRefuses(
                f"OpenSearch refuses us (HTTP {status}); check opensearch_user and opensearch_password, or opensearch_api_key, "
                f"and that they may read and write {self.index!r}"
            )
        if status in (400, 404, 413):
            return SinkRefuses(f"OpenSearch refuses a request to index {self.index!r} (HTTP {status}, {name})")
        return SinkUnavailable(f"OpenSearch takes nothing now (HTTP {status}, {name}); look at the cluster")


def connect(settings: Settings) -> Cluster:
    """A client for the index of the settings; nothing is asked yet. Raises SettingsError."""
    try:
        from opensearchpy import OpenSearch  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise SettingsError("search_index is opensearch, but opensearch-py is not installed: `pip install '.[opensearch]'` in its sources") from error
    options: dict[str, Any] = {}
    if settings.opensearch_api_key:
        options["headers"] = {"Authorization": f"ApiKey {settings.opensearch_api_key}"}
    elif settings.opensearch_user:
        options["http_auth"] = (settings.opensearch_user, settings.opensearch_password)
    if settings.opensearch_ca:
        try:
            ssl.create_default_context(cafile=settings.opensearch_ca)
        except OSError as error:
            raise SettingsError(f"the certificates in {settings.opensearch_ca} cannot be read ({error.strerror or type(error).__name__})") from error
        options["ca_certs"] = settings.opensearch_ca
    hosts = [url.strip().rstrip("/") for url in settings.opensearch_url.split(",") if url.strip()]
    # We retry ourselves, where it is known what may be sent twice.
    client = OpenSearch(hosts, timeout=TIMEOUT_S, max_retries=0, retry_on_timeout=False, verify_certs=True, ssl_show_warn=False, **options)
    return Cluster(client, settings.opensearch_index)
