"""Pages of files that were cut off or damaged say so, or fail: they are never blank pages, and never whole ones."""

import re

import pymupdf
import pytest

from schemas.errors import Code, PageloomError
from streams.read.page import Survey, survey_page
from tests.unit.read.pages import prose, wrap, write

PAGES = 4


def document() -> bytes:
    made = pymupdf.open()
    for number in range(PAGES):
        write(made.new_page(width=595, height=842), 60, 80, wrap(prose(1200, 5 * number), 470))
    return bytes(pymupdf.open("pdf", made.tobytes()).tobytes(deflate=True, garbage=3, clean=True))


WHOLE = document()


def outcomes(data: bytes) -> list[Survey | Code]:
    found: list[Survey | Code] = []
    with pymupdf.open("pdf", data) as opened:
        for page in opened:
            try:
                found.append(survey_page(page))
            except PageloomError as error:
                found.append(error.code)
    return found


def letters(survey: Survey) -> int:
    return sum(fragment.letters for fragment in survey.fragments)


def contents_of(data: bytes, page: int) -> int:
    with pymupdf.open("pdf", data) as opened:
        return int(opened[page].get_contents()[0])


def test_a_sound_document_has_lost_nothing() -> None:
    for found in outcomes(WHOLE):
        assert isinstance(found, Survey)
        assert "content_lost" not in found.reasons
        assert not found.warnings


@pytest.mark.parametrize("share", [0.85, 0.75, 0.65, 0.5, 0.4])
def test_pages_of_a_file_that_is_cut_off_are_whole_or_doubted_or_failed(share: float) -> None:
    complete = [letters(found) for found in outcomes(WHOLE) if isinstance(found, Survey)]
    found = outcomes(WHOLE[: int(share * len(WHOLE))])
    assert len(found) == PAGES
    for outcome, all_letters in zip(found, complete, strict=True):
        if isinstance(outcome, Survey):
            assert not outcome.verdict.blank
            assert letters(outcome) == all_letters or ("content_lost" in outcome.reasons and outcome.confidence <= 0.3)
        else:
            assert outcome is Code.CORRUPT
    assert share > 0.8 or Code.CORRUPT in found


def test_a_page_whose_content_is_not_in_the_file_fails() -> None:
    number = contents_of(WHOLE, 1)
    found = outcomes(WHOLE.replace(b"/Contents %d 0 R" % number, b"/Contents 99 0 R"))
    assert found[1] is Code.CORRUPT
    assert all(isinstance(found[other], Survey) for other in (0, 2, 3))


def test_a_page_that_lacks_one_of_its_streams_is_read_and_doubted() -> None:
    with pymupdf.open("pdf", WHOLE) as opened:
        opened.xref_set_key(opened[1].xref, "Contents", f"[{opened[1].get_contents()[0]} 0 R 99 0 R]")
        data = opened.tobytes()
    survey = outcomes(data)[1]
    assert isinstance(survey, Survey)
    assert letters(survey) > 500
    assert survey.confidence <= 0.3
    assert survey.reasons == ("content_lost",)
    assert "missing" in survey.warnings[0]


@pytest.mark.parametrize("value", ["null", "[]"])
def test_a_page_without_content_is_blank(value: str) -> None:
    with pymupdf.open("pdf", WHOLE) as opened:
        opened.xref_set_key(opened[1].xref, "Contents", value)
        survey = survey_page(pymupdf.open("pdf", opened.tobytes())[1])
    assert survey.verdict.blank


def test_a_stream_that_is_damaged_in_the_middle_is_noticed() -> None:
    data = bytearray(WHOLE)
    start = re.search(rb"\n%d 0 obj.*?stream\r?\n" % contents_of(WHOLE, 2), WHOLE, re.DOTALL)
    assert start is not None
    data[start.end() + 200 : start.end() + 230] = b"\xff" * 30
    survey = outcomes(bytes(data))[2]
    assert survey is Code.CORRUPT or (isinstance(survey, Survey) and survey.reasons == ("content_lost",))
