"""The search index that the settings name, for writing and for searching. Each kind is imported only when it is asked for."""

from contextlib import suppress
from urllib.parse import urlsplit

from streams.index.sink import SearchReader, SearchSink
from streams.settings import Settings, SettingsError

TANTIVY, OPENSEARCH = "tantivy", "opensearch"


def open_sink(settings: Settings) -> SearchSink:
    """The index of the settings, for writing; made where it does not exist. Raises SettingsError, SinkRefuses, SinkUnavailable."""
    if settings.search_index == OPENSEARCH:
        from streams.index.opensearch_client import connect  # noqa: PLC0415 - an extra that only who uses it installs
        from streams.index.opensearch_sink import OpenSearchSink  # noqa: PLC0415

        return OpenSearchSink(connect(settings), _languages(settings))
    from streams.index.tantivy_index import TantivySink  # noqa: PLC0415 - a native library that a cluster's worker does not need

    return TantivySink(settings.index_path)


def open_reader(settings: Settings) -> SearchReader:
    """The index of the settings, for searching.

    Raises FileNotFoundError where nothing was indexed yet, SettingsError, SinkRefuses, SinkUnavailable.
    """
    if settings.search_index == OPENSEARCH:
        from streams.index.opensearch_client import connect  # noqa: PLC0415 - as above
        from streams.index.opensearch_reader import OpenSearchReader  # noqa: PLC0415

        return OpenSearchReader(connect(settings), _languages(settings))
    from streams.index.tantivy_index import TantivyReader  # noqa: PLC0415 - as above

    return TantivyReader(settings.index_path)


def check_search_settings(settings: Settings) -> None:
    """Raises SettingsError for what no index can be opened with."""
    if settings.search_index not in (TANTIVY, OPENSEARCH):
        raise SettingsError(f"settings: search_index is {settings.search_index!r}; allowed are {TANTIVY}, {OPENSEARCH}")
    if settings.search_index == OPENSEARCH and not settings.opensearch_url:
        raise SettingsError("settings: search_index is opensearch, but opensearch_url is empty; name the nodes, such as https://search:9200")
    for url in settings.opensearch_url.split(",") if settings.opensearch_url else ():
        parts = urlsplit(url.strip())
        port: int | None = None
        with suppress(ValueError):
            port = parts.port or 9200
        if parts.scheme not in ("http", "https") or not parts.hostname or port is None:
            raise SettingsError("settings: opensearch_url holds something other than http or https addresses, such as https://search:9200")
        if parts.username or parts.password:
            message = "settings: opensearch_url holds a user or a password, which would show in logs"
            raise SettingsError(f"{message}; use opensearch_user and opensearch_password")


def _languages(settings: Settings) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip().lower() for name in settings.opensearch_languages.split(",") if name.strip()))
