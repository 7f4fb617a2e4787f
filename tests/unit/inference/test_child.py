"""An engine process: every unit is answered, whatever the process does."""

import importlib
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from inference.engines.child import EngineChild, EngineClosed
from inference.engines.wire import steps
from inference.types import PageInput, PageRead, PageRefused, Unit
from schemas.errors import Code, PageloomError
from tests.unit.inference.engine_for_tests import spec_of
from tests.unit.inference.making import unit_of


@pytest.fixture
def engine():
    made = []

    def make(page_timeout_s=20.0, **spec):
        made.append(EngineChild(spec_of(**spec), page_timeout_s=page_timeout_s))
        return made[-1]

    yield make
    for child in made:
        child.kill()


def text_of(answer):
    return answer.content.blocks[0].text


def process_of(answer):
    return text_of(answer).split()[-1]


def test_units_are_answered_in_order_by_one_process(engine):
    answers = engine().recognize([unit_of(1), unit_of(2), unit_of(3)])
    assert [[a.page for a in unit] for unit in answers] == [[1], [2], [3]]
    assert len({process_of(unit[0]) for unit in answers}) == 1


def test_a_page_that_kills_its_process_fails_after_three_deaths_and_the_others_are_read(engine):
    answers = engine().recognize([unit_of(1), unit_of(2, word="die"), unit_of(3)])
    assert isinstance(answers[0][0], PageRead)
    assert answers[1][0].code is Code.ENGINE_FAILED
    assert answers[1][0].attempts == 3
    assert isinstance(answers[2][0], PageRead)


def test_a_crash_in_a_batch_costs_only_the_page_that_crashes_alone(engine):
    answers = engine(batch_pages=4).recognize([unit_of(1), unit_of(2, word="die"), unit_of(3), unit_of(4)])
    assert [type(unit[0]) for unit in answers] == [PageRead, PageRefused, PageRead, PageRead]


def test_a_page_whose_process_is_killed_once_is_read_by_the_next(engine, tmp_path):
    answers = engine().recognize([unit_of(1, word=f"die-once:{tmp_path / 'mark'}"), unit_of(2)])
    assert [isinstance(unit[0], PageRead) for unit in answers] == [True, True]


def test_a_page_that_hangs_times_out_and_the_next_is_read(engine):
    child = engine(page_timeout_s=1.0)
    child.recognize([unit_of(9)])  # the process is warm: its start is no page's time
    started = time.monotonic()
    answers = child.recognize([unit_of(1, word="hang"), unit_of(2)])
    assert answers[0][0].code is Code.TIMED_OUT
    assert "recognize_timeout_s" in answers[0][0].message
    assert isinstance(answers[1][0], PageRead)
    assert time.monotonic() - started < 15


def test_who_is_told_of_a_lost_engine_learns_what_it_was_reading(engine):
    """The line named pages, of whatever document."""
    child = engine(page_timeout_s=1.0)
    child.recognize([unit_of(9)])
    with capture_logs() as lines:
        child.recognize([replace(unit_of(1, word="hang"), document_id="a report")])
    (lost,) = [line for line in lines if line["event"] == "engine.lost"]
    assert (lost["documents"], lost["pages"]) == (["a report"], [1])


def test_an_exception_of_the_engine_is_an_answer_without_its_text(engine):
    (refused,) = engine().recognize([unit_of(1, word="raise")])[0]
    assert refused.code is Code.ENGINE_FAILED
    assert "RuntimeError" in refused.message
    assert "text of a document" not in refused.message


def test_a_loop_is_asked_for_again_and_then_refused(engine):
    (refused,) = engine(attempts=2).recognize([unit_of(1, word="loop")])[0]
    assert refused.code is Code.ENGINE_FAILED
    assert "repeated_text" in refused.message
    assert refused.attempts == 2


def test_windows_keep_their_pages_together(engine):
    (answer,) = engine(window_pages=3).recognize([unit_of(4, 5, 6)])
    assert [a.page for a in answer] == [4, 5, 6]


def test_a_damaged_image_refuses_its_unit(engine):
    broken = Unit((PageInput(unit_of(1).pages[0].image, b"\x89PNG\r\n\x1a\n and no more"),))
    (refused,) = engine().recognize([broken])[0]
    assert refused.code is Code.CORRUPT


def test_an_engine_that_cannot_start_is_an_error_of_the_worker(engine):
    with pytest.raises(PageloomError, match="does not start"):
        engine(module="no.such.module").recognize([unit_of(1)])


def test_a_killed_engine_answers_nothing_more(engine):
    child = engine()
    child.recognize([unit_of(1)])
    child.kill()
    with pytest.raises(EngineClosed):
        child.recognize([unit_of(1)])


@pytest.mark.parametrize(
    ("pages", "batch", "expected"),
    [
        ([], 4, []),
        ([1, 1, 1], 1, [(0, 1), (1, 2), (2, 3)]),
        ([1, 1, 1], 2, [(0, 2), (2, 3)]),
        ([5, 1], 2, [(0, 1), (1, 2)]),
        ([1, 2, 1], 4, [(0, 3)]),
    ],
)
def test_steps_hold_what_pays_to_be_computed_together(pages, batch, expected):
    assert steps(pages, batch) == expected


def test_the_worker_side_imports_no_model_library():
    names = ["inference.consumer", "inference.engines.registry", "inference.desk"]
    heavy = ["cv2", "rapidocr", "onnxruntime", "torch"]
    code = f"import sys, importlib; [importlib.import_module(n) for n in {names}]; print([m for m in {heavy} if m in sys.modules])"
    root = str(Path(importlib.import_module("inference").__file__).parent.parent)
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root).stdout
    assert output.strip() == "[]"
