"""Emphasis: what is bold or italic on a page is so in the text of its blocks, wherever lines were joined."""

from typing import Any

import pymupdf
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.content import Block, BlockType, PageContent
from streams.read.blocks.building import Surroundings, build_blocks
from streams.read.blocks.emphasis import BOLD, ITALIC, STRUCK, solid, spans_of
from streams.read.blocks.faces import BOLD_FLAG, ITALIC_FLAG
from streams.read.blocks.joining import KnownWords, join_lines
from streams.read.blocks.lines import fragments_of
from streams.read.page import page_content, surroundings_of, survey_page

PIECES = st.lists(
    st.tuples(st.text("abcé -\u2010\n", min_size=1, max_size=12), st.sampled_from([0, BOLD, ITALIC, BOLD | ITALIC, STRUCK])), max_size=8
)


def emphasised(block: Block) -> list[tuple[str, str]]:
    """The emphasised parts of a block: how they are set, and their text."""
    names = [("b" * span.bold + "i" * span.italic + "s" * span.struck, span) for span in block.spans]
    return [(name, block.text[span.offset : span.offset + span.length]) for name, span in names]


@given(PIECES)
@settings(max_examples=150)
def test_every_character_is_set_as_its_piece_was(pieces: list[tuple[str, int]]) -> None:
    """Counting finds the places again in the joined text, whatever spaces and hyphens became of it."""
    text = " ".join("".join(piece for piece, _ in pieces).replace("\u2010", "").split())
    spans = spans_of(text, [(solid(piece), setting) for piece, setting in pieces])
    wanted = [setting for piece, setting in pieces for character in piece if solid(character)]
    found = [0] * len(text)
    for span in spans:
        setting = BOLD * span.bold | ITALIC * span.italic | STRUCK * span.struck
        assert setting
        assert " " not in (text[span.offset], text[span.offset + span.length - 1])
        found[span.offset : span.offset + span.length] = [setting] * span.length
    settings_found = [setting for character, setting in zip(text, found, strict=True) if solid(character)]
    assert all(there in (wants, 0) for there, wants in zip(settings_found, wanted, strict=True))
    assert [(span.offset, span.length) for span in spans] == sorted((span.offset, span.length) for span in spans)


def test_a_text_that_is_not_the_joined_one_has_no_emphasis() -> None:
    runs = [(5, BOLD), (3, 0), (0, BOLD)]
    assert [(span.offset, span.length) for span in spans_of("Total sum", runs)] == [(0, 5)]
    assert spans_of("Total sums", runs) == () == spans_of("Total", runs)


def test_single_letters_are_variables() -> None:
    assert spans_of("where x is", [(5, 0), (1, ITALIC), (2, 0)]) == ()
    assert spans_of("see III is", [(3, 0), (3, BOLD), (2, 0)])[0].length == 3
    assert spans_of("在 中 国", [(1, 0), (1, BOLD), (1, 0)])[0].offset == 2


def span(text: str, x: float, flags: int = 0, size: float = 10.0, font: str = "Times-Roman", y: float = 100.0) -> dict[str, Any]:
    """A span as MuPDF gives it."""
    width = 0.5 * size * len(text)
    return {
        "text": text,
        "font": font,
        "flags": flags,
        "size": size,
        "origin": (x, y),
        "bbox": (x, y - 8, x + width, y + 2),
        "color": 0,
        "alpha": 255,
    }


def line(y: float, *spans: tuple[str, int] | dict[str, Any]) -> dict[str, Any]:
    """A line of spans one behind the other."""
    placed: list[dict[str, Any]] = []
    for one in spans:
        x = placed[-1]["bbox"][2] if placed else 50.0
        placed.append(span(one[0], x, one[1], y=y) if isinstance(one, tuple) else {**one, "bbox": (x, y - 8, x + 20, y + 2), "origin": (x, y)})
    box = (placed[0]["bbox"][0], y - 8, placed[-1]["bbox"][2], y + 2)
    return {"spans": placed, "dir": (1.0, 0.0), "wmode": 0, "bbox": box}


def blocks_of(*lines: dict[str, Any]) -> list[Block]:
    """The blocks of a page with these lines."""
    fragments = fragments_of({"blocks": [{"lines": [one]} for one in lines]})
    return list(build_blocks(fragments, [], (0.0, 0.0, 600.0, 800.0), Surroundings(KnownWords(f.text for f in fragments)), 1.0))


def test_an_emphasis_over_two_lines_is_one_and_loses_its_hyphen() -> None:
    found = blocks_of(
        line(100, ("This is the text, and it is set in plain type as far as the very impor", 0), ("tant mat-", ITALIC_FLAG)),
        line(112, ("ter of ", ITALIC_FLAG), ("the text that follows it here, which is plain again until the end.", 0)),
    )
    assert emphasised(found[0]) == [("i", "tant matter of")]


def test_indices_of_variables_and_letters_of_formulas_are_none() -> None:
    small = span("ij", 0, ITALIC_FLAG, size=6.0)
    formula = span("abc", 0, ITALIC_FLAG, font="ABCDEF+CMMI10")
    found = blocks_of(
        line(100, ("Here the value of ", 0), ("x", ITALIC_FLAG), small, (" times the ", 0), formula, (" is equal to the ", 0), ("sum", BOLD_FLAG))
    )
    assert emphasised(found[0]) == [("b", "sum")]


def test_what_a_whole_page_is_set_in_is_no_emphasis() -> None:
    lines = [line(100 + 12 * n, ("All of this page is bold, and says nothing of what matters on the page.", BOLD_FLAG)) for n in range(9)]
    assert [block.spans for block in blocks_of(*lines)] == [()]


def made_page(html: str) -> PageContent:
    """A page with this text, read."""
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_htmlbox((50, 50, 500, 700), html)
        survey = survey_page(page)
        return page_content(survey, surroundings_of([survey]))


def test_emphasis_of_a_page_and_none_of_its_headings() -> None:
    content = made_page(
        "<h1>A <i>Homo sapiens</i> heading</h1><p>Some <b>bold words</b> and <i>leaning ones</i> stand in a paragraph, which goes on for some lines"
        " so that there is a body of text on this page, and <b><i>both together</i></b> stand in its midst, before it comes to its end.</p>"
        "<ul><li><b>First</b> of the items</li><li>Second of the items</li></ul>"
    )
    found = {block.type: emphasised(block) for block in reversed(content.blocks)}
    assert found[BlockType.HEADING] == [("i", "Homo sapiens")]
    assert found[BlockType.PARAGRAPH] == [("b", "bold words"), ("i", "leaning ones"), ("bi", "both together")]
    assert found[BlockType.LIST_ITEM] == [("b", "First")]


def test_joining_lines_changes_no_solid_character() -> None:
    lines = ["The self-", "made and the re\u00ad", "joined im-", "portant words"]
    joined = join_lines(lines, KnownWords(["important"]))
    assert solid(joined) == sum(solid(one) for one in lines)
