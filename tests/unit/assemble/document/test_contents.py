"""Contents pages: known as such, no headings themselves, and the source of levels where there is no outline."""

import pytest

from schemas.content import BlockType
from schemas.document import OutlineEntry
from streams.assemble.text.contents import contents_entry, is_contents_title
from tests.unit.assemble.made_documents import block, build, heading, of_type, page, paragraph, texts

LISTED = [("Harbours", 0, 3), ("Old ones", 12, 3), ("New ones", 12, 4), ("Mills", 0, 6), ("Of wind", 12, 6), ("Bridges", 0, 9)]


def entry(text: str, indent: float, y: float, **more):
    return block(text, y, bbox=(50.0 + indent, y, 545.0, y + 12.0), **more)


def contents(title: str = "Contents", kind: BlockType = BlockType.PARAGRAPH):
    return page(
        1, heading(title, 40.0, 18), *(entry(f"{text} {number}", indent, 80.0 + 16 * n, kind=kind) for n, (text, indent, number) in enumerate(LISTED))
    )


def body(size: float = 12.0):
    """All sections in one look, so that nothing but the list tells their levels; the last one looks like text."""
    made = [[heading(text, 60.0, size), paragraph("Every lot is listed.", 90.0)] for text, _, _ in LISTED[:-1]]
    return [page(n, *blocks) for n, blocks in enumerate([*made, [block(LISTED[-1][0], 60.0), paragraph("So is this.", 90.0)]], 2)]


def levels(document) -> list[tuple[int, str]]:
    return [(b.level, b.text) for b in of_type(document, BlockType.HEADING)]


def test_levels_come_from_the_list():
    for kind in (BlockType.PARAGRAPH, BlockType.HEADING):
        found = levels(build(contents(kind=kind), *body()))
        assert found[0] == (1, "Contents")
        assert [level for level, _ in found[1:]] == [2, 3, 3, 2, 3, 2]
        assert [text for _, text in found[1:]] == [text for text, _, _ in LISTED]


def test_entries_are_no_headings():
    document = build(contents(kind=BlockType.HEADING), *body())
    assert [text for text in texts(document) if text[-1].isdigit()] == [f"{text} {number}" for text, _, number in LISTED]


def test_an_outline_says_more():
    outline = [OutlineEntry(level=1, title=text, page=n) for n, (text, _, _) in enumerate(LISTED, 2)]
    assert {level for level, text in levels(build(contents(), *body(), outline=outline)) if text != "Contents"} == {1}


def test_a_list_that_the_text_does_not_hold_is_not_believed():
    other = [page(n, heading("Chapter of " + "abcdefgh"[n] * n, 60.0), paragraph("Text.", 90.0)) for n in range(2, 8)]
    assert {level for level, _ in levels(build(contents(), *other))[1:]} == {2}


def test_pages_that_fall_are_no_contents_list():
    made = page(
        1, heading("Contents", 40.0, 18), *(entry(f"{text} {90 - 9 * n}", indent, 80.0 + 16 * n) for n, (text, indent, _) in enumerate(LISTED))
    )
    assert {level for level, _ in levels(build(made, *body()))[1:]} == {2}


def test_numbered_entries_need_no_indent():
    names = ["1 Harbours", "1.1 Old ones", "1.2 New ones", "2 Mills", "Annex"]
    listed = page(1, heading("Inhaltsverzeichnis", 40.0, 18), *(entry(f"{text} … {n + 3}", 0.0, 80.0 + 16 * n) for n, text in enumerate(names)))
    document = build(listed, *(page(n, heading(text, 60.0), paragraph("Text.", 90.0)) for n, text in enumerate(names, 2)))
    assert [level for level, text in levels(document) if text in names] == [2, 3, 3, 2, 2]


@pytest.mark.parametrize(
    "title", ["Contents", "TABLE OF CONTENTS", "Inhalt", "Table des matières", "Índice", "Содержание", "目 录", "目次", "목차", "المحتويات"]
)
def test_titles_of_lists(title):
    assert is_contents_title(title)
    assert not is_contents_title(title + " of the harbour and the mill")


def test_entries():
    assert contents_entry("1.2 The mill . . . . . 17") == ("1.2themill", "1.2 The mill", 17)
    assert contents_entry("Preface ix") == ("preface", "Preface", 9)
    assert contents_entry("The mill was counted in 1999.") is None
    assert contents_entry("17") is None


def test_a_heading_in_two_lines_is_the_one_that_the_outline_names():
    outline = [OutlineEntry(level=1, title="2 Opportunities from specific behaviour changes", page=1)]
    document = build(
        page(1, heading("2 Opportunities from specific", 60.0), heading("behaviour changes", 80.0), heading("2.1 Savings", 140.0)), outline=outline
    )
    assert levels(document) == [(1, "2 Opportunities from specific behaviour changes"), (2, "2.1 Savings")]
    assert len(document.blocks[0].regions) == 2
