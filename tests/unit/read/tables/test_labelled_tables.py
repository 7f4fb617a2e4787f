"""Statements whose rules stand over the numbers alone: labels belong to their rows, and rows are told by their lines."""

from time import process_time

import pymupdf
import pytest

from schemas.content import Block, PageContent
from streams.read.tables.labelled import lacks_labels
from streams.read.tables.lines import words_of
from tests.unit.read.pages import made, prose, read, wrap, write

HEADS = ["Jan 26, 2025", "Jan 28, 2024", "Jan 29, 2023"]
ROWS = [
    ["Cost of revenue", "178", "141", "138"],
    ["Research and development", "3,423", "2,532", "1,892"],
    ["Sales, general and administrative", "1,136", "876", "680"],
    ["Total", "4,737", "3,549", "2,710"],
]
LEFTS, RIGHTS, LEADING = (350.0, 412.0, 474.0), (408.0, 470.0, 532.0), 10.0


def statement(page: pymupdf.Page, top: float, *, currency: bool, shaded: bool, unit: bool) -> None:
    """A table of three years in small type, set solid: signs of currency at the left edge of their cell, rules over the years only."""
    for left, right, head in zip(LEFTS, RIGHTS, HEADS, strict=True):
        page.insert_text((left + 4, top - 3), head, fontsize=8)
        page.draw_line((left, top), (right, top), width=0.6)
    page.draw_line((LEFTS[0], top - 11), (RIGHTS[-1], top - 11), width=0.6)
    y = top + 9
    if unit:
        page.insert_text((420, y), "(In millions)", fontsize=8)
        y += LEADING
    for number, (label, *values) in enumerate(ROWS):
        if shaded and number % 2 == 0:
            page.draw_rect((80, y - 8, 532, y + 2), fill=(0.94, 0.94, 0.95), color=None)
        page.insert_text((81, y), label, fontsize=8)
        for left, right, value in zip(LEFTS, RIGHTS, values, strict=True):
            page.insert_text((right - 6 - pymupdf.get_text_length(value, fontsize=8), y), value, fontsize=8)
            if currency and number in (0, len(ROWS) - 1):
                page.insert_text((left + 1, y), "$", fontsize=8)
            if number == len(ROWS) - 2:
                page.draw_line((left, y + 2.4), (right, y + 2.4), width=0.6)
            if number == len(ROWS) - 1:
                page.draw_line((left, y + 2.4), (right, y + 2.4), width=0.6)
        y += LEADING


def tables(content: PageContent) -> list[Block]:
    return [block for block in content.blocks if block.table is not None]


def rows_of(block: Block) -> list[list[str]]:
    assert block.table is not None
    rows = [[""] * block.table.columns for _ in range(block.table.rows)]
    for cell in block.table.cells:
        rows[cell.row][cell.column] = cell.text
    return rows


@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("shaded", [False, True])
@pytest.mark.parametrize("currency", [False, True])
def test_each_line_of_a_statement_is_a_row_with_its_label(*, currency: bool, shaded: bool, unit: bool) -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 80, 80, wrap(prose(600), 450))
        statement(page, 300, currency=currency, shaded=shaded, unit=unit)
        write(page, 80, 420, wrap(prose(600), 450))

    (table,) = tables(read(made(draw)))
    rows = [[cell.removeprefix("$ ") for cell in row] for row in rows_of(table)]
    assert rows[-4:] == ROWS
    assert ["", *HEADS] in rows
    assert sum("$" in cell for row in rows_of(table) for cell in row) == (6 if currency else 0)


def test_a_table_at_the_left_is_no_column_of_labels() -> None:
    def draw(page: pymupdf.Page) -> None:
        for left in (60, 320):
            for number in range(8):
                y = 200 + 14 * number
                page.insert_text((left + 4, y), f"Place {number + left}", fontsize=9)
                page.insert_text((left + 160, y), str(100 * left + number), fontsize=9)
            for number in range(9):
                page.draw_line((left, 190 + 14 * number), (left + 200, 190 + 14 * number), width=0.6)

    found = [rows_of(table) for table in tables(read(made(draw)))]
    assert [(len(rows), len(rows[0])) for rows in found] == [(8, 2), (8, 2)]


def test_prose_at_the_left_is_no_column_of_labels() -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 50, 100, wrap(prose(1600), 230), size=9, leading=14 / 9)
        for number in range(6):
            y = 200 + 14 * number
            for column, text in enumerate((f"Place {number}", str(110 + 7 * number), str(930 - number))):
                page.insert_text((320 + 80 * column, y), text, fontsize=9)
        for y in (190, 204, 276):
            page.draw_line((315, y), (545, y), width=0.6)

    content = read(made(draw))
    (table,) = tables(content)
    assert rows_of(table)[0] == ["Place 0", "110", "930"]
    assert table.bbox[0] > 300


def test_thousands_of_labels_take_little_time() -> None:
    rows = range(1_500)
    labels = [(10.0, 12.0 * row, 40.0, 12.0 * row + 10, f"Account {row}", row, 0, 0) for row in rows]
    numbers = [(60.0, 12.0 * row, 90.0, 12.0 * row + 10, "12", row, 0, 1) for row in rows]
    placed = words_of([*labels, *numbers])
    began = process_time()
    assert lacks_labels((55.0, 0.0, 100.0, 12.0 * len(rows)), placed)
    assert process_time() - began < 0.2, "normally 0.01 s; 0.7 s where each line is held against all at its side"
