"""What each kind of worker, and each program beside them, may do on a Kafka that asks: the least that works, made of the one map of topics.

Pure. `docs/operations.md` shows it, and a test runs the whole pipeline with nothing more than this.
"""

from dataclasses import dataclass
from enum import Enum

from streams.telemetry import groups
from streams.topics import INGEST, TOPICS, Topic

GROUPS = {group.name: min(group.topics.values(), key=len) for group in groups.GROUPS}
"""How the names of the groups of each kind of worker begin."""
STAGES = tuple(GROUPS)
PUBLISHER, READER, CONSOLE = "publisher", "reader", "console"
"""Who submits documents; who takes what becomes of them; the web page and the command line, which do both and look at the workers."""
PROGRAMS = (PUBLISHER, READER, CONSOLE)
ADMIN_GROUP = "pageloom-admin"
"""How the names begin under which clients ask about topics and groups; they never join one."""


class Resource(str, Enum):
    """What a rule is about, in Kafka's words."""

    TOPIC = "topic"
    GROUP = "group"
    TRANSACTION = "transactional-id"


class Operation(str, Enum):
    """What is allowed. Reading and writing include being told that a resource is there."""

    READ = "Read"
    WRITE = "Write"
    DESCRIBE = "Describe"
    DESCRIBE_CONFIGS = "DescribeConfigs"


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that is allowed. `prefixed`: for all resources whose name begins so."""

    resource: Resource
    name: str
    operation: Operation
    prefixed: bool = False


def rules_of(who: str) -> tuple[Rule, ...]:
    """All that one of STAGES or PROGRAMS needs."""
    topics = [Rule(Resource.TOPIC, topic.name, Operation.READ) for topic in TOPICS if _reads(who, topic)]
    topics += [Rule(Resource.TOPIC, topic.name, Operation.WRITE) for topic in TOPICS if _writes(who, topic)]
    if who == CONSOLE:  # says what waits on them
        topics += [Rule(Resource.TOPIC, topic.name, Operation.DESCRIBE) for topic in TOPICS if not topic.public]
    if who == "open":  # refuses to start where submissions are not ordered by the broker's clock
        topics.append(Rule(Resource.TOPIC, INGEST.name, Operation.DESCRIBE_CONFIGS))
    return (*topics, *_groups(who))


def _reads(who: str, topic: Topic) -> bool:
    if who in STAGES:
        return who in topic.read_by.split(", ")
    if who == READER:
        return topic.public and topic.written_by == "assemble"
    return who == CONSOLE and topic.public


def _writes(who: str, topic: Topic) -> bool:
    if who in STAGES:
        return who in topic.written_by.split(", ") or topic.written_by == "any stage"
    return who in (PUBLISHER, CONSOLE) and topic.written_by == "anyone"


def _groups(who: str) -> tuple[Rule, ...]:
    asking = Rule(Resource.GROUP, ADMIN_GROUP, Operation.DESCRIBE, prefixed=True)
    if who in STAGES:
        own = Rule(Resource.GROUP, GROUPS[who], Operation.READ, prefixed=True)
        writer = Rule(Resource.TRANSACTION, f"{GROUPS[who]}-", Operation.WRITE, prefixed=True)
        return (own, asking, writer) if who == "assemble" else (own, asking)
    if who == CONSOLE:
        return tuple(Rule(Resource.GROUP, name, Operation.DESCRIBE, prefixed=True) for name in ("pageloom-", GROUPS["assemble"]))
    return ()
