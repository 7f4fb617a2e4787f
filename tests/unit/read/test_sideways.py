"""Tables whose text is turned against the page are read in the direction of their text, and stay where they are displayed."""

import pymupdf
import pytest

from schemas.content import Block, BlockType, PageContent
from streams.read.turning import combined, inverse, quarter_turn, turn_box, turn_point
from tests.unit.read.pages import HEIGHT, WIDTH, made, prose, read, wrap, write

ROWS = [
    ["Country", "1990", "1995", "2000", "2005"],
    *(
        [name, *(str((37 * row + 11 * column) % 97 + 100) for column in range(4))]
        for row, name in enumerate(("Norway", "Sweden", "Denmark", "Latvia"))
    ),
]
LEFT, TOP, STEP, LEADING = 80.0, 100.0, 100.0, 22.0


def place(x: float, y: float, angle: int) -> tuple[float, float]:
    """A point of a landscape page on the portrait page where it lies turned: read from below (270) or from above (90)."""
    return (y, HEIGHT - x) if angle == 270 else (WIDTH - y, x)


def sideways(page: pymupdf.Page, angle: int, *, ruled: bool) -> None:
    turn = 360 - angle
    page.insert_text(place(LEFT, 70, angle), "Table 4: Boats by country and year", fontsize=11, rotate=turn)
    for number, row in enumerate(ROWS):
        for column, text in enumerate(row):
            page.insert_text(place(LEFT + STEP * column, TOP + LEADING * number, angle), text, fontsize=11, rotate=turn)
    if ruled:
        right, bottom = LEFT + 5 * STEP, TOP - 16 + LEADING * len(ROWS)
        for number in range(len(ROWS) + 1):
            y = TOP - 16 + LEADING * number
            page.draw_line(place(LEFT - 5, y, angle), place(right, y, angle))
        for column in range(6):
            x = LEFT - 5 if column == 0 else LEFT + STEP * column - 5 if column < 5 else right
            page.draw_line(place(x, TOP - 16, angle), place(x, bottom, angle))


def tables(content: PageContent) -> list[Block]:
    return [block for block in content.blocks if block.table is not None]


def rows_of(block: Block) -> list[list[str]]:
    assert block.table is not None
    rows = [[""] * block.table.columns for _ in range(block.table.rows)]
    for cell in block.table.cells:
        rows[cell.row][cell.column] = cell.text
    return rows


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("ruled", [True, False])
@pytest.mark.parametrize("angle", [90, 270])
def test_a_sideways_table_is_read_in_the_direction_of_its_text(angle: int, rotation: int, *, ruled: bool) -> None:
    document = made(lambda page: sideways(page, angle, ruled=ruled))
    document[0].set_rotation(rotation)
    (table,) = tables(read(document))
    assert rows_of(table) == ROWS
    assert table.rotation == (angle + rotation) % 360
    assert table.table is not None
    assert table.table.header_rows == 1


@pytest.mark.parametrize("angle", [90, 270])
def test_its_cells_stand_where_they_are_displayed(angle: int) -> None:
    document = made(lambda page: sideways(page, angle, ruled=True))
    (table,) = tables(read(document))
    assert table.table is not None
    words = {word[4]: pymupdf.Rect(word[:4]) for word in document[0].get_text("words")}
    for cell in table.table.cells:
        middle = (words[cell.text].x0 + words[cell.text].x1) / 2, (words[cell.text].y0 + words[cell.text].y1) / 2
        assert pymupdf.Point(middle) in pymupdf.Rect(cell.bbox)
        assert pymupdf.Point(middle) in pymupdf.Rect(table.bbox)


def test_text_around_a_sideways_table_stays_out_of_it_and_is_read() -> None:
    def draw(page: pymupdf.Page) -> None:
        sideways(page, 270, ruled=True)
        write(page, 260, 80, wrap(prose(900), 280))

    content = read(made(draw))
    (table,) = tables(content)
    assert rows_of(table) == ROWS
    assert "harbour" in " ".join(block.text for block in content.blocks if block.type is BlockType.PARAGRAPH)


def test_heads_that_stand_on_end_do_not_turn_an_upright_table() -> None:
    heads = ["Country", "First year", "Second year", "Third year"]

    def draw(page: pymupdf.Page) -> None:
        for column, head in enumerate(heads):
            x = 80 + 100 * column
            page.insert_text((x, 170) if column == 0 else (x + 10, 178), head, fontsize=10, rotate=0 if column == 0 else 90)
        for number, name in enumerate(["Norway", "Sweden", "Denmark", "Latvia", "Poland"]):
            page.insert_text((80, 198 + 20 * number), name, fontsize=10)
            for column in range(1, 4):
                page.insert_text((80 + 100 * column, 198 + 20 * number), str(1000 + 37 * number + column), fontsize=10)
        for y in (100, *(184 + 20 * number for number in range(6))):
            page.draw_line((75, y), (475, y))
        for column in range(5):
            page.draw_line((75 + 100 * column, 100), (75 + 100 * column, 284))

    (table,) = tables(read(made(draw)))
    assert table.rotation == 0
    assert rows_of(table)[0] == heads
    assert rows_of(table)[1] == ["Norway", "1001", "1002", "1003"]


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_a_quarter_turn_keeps_the_page_on_the_page_and_can_be_undone(angle: int) -> None:
    turn = quarter_turn(angle, WIDTH, HEIGHT)
    wide, high = (HEIGHT, WIDTH) if angle in (90, 270) else (WIDTH, HEIGHT)
    assert turn_box((0, 0, WIDTH, HEIGHT), turn) == (0, 0, wide, high)
    assert turn_point(turn_point((30.0, 70.0), turn), inverse(turn)) == pytest.approx((30.0, 70.0))
    assert turn_point((30.0, 70.0), combined(turn, inverse(turn))) == pytest.approx((30.0, 70.0))
