"""Fragments and lines from MuPDF's text dictionary."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.geometry import union
from streams.read.blocks.drop_capitals import with_drop_capitals
from streams.read.blocks.joined_rows import lines_of
from streams.read.blocks.lines import fragments_of
from streams.read.turning import VERTICAL, angle_of, to_frame, to_page, turn_box, turn_direction


def span(text: str, x0: float, y0: float = 100, size: float = 10, font: str = "Times", flags: int = 0) -> dict[str, Any]:
    width = 0.5 * size * len(text)
    return {"text": text, "font": font, "flags": flags, "size": size, "origin": (x0, y0 + 0.8 * size), "bbox": (x0, y0, x0 + width, y0 + size)}


def line(*spans: dict[str, Any], direction: tuple[float, float] = (1, 0), vertical: int = 0) -> dict[str, Any]:
    boxes = [s["bbox"] for s in spans]
    box = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    return {"spans": list(spans), "bbox": box, "dir": direction, "wmode": vertical}


def page(*lines: dict[str, Any]) -> dict[str, Any]:
    return {"blocks": [{"lines": list(lines)}, {"type": 1}]}


def test_the_style_of_a_line_is_of_most_of_its_letters() -> None:
    (found,) = fragments_of(page(line(span("Note. ", 50, font="ABCDEF+Times-Bold", flags=16), span("the rest of the line", 80))))
    assert found.text == "Note. the rest of the line"
    assert (found.style.font, found.style.bold) == ("Times", False)
    (heading,) = fragments_of(page(line(span("A heading", 50, font="CMBX10"))))
    assert heading.style.bold


def test_white_space_and_second_prints_are_dropped() -> None:
    shadow = line(span("Shadowed title", 50.4, 100.3))
    found = fragments_of(page(line(span("   ", 10)), line(span("Shadowed title", 50)), shadow, line(span("Shadowed title", 50, 130))))
    assert [(f.text, f.y0) for f in found] == [("Shadowed title", 100), ("Shadowed title", 130)]


def test_a_title_reaches_over_its_leaders_to_its_page() -> None:
    """Where links are drawn apart, the dots are a line of their own: without them the titles and the pages would be columns."""
    found = fragments_of(page(line(span("Title", 50)), line(span("." * 40, 75)), line(span("7", 275)), line(span("." * 40, 75, 130))))
    assert [(f.text, f.x0, f.x1) for f in found] == [("Title", 50, 272), ("7", 275, 280)]
    assert lines_of([found])[0].text == "Title 7"


def test_narrow_letters_drawn_one_by_one_are_no_second_prints() -> None:
    """The l of Helvetica is 0.222 em wide: its neighbour is nearer than a shadow may be, and yet beside it."""

    def letter(x: float) -> dict[str, Any]:
        return line({**span("l", x), "bbox": (x, 100, x + 2.22, 110)})

    assert [f.x0 for f in fragments_of(page(letter(50), letter(52.22), letter(52.5)))] == [50, 52.22]


def test_fragments_of_a_row_become_a_line_with_its_gaps() -> None:
    found = fragments_of(page(line(span("left", 50)), line(span("right", 72)), line(span("far", 200))))
    (joined,) = lines_of([found])
    assert (joined.text, joined.gaps) == ("left right far", 1)
    (item,) = lines_of([fragments_of(page(line(span("1.", 50)), line(span("the item", 90))))])
    assert (item.text, item.gaps) == ("1. the item", 0)


def test_right_to_left_rows_are_joined_from_the_right() -> None:
    found = fragments_of(page(line(span("من الأدوات", 50)), line(span("تعتبر البرمجة", 200))))
    (joined,) = lines_of([found])
    assert joined.text == "تعتبر البرمجة من الأدوات"
    assert joined.rtl


def test_directions() -> None:
    assert [angle_of(*d) for d in ((1, 0), (0, 1), (-1, 0), (0, -1), (0.9999, 0.01))] == [0, 90, 180, 270, 0]
    assert angle_of(0.7071, 0.7071) == 45
    (turned,) = fragments_of(page(line(span("turned", 50), direction=(0, -1))))
    assert turned.angle == 270
    (vertical,) = fragments_of(page(line(span("縦書き", 50), direction=(0, 1), vertical=1)))
    assert vertical.angle == VERTICAL


coordinates = st.floats(-1000, 1000)


@given(st.tuples(coordinates, coordinates, coordinates, coordinates), st.sampled_from([0, 90, 180, 270, VERTICAL, 45]))
def test_frames_are_undone(box: tuple[float, float, float, float], angle: int) -> None:
    assert to_page(to_frame(box, angle), angle) == box


def test_boxes_and_directions_under_the_matrix_of_a_turned_page() -> None:
    quarter = (0.0, 1.0, -1.0, 0.0, 100.0, 0.0)
    assert turn_box((10, 20, 30, 50), quarter) == (50, 10, 80, 30)
    assert turn_direction((0, -1), quarter) == (1, 0)
    assert turn_box((1, 2, 3, 4), None) == (1, 2, 3, 4)


def test_raised_numbers_behind_each_other_are_raised_with_a_space_between_too() -> None:
    def raised(text: str, x: float) -> dict[str, Any]:
        return span(text, x, size=5, flags=1)

    found = fragments_of(page(line(span("the last century.", 50), raised("2", 136), raised(" ", 139), raised("3", 141), span(" The", 144))))
    assert [f.text for f in found] == ["the last century.² ³ The"]


@pytest.mark.parametrize(
    ("spans", "text"),
    [
        (("the last one ", "3", " kinds"), "the last one ³ kinds"),
        (("the last one", " ", "12 ", "kinds"), "the last one ¹² kinds"),
        (("(as was said) ", "3"), "(as was said) ³"),
        (("in five ", "1", "/2 hours"), "in five 1/2 hours"),
        (("of 5 ", "1", " kinds"), "of 5 1 kinds"),
        (("dated by ", "14", "C alone"), "dated by 14C alone"),
    ],
)
def test_a_raised_number_behind_the_space_after_a_word_is_a_mark(spans: tuple[str, ...], text: str) -> None:
    placed = [span(said, 50 + 40 * place, **({"size": 5, "flags": 1} if said.strip().isdecimal() else {})) for place, said in enumerate(spans)]
    assert [f.text for f in fragments_of(page(line(*placed)))] == [text]


def test_a_drop_capital_on_the_line_of_a_note_beside_its_column_is_of_the_column() -> None:
    note = [span("Ann Author", 60, 301, size=9), span(" ", 132, 262, size=47), span("T", 165, 291, size=47)]
    first, second = span("his release of projections", 190, 301, size=11), span("is published each year", 190, 314, size=11)
    lines = [{"spans": spans, "dir": (1.0, 0.0), "wmode": 0, "bbox": union([s["bbox"] for s in spans])} for spans in (note, [first], [second])]
    found = with_drop_capitals(fragments_of({"blocks": [{"lines": lines}]}))
    assert [fragment.text for fragment in found] == ["Ann Author", "This release of projections", "is published each year"]
    assert found[0].box == note[0]["bbox"]


@pytest.mark.parametrize(
    ("first", "second", "font", "gap", "text"),
    [
        ("YOUR", "One-Stop", "Script", 0.8, "YOUR One-Stop"),
        ("YOUR", "One-Stop", "Script", 0.2, "YOUROne-Stop"),  # touches it
        ("YOUR", "One-Stop", "Times", 0.8, "YOUROne-Stop"),
        ("A", "Bstract", "Script", 0.8, "ABstract"),  # a large capital
        ("YOUR", "SHOP", "Script", 0.8, "YOURSHOP"),
        ("under", "stood", "Script", 0.8, "understood"),
    ],
)
def test_a_word_in_another_font_close_behind_one_is_a_word_of_its_own(first: str, second: str, font: str, gap: float, text: str) -> None:
    parts = line(span(first, 50)), line(span(second, 50 + 5 * len(first) + gap, font=font))
    assert [found.text for found in lines_of([fragments_of(page(*parts))])] == [text]
