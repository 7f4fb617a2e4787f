"""Envelopes of page events: any bytes are an event that belongs there, or undecodable, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import codec, writers
from schemas.errors import Code, Stage, failure_of
from schemas.events import DocumentDeleted, PageFailed
from schemas.identity import Submission
from streams.assemble.state.envelopes import open_envelope

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=1, appended_ms=1)
FAILED = PageFailed(document_id="d", submission=SUBMISSION, page=3, failure=failure_of(Code.CORRUPT, Stage.READ, "made up"))
VALUES = [codec.encode(FAILED), codec.encode(DocumentDeleted(document_id="d", submission=SUBMISSION))]
HEADERS = [writers.header_of_event(name) for name in codec.event_names()]


@given(st.one_of(st.binary(max_size=80), st.builds(lambda header, body: header + body, st.sampled_from(HEADERS), st.binary(max_size=120))))
def test_any_bytes(data: bytes) -> None:
    try:
        event = open_envelope(data)
    except codec.Undecodable:
        return
    assert isinstance(event.document_id, str)


@given(st.sampled_from(VALUES), st.data())
def test_damaged_events(value: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(value) - 1))
    damaged = data.draw(st.sampled_from([value[:place], value[:place] + data.draw(st.binary(min_size=1, max_size=3)) + value[place + 1 :]]))
    try:
        open_envelope(damaged)
    except codec.Undecodable:
        return


@pytest.mark.parametrize("page", [0, -1, 2**40])
def test_pages_that_no_document_has(page: int) -> None:
    with pytest.raises(codec.Undecodable):
        open_envelope(codec.encode(PageFailed(document_id="d", submission=SUBMISSION, page=page, failure=FAILED.failure)))
