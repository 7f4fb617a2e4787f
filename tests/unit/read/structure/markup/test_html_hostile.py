"""Markup made to harm: depth, width, entities, addresses, sizes. Everything ends soon, in blocks or in a typed error."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_markup import html_blocks, html_page, texts

from schemas.content import BlockType
from schemas.errors import Code, PageloomError
from streams.read.structure.markup import tree
from streams.read.structure.markup.html import read_html
from streams.read.structure.markup.nesting import flattened
from streams.read.structure.markup.reader import text_of_blocks
from streams.read.structure.paging import MAX_PAGE_BLOCKS
from streams.read.structure.text.encodings import Decoded

NESTING = ["div", "b", "ul><li", "blockquote", "span", "table><tr><td", "dl><dd", "section", "math><mrow", "figure", "font", "svg><text", "a href=#x"]


@pytest.mark.parametrize("tag", NESTING)
@pytest.mark.parametrize("depth", [100, 3_000, 30_000])
def test_any_depth_is_read(tag: str, depth: int) -> None:
    page = html_page("<p>before</p>" + f"<{tag}>" * depth + "inner")
    assert page.blocks[0].text == "before"
    assert "inner" in " ".join(text_of_blocks(list(page.blocks), " ").split())


def test_what_lies_too_deep_is_kept_as_text_and_said() -> None:
    page = html_page("<div>" * 500 + "<p>one</p><p>two</p>" + "</div>" * 500 + "<p>after</p>")
    assert texts(page.blocks) == ["one two", "after"]
    assert any("nested deeper" in warning for warning in page.warnings)


def test_what_lies_deeper_than_the_parser_goes_is_kept_and_so_is_what_follows() -> None:
    tags = "<div title='<'><b>", "</b></div>"
    page = html_page("<p>before</p>" + tags[0] * 5_000 + "<p>one</p><script>2</script><p>two" + tags[1] * 5_000 + "<p>after</p>")
    assert texts(page.blocks) == ["before", "one two", "after"]
    assert any("nested deeper" in warning for warning in page.warnings)


def test_paragraphs_and_drawings_whose_ends_are_left_out_are_no_depth() -> None:
    page = html_page("<p>one" * 500 + "<svg>" + "<path d=x />" * 500 + "</svg><p>" + "<font>" * 3_000 + "<p>two")
    assert texts(page.blocks[:500]) == ["one"] * 500
    assert texts(page.blocks[500:]) == ["two"]


@pytest.mark.parametrize("piece", ["<div", "<div ", "</div", "<!--", "<script", "<div a='"])
def test_tags_without_an_end_are_flattened_in_time_that_grows_with_their_length(piece: str) -> None:
    flattened(piece * 200_000)


def test_entities_of_a_document_are_not_expanded() -> None:
    bomb = '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    page = html_page(f'{bomb}<html xmlns="http://www.w3.org/1999/xhtml"><body><p>x &b; &c; y</p></body></html>')
    said = " ".join(texts(page.blocks))
    assert "lol" not in said
    assert "root:" not in said
    assert said.startswith("x")


def test_more_markup_than_is_read_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MAX_CHARACTERS", 100)
    with pytest.raises(PageloomError) as error:
        html_blocks("x" * 101)
    assert error.value.code is Code.TOO_LARGE


def test_a_very_long_document_is_several_pages_cut_at_headings() -> None:
    markup = "".join(f"<h2 id=h{n}>Part {n}</h2>" + "<p>text</p>" * 999 for n in range(25)) + '<p><a href="#h0">first</a></p>'
    pages = read_html(Decoded(text=markup, encoding="utf-8")).pages
    assert sum(len(page.blocks) for page in pages) == 25_001
    assert all(len(page.blocks) <= MAX_PAGE_BLOCKS for page in pages)
    assert all(page.blocks[0].type is BlockType.HEADING for page in pages)
    assert pages[-1].blocks[-1].links[0].target == "#page=1"


def test_pictures_that_are_none_are_not_loaded() -> None:
    page = html_page('<img alt=a src="data:image/png;base64,@@@"><img alt=b src="data:text/html,<p>x"><img alt=c src="file:///etc/passwd">')
    assert [block.text for block in page.blocks] == ["a", "b", "c"]
    assert all(picture.data == b"" for picture in page.pictures)


FRAGMENTS = st.sampled_from([
    "<p>", "</p>", "<table>", "</table>", "<tr>", "<td colspan=3>", "<th rowspan=0>", "<ul>", "<li>", "</ul>", "<ol type=i>", "<dl>", "<dd>",
    "<h2>", "</h2>", "<pre>", "</pre>", "<a href='#x'>", "</a>", "<sup>", "</sup>", "<math>", "<mfrac>", "<mi>x</mi>", "</math>", "<figure>",
    "<figcaption>", "</figure>", "<img src=x alt=y>", "<select>", "<option>", "<input type=radio name=r>", "<input type=checkbox>", "<br>",
    "<svg>", "</svg>", "<nav>", "</nav>", "<header>", "</header>", "text", " ", "&amp;", "&#0;", "&bogus;", "\x00", "<!--", "-->", "<![CDATA[",
    "<?", "<", ">", "\ud800", "中", "א", "<div hidden>", "</div>", "<section class=footnotes>", "<template>", "<script>", "</script>", "<title>",
    "</title>", "<body>", "</html>",
])  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(FRAGMENTS, max_size=40))
def test_any_soup_of_tags_becomes_blocks(parts: list[str]) -> None:
    page = html_page("".join(parts))
    for number, block in enumerate(page.blocks, 1):
        assert block.text == block.text.strip() or block.type is BlockType.CODE
        assert block.caption_of is None or (1 <= block.caption_of <= len(page.blocks) and block.caption_of != number)
        assert all(link.text in block.text or block.table is not None for link in block.links)
        assert "\x00" not in block.text
    for picture in page.pictures:
        assert page.blocks[picture.block].type is BlockType.FIGURE


def test_a_tag_of_very_many_attributes_keeps_its_first_ones_and_its_text() -> None:
    """The parser's time grows with the square of their number: a hundred thousand would take a minute."""
    crowd = " ".join(f"a{number}='>{number}'" for number in range(100_000))
    page = html_page(f"<p>before</p><p id=x {crowd}>inside</p><p>after</p>")
    assert texts(page.blocks) == ["before", "inside", "after"]
    root = tree.parse_markup(f"<p id=x {crowd} title=last>inside</p>")
    assert root is not None
    (paragraph,) = root.iter("p")
    assert len(paragraph.attrib) == tree.MAX_ATTRIBUTES
    assert paragraph.get("id") == "x"


@pytest.mark.parametrize(("opening", "closing"), [("<!--", "-->"), ("<script>", "</script>"), ("<style>", "</style>")])
def test_what_only_looks_like_attributes_hides_no_text(opening: str, closing: str) -> None:
    inside = "a <b " + "word " * 500 + "it='"
    page = html_page(f"<p>one</p>{opening}{inside}{closing}<p>it's two</p>")
    assert texts(page.blocks) == ["one", "it's two"]


@pytest.mark.parametrize("piece", ["<a ", '<a b="', "<script", "<!--", "<a b='", "<a =", "<a / "])
def test_tags_that_never_end_are_passed_in_time_that_grows_with_their_length(piece: str) -> None:
    tree._CROWDED.sub("", piece * 200_000)


def test_a_formula_that_is_nested_too_deeply_is_said() -> None:
    def warnings(depth: int) -> tuple[str, ...]:
        return html_page(f"<p>x</p><math>{'<mrow>' * depth}<mi>q</mi>{'</mrow>' * depth}</math>").warnings

    assert warnings(40) == ()
    assert any("a formula is nested deeper" in warning for warning in warnings(100))
    assert any("a formula is nested deeper" in warning for warning in warnings(5_000))
