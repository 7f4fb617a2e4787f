"""How a process reads and writes events on the log: which schemas it can read beyond its own, and the frames of a schema registry.

Every worker puts its schemas into the blob store before it writes with them, and looks up there what it does not know: so old and new workers share
the topics while a fleet is upgraded. Where a registry is set, values are written in Confluent's wire format (a zero byte, the schema's id in four
bytes, the record) under subjects named by topic, and read in either encoding. Composes; a call or two for each process.
"""

import structlog

from schemas import writers
from schemas.blobs import BlobStore
from schemas.errors import PageloomError
from streams import topics
from streams.kafka import encoding
from streams.kafka.registry import SchemaRegistry
from streams.settings import Settings

MAGIC = b"\0"
PREFIX_BYTES = 5
"""The zero byte and the id, big-endian."""
MAX_IDS = 10_000
"""Ids kept, also of what is no schema: any file on the ingest topic may begin with a zero byte."""

log = structlog.get_logger(__name__)


class RegistryEncoding:
    """Confluent's wire format outside, single-object encoding inside: the record is the same bytes, only what stands before it changes."""

    def __init__(self, registry: SchemaRegistry, store: BlobStore) -> None:
        self._registry, self._store = registry, store
        self._ids: dict[tuple[str, bytes], bytes] = {}
        self._headers: dict[bytes, bytes | None] = {}

    def register_all(self) -> None:
        """Registers what any worker writes, so that none has to ask later. Raises RegistryError."""
        for topic in topics.TOPICS:
            if topic is not topics.CHANGELOG:
                for name in topic.events:
                    self._prefix(topic.name, name, writers.header_of_event(name))

    def outgoing(self, topic: str, value: bytes) -> bytes:
        """An event behind its schema's id; anything else as it is. Raises RegistryError."""
        header = value[: writers.HEADER_BYTES]
        writer = writers.find(header)
        if writer is None or topic == topics.CHANGELOG.name:
            return value
        return self._prefix(topic, writer.name, header) + value[writers.HEADER_BYTES :]

    def incoming(self, topic: str, value: bytes) -> bytes:  # noqa: ARG002 - the signature of encodings
        """An event with its fingerprint again; what has no id of a schema of ours as it is. Raises RegistryError, and what the store raises."""
        if value[:1] != MAGIC or len(value) < PREFIX_BYTES:
            return value
        prefix = value[:PREFIX_BYTES]
        if prefix not in self._headers:
            self._headers[prefix] = self._header(int.from_bytes(prefix[1:], "big"))
            if len(self._headers) > MAX_IDS:
                self._headers.pop(next(iter(self._headers)))
        header = self._headers.get(prefix)
        return value if header is None else header + value[PREFIX_BYTES:]

    def _prefix(self, topic: str, name: str, header: bytes) -> bytes:
        prefix = self._ids.get((topic, header))
        if prefix is None:
            schema_id = self._registry.register(subject_of(topic, name), writers.text_of(header))
            prefix = self._ids[topic, header] = MAGIC + schema_id.to_bytes(4, "big")
            self._headers[prefix] = header
        return prefix

    def _header(self, schema_id: int) -> bytes | None:
        text = self._registry.schema_of(schema_id)
        header = None if text is None else writers.learn(text)
        if header is not None and text is not None:
            self._store.put_schema(header.hex(), text)  # child processes have no registry
        return header


def subject_of(topic: str, name: str) -> str:
    """The registry's subject of an event: `<topic>-value`; where a topic has events of several types, `<topic>-pageloom.<type>`."""
    events = next((one.events for one in topics.TOPICS if one.name == topic), ())
    return f"{topic}-value" if len(events) == 1 else f"{topic}-pageloom.{name}"


def speak(settings: Settings, *, writes: bool) -> None:
    """Sets this process up. `writes`: it is a worker, which lets others know its schemas first.

    Raises RegistryError. A blob store that is away costs what only it knows, and is found out by whoever needs it.
    """
    store = BlobStore(settings.blob_store_url)
    writers.look_up_with(store.find_schema)
    if writes:
        try:
            for header, text in writers.published().items():
                store.put_schema(header.hex(), text)
        except PageloomError as error:
            log.warning("schemas.not_shared", code=error.code.value, reason=str(error))
    if settings.schema_registry_url:
        registry = SchemaRegistry(settings.schema_registry_url, settings.schema_registry_auth, settings.schema_registry_ca)
        spoken = RegistryEncoding(registry, store)
        if writes:
            spoken.register_all()
        encoding.use(spoken)
