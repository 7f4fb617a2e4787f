"""Captions find their figures and tables, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.content import Block, BlockType, Cell, Table, TextStyle
from schemas.geometry import BBox
from streams.read.blocks.captions import bind_captions

BODY, SMALL, ITALIC = TextStyle(size_pt=10), TextStyle(size_pt=8), TextStyle(size_pt=10, italic=True)
TABLE = Table(rows=1, columns=1, cells=(Cell(row=0, column=0, text="x"),))


def figure(box: BBox) -> Block:
    return Block(type=BlockType.FIGURE, bbox=box)


def table(box: BBox) -> Block:
    return Block(type=BlockType.TABLE, bbox=box, table=TABLE)


def text(words: str, box: BBox, kind: BlockType = BlockType.PARAGRAPH, style: TextStyle = BODY) -> Block:
    return Block(type=kind, bbox=box, text=words, style=style)


PROSE = text("Prose of the page that is long enough to tell its size. " * 5, (50, 600, 500, 660))


def bound(*blocks: Block) -> list[int | None]:
    return [block.caption_of for block in bind_captions(blocks)]


def test_a_caption_takes_the_nearest_object_of_its_kind() -> None:
    blocks = (
        table((50, 100, 500, 200)),
        text("Table 1: above", (50, 80, 300, 92), BlockType.CAPTION),
        figure((50, 240, 500, 400)),
        text("Figure 1. below", (50, 404, 300, 416), BlockType.CAPTION),
        PROSE,
    )
    assert bound(*blocks) == [None, 1, None, 3, None]


def test_a_caption_between_a_table_and_a_figure_goes_where_its_word_says() -> None:
    above, below = figure((50, 100, 500, 200)), table((50, 225, 500, 300))
    assert bound(above, text("Table 7. Sums", (50, 207, 300, 218), BlockType.CAPTION), below)[1] == 3
    assert bound(above, text("图 7 港口", (50, 207, 300, 218), BlockType.CAPTION), below)[1] == 1


def test_words_between_keep_a_caption_from_an_object() -> None:
    blocks = (figure((50, 100, 500, 200)), text("Prose between", (50, 204, 480, 216)), text("Figure 2", (50, 220, 200, 230), BlockType.CAPTION))
    assert bound(*blocks)[2] is None


def test_a_caption_beside_its_figure() -> None:
    assert bound(figure((50, 100, 300, 300)), text("Fig. 3", (312, 110, 420, 180), BlockType.CAPTION))[1] == 1


def test_a_label_takes_its_title_with_it() -> None:
    blocks = bind_captions((
        text("Table 4", (50, 80, 90, 90), BlockType.CAPTION),
        text("Ferries by month", (50, 92, 200, 102), BlockType.HEADING),
        table((50, 108, 500, 200)),
        PROSE,
    ))  # fmt: skip
    assert [(b.type, b.caption_of) for b in blocks[:2]] == [(BlockType.CAPTION, 3), (BlockType.CAPTION, 3)]


@pytest.mark.parametrize("style", [SMALL, ITALIC])
def test_small_print_under_a_figure_is_its_caption(style: TextStyle) -> None:
    blocks = bind_captions((figure((50, 100, 300, 300)), text("The harbour at dawn", (60, 304, 290, 314), style=style), PROSE))
    assert (blocks[1].type, blocks[1].caption_of) == (BlockType.CAPTION, 1)


@pytest.mark.parametrize(
    ("words", "box", "style"),
    [
        ("The harbour at dawn", (60, 304, 290, 314), BODY),
        ("The harbour at dawn", (60, 340, 290, 350), SMALL),
        ("The harbour at dawn", (60, 84, 290, 94), SMALL),
        ("www.harbour.example", (60, 304, 290, 314), SMALL),
        ("Note " * 120, (60, 304, 290, 400), SMALL),
    ],
)
def test_what_is_no_caption_stays_what_it_is(words: str, box: BBox, style: TextStyle) -> None:
    blocks = bind_captions((figure((50, 100, 300, 300)), text(words, box, style=style), PROSE))
    assert (blocks[1].type, blocks[1].caption_of) == (BlockType.PARAGRAPH, None)


boxes = st.tuples(st.floats(0, 500), st.floats(0, 700), st.floats(1, 200), st.floats(1, 200)).map(lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3]))
made = st.one_of(
    boxes.map(figure),
    boxes.map(table),
    st.tuples(st.sampled_from(["Figure 1", "Table 2: x", "Some words"]), boxes, st.sampled_from([BlockType.CAPTION, BlockType.PARAGRAPH])).map(
        lambda t: text(*t)
    ),
)


@given(st.lists(made, max_size=12))
def test_nothing_moves_and_every_binding_names_an_object(blocks: list[Block]) -> None:
    after = bind_captions(blocks)
    assert [(b.bbox, b.text) for b in after] == [(b.bbox, b.text) for b in blocks]
    for block in after:
        if block.caption_of is not None:
            assert block.type is BlockType.CAPTION
            assert after[block.caption_of - 1].type in (BlockType.FIGURE, BlockType.TABLE)


def test_the_caption_of_a_turned_table_stands_above_it_as_it_is_read() -> None:
    """On a page whose table is read from below, its label and title stand to the left of it."""
    turned = [
        table((100, 100, 400, 700)),
        text("Table 1", (78, 660, 88, 700), BlockType.CAPTION),
        text("Characteristics of all places", (90, 540, 99, 700)),
    ]
    found = bind_captions([*(replace(block, rotation=270) for block in turned), PROSE])
    assert [block.caption_of for block in found] == [None, 1, 1, None]
    assert found[2].type is BlockType.CAPTION
    upright = bind_captions([*turned, PROSE])  # the same boxes, read from the left, are a label in the margin and words beside a table
    assert upright[2].caption_of is None


@pytest.mark.parametrize("words", ["Source: the port authority, 2011.", "SOURCES : two registers", "资料来源：港务局"])
def test_the_line_below_that_says_its_source_belongs_to_the_table(words: str) -> None:
    title = text("Table 1: Sums", (50, 80, 300, 92), BlockType.CAPTION)
    found = bind_captions((title, table((50, 100, 500, 200)), text(words, (50, 206, 300, 216)), figure((50, 230, 500, 400)), PROSE))
    assert [block.caption_of for block in found] == [2, None, 2, None, None]
    assert found[2].type is BlockType.CAPTION


def test_a_source_far_below_or_behind_prose_or_above_is_text() -> None:
    source = text("Source: the port authority", (50, 260, 300, 270))
    assert bound(table((50, 100, 500, 200)), source, PROSE)[1] is None
    assert bound(table((50, 100, 500, 230)), text("Prose between", (50, 235, 480, 255)), source, PROSE)[2] is None
    assert bound(source, table((50, 280, 500, 400)), PROSE)[0] is None
