"""Boxes around text: what counts as one, and that what stands in it is read together."""

import pymupdf

from schemas.content import Block, BlockType, Cell, Table
from schemas.geometry import BBox
from streams.read.figures.panels import find_panels, groups_panels
from tests.unit.read.pages import made, read, texts, write

PAGE: BBox = (0, 0, 600, 800)


def lines(x: float, y: float, count: int, width: float = 150) -> list[BBox]:
    return [(x, y + 13 * i, x + width, y + 13 * i + 11) for i in range(count)]


def rect(*box: float) -> dict[str, object]:
    return {"rect": box, "items": [("re", box)]}


def test_a_box_around_whole_lines_is_a_panel() -> None:
    page = [*lines(60, 110, 4), *lines(300, 110, 20)]
    assert find_panels([rect(50, 100, 220, 170)], page, PAGE, None) == [(50, 100, 220, 170)]


def test_boxes_that_cut_lines_or_hold_all_or_hardly_any_are_none() -> None:
    page = [*lines(60, 110, 4), *lines(300, 110, 8)]
    assert find_panels([rect(50, 100, 150, 170)], page, PAGE, None) == []
    assert find_panels([rect(40, 90, 480, 300)], page, PAGE, None) == []
    assert find_panels([rect(50, 100, 220, 135)], page, PAGE, None) == []


def test_panels_do_not_overlap() -> None:
    page = [*lines(60, 110, 4), *lines(300, 110, 20)]
    assert find_panels([rect(50, 100, 220, 170), rect(55, 105, 218, 168)], page, PAGE, None) == [(50, 100, 220, 170)]


def test_cards_are_no_table_but_a_ruled_table_is_one_whatever_its_cells_are() -> None:
    cards = [(50, 100, 250, 180), (260, 100, 460, 180), (50, 190, 250, 270), (260, 190, 460, 270)]
    for ruled, grouped in ((0.0, True), (1.0, False)):
        grid = Table(rows=2, columns=2, cells=(Cell(row=0, column=0),), ruled=ruled)
        assert groups_panels(Block(type=BlockType.TABLE, bbox=(50, 100, 460, 270), table=grid), cards) is grouped


def test_each_card_is_read_by_itself() -> None:
    words = ["north south east", "bread salt water", "seven eight nine", "paper stone iron"]

    def draw(page: pymupdf.Page) -> None:
        for number, said in enumerate(words):
            x, y = 60 + 250 * (number % 2), 100 + 120 * (number // 2)
            page.draw_rect(pymupdf.Rect(x - 10, y - 20, x + 220, y + 80))
            write(page, x, y, [f"{word} is the word of this line" for word in said.split()], leading=1.5)

    said = " ".join(texts(read(made(draw))))
    order = [said.index(word) for card in words for word in card.split()]
    assert order == sorted(order)
