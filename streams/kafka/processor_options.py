"""How a processor talks to its cluster: the settings of its three kinds of clients, from one value. Pure."""

from dataclasses import dataclass, field
from typing import Any

from streams.kafka.clients import (
    FETCH_WAIT_TO_END_MS,
    MAX_MESSAGE_BYTES,
    TRANSACTION_LINGER_MS,
    Security,
    consumer_config,
    reader_config,
    transactional_config,
)
from streams.kafka.lifecycle import CutPolicy


@dataclass(frozen=True, slots=True)
class ProcessorOptions:
    """How a processor talks to its cluster. `application` names its group and, with the partition, its writers."""

    bootstrap_servers: str
    application: str
    source: str
    changelog: str
    security: Security | None = field(default=None, repr=False)
    policy: CutPolicy = field(default_factory=CutPolicy)
    session_timeout_ms: int = 10_000
    transaction_timeout_ms: int = 10_000
    linger_ms: float = TRANSACTION_LINGER_MS
    static_id: str = ""
    max_message_bytes: int = MAX_MESSAGE_BYTES

    def member_config(self, static_id: str) -> dict[str, Any]:
        """Of a member of the group, which is told where its partitions end."""
        config = consumer_config(
            self.bootstrap_servers,
            self.application,
            self.application,
            self.security,
            session_timeout_ms=self.session_timeout_ms,
            static_id=static_id,
            max_message_bytes=self.max_message_bytes,
        )
        return {**config, "enable.partition.eof": True}

    def writer_config(self, partition: int) -> dict[str, Any]:
        """Of the one writer that a partition has: a new one of the same name fences the old one."""
        transactional_id = f"{self.application}-{partition}"
        return transactional_config(
            self.bootstrap_servers,
            transactional_id,
            transactional_id,
            self.security,
            transaction_timeout_ms=self.transaction_timeout_ms,
            linger_ms=self.linger_ms,
            max_message_bytes=self.max_message_bytes,
        )

    def restore_config(self) -> dict[str, Any]:
        """Of a reader of the changelog."""
        return reader_config(
            self.bootstrap_servers,
            f"{self.application}-restore",
            self.security,
            max_message_bytes=self.max_message_bytes,
            fetch_wait_ms=FETCH_WAIT_TO_END_MS,
        )
