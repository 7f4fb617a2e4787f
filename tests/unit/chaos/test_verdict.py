"""The chaos suite finds what it looks for: a verdict on records that are wrong in each way says so."""

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas import codec
from schemas.document import Document, DocumentStatus
from schemas.errors import Code, Stage, failure_of
from schemas.events import DocumentFailed, DocumentParsed
from schemas.identity import Submission
from streams import topics
from streams.kafka.records import OutputRecord, Record
from streams.settings import Settings
from tests.chaos.documents import KINDS, make_document
from tests.chaos.driver import Account, Disturbance, Plan
from tests.chaos.faults import draw, names_for
from tests.chaos.model_server import ModelServer
from tests.chaos.reference import Reference
from tests.chaos.report import faults_of, summary
from tests.chaos.test_short_run import PLAN
from tests.chaos.verifier import Verdict, count_endings, judge, may_cost_answers
from tests.chaos.world import SERVED, settings_of

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=1, appended_ms=1_700_000_000_000)


def account(*published: str) -> Account:
    plan = Plan(seed=1, documents=1, faults=1, minutes=1.0)
    return Account(plan=plan, bootstrap_servers="", model_url="", blob_url="", published=dict.fromkeys(published, "text"))


def parsed(text: str = "", status: DocumentStatus = DocumentStatus.COMPLETE) -> bytes:
    document = Document(
        document_id="d", submission=SUBMISSION.id, revision=1, content_sha256="ab", filename=text, media_type="application/pdf", mode="fast",
        status=status, page_count=0, metadata={}, outline=(), warnings=(), pages=(), blocks=(),
    )  # fmt: skip
    event = DocumentParsed(
        document_id="d", submission=SUBMISSION, revision=1, status=status.value, filename=text, content_sha256="ab", document=document
    )
    return codec.encode(event)


def failed(code: Code) -> bytes:
    return codec.encode(DocumentFailed(document_id="d", submission=SUBMISSION, filename="", failure=failure_of(code, Stage.OPEN, "gone")))


def record(topic: str, value: bytes, key: str = "d") -> Record:
    return Record(topic, 0, 0, 0, False, key.encode(), value)


def judged(expected: tuple[str, bytes], actual: tuple[str, bytes]) -> Verdict:
    verdict = Verdict()
    judge(verdict, "d", OutputRecord(expected[0], b"d", expected[1]), record(*actual))
    return verdict


PARSED, FAILED = topics.PARSED.name, topics.FAILED.name


def test_equal_records_are_right() -> None:
    for one in ((PARSED, parsed()), (PARSED, parsed(status=DocumentStatus.PARTIAL)), (FAILED, failed(Code.CORRUPT))):
        verdict = judged(one, one)
        assert not verdict.different
        assert not verdict.partial_instead


def test_whatever_differs_is_named() -> None:
    assert judged((PARSED, parsed("a")), (PARSED, parsed("b"))).different
    assert judged((FAILED, failed(Code.CORRUPT)), (FAILED, failed(Code.TIMED_OUT))).different
    assert judged((FAILED, failed(Code.CORRUPT)), (PARSED, parsed())).different
    assert judged((PARSED, parsed()), (PARSED, parsed(status=DocumentStatus.PARTIAL))).partial_instead
    (line,) = judged((PARSED, parsed()), (FAILED, failed(Code.BLOB_MISSING))).partial_instead
    assert "blob_missing" in line


def test_what_is_lost_doubled_or_foreign_is_counted() -> None:
    verdict = Verdict()
    count_endings(verdict, account("here", "twice", "lost"), {
        "here": [record(PARSED, b"")], "twice": [record(PARSED, b""), record(FAILED, b"")], "unknown": [record(PARSED, b"")],
    })  # fmt: skip
    assert (verdict.lost, verdict.foreign) == (["lost"], ["unknown"])
    assert verdict.doubled == [f"twice: {PARSED}[0]@0 at 0, {FAILED}[0]@0 at 0"]


def test_a_broken_promise_of_any_kind_is_a_line_of_the_report() -> None:
    good = Verdict(submissions=1)
    assert faults_of(account("d"), good) == []
    assert faults_of(account("d", "e"), good)
    for name in ("lost", "doubled", "foreign", "partial_instead", "different", "states_left", "letters_missing", "letters_without_cause"):
        verdict = Verdict(submissions=1, **{name: ["d"]})
        assert faults_of(account("d"), verdict) == [f"{name}: d"]
    assert faults_of(account("d"), Verdict(submissions=1, answered_again=3, in_flight=2))
    died = account("d")
    died.findings = ["read-1 ended with status -6"]
    assert faults_of(died, good)
    assert "| lost | 0 |" in summary(died, good)


def test_only_faults_that_can_lose_an_answer_excuse_one() -> None:
    def one(name: str, detail: str = "") -> bool:
        return may_cost_answers(Disturbance(name=name, detail=detail, began=0.0, ended=0.0, in_flight=1))

    assert one("kill", "infer-2")
    assert one("broker-killed")
    assert one("model-hangs", "4.0 s")
    assert not one("kill", "read-1")
    assert not one("poison", "pages.events")
    assert not one("model-slow", "3 answers in 8 s")


@pytest.fixture
def reference(tmp_path: Path) -> Iterator[Reference]:
    server = ModelServer(0, str(tmp_path / "answers.log"))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    settings: Settings = settings_of(tmp_path, tmp_path / "blobs", f"http://127.0.0.1:{server.server_address[1]}/v1", "")
    undisturbed = Reference(settings)
    yield undisturbed
    undisturbed.close()
    server.shutdown()
    thread.join()
    server.server_close()


ENDS = {
    "text": "complete", "scan": "complete", "long": "complete", "large-outline": "message_too_large", "noise": "unknown_type", "empty": "empty_file",
    "locked": "encrypted", "bad-page": "partial",
}  # fmt: skip


def test_each_kind_of_document_ends_as_it_should_and_twice_the_same(reference: Reference) -> None:
    for kind, expected in ENDS.items():
        submitted = Record(topics.INGEST.name, 0, 1, 1_700_000_000_000, True, kind.encode(), KINDS[kind][1](random.Random(kind), 1))
        first, second = reference.outcome(submitted), reference.outcome(submitted)
        assert first.value == second.value, kind
        if first.topic == PARSED:
            assert codec.decode(first.value or b"", DocumentParsed).status == expected
        else:
            assert codec.decode(first.value or b"", DocumentFailed).failure.code.value == expected


def test_a_run_can_be_repeated() -> None:
    made = [make_document(5, number) for number in range(40)]
    again = [make_document(5, number) for number in range(40)]
    assert [one.document_id for one in made] == [one.document_id for one in again]
    assert [one.data for one in made if one.kind != "locked"] == [one.data for one in again if one.kind != "locked"]  # encryption salts
    assert len({document.document_id for document in made}) == 40
    assert made != [make_document(6, number) for number in range(40)]


def test_the_short_run_has_a_fault_of_each_sort() -> None:
    """Which faults a seed draws depends on the table of all: whoever changes that chooses another seed."""
    asked = dict(zip(PLAN[::2], PLAN[1::2], strict=True))
    dice, names = random.Random(f"{asked['--seed']}:faults"), names_for(SERVED)
    drawn = {draw(dice, names) for _ in range(int(asked["--faults"]))}
    assert drawn == {"kill", "store-away", "broker-killed", "state-full", "model-killed", "zombie", "terminate"}
