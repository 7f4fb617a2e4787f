"""What a hyperlink of a page shows."""

import pymupdf
import pytest

from schemas.content import Block, BlockType, Cell, Link, Span, Table
from streams.read.figures.elements import MAX_LINKS, Hyperlink, find_links, link_text
from streams.read.figures.hyperlinks import with_links
from streams.read.page import page_content, surroundings_of, survey_page
from streams.read.placed_words import Word, texts_inside


def word(x0: float, y0: float, x1: float, y1: float, text: str) -> Word:
    return x0, y0, x1, y1, text, 0, 0, 0


@pytest.mark.parametrize(
    ("words", "target", "wanted"),
    [
        ("Form 101-04.", "https://a.org/f", "Form 101-04"),
        ("the licence,", "https://a.org/l", "the licence"),
        ("https://a.org/x.", "https://a.org/x.", "https://a.org/x."),
        ("Why?", "https://a.org/why", "Why"),
        ("...", "https://a.org", "..."),
        ("", "https://a.org", ""),
    ],
)
def test_the_sign_behind_a_link_is_none_of_it(words: str, target: str, wanted: str) -> None:
    assert link_text(words, target) == wanted


def test_a_link_of_a_page_ends_before_the_full_stop() -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((50, 100), "Read the form. It says all.", fontsize=11)
        box = page.search_for("form")[0]
        page.insert_link({"kind": pymupdf.LINK_URI, "from": box, "uri": "https://example.org/form"})
        survey = survey_page(document.reload_page(page))
        content = page_content(survey, surroundings_of([survey]))
    assert [block.links for block in content.blocks] == [(Link(text="form", target="https://example.org/form"),)]


def linked(text: str, links: list[tuple[str, str]], spans: tuple[Span, ...] = (), gap: float = 3) -> Block:
    """A block with links on one line, so far apart."""
    block = Block(type=BlockType.PARAGRAPH, bbox=(0, 0, 1000, 50), text=text, spans=spans)
    places = [(10.0 + place * (50 + gap), 10.0, 60.0 + place * (50 + gap), 20.0) for place in range(len(links))]
    (found,) = with_links([block], [(Hyperlink(box, target), shown) for box, (shown, target) in zip(places, links, strict=True)])
    return found


def test_the_lines_of_one_link_are_one_link() -> None:
    page = "#page=7"
    found = linked(
        "As Nash and Sutcliffe say, so does Liu et al., 2020; Mein.", [("Nash and", page), ("Sutcliffe", page), ("Liu et al", page), ("2020", page)]
    )
    assert found.links == (Link(text="Nash and Sutcliffe", target=page), Link(text="Liu et al., 2020", target=page))
    apart = linked("See Fig. 1, Fig. 2 and Fig. 3", [("Fig. 1", page), ("Fig. 2", page), ("Fig. 3", "#page=8")])
    assert [link.text for link in apart.links] == ["Fig. 1", "Fig. 2", "Fig. 3"]
    assert len(linked("First page Previous page", [("First page", page), ("Previous page", page)], gap=10).links) == 2
    block = Block(type=BlockType.PARAGRAPH, bbox=(0, 0, 1000, 50), text="as Nash and Sutcliffe say")
    areas = [((900, 10, 990, 20), "Nash and"), ((10, 22, 50, 32), "Sutcliffe")]
    (below,) = with_links([block], [(Hyperlink(box, page), text) for box, text in areas])
    assert [link.text for link in below.links] == ["Nash and Sutcliffe"]


def test_the_lines_of_one_link_in_a_cell_are_one_link() -> None:
    page = "#page=7"
    texts = (((0.0, 0.0, 100.0, 40.0), "Rules of the harbour"), ((100.0, 0.0, 200.0, 40.0), "Rules of the town"))
    table = Table(rows=1, columns=2, cells=tuple(Cell(row=0, column=n, text=text, bbox=box) for n, (box, text) in enumerate(texts)))
    block = Block(type=BlockType.TABLE, bbox=(0, 0, 200, 40), table=table)
    areas = [((5, 5, 90, 15), "Rules of"), ((5, 17, 60, 27), "the harbour"), ((105, 5, 190, 15), "Rules of"), ((105, 17, 160, 27), "the town")]
    (found,) = with_links([block], [(Hyperlink(box, page), text) for box, text in areas])
    assert [link.text for link in found.links] == ["Rules of the harbour", "Rules of the town"]


def test_an_address_over_two_lines_has_no_space_where_the_first_ended() -> None:
    target = "https://a.org/some/Page.html"
    text = "See (https://a. org/some/ Page.html), or write to me@ a.org now."
    parts = [("(https://a", target), ("org/some/", target), ("Page.html)", target), ("me@ a.org", "mailto:me@a.org")]
    spans = (
        Span(offset=5, length=30, italic=True),
        Span(offset=text.index("@"), length=1, bold=True),
        Span(offset=text.index("now"), length=3, bold=True),
    )
    found = linked(text, parts, spans)
    assert found.text == "See (https://a.org/some/Page.html), or write to me@a.org now."
    assert [link.text for link in found.links] == ["(https://a.org/some/Page.html)", "me@a.org"]
    said = [found.text[span.offset : span.offset + span.length] for span in found.spans]
    assert said == ["https://a.org/some/Page.html", "@", "now"], "what is set off moves with the text"


def test_words_that_a_link_shows_keep_their_spaces_whatever_it_leads_to() -> None:
    found = linked("by the data base team", [("data base", "https://a.org/database")])
    assert found.text == "by the data base team"
    unseen = linked("by the team", [("data", "https://a.org/a"), ("base", "https://a.org/a")])
    assert len(unseen.links) == 2


def test_links_say_the_words_whose_middle_they_cover_in_the_order_of_the_text() -> None:
    words = [word(10, 10, 30, 20, "on"), word(32, 10, 60, 20, "one"), word(62, 11, 80, 21, "line"), word(10, 30, 40, 40, "below")]
    assert texts_inside([(30, 9, 82, 22), (0, 0, 100, 100), (41, 25, 90, 50), (62, 16, 80, 16)], words) == [
        "one line",
        "on one line below",
        "",
        "line",
    ]
    assert texts_inside([], words) == []


def test_a_page_of_very_many_links_costs_no_more_than_its_first_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyMuPDF's own chain of links takes the square of their number: seconds for two thousand."""
    with pymupdf.open() as document:
        page = document.new_page()
        parts = []
        for number in range(2_000):
            xref = document.get_new_xref()
            document.update_object(
                xref, f"<</Type/Annot/Subtype/Link/Rect[{number % 50} 10 {number % 50 + 9} 20]/A<</S/URI/URI(https://a.org/{number})>>>>"
            )
            parts.append(f"{xref} 0 R")
        document.xref_set_key(page.xref, "Annots", f"[{' '.join(parts)}]")
        page = pymupdf.open(stream=document.tobytes())[0]
        listed = pymupdf.Page.annot_xrefs
        calls: list[int] = []
        monkeypatch.setattr(pymupdf.Page, "annot_xrefs", lambda page: calls.append(1) or listed(page))
        links = find_links(page)
    assert [link.target for link in links] == [f"https://a.org/{number}" for number in range(MAX_LINKS)]
    assert len(calls) <= 2


def test_links_lead_to_pages_and_to_harmless_addresses() -> None:
    with pymupdf.open() as document:
        document.new_page()
        document.new_page()
        page = document[0]
        box = pymupdf.Rect(10, 10, 50, 20)
        page.insert_link({"kind": pymupdf.LINK_GOTO, "from": box, "page": 1})
        page.insert_link({"kind": pymupdf.LINK_URI, "from": box, "uri": "javascript:alert(1)"})
        page.insert_link({"kind": pymupdf.LINK_LAUNCH, "from": box, "file": "calc.exe"})
        page.insert_link({"kind": pymupdf.LINK_URI, "from": box, "uri": "mailto:a@b.org"})
        assert [link.target for link in find_links(document.reload_page(page))] == ["#page=2", "mailto:a@b.org"]
