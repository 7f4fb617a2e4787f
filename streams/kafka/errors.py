"""What can go wrong between this application and Kafka; each error says what to do next.

`EmbeddedKafkaError` is about the broker that we start ourselves (its jars, its Java, its folder), `KafkaClientError` about any broker that we
talk to. Neither is a failure of a document: they end a process or are retried.
"""


class EmbeddedKafkaError(Exception):
    """The embedded broker cannot be used."""


class JarError(EmbeddedKafkaError):
    """A pinned artifact cannot be fetched, or its bytes are not the pinned ones."""


class JavaError(EmbeddedKafkaError):
    """No Java of a version that runs Kafka."""


class FolderInUseError(EmbeddedKafkaError):
    """Another broker holds the data folder."""


class BrokerStartError(EmbeddedKafkaError):
    """The broker process ended or did not answer in time; the message ends with its log."""


class KafkaClientError(Exception):
    """Talking to a broker failed."""


class ClientSettingsError(KafkaClientError, ValueError):
    """The Kafka client refuses how it is configured, such as a security property that it does not know."""


class BrokerUnreachableError(KafkaClientError):
    """No broker answered before the deadline."""


class TopicMismatchError(KafkaClientError):
    """A topic exists in another shape than the application relies on."""


class MessageTooLargeError(KafkaClientError):
    """A message above the limit, refused before it was produced.

    `size_bytes` counts key, value, headers and the overhead of a record batch.
    """

    def __init__(self, topic: str, size_bytes: int, limit_bytes: int) -> None:
        super().__init__(
            f"a message of {size_bytes} bytes for topic {topic} is above the limit of {limit_bytes} bytes; "
            "store its content and send a reference, or raise the limit of clients, topic and broker alike"
        )
        self.topic = topic
        self.size_bytes = size_bytes
        self.limit_bytes = limit_bytes

    def __reduce__(self) -> tuple[type, tuple[str, int, int]]:
        return type(self), (self.topic, self.size_bytes, self.limit_bytes)


class DeliveryError(KafkaClientError):
    """A message was not acknowledged; nothing that depends on it may be committed."""


class RegistryError(KafkaClientError):
    """The schema registry refuses a schema, or stays away; nothing that depends on it is read or written."""


class ProcessorError(KafkaClientError):
    """The transactional processor cannot go on; its committed state is whole, a restart continues from it."""
