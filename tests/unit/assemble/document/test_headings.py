"""Levels of headings over the whole document, and the path above every block."""

import pytest

from schemas.content import BlockType
from schemas.document import OutlineEntry
from streams.assemble.text.numbering import number_class
from tests.unit.assemble.made_documents import block, build, heading, of_type, page, paragraph, texts


def levels(document) -> list[tuple[int, str]]:
    return [(b.level, b.text) for b in of_type(document, BlockType.HEADING)]


def test_the_outline_says_first():
    outline = [
        OutlineEntry(level=1, title="PART I - DEFINITIONS", page=1),
        OutlineEntry(level=2, title="1. Interpretation", page=1),
        OutlineEntry(level=3, title="1.1 Terms", page=2),
    ]
    document = build(
        page(1, heading("PART I - DEFINITIONS", 60, 12), heading("1.  Interpretation", 90, 20), paragraph("Text.", 120)),
        page(2, block("1.1 Terms", 60), paragraph("Text.", 120), heading("1.2 Not in the outline", 200, 12)),
        outline=outline,
    )
    assert levels(document) == [(1, "PART I - DEFINITIONS"), (2, "1.  Interpretation"), (3, "1.1 Terms"), (3, "1.2 Not in the outline")]


def test_numbers_say_more_than_sizes():
    made = ["1 Introduction", "1.1 Aims", "1.1.1 First aim", "2 Methods", "2.1 Tools"]
    document = build(page(1, *(heading(text, 60 + 40 * i, 12) for i, text in enumerate(made))))
    assert [level for level, _ in levels(document)] == [1, 2, 3, 1, 2]


def test_parts_stand_above_sections_of_the_same_look():
    made = ["Part I Definitions", "1. Interpretation", "2. Terms", "Part II Duties", "3. Payment", "3.1 Schedule"]
    document = build(page(1, *(heading(text, 60 + 40 * i, 12) for i, text in enumerate(made))))
    assert [level for level, _ in levels(document)] == [1, 2, 2, 1, 2, 3]


def test_unnumbered_headings_go_by_how_they_look():
    document = build(
        page(
            1,
            heading("A Title of Its Own", 40, 24),
            heading("Abstract", 80, 14),
            paragraph("Text.", 100),
            heading("1 Introduction", 140, 14),
            heading("1.1 Aims", 180, 12),
            heading("A remark", 220, 10),
        ),
        page(2, heading("References", 60, 14)),
    )
    assert [level for level, _ in levels(document)] == [1, 2, 2, 3, 4, 2]


def test_sizes_alone_make_levels():
    document = build(page(1, heading("One", 40, 20), heading("Two", 80, 16), heading("Three", 120, 12), heading("Two again", 160, 16.2)))
    assert [level for level, _ in levels(document)] == [1, 2, 3, 2]


def test_an_engine_that_knows_levels_and_no_sizes():
    made = [block(text, 60 + 40 * i, BlockType.HEADING, style=None, level=level) for i, (text, level) in enumerate([("A", 1), ("B", 2), ("C", 2)])]
    assert [level for level, _ in levels(build(page(1, *made)))] == [1, 2, 2]


def test_no_level_is_left_out_on_the_way_down():
    made = [("Title", 24.0), ("Summary", 11.0), ("1 Harbours", 16.0), ("1.1 Old ones", 13.0), ("Note", 11.0), ("2 Mills", 16.0), ("Note", 11.0)]
    document = build(page(1, *(heading(text, 40.0 + 50 * i, size=size) for i, (text, size) in enumerate(made))))
    assert [level for level, _ in levels(document)] == [1, 2, 2, 3, 4, 2, 3]


def test_every_block_knows_the_headings_above_it():
    document = build(
        page(1, heading("1 One", 40), paragraph("Under one.", 80), heading("1.1 Inner", 120), paragraph("Under inner.", 160)),
        page(2, paragraph("Still there.", 60), heading("2 Two", 100), paragraph("Under two.", 140)),
    )
    assert {b.text: b.heading_path for b in document.blocks} == {
        "1 One": (),
        "Under one.": ("1 One",),
        "1.1 Inner": ("1 One",),
        "Under inner.": ("1 One", "1.1 Inner"),
        "Still there.": ("1 One", "1.1 Inner"),
        "2 Two": (),
        "Under two.": ("2 Two",),
    }


def test_levels_stay_between_one_and_six():
    document = build(page(1, *(heading(".".join(["1"] * n) + " Deep", 40 * n, 12) for n in range(1, 7)), heading("Far", 400, 4)))
    found = [level for level, _ in levels(document)]
    assert len(found) == 7
    assert (min(found), max(found)) == (1, 6)


def test_a_long_text_in_heavy_type_is_a_paragraph():
    document = build(page(1, heading("word " * 80, 60)))
    assert of_type(document, BlockType.HEADING) == []
    assert len(texts(document)) == 1


def test_letters_after_roman_numbers_are_one_level_deeper():
    """As journals of engineers have them; letters beside figures are appendices."""
    headings = ["I. Introduction", "II. Method", "A. Cost of it", "B. Time of it", "III. Results", "A. Speed"]
    document = build(
        page(1, *(block for n, text in enumerate(headings) for block in (heading(text, 60 + 60 * n), paragraph("Words. " * 20, 85 + 60 * n))))
    )
    assert [block.level for block in document.blocks if block.type is BlockType.HEADING] == [1, 1, 2, 2, 1, 2]


@pytest.mark.parametrize(
    ("text", "kind", "depth"),
    [
        ("Part II Obligations", "part", 1),
        ("Chapter 3 Results", "chapter", 1),
        ("第一章 总则", "chapter", 1),
        ("Appendix A", "appendix", 1),
        ("1 Introduction", "decimal", 1),
        ("2.10. Sampling", "decimal", 2),
        ("IV. Results", "roman", 1),
        ("A.1 Proofs", "letter", 2),
        ("一、财务报表", "han", 1),
        ("§ 7 Kosten", "section_word", 1),
    ],
)
def test_schemes_of_numbering(text, kind, depth):
    number = number_class(text)
    assert number is not None
    assert (number.kind, number.depth) == (kind, depth)


@pytest.mark.parametrize("text", ["Introduction", "A new hope", "1999", "3.5 %", "I am here", "2019-20"])
def test_what_is_no_number(text):
    assert number_class(text) is None
