"""Where boxes are searched by their places, beside a look at each of them: what is found must be the same."""

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import cell_rows
from schemas.cell_rows import with_their_rows
from schemas.columns import ALIGNED, Item, ends_crossing, stretches_right_of

SCALE = 10.0
places = st.integers(0, 60).map(float)
boxes = st.lists(st.builds(lambda x, y, w, h: (x, y, x + w, y + h), places, places, places, places), max_size=25)


def numbered(found: list[tuple[float, float, float, float]]) -> list[Item]:
    return [(*box, number) for number, box in enumerate(sorted(found, key=lambda b: (b[1], b[0], b[3], b[2])))]


@settings(max_examples=200, derandomize=True)
@given(boxes, places, st.integers(0, 240).map(lambda quarter: quarter / 4))
def test_a_height_is_taken_where_a_box_right_of_the_gutter_stands(found: list[tuple[float, float, float, float]], left: float, middle: float) -> None:
    items = numbered(found)
    last = (0.0, middle - 15.0, 200.0, middle - 5.0, 1001)  # of a paragraph with lines of 10 points, a line apart
    crossing: list[Item] = [(0.0, middle - 25.0, 200.0, middle - 15.0, 1000), last]
    short = (0.0, middle - 5.0, left / 2, middle + 5.0, 1002)
    ends = ends_crossing(short, crossing, lambda: stretches_right_of(items, left), (left, left + 5.0), SCALE)
    assert ends is not any(item[0] >= left and item[1] < middle < item[3] for item in items)


@settings(max_examples=200, derandomize=True)
@given(boxes, boxes)
def test_mates_of_crossing_boxes_are_those_on_their_line(
    crossing: list[tuple[float, float, float, float]], found: list[tuple[float, float, float, float]]
) -> None:
    items, over = numbered(found), [(*box, 1000 + number) for number, box in enumerate(crossing)]
    gutter = (20.0, 25.0)
    width = max(item[2] for item in items) - min(item[0] for item in items) if items else 0.0
    expected = {item[4] for item in over}
    for line in (item for item in over if item[3] - item[1] < 2 * SCALE):
        middle = (line[1] + line[3]) / 2
        level = [item for item in items if item[4] not in expected and abs((item[1] + item[3]) / 2 - middle) <= ALIGNED * SCALE]
        mates = [item for item in level if item[2] - item[0] < width / 3]
        if any(item[2] <= gutter[1] for item in mates) and any(item[0] >= gutter[0] for item in mates):
            expected.update(item[4] for item in mates)
    assert with_their_rows(over, items, gutter, SCALE) == expected


@settings(max_examples=200, derandomize=True)
@given(st.lists(boxes, max_size=8))
def test_cells_stand_under_the_first_column_that_fits(rows: list[list[tuple[float, float, float, float]]]) -> None:
    entries = [[(item, 0) for item in numbered(row)] for row in rows]
    columns: list[list[Item]] = []
    for item in (item for row in entries for item, _ in row):
        mine = next((column for column in columns if cell_rows._stands_under(item, column[-1], SCALE)), None)
        if mine is None:
            columns.append([item])
        else:
            mine.append(item)
    assert cell_rows._columns_of(entries, SCALE) == columns
