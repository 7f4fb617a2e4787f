"""Records of the failure topics as entries, and which of them are meant."""

from schemas import codec
from schemas.dead_letters import dead_lettered
from schemas.errors import Code, PageloomError, Stage, failure_of
from schemas.events import DocumentFailed, PageFailed
from schemas.identity import Submission
from streams.failures import FailureEntry, entry_of, matching
from streams.kafka.records import Record

SUBMISSION = Submission(topic="documents.ingest", partition=1, offset=9, appended_ms=1000)


def record(value: bytes | None, topic: str = "documents.failed") -> Record:
    return Record(
        topic=topic, partition=2, offset=5, timestamp_ms=77, timestamp_is_log_append=False, key=b"a", value=value, headers=()
    )  # fmt: skip


def entry(document: str, code: Code, stage: Stage) -> FailureEntry:
    return FailureEntry(kind="document", time_ms=1, document_id=document, code=code.value, stage=stage.value, message="")


def test_failures_of_documents_and_pages_say_where_they_came_from() -> None:
    failure = failure_of(Code.TIMED_OUT, Stage.READ, "page 3: too slow", 2)
    page = entry_of(record(codec.encode(PageFailed(document_id="a", submission=SUBMISSION, page=3, failure=failure, filename="f.pdf"))))
    assert page is not None
    assert (page.kind, page.page, page.code, page.stage, page.attempts, page.retryable) == ("page", 3, "timed_out", "read", 2, True)
    assert (page.submission, page.filename, page.place, page.time_ms) == (SUBMISSION, "f.pdf", "documents.failed[2]@5", 77)
    document = entry_of(record(codec.encode(DocumentFailed(document_id="a", submission=SUBMISSION, filename="f.pdf", failure=failure))))
    assert document is not None
    assert (document.kind, document.page) == ("document", None)


def test_a_dead_letter_names_the_record_that_it_is_about() -> None:
    letter = dead_lettered(("pages.events", 3, 44), b"key \xff", b"junk", Stage.ASSEMBLE, PageloomError(Code.UNDECODABLE, "no event"))
    found = entry_of(record(codec.encode(letter), "dead.letters"))
    assert found is not None
    assert (found.kind, found.place, found.document_id, found.submission) == ("letter", "pages.events[3]@44", "key \ufffd", None)


def test_tombstones_and_strangers_are_no_failures() -> None:
    assert entry_of(record(None)) is None
    assert entry_of(record(b"not an event of ours")) is None


def test_choices_narrow_and_no_choice_takes_all() -> None:
    entries = [entry("a", Code.CORRUPT, Stage.OPEN), entry("b", Code.TIMED_OUT, Stage.READ), entry("b", Code.CORRUPT, Stage.READ)]
    assert matching(entries) == entries
    assert matching(entries, documents=["b"], codes=["corrupt"]) == entries[2:]
    assert matching(entries, stages=["open", "infer"]) == entries[:1]
    assert matching(entries, documents=["c"]) == []
