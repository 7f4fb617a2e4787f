"""Where paragraphs begin, line by line."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.content import TextStyle
from streams.read.blocks.lines import Line
from streams.read.blocks.measure import measure_of
from streams.read.blocks.paragraphs import split_paragraphs


def line(text: str, y: float, x0: float = 50, x1: float = 450, *, size: float = 10, bold: bool = False, raised: bool = False, gaps: int = 0) -> Line:
    style = TextStyle(size_pt=size, font="Times", bold=bold)
    return Line(x0, y - 0.8 * size, x1, y + 0.2 * size, text, y, style, raised, False, len(text.replace(" ", "")), gaps)


def split(*lines: Line) -> list[list[str]]:
    found = split_paragraphs(lines, measure_of(lines, 1.3), page_top=60, page_bottom=780, code_is_special=True)
    return [[one.text for one in paragraph] for paragraph in found]


def block(first: int, count: int, y: float, **more: object) -> list[Line]:
    return [line(f"line {first + i} goes on and", y + 13 * i, **more) for i in range(count)]  # type: ignore[arg-type]


def test_even_lines_are_one_paragraph() -> None:
    assert len(split(*block(0, 8, 100))) == 1


def test_space_size_and_weight_part() -> None:
    assert [len(p) for p in split(*block(0, 4, 100), *block(4, 4, 170))] == [4, 4]
    assert [len(p) for p in split(*block(0, 4, 100, size=12), *block(4, 4, 152, size=10))] == [4, 4]
    assert [len(p) for p in split(line("A bold line", 100, x1=120, bold=True), *block(0, 4, 113))] == [1, 4]


def test_first_line_indents_and_hanging_indents() -> None:
    indented = [line("Opens with an indent and", 152, x0=65), *block(5, 3, 165)]
    assert [len(p) for p in split(*block(0, 4, 100), *indented)] == [4, 4]
    hanging = [line("Author, A. A work that has a title", 100), line("that goes on below", 113, x0=70), line("and on and on", 126, x0=70)]
    more = [line("Buthor, B. Another work of which", 139), line("much may be said here too", 152, x0=70)]
    assert [len(p) for p in split(*hanging, *more)] == [3, 2]
    short = [
        part for n in range(5) for part in (line(f"Cuthor, C. Work number {n} of", 100 + 26 * n), line("them all.", 113 + 26 * n, x0=70, x1=110))
    ]
    assert [len(p) for p in split(*short)] == [2] * 5


def test_lines_beside_a_picture_step_in_and_out_within_a_sentence() -> None:
    steps = [50, 65, 80, 95, 80, 65, 50, 50]
    assert [len(p) for p in split(*(line(f"line {n} goes on and", 100 + 13 * n, x0=x) for n, x in enumerate(steps)))] == [8]
    ends = [line(f"Line {n} is all of it.", 100 + 13 * n, x0=x) for n, x in enumerate(steps)]
    assert len(split(*ends)) > 1


def test_right_to_left_lines_flush_on_the_left_are_one_paragraph_until_one_is_short() -> None:
    """As programs set such text that know of no direction: it begins wherever its words do."""
    ends = [450, 425, 441, 417, 446, 422, 160, 447, 430, 445]
    lines = [replace(line("שורה אחת של טקסט ארוך", 100 + 13 * n, x1=end), rtl=True) for n, end in enumerate(ends)]
    assert [len(p) for p in split(*lines)] == [7, 3]
    even = [replace(line("שורה אחת של טקסט ארוך", 100 + 13 * n, x1=435 if n in (0, 4) else 450), rtl=True) for n in range(8)]
    assert [len(p) for p in split(*even)] == [4, 4]


def test_a_short_line_ends_its_paragraph() -> None:
    lines = [*block(0, 3, 100), line("ends here.", 139, x1=120), *block(4, 4, 152)]
    assert [len(p) for p in split(*lines)] == [4, 4]


def test_items_and_rows_of_cells_stand_alone() -> None:
    items = [line("• one thing that takes", 100), line("two lines", 113, x0=60, x1=120), line("• another", 126, x1=110)]
    assert split(*items) == [["• one thing that takes", "two lines"], ["• another"]]
    rows = [line("a  1  2", 100, gaps=2), line("b  3  4", 113, gaps=2)]
    assert [len(p) for p in split(*rows)] == [1, 1]


def test_a_number_inside_prose_begins_no_item() -> None:
    lines = [
        line("as it was said in the section before, and in section", 100),
        line("3. then it was said again and again and", 113),
        *block(2, 3, 126),
    ]
    assert len(split(*lines)) == 1


def test_typed_rules_separate_and_say_nothing() -> None:
    assert split(line("Head", 100), line("__________", 113), *block(0, 2, 126)) == [["Head"], ["line 0 goes on and", "line 1 goes on and"]]


@given(
    st.lists(
        st.builds(
            line,
            st.text(min_size=1, max_size=12),
            st.floats(0, 800),
            st.floats(0, 300),
            st.floats(300, 600),
            size=st.sampled_from([0.0, 6.0, 10.0, 11.0, 30.0]),
            bold=st.booleans(),
            raised=st.booleans(),
            gaps=st.integers(0, 2),
        ),
        min_size=1,
        max_size=15,
    )
)
def test_every_line_is_in_one_paragraph_in_order(lines: list[Line]) -> None:
    found = split_paragraphs(lines, measure_of(lines, 1.3), page_top=60, page_bottom=780, code_is_special=True)
    flat = [id(one) for paragraph in found for one in paragraph]
    order = [id(one) for one in lines]
    assert flat == order
    assert all(paragraph for paragraph in found)


def test_a_line_under_an_item_is_none_of_its_own_though_both_have_one_middle() -> None:
    item = line("o Result in a refusal to issue it", 100, x0=70, x1=290)
    below = [line("Please remember that this holds", 113, x0=50, x1=310), line("for all of them.", 126, x0=50, x1=150)]
    assert [len(p) for p in split(*block(0, 3, 61), item, *below)] == [3, 1, 2]


def test_a_small_letter_that_hangs_under_a_label_begins_nothing() -> None:
    label = [line("A8  Please give the name of whom you wish us to speak", 100), line("with", 113, x0=70, x1=100)]
    assert [len(p) for p in split(*label, line("A9  Have you been told of it in the years before this", 150))] == [2, 1]
    indented = [line("A sentence ends at the end of this line, as it may.", 100), line("another begins in it", 113, x0=70), *block(2, 3, 126)]
    assert [len(p) for p in split(*indented)] == [1, 4]


def test_a_numbered_heading_in_larger_type_of_another_font_is_no_items_first_line() -> None:
    heading = line("(1) The law on the prevention of diseases", 100, x1=438, size=11)
    below = [line("takes effect with the new year and", 114, x0=60), *block(1, 3, 127)]
    assert [len(p) for p in split(heading, *below)] == [2, 3], "as the first line of an item"
    other = replace(heading, style=replace(heading.style, font="Sans"))
    assert [len(p) for p in split(other, *below)] == [1, 4]
