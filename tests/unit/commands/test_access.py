"""What each worker may do on Kafka: made of the map of topics, and shown in the documentation as it is."""

from pathlib import Path

import pytest

from streams.access import CONSOLE, PROGRAMS, PUBLISHER, STAGES, Operation, Resource, Rule, rules_of
from streams.topics import CHANGELOG, INGEST, PARSED, TOPICS

PAGE = (Path(__file__).parents[3] / "docs" / "operations.md").read_text()


def cell(who: str, resource: Resource, *operations: Operation, word: bool = False) -> str:
    shown = [rule for rule in rules_of(who) if rule.resource is resource and rule.operation in operations]
    return ", ".join(f"{rule.operation.value} " * word + f"`{rule.name}{'*' * rule.prefixed}`" for rule in shown)


@pytest.mark.parametrize("who", [*STAGES, *PROGRAMS])
def test_the_page_says_what_each_needs(who: str) -> None:
    topics = [cell(who, Resource.TOPIC, operation) for operation in (Operation.READ, Operation.WRITE, Operation.DESCRIBE)]
    groups = cell(who, Resource.GROUP, Operation.READ, Operation.DESCRIBE, word=True)
    assert f"| {who} | {' | '.join(topics)} | {groups} |" in PAGE


def test_every_topic_is_written_and_read_by_somebody() -> None:
    rules = [rule for who in (*STAGES, *PROGRAMS) for rule in rules_of(who)]
    for operation in (Operation.READ, Operation.WRITE):
        assert {rule.name for rule in rules if rule.resource is Resource.TOPIC and rule.operation is operation} == {topic.name for topic in TOPICS}


def test_only_the_aggregator_says_what_became_of_a_document_and_nobody_else_has_its_state() -> None:
    for topic in (PARSED, CHANGELOG):
        assert [who for who in (*STAGES, *PROGRAMS) if Rule(Resource.TOPIC, topic.name, Operation.WRITE) in rules_of(who)] == ["assemble"]
    assert [who for who in (*STAGES, *PROGRAMS) if Rule(Resource.TOPIC, CHANGELOG.name, Operation.READ) in rules_of(who)] == ["assemble"]


def test_submissions_come_from_programs_alone() -> None:
    assert [who for who in (*STAGES, *PROGRAMS) if Rule(Resource.TOPIC, INGEST.name, Operation.WRITE) in rules_of(who)] == [PUBLISHER, CONSOLE]
