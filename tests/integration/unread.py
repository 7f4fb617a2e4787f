"""What a group has not read yet, for tests that wait for it.

Offsets alone cannot tell: markers of transactions count in them and are never read, so the lag stays at 1 for good. So the records are read.
"""

from collections.abc import Sequence

from streams.kafka.admin import Partition, TopicAdmin
from streams.kafka.reading import RecordReader

MAX_MESSAGE_BYTES = 2**20


def unread_partitions(bootstrap_servers: str, group_id: str, topics: Sequence[str]) -> set[Partition]:
    """The partitions that hold a committed record which the group has not committed past."""
    committed = TopicAdmin(bootstrap_servers).committed_offsets(group_id, topics)
    records = RecordReader(bootstrap_servers, "unread", max_message_bytes=MAX_MESSAGE_BYTES).since(topics, 0)
    return {(record.topic, record.partition) for record in records if record.offset >= committed.get((record.topic, record.partition), 0)}
