"""Headings of several lines that were read line by line."""

from schemas.content import Block, BlockType, Span
from schemas.document import OutlineEntry
from tests.unit.assemble.made_documents import build, heading, of_type, page, paragraph

BODY = paragraph("Text that is set in the size of the body, so that there is one. It ends here.", 300)


def headings(*blocks: Block, **more) -> list[str]:
    """The texts of the headings of a page with these and some text."""
    return [one.text for one in of_type(build(page(1, *blocks, BODY), **more), BlockType.HEADING)]


def at(text: str, y: float, x0: float = 50.0, x1: float = 400.0, size: float = 16.0, **more) -> Block:
    """A heading in a box as tall as its type."""
    return heading(text, y, size, bbox=(x0, y, x1, y + 1.2 * size), **more)


def test_a_large_title_of_several_lines_is_one():
    title = at("Corporate Social Responsibility:", 80), at("Hope or Hype?", 103, x1=200)
    assert headings(*title) == ["Corporate Social Responsibility: Hope or Hype?"]
    centred = at("A Study of the Wireless Nets", 80, 100, 500), at("At the University", 108, 180, 420), at("Of the South", 136, 250, 350)
    assert headings(*centred) == ["A Study of the Wireless Nets At the University Of the South"]


def test_what_stands_apart_or_is_set_otherwise_is_another():
    title = at("A Title of Some Length", 80)
    for other in (
        at("The Next Section", 140),
        at("A Subtitle", 103, size=13.0),
        at("Part of Another Face", 103, bold=False),
        at("Elsewhere", 103, 420, 560),
        at("2. Numbered", 103),
    ):
        assert headings(title, other) == [title.text, other.text]


def test_in_type_of_the_text_only_a_small_letter_goes_on():
    label = at("A8 Please give the name that you wish us to use in this", 80, size=10.0)
    assert headings(label, at("application", 93, size=10.0)) == [f"{label.text} application"]
    assert headings(at("Email Address", 80, size=10.0), at("Phone", 93, size=10.0)) == ["Email Address", "Phone"]


def test_what_the_outline_names_stays_alone():
    outline = (OutlineEntry(level=1, title="A Title of Some Length", page=1), OutlineEntry(level=2, title="The Section", page=1))
    assert headings(at("A Title of Some Length", 80), at("The Section", 103), outline=outline) == ["A Title of Some Length", "The Section"]


def test_emphasis_of_both_lines_is_kept():
    first = at("A Book of Homo", 80, spans=(Span(offset=10, length=4, italic=True),))
    second = at("sapiens in the wild", 103, spans=(Span(offset=0, length=7, italic=True),))
    (whole,) = of_type(build(page(1, first, second, BODY)), BlockType.HEADING)
    assert (whole.text, len(whole.regions)) == ("A Book of Homo sapiens in the wild", 2)
    assert [whole.text[s.offset : s.offset + s.length] for s in whole.spans] == ["Homo sapiens"]
