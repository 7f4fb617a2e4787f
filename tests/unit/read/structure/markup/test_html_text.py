"""Running text of HTML: headings, paragraphs, white space, links, lists, terms, code."""

import pytest
from made_markup import html_blocks, html_page, items, said, texts

from schemas.content import BlockType, Link


def test_headings_have_their_levels_and_everything_its_order() -> None:
    blocks = html_blocks("<h1>One</h1><p>a</p><h3>Two <em>too</em></h3><div>b</div>c<p>d")
    assert said(blocks) == [
        ("heading", "One"),
        ("paragraph", "a"),
        ("heading", "Two too"),
        ("paragraph", "b"),
        ("paragraph", "c"),
        ("paragraph", "d"),
    ]
    assert [block.level for block in blocks if block.level] == [1, 3]
    by_role = html_blocks('<div role="heading" aria-level="4">Four</div><div role=heading aria-level=99999>x</div>')
    assert [block.level for block in by_role] == [4, 2]


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("a\n  b\tc", ["a b c"]),
        ("a<b>b</b>c <i> d </i> e", ["abc d e"]),
        ("one<br>two", ["one\u2028two"]),
        ("<b>one <br>\n two<br></b>", ["one\u2028two"]),
        ("one<br>\n<br>two", ["one", "two"]),
        ("中文\n换行 and\nmore", ["中文换行 and more"]),
        ("a&nbsp;&amp;&#8212;&copy;", ["a &—©"]),
        ("soft&shy;ly", ["softly"]),
        ("x<sup>2</sup> H<sub>2</sub>O 1<sup>st</sup>", ["x² H₂O 1st"]),
        ("he said <q>no</q>", ["he said “no”"]),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", ["漢(kan)"]),
        ("a<wbr>b<span>c</span>", ["abc"]),
        ("<p>a<p>b<div>c", ["a", "b", "c"]),
    ],
)
def test_white_space_and_inline_marks(markup: str, wanted: list[str]) -> None:
    assert texts(html_blocks(markup)) == wanted


@pytest.mark.parametrize(
    "markup",
    [
        "<script>x</script>", "<style>x</style>", "<template>x</template>", "<noscript>x</noscript>", "<p hidden>x</p>", "<iframe>x</iframe>",
        "<p style='display: none'>x</p>", "<p style='VISIBILITY:hidden'>x</p>", "<span aria-hidden=true>x</span>", "<span class='a sr-only'>x</span>",
        "<title>x</title>", "<button>x</button>", "<object>x</object>", "<!-- x -->", "<datalist><option>x</datalist>", "<select hidden></select>",
    ],
)  # fmt: skip
def test_what_a_page_does_not_show_is_no_text(markup: str) -> None:
    assert said(html_blocks(f"<body><p>a</p>{markup}<p>b</p></body>")) == [("paragraph", "a"), ("paragraph", "b")]


def test_links_are_kept_by_scheme_and_stand_in_order() -> None:
    markup = (
        '<p><a href="https://x.org/?a=1&b=2">one\n two</a> <a href="mailto:a@b.org">m</a> <a href="javascript:alert(1)">j</a>'
        ' <a href="data:text/html,x">d</a> <a href="rel.html">r</a> <a href="//host/x">h</a> <a href="http://y.org/ü \'x">y</a></p>'
    )
    (block,) = html_blocks(markup)
    assert block.links == (
        Link(text="one two", target="https://x.org/?a=1&b=2"),
        Link(text="m", target="mailto:a@b.org"),
        Link(text="y", target="http://y.org/ü%20'x"),
    )


def test_relative_links_follow_the_base_that_the_file_names() -> None:
    (block,) = html_blocks('<base href="https://x.org/a/"><p><a href="../b.html">r</a></p>')
    assert block.links == (Link(text="r", target="https://x.org/b.html"),)
    (local,) = html_blocks('<base href="file:///etc/"><p><a href="passwd">r</a></p>')
    assert local.links == ()


def test_a_link_over_several_blocks_is_in_each_of_them() -> None:
    blocks = html_blocks('<a href="https://x.org"><h2>Head</h2><p>Text</p></a><p>after</p>')
    assert [link.text for block in blocks for link in block.links] == ["Head", "Text"]


def test_nested_lists_have_depth_and_numbers_as_browsers_print_them() -> None:
    markup = """<ul><li>a<ul><li>b<ol start=3><li>c<li value=7>d<li>e</ol></ul><li>f</ul>
        <ol type=a><li>x<li>y</ol><ol type=I start=9><li>z</ol><ol reversed><li>p<li>q</ol>"""
    assert items(html_blocks(markup)) == [
        (0, "• a"), (1, "• b"), (2, "3. c"), (2, "7. d"), (2, "8. e"), (0, "• f"), (0, "a. x"), (0, "b. y"), (0, "IX. z"), (0, "2. p"), (0, "1. q"),
    ]  # fmt: skip


def test_only_the_first_paragraph_of_an_item_has_its_marker() -> None:
    blocks = html_blocks("<ol><li><p>one</p><p>more</p><pre>code</pre><li></li><li>three</ol>")
    assert said(blocks) == [("list_item", "1. one"), ("paragraph", "more"), ("code", "code"), ("list_item", "3. three")]


def test_definitions_are_nested_below_their_terms_even_if_nothing_is_closed() -> None:
    assert items(html_blocks("<dl><dt>T<dd>one<dd>two<dt>U<dd>three</dl>")) == [(0, "T"), (1, "one"), (1, "two"), (0, "U"), (1, "three")]


def test_code_keeps_its_lines_and_leaves_line_numbers_out() -> None:
    blocks = html_blocks('<pre><span class="lineno">1</span><code>def f():\n    return <b>1</b><br>x</code>\n</pre>')
    assert said(blocks) == [("code", "def f():\n    return 1\nx")]


def test_notes_are_footnotes_with_their_numbers_and_no_way_back() -> None:
    markup = """<p>Text<sup><a href="#n1">1</a></sup>.</p>
        <section class="footnotes"><ol><li id="n1">The note. <a href="#r1" class="footnote-backref">↩</a></ol></section>
        <aside role="doc-footnote">Another.</aside>"""
    assert said(html_blocks(markup)) == [("paragraph", "Text¹."), ("footnote", "1. The note."), ("footnote", "Another.")]


def test_a_quotation_and_its_paragraphs_are_text() -> None:
    assert texts(html_blocks("<blockquote><p>a</p><p>b</p></blockquote>")) == ["a", "b"]


def test_what_a_reader_opens_is_text() -> None:
    assert texts(html_blocks("<details><summary>More</summary>hidden until asked for</details>")) == ["More", "hidden until asked for"]


def test_an_empty_page_has_no_blocks_and_no_warnings() -> None:
    for markup in ("", " ", "<html></html>", "<!-- -->", "<body><p> </p></body>"):
        page = html_page(markup)
        assert (page.blocks, page.warnings) == ((), ())


def test_links_from_headings_to_themselves_say_nothing() -> None:
    (heading,) = html_blocks('<h2 id="a">Part<a href="#a">¶</a></h2>')
    assert (heading.type, heading.text, heading.links) == (BlockType.HEADING, "Part", ())
