"""Footnotes and the marks that refer to them: what is linked, and how it is written out."""

import re

import pytest

from schemas.content import BlockType, Link
from schemas.document import Document
from schemas.events import Format
from streams.assemble.render import render
from streams.assemble.text.note_marks import cell_marks, find_mark, own_mark
from tests.unit.assemble.made_documents import block, build, heading, of_type, page, paragraph, table


def note(text: str, y: float = 760.0):
    return block(text, y, BlockType.FOOTNOTE)


def linked(document: Document) -> list[tuple[str, str]]:
    """The marks as they stand in the text, with the words of their notes."""
    by_id = {b.id: b for b in document.blocks}
    return [(b.text[n.offset : n.offset + n.length], by_id[n.note].text) for b in document.blocks for n in b.notes]


@pytest.mark.parametrize(
    ("text", "of", "mark"),
    [
        ("It works in practice2, indeed.", "2For instance, the score drops.", "2"),
        ("As others found.³ Then", "3 See above.", "³"),
        ("로 보아야 할지, 상해1)나 재해", "1) 손해보험의 표준약관", "1)"),
        ("as was shown [4] before", "[4] Shown by all.", "[4]"),
        ("Equal work∗ by all", "* Equal contribution", "∗"),
        ("the last word.† And", "†Now elsewhere.", "†"),
        ("（参见附录）5。", "5 附录", "5"),
        ("Text of a docx[ii] file", "[ii] An endnote", "[ii]"),
    ],
)
def test_marks_of_all_kinds(text, of, mark):
    found = own_mark(of)
    assert found is not None
    place = find_mark(text, found)
    assert place is not None
    assert text[place[0] : sum(place)] == mark


@pytest.mark.parametrize(
    "text",
    ["CO2 and H2O", "Section 3.2 says", "in 2020, 2 units", "x2 is small", "see p. 2", "the 2nd of May", "a total of 42", "2 Methods", "10.2%"],
)
def test_numbers_that_are_no_marks(text):
    mark = own_mark("2 See above.")
    assert mark is not None
    assert find_mark(text, mark) is None


@pytest.mark.parametrize("text", ["3.5 million were counted", "1,200 lots", "See above.", "1999 was a good year", ""])
def test_notes_without_a_mark(text):
    assert own_mark(text) is None


def test_each_page_has_its_own_notes():
    document = build(
        page(1, paragraph("The harbour1 is old."), paragraph("So is the mill2.", 140.0), note("1 Built long ago."), note("2 Older yet.", 780.0)),
        page(2, paragraph("The bridge1 is new."), note("1 Of this year.")),
    )
    assert linked(document) == [("1", "1 Built long ago."), ("2", "2 Older yet."), ("1", "1 Of this year.")]


def test_a_paragraph_over_two_pages_refers_to_notes_of_both():
    document = build(
        page(1, paragraph("The harbour1 was built by those who", 700.0), note("1 Long ago.")),
        page(2, paragraph("came over the bridge2 in spring.", 60.0), note("2 Now gone.")),
    )
    assert linked(document) == [("1", "1 Long ago."), ("2", "2 Now gone.")]


def test_notes_at_the_end_refer_back_in_their_order():
    document = build(
        page(1, paragraph("The harbour1 is old.")),
        page(2, paragraph("The bridge2 is new.")),
        page(3, heading("Notes", 60.0), note("1 Long ago.", 90.0), note("2 Of this year.", 110.0), note("3 Nothing refers to this.", 130.0)),
    )
    assert linked(document) == [("1", "1 Long ago."), ("2", "2 Of this year.")]


def test_parts_of_a_text_counted_in_brackets_refer_to_no_note_elsewhere():
    document = build(
        page(1, paragraph("The ferry stays (1) in the harbour, or (2) at sea.")),
        page(2, paragraph("The bridge is new."), note("(1) The harbour is that of old.", 690.0), note("(2) The sea is not.")),
    )
    assert linked(document) == []
    beside = build(page(1, paragraph("The ferry stays (1) in the harbour."), note("(1) The harbour is that of old.")))
    assert linked(beside) == [("(1)", "(1) The harbour is that of old.")]


def test_markdown_counts_notes_through_the_document_and_leaves_others_as_they_are():
    document = build(
        page(
            1,
            heading("The harbour∗", 40.0),
            paragraph("The *mill* of old1 stands."),
            note("* Of stone"),
            note("1 Built <b>long</b> ago."),
            note("7 Alone"),
        ),
        page(2, paragraph("The bridge1 is new."), note("1 Of this year.")),
    )
    written = render(document, Format.MARKDOWN)
    assert "# The harbour[^1]\n" in written
    assert "The \\*mill\\* of old[^2] stands." in written
    assert "\n[^1]: Of stone\n" in written
    assert "\n[^2]: Built \\<b>long\\</b> ago.\n" in written
    assert "\n7 Alone\n" in written
    assert "The bridge[^3] is new." in written
    assert written.endswith("[^3]: Of this year.\n")


def test_html_links_the_mark_with_the_note_and_the_note_with_the_mark():
    document = build(page(1, paragraph("The harbour1 is <old>."), note("1 Long ago."), note("7 Alone", 780.0)))
    text, below, alone = document.blocks
    mark = f'<a id="{text.id}-note1" href="#{below.id}" rel="footnote" role="doc-noteref">1</a>'
    assert text.html == f'<p id="{text.id}">The harbour<sup>{mark}</sup> is &lt;old&gt;.</p>'
    back = f'<a href="#{text.id}-note1" role="doc-backlink" aria-label="Back to the text">↩</a>'
    assert below.html == f'<p id="{below.id}" class="footnote" role="doc-footnote">1 Long ago. {back}</p>'
    assert "doc-backlink" not in alone.html
    (text, below) = build(page(1, paragraph("The harbour¹ is old."), note("1 Long ago."))).blocks
    assert "<sup>" not in text.html


def test_a_mark_within_a_hyperlink_is_not_led_back_to():
    link = Link(text="harbour1 of", target="https://example.org/")
    document = build(page(1, paragraph("The harbour1 of old.", links=(link,)), note("1 Long ago.")))
    text, below = document.blocks
    assert "[^" not in render(document, Format.MARKDOWN), "a definition that nothing refers to is not shown"
    assert (len(text.notes), "doc-noteref" in text.html, "doc-backlink" in below.html) == (1, False, False)


@pytest.mark.parametrize(
    ("cell", "keys"),
    [
        ("Total¹", ["1"]), ("12.4²³ t", ["23"]), ("7.1*", ["*"]), ("Berlin†", ["†"]), ("Insgesamt 1)", ["1"]), ("Zahl [ii]", ["ii"]),
        ("km²", []), ("5 m²", []), ("R²", []), ("10³", []), ("SO₄²⁻", []), ("* * *", []), ("(see 2)", []), ("5 * 3", []), ("f(x, 1)", []), ("1)", []),
        ("a¹", []), ("人口¹", ["1"]), ("**", []), ("x*y", []),
    ],
)  # fmt: skip
def test_marks_in_cells_and_what_is_none(cell, keys):
    assert [mark.key for mark in cell_marks(cell)] == keys


def test_a_power_refers_to_nothing():
    mark = own_mark("2 See above.")
    assert mark is not None
    assert find_mark("an area of 5 m², R² or 10²", mark) is None
    assert find_mark("an area of 5 m² in all²", mark) == (22, 1)
    assert find_mark("enough vitamin C² in winter", mark) == (16, 1)
    assert find_mark("enough vitamin C² in winter²", mark) == (27, 1)


TABLE = [["Town", "People¹"], ["Rome*", "12"], ["Bonn", "7¹"], ["Paris²", "km²"]]


def test_cells_refer_to_the_notes_under_their_table_and_to_those_of_the_page():
    below = [block("Source: the towns", 160.0), block("¹ In thousands.", 176.0), block("* Estimated.", 190.0)]
    document = build(
        page(
            1,
            table(TABLE, 70.0, header_rows=1),
            *below,
            paragraph("The mill2 is old, and so is the town1.", 400.0),
            note("1 Yes."),
            note("2 No.", 780.0),
        )
    )
    assert linked(document) == [
        ("¹", "¹ In thousands."), ("*", "* Estimated."), ("¹", "¹ In thousands."), ("²", "2 No."), ("2", "2 No."), ("1", "1 Yes.")
    ]  # fmt: skip
    assert [b.type for b in document.blocks[1:4]] == [BlockType.PARAGRAPH, BlockType.FOOTNOTE, BlockType.FOOTNOTE]
    written = render(document, Format.MARKDOWN)
    assert "| Town | People[^1] |\n| --- | --- |\n| Rome[^2] | 12 |\n| Bonn | 7[^1] |\n| Paris[^3] | km² |" in written
    assert "\n[^1]: In thousands.\n" in written
    assert "mill[^3] is old, and so is the town[^4]." in written
    html = render(document, Format.HTML)
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]*)"', html)) <= set(ids)
    first = next(b for b in document.blocks if b.text == "¹ In thousands.")
    assert [re.findall(r'href="#([^"]*)"', first.html)] == [["p1-1-note1", "p1-1-note3"]]
    assert html.count('role="doc-noteref"') == html.count('role="doc-backlink"') == 6


def test_a_table_written_in_tags_keeps_its_marks_and_its_notes_as_they_are_printed():
    document = build(page(1, table([["a", "Ab¹"], *TABLE], 70.0, header_rows=2), block("¹ In thousands.", 145.0)))
    assert len(linked(document)) == 3
    written = render(document, Format.MARKDOWN)
    assert '<th scope="col">People¹</th>' in written
    assert written.endswith("\n¹ In thousands.\n")


def test_what_stands_under_a_table_is_no_note_by_half_the_evidence():
    rows = [["a", "b"], ["word¹", "km²"]]
    below = [block("2 Nothing refers to this.", 102.0), block("1. The item of a list", 118.0, BlockType.LIST_ITEM), block("1 Too far below.", 300.0)]
    document = build(page(1, table(rows, 70.0, header_rows=1), *below))
    assert linked(document) == []
    assert [b.type for b in document.blocks[1:]] == [b.type for b in below]


def test_a_table_over_two_pages_refers_to_the_notes_under_its_end():
    upper = [["No.", "Name"], *([str(n), f"Town {n}"] for n in range(1, 30))]
    upper[3][1] = "Town 3¹"
    lower = [["No.", "Name"], *([str(n), f"Town {n}"] for n in range(30, 40))]
    lower[4][1] = "Town 33²"
    document = build(
        page(1, table(upper, 60.0, 780.0, header_rows=1)),
        page(2, table(lower, 60.0, 300.0, header_rows=1), block("1 Of old.", 306.0), block("2 Of late.", 320.0)),
    )
    assert len(of_type(document, BlockType.TABLE)) == 1
    assert linked(document) == [("¹", "1 Of old."), ("²", "2 Of late.")]


def test_a_cell_does_not_refer_to_the_footnote_of_another_page():
    upper = [["No.", "Name"], *([str(n), f"Town {n}"] for n in range(1, 30))]
    upper[3][1] = "Town 3¹"
    lower = [["No.", "Name"], *([str(n), f"Town {n}"] for n in range(30, 40))]
    document = build(
        page(1, table(upper, 60.0, 780.0, header_rows=1)),
        page(2, table(lower, 60.0, 300.0, header_rows=1), block("Text of its own¹.", 500.0), block("1 Smith 1990.", 760.0, BlockType.FOOTNOTE)),
    )
    assert len(of_type(document, BlockType.TABLE)) == 1
    assert all(piece != "¹" or note == "1 Smith 1990." for piece, note in linked(document))
    (joined,) = of_type(document, BlockType.TABLE)
    assert not joined.notes
