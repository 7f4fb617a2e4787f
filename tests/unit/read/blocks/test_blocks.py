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
