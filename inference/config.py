"""What an infer worker is told: plain frozen values, composed by whoever starts it."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

from inference.engines.registry import engines
from inference.types import EngineSpec

MIB = 2**20
EXPRESS_ENDING = "-express"


def as_it_is(topic: str, value: bytes | None) -> bytes | None:  # noqa: ARG001 - one signature for all encodings
    """The value itself."""
    return value


class InferConfig(Struct, frozen=True, kw_only=True):
    """One infer worker.

    `consumer_config`, `producer_config`: properties of confluent-kafka. The consumer reads committed records and commits by hand, the
    producer is idempotent with acks=all and partitions by murmur2. `topics`: where windows are requested, express ones first, which are read in a
    group of their own (`group_of`).
    `control_topic` with `control_config`: cancellations, read as a hint from all partitions without a group; empty means none.
    """

    consumer_config: Mapping[str, Any]
    producer_config: Mapping[str, Any]
    topics: tuple[str, ...]
    events_topic: str
    dead_letter_topic: str
    blob_url: str
    control_topic: str = ""
    control_config: Mapping[str, Any] = {}
    engine: str = "rapidocr"
    engines: Mapping[str, EngineSpec] = field(default_factory=engines)
    fallback: str = ""
    """A second engine for what the first cannot read or is unsure of; empty means none."""
    engine_capacity: int = 0
    """Requests that a shared server works on at once; 0 asks the server."""
    engine_processes: int = 0
    """0 means one per core, each with one thread."""
    engine_memory_bytes: int = 3072 * MIB
    """Address space of an engine process beyond what it has when warm. Measured resident: 0.4 GB on A4 at 200 dpi, 0.55 GB on 40 megapixels."""
    batch_pages: int = 4
    batch_pixels: int = 64_000_000
    batch_wait_s: float = 0.02
    window_queue: int = 2_000
    """Units that wait at most before partitions are paused; express ones may be a tenth more."""
    page_timeout_s: float = 120.0
    inline_content_bytes: int = 16 * 1024
    keeps_figures: bool = True
    """Whether pictures of figures are stored."""
    max_message_bytes: int = 16 * MIB
    incoming: Callable[[str, bytes | None], bytes | None] = as_it_is
    """A value of a topic as it is decoded here; for logs that frame values otherwise."""
    outgoing: Callable[[str, bytes | None], bytes | None] = as_it_is
    """A value as the log shall have it."""
    leave: Callable[[Any, float], None]
    """How a consumer leaves its group, within so many seconds."""
    journal_dir: str = ""
    """Folder of this machine's workers, where attempts are recorded before they start; empty means nowhere."""
    stop_timeout_s: float = 10.0
    """One deadline for a stop: what is being read is finished and acknowledged within it, or read again after the restart."""

    def is_express(self, topic: str) -> bool:
        """Whether a topic of windows is that of the express ones."""
        return len(self.topics) > 1 and topic == self.topics[0]

    def group_of(self, topic: str) -> str:
        """The consumer group in which a topic of windows is read: `group.id`, for express ones with an ending."""
        return str(self.consumer_config["group.id"]) + (EXPRESS_ENDING if self.is_express(topic) else "")
