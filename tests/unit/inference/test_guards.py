"""What the guards see and what they let pass."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from inference.guards import Problem, check, is_loop
from inference.layout import content_of, page_confidence
from inference.types import PageText, TextLine
from schemas.content import Block, BlockType, Cell, PageContent, Source, Table, TextStyle
from tests.unit.inference.making import page_image

PROSE = (
    "The committee met on Tuesday and approved the budget for the coming year after a long debate about the bridge, the school and the "
    "library, whose roof had been repaired twice since the war without lasting success."
)


def page(*texts: str, confidence: float = 0.98, cells: tuple[str, ...] = ()) -> PageContent:
    blocks = [Block(type=BlockType.PARAGRAPH, bbox=(0.0, 0.0, 1.0, 1.0), text=text, confidence=confidence) for text in texts]
    if cells:
        table = Table(rows=len(cells), columns=1, cells=tuple(Cell(row=n, column=0, text=text) for n, text in enumerate(cells)))
        blocks.append(Block(type=BlockType.TABLE, bbox=(0.0, 0.0, 1.0, 1.0), table=table))
    return PageContent(page=1, width_pt=595.0, height_pt=842.0, rotation=0, source=Source.RECOGNITION, blocks=tuple(blocks))


def test_a_sound_page_has_no_problem():
    assert check(page(PROSE, PROSE[:60]), 0.98, 0.06) == ()


def test_an_empty_answer_is_a_problem_only_on_ink():
    assert check(page(), 1.0, 0.05) == (Problem.EMPTY_ON_INK,)
    assert check(page(), 1.0, 0.0001) == ()


def test_more_text_than_the_ink_allows():
    assert Problem.MORE_TEXT_THAN_INK in check(page(PROSE * 20), 0.98, 0.0003)
    assert Problem.MORE_TEXT_THAN_INK not in check(page(PROSE * 20), 0.98, 0.05)


def test_a_repeated_sentence_is_a_loop_wherever_it_begins():
    assert is_loop(PROSE + " and so it went on." * 60)
    assert is_loop("word " * 300)
    assert Problem.REPEATED_TEXT in check(page(*["The same sentence again."] * 80), 0.98, 0.06)


def test_tables_of_numbers_and_short_repetitions_are_no_loops():
    assert not is_loop(" ".join(["0 0 0 - 12.5"] * 200))
    assert not is_loop(PROSE + " hear, hear! " * 10)
    assert Problem.REPEATED_TEXT not in check(page(cells=("0",) * 500), 0.98, 0.06)


@given(st.lists(st.text(alphabet="abcdefghij", min_size=1, max_size=8), unique=True, min_size=1, max_size=400))
def test_text_without_repetition_is_no_loop(words):
    assert not is_loop(" ".join(words))


def test_a_page_in_a_script_the_engine_does_not_know():
    lines = ["n'n nn 'n D'n"] * 12
    assert check(page(*lines, confidence=0.66), 0.66, 0.06) == (Problem.SCRIPT_DOUBTFUL,)
    assert check(page(*lines, confidence=0.4), 0.4, 0.06) == (Problem.SCRIPT_UNSUPPORTED,)


def test_a_poor_scrap_is_of_low_confidence_and_not_of_another_script():
    assert check(page("sgntr", confidence=0.4), 0.4, 0.06) == (Problem.LOW_CONFIDENCE,)


def test_one_block_that_reads_well_keeps_a_page_from_being_refused():
    content = page(*["n'n nn 'n"] * 12, confidence=0.4)
    content = type(content)(
        page=1, width_pt=595.0, height_pt=842.0, rotation=0, source=Source.RECOGNITION,
        blocks=(*content.blocks, Block(type=BlockType.PARAGRAPH, bbox=(0.0, 0.0, 1.0, 1.0), text="String", confidence=0.99)),
    )  # fmt: skip
    assert check(content, 0.45, 0.06) == (Problem.SCRIPT_DOUBTFUL,)


def test_a_paragraph_in_another_script_on_a_page_that_reads_well():
    content = page(PROSE, PROSE, PROSE)
    unread = Block(
        type=BlockType.PARAGRAPH, bbox=(50.0, 100.0, 550.0, 125.0), text="Ab,c", confidence=0.2, style=TextStyle(size_pt=10.0), line_count=2
    )
    assert check(replace(content, blocks=(*content.blocks, unread)), 0.95, 0.06) == (Problem.PART_UNREAD,)


def test_a_line_of_which_little_was_read_counts_by_its_length():
    lines = (
        TextLine((50, 100, 450, 109), ",A", 0.9),
        TextLine((50, 112, 450, 121), "The committee met on Tuesday and approved the budget for the year.", 0.99),
    )
    content = content_of(PageText(lines), page_image(width_px=595, height_px=842), 595, 842)
    assert content.blocks[0].confidence < 0.7
    assert page_confidence(content) < 0.7
