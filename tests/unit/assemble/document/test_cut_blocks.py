"""Listings, footnotes and texts that a model says go on, over pages."""

import pytest

from schemas.content import Block, BlockType, TextStyle
from tests.unit.assemble.made_documents import blank, block, build, failed, of_type, page, paragraph, texts

MONO = TextStyle(size_pt=9.0, font="Mono", monospace=True)
SMALL = TextStyle(size_pt=8.0, font="Serif")


def code(text: str, y: float, **more: object) -> Block:
    return block(text, y, BlockType.CODE, style=more.pop("style", MONO), **more)


def note(text: str, y: float = 770) -> Block:
    return block(text, y, BlockType.FOOTNOTE, style=SMALL)


def test_a_listing_over_pages_is_one_with_its_lines():
    pages = [page(1, paragraph("See here:", 60), code("def f():\n    a = 1", 700)), page(2, code("    b = 2", 760)), blank(3)]
    document = build(*pages, page(4, code("    return a + b", 60), paragraph("It is short.", 200)))
    (listing,) = of_type(document, BlockType.CODE)
    assert listing.text == "def f():\n    a = 1\n    b = 2\n    return a + b"
    assert [r.page for r in listing.regions] == [1, 2, 4]


@pytest.mark.parametrize(
    "pages",
    [
        (page(1, code("a = 1", 100)), page(2, code("b = 2", 60))),
        (page(1, code("a = 1", 700)), page(2, paragraph("And then:", 60), code("b = 2", 90))),
        (page(1, code("a = 1", 700), paragraph("And then:", 760)), page(2, code("b = 2", 60))),
        (page(1, code("a = 1", 700)), page(2, code("b = 2", 60, style=TextStyle(size_pt=12.0, monospace=True)))),
        (page(1, code("a = 1", 700)), failed(2), page(3, code("b = 2", 60))),
    ],
    ids=["ends high", "text above", "text below", "another type", "missing page"],
)
def test_two_listings_stay_two(pages):
    assert len(of_type(build(*pages), BlockType.CODE)) == 2


def test_a_footnote_goes_on_below_the_next_page():
    first = page(1, paragraph("Text.", 60), note("1 A long note that does not end on its pa-"))
    second = page(2, paragraph("More text.", 60), note("ge but here.", 740), note("2 Another.", 770))
    assert texts(build(first, second), BlockType.FOOTNOTE) == ["1 A long note that does not end on its page but here.", "2 Another."]


@pytest.mark.parametrize("below", ["2 and another", "* a star", "The next.", "b) as said"])
def test_footnotes_of_their_own_stay_apart(below):
    pages = page(1, paragraph("Text.", 60), note("1 A note without an end")), page(2, paragraph("More.", 60), note(below))
    assert len(of_type(build(*pages), BlockType.FOOTNOTE)) == 2


@pytest.mark.parametrize("tag", ["cross_text", "append_text"])
def test_a_models_word_that_a_text_goes_on_counts_unless_words_speak_against_it(tag):
    above, over = block("It was led by", 700, line_count=1, ends_short=True), block("It was over.", 700)
    below = block("Professor Smith", 60, tags=(tag,))
    assert texts(build(page(1, above), page(2, below))) == ["It was led by Professor Smith"]
    assert len(texts(build(page(1, over), page(2, below)))) == 2
    assert len(texts(build(page(1, above), page(2, block("Professor Smith", 60))))) == 2
