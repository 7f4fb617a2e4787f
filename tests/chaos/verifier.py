"""Judges a chaos run, as a process of its own: `python -m tests.chaos.verifier FOLDER`, while the broker and the model of the run still answer.

Every submission on the log is run again undisturbed (`Reference`), and its terminal record compared byte for byte. The time of the broker, and so
the revision, is that of the same record: only the attempts of a failure are left out of the comparison.
"""

import collections
import sys
import time
from pathlib import Path

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from schemas import codec
from schemas.errors import Code
from schemas.events import DeadLettered, DocumentFailed, DocumentParsed
from schemas.state import DocumentRecorded
from streams import topics
from streams.kafka.reading import RecordReader
from streams.kafka.records import OutputRecord, Record
from tests.chaos.documents import MESSAGE_BYTES
from tests.chaos.driver import Account, Disturbance
from tests.chaos.reference import Reference
from tests.chaos.world import settings_of

JUST_BEFORE_S = 2.0
"""Answers of the model that may not yet be kept anywhere when a fault comes: they count as in flight."""
SHOWN = 20
"""Of what differs, in the verdict."""


class Verdict(Struct, kw_only=True):
    """What the verifier found. Everything but the counts of what was looked at has to be empty or 0."""

    submissions: int = 0
    compared: int = 0
    complete: int = 0
    partial: int = 0
    failed: int = 0
    cancelled: int = 0
    lost: list[str] = []
    doubled: list[str] = []
    foreign: list[str] = []
    """Terminal records of nothing that was published."""
    partial_instead: list[str] = []
    """Partial or failed, where the undisturbed run is complete."""
    different: list[str] = []
    states_left: list[str] = []
    letters: int = 0
    letters_missing: list[str] = []
    letters_without_cause: list[str] = []
    pages_answered: int = 0
    answered_again: int = 0
    in_flight: int = 0
    """What may have been answered again: requests at the model when a fault came."""
    reference_s: float = 0.0


def verify(account: Account, folder: Path) -> Verdict:
    """The verdict on a run."""
    verdict = Verdict()
    reader = RecordReader(account.bootstrap_servers, "verifier", max_message_bytes=MESSAGE_BYTES)
    ended: dict[str, list[Record]] = collections.defaultdict(list)
    for record in reader.since([topics.PARSED.name, topics.FAILED.name], 0):
        ended[(record.key or b"").decode()].append(record)
    count_endings(verdict, account, ended)
    _look_at_answers(verdict, account, folder)  # before the undisturbed run asks the same model
    _compare(verdict, account, folder, list(reader.since([topics.INGEST.name], 0)), ended)
    look_at_state(verdict, reader)
    _look_at_letters(verdict, account, reader)
    return verdict


def count_endings(verdict: Verdict, account: Account, ended: dict[str, list[Record]]) -> None:
    verdict.lost = sorted(document for document in account.published if document not in ended)
    doubled = {document: [f"{r.topic}[{r.partition}]@{r.offset} at {r.timestamp_ms}" for r in records] for document, records in ended.items()}
    verdict.doubled = sorted(f"{document}: {', '.join(places)}" for document, places in doubled.items() if len(places) > 1)
    verdict.foreign = sorted(ended.keys() - account.published.keys())


def _compare(verdict: Verdict, account: Account, folder: Path, submissions: list[Record], ended: dict[str, list[Record]]) -> None:
    """Runs every submission again."""
    alone = folder / "reference"
    (alone / "blobs").mkdir(parents=True)
    (alone / "blobs" / "shared").symlink_to(folder / "blobs" / "shared")  # documents too large for a message
    reference = Reference(settings_of(alone, alone / "blobs", account.model_url, "", engine=account.plan.engine))
    cancelled, started = set(account.cancelled), time.monotonic()
    verdict.submissions = len(submissions)
    for record in submissions:
        document_id = (record.key or b"").decode()
        for actual in ended.get(document_id, ())[:1]:
            if document_id in cancelled and _is_cancelled(actual):
                verdict.cancelled += 1
                continue
            expected = reference.outcome(record)
            verdict.compared += 1
            judge(verdict, document_id, expected, actual)
    reference.close()
    verdict.reference_s = round(time.monotonic() - started, 1)


def judge(verdict: Verdict, document_id: str, expected: OutputRecord, actual: Record) -> None:
    wanted, found = _status(expected.topic, expected.value), _status(actual.topic, actual.value)
    if found == "complete":
        verdict.complete += 1
    elif found == "partial":
        verdict.partial += 1
    else:
        verdict.failed += 1
    if wanted == "complete" != found:
        verdict.partial_instead.append(f"{document_id}: {found}; {_why(actual)}")
    elif (expected.topic, _without_attempts(expected.topic, expected.value)) != (actual.topic, _without_attempts(actual.topic, actual.value)):
        verdict.different.append(f"{document_id}: {wanted} {found}; {_first_difference(expected, actual)}")


def _without_attempts(topic: str, value: bytes | None) -> bytes:
    """A terminal record without how often a failure was tried, which a fault may raise."""
    if topic == topics.PARSED.name:
        return value or b""
    event = codec.decode(value or b"", DocumentFailed)
    return codec.encode(replace(event, failure=replace(event.failure, attempts=1)))


def _is_cancelled(record: Record) -> bool:
    return record.topic == topics.FAILED.name and codec.decode(record.value or b"", DocumentFailed).failure.code is Code.CANCELLED


def _status(topic: str, value: bytes | None) -> str:
    if topic == topics.PARSED.name:
        return codec.decode(value or b"", DocumentParsed).status
    return f"failed: {codec.decode(value or b'', DocumentFailed).failure.code.value}"


def _why(record: Record) -> str:
    """The first failure of a document."""
    if record.topic == topics.FAILED.name:
        return codec.decode(record.value or b"", DocumentFailed).failure.message
    document = codec.decode(record.value or b"", DocumentParsed).document
    failed = [page.error.message for page in document.pages if page.error is not None] if document else []
    return failed[0] if failed else "its pages are stored apart"


def _first_difference(expected: OutputRecord, actual: Record) -> str:
    """Where two events differ first, for a person."""
    texts = []
    for topic, value in ((expected.topic, expected.value), (actual.topic, actual.value)):
        event = codec.decode(value or b"", DocumentParsed if topic == topics.PARSED.name else DocumentFailed)
        texts.append(msgspec.json.encode(event).decode())
    place = next((i for i, (one, other) in enumerate(zip(*texts, strict=False)) if one != other), min(map(len, texts)))
    return " | ".join(text[max(0, place - 60) : place + 60] for text in texts)


def look_at_state(verdict: Verdict, reader: RecordReader) -> None:
    """What is left on the changelog: a record for each document, and nothing of its pages."""
    live: dict[tuple[int, bytes], bytes] = {}
    for record in reader.since([topics.CHANGELOG.name], 0):
        place = (record.partition, record.key or b"")
        if record.value is None:
            live.pop(place, None)
        else:
            live[place] = record.value
    for (_, key), value in live.items():
        name = codec.name_of(value)
        if name != DocumentRecorded.__name__ or codec.decode(value, DocumentRecorded).opened is not None:
            verdict.states_left.append(f"{key!r}: {name}")


def _look_at_letters(verdict: Verdict, account: Account, reader: RecordReader) -> None:
    """One dead letter at least for each record that is none, and none of anything else."""
    about = {}
    for record in reader.since([topics.DEAD_LETTERS.name], 0):
        letter = codec.decode(record.value or b"", DeadLettered)
        about[letter.topic, letter.partition, letter.offset] = letter
    verdict.letters = len(about)
    found = collections.Counter(letter.topic for letter in about.values() if letter.key == b"noise" and letter.cause == Code.UNDECODABLE.value)
    verdict.letters_missing = sorted((collections.Counter(account.poisoned) - found).elements())
    verdict.letters_without_cause = [f"{letter.topic}: {letter.message}" for letter in about.values() if letter.key != b"noise"]


def _look_at_answers(verdict: Verdict, account: Account, folder: Path) -> None:
    """Pages that the model answered more than once, beside those that a fault may have cost."""
    lines = [line.split() for line in (folder / "answers.log").read_text().splitlines()]
    times = [float(at) for at, _ in lines]
    verdict.pages_answered = len(lines)
    verdict.answered_again = len(lines) - len({digest for _, digest in lines})
    verdict.in_flight = sum(
        d.in_flight + sum(d.began - JUST_BEFORE_S <= at <= d.began for at in times) for d in account.disturbances if may_cost_answers(d)
    )


def may_cost_answers(disturbance: Disturbance) -> bool:
    """Whether a fault may lose answers of the model that were on their way: one of its readers, of the model, the broker or the store."""
    name, detail = disturbance.name, disturbance.detail
    return name not in ("poison", "model-slow") and (not detail or detail.startswith("infer") or name.startswith("model"))


def main() -> None:
    """Prints the verdict as JSON."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    folder = Path(sys.argv[1])
    account = msgspec.json.decode((folder / "account.json").read_bytes(), type=Account)
    print(msgspec.json.encode(verify(account, folder)).decode())


if __name__ == "__main__":
    main()
