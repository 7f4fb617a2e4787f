"""Pages that lie askew read as they would if they lay straight; their blocks keep the places where they are displayed."""

import math

import pymupdf
import pytest

from schemas.content import BlockType, PageContent
from streams.read.page import survey_page
from streams.read.text_pass import read_text
from streams.read.tilt import tilt_of
from tests.unit.read.pages import HEIGHT, WIDTH, made, prose, read, texts, wrap

MIDDLE = (WIDTH / 2, HEIGHT / 2)
COLUMNS = [(60.0, wrap(prose(900), 220)), (320.0, wrap(prose(700, 9), 220))]
ROWS = [["Quay", "Boats", "Crew"], ["North harbour", "12", "140"], ["South pier", "9", "88"], ["Western island", "31", "402"], ["East", "4", "17"]]


def turned(x: float, y: float, degrees: float) -> tuple[float, float]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    dx, dy = x - MIDDLE[0], y - MIDDLE[1]
    return MIDDLE[0] + dx * cos - dy * sin, MIDDLE[1] + dx * sin + dy * cos


def put(page: pymupdf.Page, x: float, y: float, line: str, degrees: float, *, upright: bool) -> None:
    """A line at its place on a page turned clockwise: turned itself, or its words upright as recognition sets them."""
    if not upright:
        page.insert_text((x, y), line, fontsize=10, morph=(pymupdf.Point(MIDDLE), pymupdf.Matrix(-degrees)))
        return
    for word in line.split():
        page.insert_text(turned(x, y, degrees), word, fontsize=10)
        x += pymupdf.get_text_length(word + " ", fontsize=10)


def page_at(degrees: float, *, upright: bool, rotation: int = 0) -> PageContent:
    def draw(page: pymupdf.Page) -> None:
        put(page, 60, 80, "A report on the harbour and on whoever works there at night", degrees, upright=upright)
        for x, lines in COLUMNS:
            for number, line in enumerate(lines):
                put(page, x, 130 + 13 * number, line, degrees, upright=upright)
        for number, row in enumerate(ROWS):
            for column, text in enumerate(row):
                put(page, 60 + 150 * column, 600 + 14 * number, text, degrees, upright=upright)

    document = made(draw)
    document[0].set_rotation(rotation)
    return read(document)


LEVEL = page_at(0, upright=False)
"""The page as it should be read."""


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("degrees", [-9.0, -3.0, -1.0, 0.6, 2.0, 5.0, 9.0])
def test_a_page_that_lies_askew_reads_as_if_it_lay_straight(degrees: float, *, upright: bool) -> None:
    found = page_at(degrees, upright=upright)
    assert texts(found) == texts(LEVEL)
    assert [block.type for block in found.blocks] == [block.type for block in LEVEL.blocks]
    tables, level = ([[cell.text for cell in block.table.cells] for block in page.blocks if block.table] for page in (found, LEVEL))
    assert tables == level
    assert len(level) == 1


@pytest.mark.parametrize("degrees", [-6.0, 4.0])
def test_blocks_are_where_they_are_displayed(degrees: float) -> None:
    for block, level in zip(page_at(degrees, upright=False).blocks, LEVEL.blocks, strict=True):
        x0, y0, x1, y1 = level.bbox
        corners = [turned(x, y, degrees) for x in (x0, x1) for y in (y0, y1)]
        wanted = min(x for x, _ in corners), min(y for _, y in corners), max(x for x, _ in corners), max(y for _, y in corners)
        assert block.bbox == pytest.approx(wanted, abs=4.0)


def test_a_page_with_rotation_is_levelled_as_it_is_displayed() -> None:
    found = page_at(3.0, upright=False, rotation=180)
    level = page_at(0.0, upright=False, rotation=180)
    assert texts(found) == texts(level)
    for block, other in zip(found.blocks, level.blocks, strict=True):
        assert math.dist(((block.bbox[0] + block.bbox[2]) / 2, (block.bbox[1] + block.bbox[3]) / 2), centre_of(other.bbox)) < 25


def centre_of(box: tuple[float, float, float, float]) -> tuple[float, float]:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return turned(x, y, 3.0)


def test_a_slanting_stamp_on_a_level_page_tilts_nothing() -> None:
    def draw(page: pymupdf.Page) -> None:
        for number, line in enumerate(wrap(prose(900), 450)):
            page.insert_text((60, 80 + 13 * number), line, fontsize=10)
        page.insert_text((150, 600), "Copy of the archive", fontsize=30, morph=(pymupdf.Point(150, 600), pymupdf.Matrix(8)))

    document = made(draw)
    assert tilt_of(read_text(document[0]).content) == 0.0
    assert survey_page(document[0]).back is None


@pytest.mark.parametrize(("x", "y"), [(float("nan"), 0.1), (float("inf"), float("-inf")), (0.0, 0.0)])
def test_directions_that_are_none_tilt_nothing(x: float, y: float) -> None:
    span = {"text": "a line of many letters", "size": 10.0, "ascender": 1.0, "descender": -0.2, "origin": (0.0, 0.0)}
    line = {"dir": (x, y), "wmode": 0, "bbox": (0.0, 0.0, 100.0, 12.0), "spans": [span]}
    assert tilt_of({"blocks": [{"lines": [line] * 9}]}) == 0.0


def test_superscripts_and_large_first_letters_tilt_nothing() -> None:
    def draw(page: pymupdf.Page) -> None:
        for number, line in enumerate(wrap(prose(700), 300)):
            page.insert_text((60, 100 + 20 * number), line, fontsize=10)
            page.insert_text((60 + pymupdf.get_text_length(line, fontsize=10), 95 + 20 * number), "12", fontsize=7)

    document = made(draw)
    assert tilt_of(read_text(document[0]).content) == 0.0
    assert BlockType.PARAGRAPH in {block.type for block in read(document).blocks}
