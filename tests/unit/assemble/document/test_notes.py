"""Footnotes and the marks that refer to them: what is linked, and how it is written out."""

import pytest

from schemas.content import BlockType
from schemas.document import Document
from schemas.events import Format
from streams.assemble.render import render
from streams.assemble.text.note_marks import find_mark, own_mark
from tests.unit.assemble.made_documents import block, build, heading, page, paragraph


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


def test_html_links_the_mark_with_the_note():
    document = build(page(1, paragraph("The harbour1 is <old>."), note("1 Long ago.")))
    text, below = document.blocks
    assert text.html == f'<p id="{text.id}">The harbour<sup><a href="#{below.id}" rel="footnote">1</a></sup> is &lt;old&gt;.</p>'
    assert f'id="{below.id}"' in below.html
    (text, below) = build(page(1, paragraph("The harbour\u00b9 is old."), note("1 Long ago."))).blocks
    assert text.html == f'<p id="{text.id}">The harbour<a href="#{below.id}" rel="footnote">\u00b9</a> is old.</p>'
