"""The pages of docs/ say all there is: metrics, settings, topics, codes, reasons, packages, transitions."""

import re
from pathlib import Path

import msgspec

from inference.guards import Problem
from schemas.errors import RULES
from streams.assemble.state.fold import TRANSITIONS
from streams.assemble.state.steps import Skipped
from streams.read.trust.symptoms import SYMPTOMS
from streams.settings import Settings
from streams.telemetry.metrics import METRICS
from streams.topics import TOPICS, Cleanup

ROOT = Path(__file__).parents[3]


def test_metrics_are_documented() -> None:
    operations = (ROOT / "docs" / "operations.md").read_text()
    assert not [metric.name for metric in METRICS if f"`{metric.name}`" not in operations]
    assert not [label for metric in METRICS for label in metric.labels if f"`{label}`" not in operations]


def test_settings_are_documented() -> None:
    """Every setting has a value that a person can see without reading code."""
    text = (ROOT / "docs" / "settings.md").read_text()
    missing = [f.name for f in msgspec.structs.fields(Settings) if f"`{f.name}`" not in text]
    assert not missing


def test_topics_and_codes_are_documented() -> None:
    text = (ROOT / "docs" / "topics.md").read_text()
    assert not [t.name for t in TOPICS if f"`{t.name}`" not in text]
    for code, rule in RULES.items():
        assert f"| `{code.value}` | {rule.fault.value} | {'yes' if rule.retryable else 'no'} | {rule.next_step} |" in text
    assert not [event for t in TOPICS for event in t.events if event != "DocumentRecorded" and f"`{event}`" not in text]


def test_reasons_are_documented() -> None:
    text = (ROOT / "docs" / "topics.md").read_text()
    reasons = {symptom.reason for symptom in SYMPTOMS} | {problem.value for problem in Problem}
    assert not [reason for reason in reasons if f"`{reason}`" not in text]


def test_topics_are_documented_in_the_words_that_the_command_has() -> None:
    """`pageloom topics` and the page said two things of the same topic."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in (ROOT / "docs" / "topics.md").read_text().splitlines()]
    shown = {name: row for row in rows if len(row) == 5 for name in re.findall(r"`([a-z.]+)`", row[0])}
    for topic in TOPICS:
        first, *said = shown[topic.name]
        assert [said[0], *said[2:]] == [topic.key, topic.written_by, topic.read_by], topic.name
        assert ("compacted" in first) == (topic.cleanup is Cleanup.COMPACT)


def test_the_map_names_every_package() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    packages = {p.parent.relative_to(ROOT).as_posix() for folder in ("schemas", "inference", "streams") for p in (ROOT / folder).rglob("__init__.py")}
    assert not [name for name in packages - {"streams"} if f"| `{name}` |" not in text]
    modules = {p.stem for p in (ROOT / "streams").glob("*.py")} - {"__init__"}
    assert not [name for name in modules if f"`{name}`" not in text]


def test_the_map_holds_the_transitions() -> None:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in (ROOT / "docs" / "architecture.md").read_text().splitlines()]
    shown = {row[0]: row[1:] for row in rows if len(row) == 5}
    for event, transitions in TRANSITIONS.items():
        expected = [f"*{t.value}*" if isinstance(t, Skipped) else f"`{t.__name__.removeprefix('_')}`" for t in transitions]
        assert shown[f"`{event.__name__}`"] == expected
    assert len([name for name in shown if name.startswith("`")]) == len(TRANSITIONS)
