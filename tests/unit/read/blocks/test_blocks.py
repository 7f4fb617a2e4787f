"""From fragments to blocks: nothing is lost, whatever stands where."""

import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.content import Block, BlockType, TextStyle
from streams.read.blocks.building import Surroundings, build_blocks
from streams.read.blocks.joining import KnownWords
from streams.read.blocks.lines import Fragment
from streams.read.blocks.rows_apart import parted
from streams.read.turning import VERTICAL, to_frame

PAGE = (0.0, 0.0, 600.0, 800.0)
AROUND = Surroundings(KnownWords([]))


def fragment(number: int, x: float, y: float, width: float, size: float, angle: int = 0, bold: bool = False) -> Fragment:
    """A word that is in no other fragment."""
    x0, y0, x1, y1 = to_frame((x, y, x + width, y + size), angle)
    style = TextStyle(size_pt=size, font="Times", bold=bold)
    return Fragment(x0, y0, x1, y1, f"w{number}w", y1, style, False, angle, False, len(f"w{number}w"))


places = st.tuples(
    st.floats(0, 500), st.floats(0, 780), st.floats(1, 500), st.sampled_from([6.0, 10.0, 24.0]), st.sampled_from([0, 0, 0, 90, 270, VERTICAL, 45])
)


@settings(max_examples=80)
@given(st.lists(places, max_size=25), st.lists(st.tuples(st.floats(0, 500), st.floats(0, 700)), max_size=4))
def test_every_word_and_every_object_comes_out_once(words: list[tuple[float, float, float, float, int]], corners: list[tuple[float, float]]) -> None:
    fragments = [fragment(number, *place) for number, place in enumerate(words)]
    objects = [Block(type=BlockType.FIGURE, bbox=(x, y, x + 90, y + 90)) for x, y in corners]
    blocks = build_blocks(fragments, objects, PAGE, AROUND, 0.9)
    said = Counter(word for block in blocks for word in re.findall(r"w\d+w", block.text))
    assert said == Counter(f.text for f in fragments)
    assert sorted(block.bbox for block in blocks if block.type is BlockType.FIGURE) == sorted(block.bbox for block in objects)
    assert all(block.confidence == 0.9 for block in blocks if block.text)


def test_footnotes_stand_after_their_column_and_cut_no_sentence() -> None:
    body = [fragment(i, 50, 100 + 13 * i, 400, 10) for i in range(40)]
    notes = [fragment(100 + i, 50, 650 + 9 * i, 300, 7) for i in range(2)]
    notes[0].text, notes[0].raised = "1A note that says", True
    blocks = build_blocks(body + notes, [], PAGE, AROUND, 1.0)
    assert [block.type for block in blocks] == [BlockType.PARAGRAPH, BlockType.FOOTNOTE]
    assert blocks[1].text.startswith("1A note")


def test_notes_with_raised_marks_may_begin_above_the_middle_of_the_page() -> None:
    body = [fragment(i, 50, 60 + 12 * i, 170, 10) for i in range(26)]
    beside = [fragment(50 + i, 300, 60 + 12 * i, 170, 10) for i in range(57)]
    notes = [fragment(200 + i, 50 + 8 * (i in (0, 6, 20)), 390 + 9 * i, 160, 7) for i in range(40)]
    for place in (0, 6, 20):
        notes[place].text, notes[place].raised = f"{place} A note that says", True
    blocks = build_blocks([*body, *beside, *notes], [], PAGE, AROUND, 1.0)
    assert [block.type for block in blocks] == [BlockType.PARAGRAPH, *[BlockType.FOOTNOTE] * 3, BlockType.PARAGRAPH]


def test_references_in_small_type_are_a_list_and_no_footnotes() -> None:
    body = [fragment(i, 50, 100 + 13 * i, 400, 10) for i in range(30)]
    references = [fragment(100 + i, 50, 520 + 9 * i, 300, 7) for i in range(6)]
    for index, reference in enumerate(references):
        reference.text = f"{index + 1}. A work with a title."
    blocks = build_blocks(body + references, [], PAGE, AROUND, 1.0)
    assert [block.type for block in blocks] == [BlockType.PARAGRAPH, *[BlockType.LIST_ITEM] * 6]


def test_the_size_of_neighbouring_pages_tells_headings_on_a_page_of_little_text() -> None:
    lone = [fragment(1, 50, 100, 300, 24.0)]
    assert build_blocks(lone, [], PAGE, AROUND, 1.0)[0].type is BlockType.PARAGRAPH
    assert build_blocks(lone, [], PAGE, Surroundings(KnownWords([]), 10.0), 1.0)[0].type is BlockType.HEADING


def test_what_no_heading_says_in_whatever_type() -> None:
    def type_of_line(text: str) -> BlockType:
        body = [fragment(i, 50, 200 + 13 * i, 400, 10) for i in range(20)]
        large = replace(fragment(100, 50, 100, 300, 13.0, bold=True), text=text, letters=len(text.replace(" ", "")))
        return build_blocks([large, *body], [], PAGE, AROUND, 1.0)[0].type

    said = [
        "The ferry and the quay",
        "Source: Bureau of ferries",
        "Quelle: Amt",
        "the ferry stays in the harbour;",
        "Algorithm 2: Ferries by name",
        "Listing 1: A ferry",
    ]
    kinds = [BlockType.HEADING, *[BlockType.PARAGRAPH] * 3, *[BlockType.CAPTION] * 2]
    assert [type_of_line(text) for text in said] == kinds


def test_captions_of_figures_beside_each_other_on_one_line_are_two() -> None:
    def said(text: str, x: float, y: float, width: float) -> Fragment:
        return replace(fragment(0, x, y, width, 10.0), text=text, letters=len(text.replace(" ", "")))

    figures = [Block(type=BlockType.FIGURE, bbox=(x, 300, x + 200, 500)) for x in (50, 300)]
    row = [said("Figure 1. The ferry at the quay.", 50, 510, 160), said("Figure 2. The clerk.", 300, 510, 110)]
    prose = [said(f"and the line {number} of all of the page goes on below", 50, 560 + 13 * number, 450) for number in range(3)]
    blocks = build_blocks([*row, *prose], figures, PAGE, AROUND, 0.9)
    assert [block.text for block in blocks if block.type is BlockType.CAPTION] == ["Figure 1. The ferry at the quay.", "Figure 2. The clerk."]
    mentioned = [said("Figure 1. The ferry", 50, 510, 100), said("and the clerk in Figure 2.", 165, 510, 140)]
    assert len(build_blocks([*mentioned, *prose], [], PAGE, AROUND, 0.9)) <= 2


def test_a_note_that_goes_on_at_the_foot_of_the_next_column_is_one_there_too() -> None:
    def said(text: str, x: float, y: float, size: float = 10.0) -> Fragment:
        return replace(fragment(0, x, y, 200, size), text=text, letters=len(text.replace(" ", "")))

    columns = [said(f"the line {number} of this column goes on", x, 400 + 13 * number) for x in (50, 300) for number in range(20)]
    notes = [said("1) A note that was begun in this column, of", 50, 663, 8.0), said("Bergen at the foot of the next one.", 300, 663, 8.0)]
    blocks = build_blocks([*columns, *notes], [], PAGE, AROUND, 0.9)
    assert [block.text for block in blocks if block.type is BlockType.FOOTNOTE] == [note.text for note in notes]
    ended = [replace(notes[0], text="1) A note that was ended in this column."), notes[1]]
    blocks = build_blocks([*columns, *ended], [], PAGE, AROUND, 0.9)
    assert [block.text for block in blocks if block.type is BlockType.FOOTNOTE] == [ended[0].text]


class _Counted(int):
    """A count of letters that counts how often it is added up."""

    added = 0

    def __add__(self, other: int) -> int:
        _Counted.added += 1
        return int(self) + other

    __radd__ = __add__


def test_a_row_of_words_in_many_sizes_is_added_up_once() -> None:
    """Every other word is of another size, and none of enough letters to stand apart: the row grew, and was added up at each of them."""
    row = [fragment(number, 50 + 60 * number, 100, 10, 8 if number % 2 else 16) for number in range(200)]
    for one in row:
        one.text, one.letters = "w", _Counted(1)
    _Counted.added = 0
    assert [len(part) for part in parted(row)] == [200]
    assert _Counted.added <= 2 * len(row)


def test_halves_of_running_heads_and_feet_are_no_headings() -> None:
    """Type of quite another size beside it makes two lines of such a row, and either was larger than the text, or bold."""
    body = [fragment(i, 50, 120 + 13 * i, 400, 10) for i in range(40)]
    for number, one in enumerate(body):
        one.text, one.letters = f"the text of a page that runs on {number}", 28

    def beside(y: float) -> list[BlockType]:
        small, large = fragment(200, 50, y + 8, 150, 10, bold=True), fragment(201, 400, y, 150, 19, bold=True)
        small.text, small.letters = "HIGHLIGHTS OF A REPORT", 19
        large.text, large.letters = "APPENDIX OF IT", 12
        return [block.type for block in build_blocks([*body, small, large], [], PAGE, AROUND, 1.0) if block.text.isupper()]

    assert BlockType.HEADING not in beside(30)
    assert BlockType.HEADING not in beside(770)
    assert BlockType.HEADING in beside(90)


def test_a_title_at_the_top_beside_its_date_is_a_heading() -> None:
    body = [fragment(i, 50, 120 + 13 * i, 400, 10) for i in range(40)]
    title, date = fragment(200, 50, 30, 200, 20), fragment(201, 480, 38, 90, 10)
    title.text, title.letters = "Rates of Interest", 15
    date.text, date.letters = "Effective as of May", 16
    kinds = {block.text: block.type for block in build_blocks([*body, title, date], [], PAGE, AROUND, 1.0)}
    assert kinds["Rates of Interest"] is BlockType.HEADING
    title.y0, title.y1, title.baseline, date.y0, date.y1, date.baseline = 765, 785, 785, 773, 783, 783
    kinds = {block.text: block.type for block in build_blocks([*body, title, date], [], PAGE, AROUND, 1.0)}
    assert kinds["Rates of Interest"] is not BlockType.HEADING
