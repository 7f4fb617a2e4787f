"""Charts drawn with lines: the numbers and titles of their axes are theirs, and no text between the paragraphs."""

from typing import Any

import pymupdf
import pytest

from schemas.content import TextStyle
from schemas.geometry import BBox
from streams.read.blocks.lines import Fragment
from streams.read.figures.charts import find_charts
from streams.read.figures.plots import is_plot, titles_of
from streams.read.turning import to_frame, to_page

PAGE = (0.0, 0.0, 595.0, 842.0)
BOX = (200.0, 100.0, 400.0, 142.0)


def text(what: str, x: float, y: float, *, upwards: bool = False) -> Fragment:
    """A text of 8 pt whose box begins at a place; `upwards` it runs to the top of the page."""
    long = 4.0 * len(what)
    box = to_frame((x, y, x + 8, y + long), 270) if upwards else (x, y, x + long, y + 8)
    style = TextStyle(size_pt=8, font="T")
    return Fragment(*box, what, box[3] - 2, style, False, 270 if upwards else 0, False, len(what.replace(" ", "")))


def scales() -> list[Fragment]:
    left = [text(str(n), 190, 138 - 12 * n) for n in range(4)]
    return [*left, *(text(f"{0.2 * n:.1f}", 196 + 48 * n, 144) for n in range(5))]


def drawn(points: int = 4) -> Any:
    page = pymupdf.open().new_page()
    page.draw_rect(pymupdf.Rect(BOX), width=0.5)
    page.draw_line((200, 120), (400, 120), dashes="[3]")
    page.draw_polyline([(200 + 200 * n / points, 140 - 7.5 * (n % 3) - 6 * n / points) for n in range(points + 1)])
    return page.get_cdrawings()


def test_a_low_chart_of_three_paths_is_a_figure_with_its_axes() -> None:
    titles = [text("Feedback coefficient", 260, 156), text("Error", 178, 110, upwards=True)]
    fragments = [*scales(), *titles, text("The results are given in what follows and fill their line", 100, 190)]
    blocks, labels = find_charts(drawn(), fragments, [], PAGE, None)
    assert len(blocks) == 1
    assert labels == set(range(len(fragments) - 1))
    assert "0.8" in blocks[0].text
    assert "Feedback coefficient" in blocks[0].text


@pytest.mark.parametrize(
    "beside",
    [
        text("Figure 3: Performance", 260, 156),  # its caption
        text("Feedback coefficient", 60, 156),  # not under the middle
        text("Feedback coefficient", 260, 190),  # too far
        text("It ends as sentences do.", 260, 156),
    ],
)
def test_other_texts_stay(beside: Fragment) -> None:
    fragments = [*scales(), beside]
    blocks, labels = find_charts(drawn(), fragments, [], PAGE, None)
    assert len(blocks) == 1
    assert len(fragments) - 1 not in labels


def test_names_on_the_lower_axis_and_the_title_below_them_are_the_charts() -> None:
    left = [text(str(n), 190, 138 - 7 * n) for n in range(6)]
    names = [text(name, 204 + 50 * n, 144) for n, name in enumerate(("Jan", "Feb", "Mar", "Apr"))]
    fragments = [*left, *names, text("Month", 290, 156)]
    found = titles_of((190.0, 100.0, 400.0, 142.0), [(190, 0, 0, 0)] * 6, fragments, [to_page(f.box, f.angle) for f in fragments])
    assert [fragments[i].text for i in found] == ["Jan", "Feb", "Mar", "Apr", "Month"]


def test_without_numbers_the_same_drawing_is_none() -> None:
    assert find_charts(drawn(), [text("The results are given", 100, 190)], [], PAGE, None) == ([], set())


def test_a_scale_needs_both_sides() -> None:
    left: list[BBox] = [(190.0, 102.0 + 12 * n, 196.0, 110.0 + 12 * n) for n in range(4)]
    below: list[BBox] = [(200.0 + 40 * n, 144.0, 210.0 + 40 * n, 152.0) for n in range(5)]
    assert is_plot(BOX, [*left, *below])
    assert not is_plot(BOX, left)
    assert not is_plot(BOX, below)
