"""Tesseract with the data of its wheel: what it reads, which way up, in which script; and which data counts."""

from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest

from inference.engines import tesseract_data
from inference.engines.tesseract import Found, TesseractEngine, create_engine, lines_of, respaced
from inference.images import PagePixels
from inference.types import EngineOptions, PageRead, PageRefused, TextLine
from schemas.errors import Code, PageloomError
from tests.unit.inference.making import page_image

LINES = [
    "The harvest of the northern valley was late this year,",
    "and the price of grain rose by a quarter in a month.",
    "Nobody had expected that.",
]


@pytest.fixture(autouse=True)
def wheel_data_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine has besides must not decide."""
    monkeypatch.setattr(tesseract_data, "SYSTEM_FOLDERS", ())
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)


@pytest.fixture
def engine() -> Iterator[TesseractEngine]:
    made = create_engine(EngineOptions())
    made.warm_up()
    yield made
    made.close()


def page(rotation: int = 0, lines: list[str] = LINES, font: str = "helv") -> PagePixels:
    sheet = pymupdf.open().new_page(width=400, height=200)
    for number, line in enumerate(lines):
        sheet.insert_text((30, 50 + 24 * number), line, fontsize=12, fontname=font)
    sheet.set_rotation(rotation)
    pixels = sheet.get_pixmap(dpi=200)
    return PagePixels(page_image(4, b"", pixels.width, pixels.height, dpi=200), pixels.tobytes("png"), 10**8)


def read(engine: TesseractEngine, pixels: PagePixels) -> PageRead:
    ((answer,),) = engine.recognize([(pixels,)], 1)
    assert isinstance(answer, PageRead), answer
    return answer


def test_a_page_is_read_with_places_and_confidence(engine: TesseractEngine) -> None:
    answer = read(engine, page())
    assert " ".join(block.text for block in answer.content.blocks) == " ".join(LINES)
    assert answer.confidence > 0.9
    x0, y0, x1, y1 = answer.content.blocks[0].bbox
    assert 25 < x0 < 35
    assert 36 < y0 < 46
    assert x1 < 400
    assert y1 < 110


@pytest.mark.parametrize("found", [Found(None, None), Found(0, "Latin"), Found(None, "Cyrillic")])
@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_page_that_reads_badly_is_tried_the_other_ways_round(
    engine: TesseractEngine, monkeypatch: pytest.MonkeyPatch, rotation: int, found: Found
) -> None:
    monkeypatch.setattr(engine, "_oriented", lambda _: found)
    answer = read(engine, page(rotation))
    assert "harvest of the northern valley" in " ".join(block.text for block in answer.content.blocks)
    assert {block.rotation for block in answer.content.blocks} == {rotation}


def test_an_orientation_that_was_found_is_taken(engine: TesseractEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_oriented", lambda _: Found(180, "Latin"))
    monkeypatch.setattr(engine, "_best_turned", lambda *_: pytest.fail("it was turned already"))
    assert "harvest" in " ".join(block.text for block in read(engine, page(180)).content.blocks)


def test_a_wrong_word_on_the_script_costs_nothing(engine: TesseractEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_oriented", lambda _: Found(0, "Hebrew"))
    assert "harvest" in " ".join(block.text for block in read(engine, page()).content.blocks)


def test_a_page_that_no_data_reads_is_refused_by_its_script(engine: TesseractEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_oriented", lambda _: Found(0, "Hebrew"))
    ((answer,),) = engine.recognize([(page(lines=["\u4e2d\u6587\u6587\u672c\u4e2d\u6587\u6587\u672c" * 2] * 3, font="china-s"),)], 1)
    assert isinstance(answer, PageRefused)
    assert (answer.code, answer.page) == (Code.SCRIPT_UNSUPPORTED, 4)
    assert "Hebrew" in answer.message


def test_a_white_page_has_no_text(engine: TesseractEngine) -> None:
    assert read(engine, page(lines=[])).content.blocks == ()


def test_tiny_pages_are_legal(engine: TesseractEngine) -> None:
    sheet = pymupdf.open().new_page(width=3, height=3)
    pixels = sheet.get_pixmap(dpi=72)
    assert read(engine, PagePixels(page_image(1, b"", 3, 3), pixels.tobytes("png"), 100)).content.blocks == ()


def test_words_of_a_line_stay_in_their_logical_order() -> None:
    table = (
        "4\t1\t1\t1\t1\t0\t10\t10\t90\t20\t-1\t\n"
        "5\t1\t1\t1\t1\t1\t60\t10\t40\t20\t90\tשלום\n"
        "5\t1\t1\t1\t1\t2\t10\t12\t40\t20\t60\tעולם\n"
        "5\t1\t1\t1\t2\t1\t10\t50\t40\t20\t80\t \n"
        "garbage\n"
    )
    (line,) = lines_of(table)
    assert (line.bbox, line.text, line.confidence) == ((10.0, 10.0, 100.0, 32.0), "שלום עולם", pytest.approx(0.75))
    assert [(word.text, round(word.start * 90)) for word in line.words] == [("עולם", 0), ("שלום", 50)]


def test_data_is_found_where_it_lies_and_the_first_place_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "heb.traineddata").write_bytes(b"x")
    (tmp_path / "script").mkdir()
    (tmp_path / "script" / "Cyrillic.traineddata").write_bytes(b"x")
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    files = tesseract_data.data_files()
    assert {"heb", "Cyrillic", "eng"} <= files.keys()
    assert set(tesseract_data.scripts()) >= {"Latin", "Hebrew", "Cyrillic"}
    before = tesseract_data.version(EngineOptions())
    (tmp_path / "heb.traineddata").write_bytes(b"another")
    assert tesseract_data.version(EngineOptions()) != before


def test_without_any_data_the_engine_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tesseract_data, "folders", list)
    with pytest.raises(PageloomError, match="tesseract-ocr-eng"):
        tesseract_data.version(EngineOptions())
    with pytest.raises(PageloomError):
        create_engine(EngineOptions()).warm_up()


def test_the_syllables_of_a_korean_word_stand_together() -> None:
    lines = [TextLine((0.0, 0.0, 90.0, 20.0), "안녕하세요, 저 희 는 그룹", 0.9), TextLine((0.0, 30.0, 90.0, 50.0), "one two", 0.9)]
    assert [line.text for line in respaced(lines, "안녕하세요, 저희는 그룹\n\none  two\n")] == ["안녕하세요, 저희는 그룹", "one two"]
    assert respaced(lines, "") == lines
