"""Parts of a page that are more than running text: furniture, figures, formulas, form fields, what the head says."""

import base64

from made_markup import html_blocks, html_page, said, texts

from schemas.content import BlockType, FormField, Span
from streams.read.structure.markup.html import read_html
from streams.read.structure.text.encodings import Decoded

PIXELS = base64.b64encode(b"\x89PNG\r\n\x1a\n...").decode()


def test_navigation_and_the_head_and_foot_of_a_page_are_furniture() -> None:
    markup = """<header><a href="/">Site</a></header><nav><ul><li>Home<li>Shop</ul></nav><main><article><header>By A.</header><h1>T</h1><p>x</p>
        <footer>Tags</footer></article></main><nav>More</nav><footer>© 2024</footer>"""
    assert said(html_blocks(markup)) == [
        ("page_header", "Site"), ("page_header", "Home · Shop"), ("paragraph", "By A."), ("heading", "T"), ("paragraph", "x"), ("paragraph", "Tags"),
        ("page_footer", "More"), ("page_footer", "© 2024"),
    ]  # fmt: skip


def test_a_head_with_the_title_of_the_text_is_content() -> None:
    assert said(html_blocks("<header><h1>T</h1><p>by me</p></header><p>x</p>"))[:2] == [("heading", "T"), ("paragraph", "by me")]


def test_the_contents_of_a_book_are_content_and_a_page_of_furniture_alone_too() -> None:
    assert [kind for kind, _ in said(html_blocks("<nav role=doc-toc><ol><li>One</ol></nav><p>x</p>"))] == ["list_item", "paragraph"]
    assert said(html_blocks("<nav>All there is</nav>")) == [("paragraph", "All there is")]


def test_a_figure_keeps_its_picture_alternative_text_and_caption() -> None:
    page = html_page(f'<figure><figcaption>Figure 1. A cat</figcaption><img alt="a cat" src="data:image/png;base64,{PIXELS}"></figure><p>x</p>')
    assert said(page.blocks) == [("caption", "Figure 1. A cat"), ("figure", "a cat"), ("paragraph", "x")]
    assert page.blocks[0].caption_of == 2
    (picture,) = page.pictures
    assert (picture.block, picture.data, picture.media_type) == (1, base64.b64decode(PIXELS), "image/png")


def test_a_picture_in_a_line_follows_its_paragraph_and_a_small_one_is_its_words() -> None:
    markup = '<p>see <img src="cat.jpg"> and <img src=s.gif width=16 height=16 alt=":)"> here</p><p>next</p>'
    assert said(html_blocks(markup)) == [("paragraph", "see and :) here"), ("figure", "cat.jpg"), ("paragraph", "next")]


def test_decoration_and_counters_are_no_figures() -> None:
    assert html_blocks('<img src="a.png" alt=""><img src="https://t.example/c.gif" width=1 height=1 alt="count"><img>') == ()


def test_pictures_of_formulas_are_formulas_in_the_line() -> None:
    blocks = html_blocks(r'<p>where <img class="mwe-math-fallback-image-inline" alt="\alpha" src="x.svg"> is</p>')
    assert texts(blocks) == [r"where \alpha is"]
    assert blocks[0].spans == (Span(offset=6, length=6, math=True),)


def test_formulas_are_latex_in_the_line_or_blocks() -> None:
    markup = r"""<p>If <math><mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></math> then</p>
        <math display=block><msup><mi>e</mi><mi>x</mi></msup></math>
        <script type="math/tex">a_1</script> <script type="math/tex; mode=display">\int x</script><script>no()</script>"""
    assert said(html_blocks(markup)) == [
        ("paragraph", r"If x = \frac{1}{2} then"), ("equation", "e^{x}"), ("paragraph", "a_1"), ("equation", r"\int x"),
    ]  # fmt: skip


def test_form_fields_have_name_label_and_what_the_page_shows() -> None:
    markup = """<form><label for=i>Your name</label><input id=i name=n value=Bob><input type=password name=p value=secret>
        <input type=hidden name=h value=x>
        <input type=checkbox name=c checked><input type=checkbox name=d><select name=s><option>x<option selected>y</select><textarea name=t>long
        text</textarea><label>Red <input type=radio name=r value=red></label><label>Blue<input type=radio name=r value=blue checked></label>
        <input type=submit value=Send></form>"""
    fields = [block.field for block in html_blocks(markup) if block.field]
    assert fields == [
        FormField(name="n", value="Bob", label="Your name"), FormField(name="c", value="on"), FormField(name="d", value="off"),
        FormField(name="s", value="y"), FormField(name="t", value="long text"), FormField(name="r", value="blue"),
    ]  # fmt: skip


def test_a_box_without_a_name_is_a_sign_in_its_line() -> None:
    assert texts(html_blocks("<ul><li><input type=checkbox checked disabled> done<li><input type=checkbox> to do</ul>"), BlockType.LIST_ITEM) == [
        "• ☑ done",
        "• ☐ to do",
    ]


def test_the_head_says_what_the_document_is() -> None:
    markup = (
        '<html lang="de"><head><title> A &amp; B\n</title><meta name="author" content="X">'
        '<meta property="article:published_time" content="2024-01-02">'
        '<meta name="Description" content="d"></head><body><svg><title>no</title></svg><p>x'
    )
    document = read_html(Decoded(text=markup, encoding="utf-8"))
    assert document.metadata == {"language": "de", "title": "A & B", "author": "X", "created": "2024-01-02", "subject": "d"}


def test_a_drawing_is_a_figure_of_the_words_in_it() -> None:
    assert said(html_blocks("<p>a<svg><title>Plan</title><text>North</text></svg></p>")) == [("paragraph", "a"), ("figure", "Plan North")]


def test_xhtml_is_read_as_xml_so_that_empty_elements_end() -> None:
    markup = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head><body><p>a<a id="x"/> b&nbsp;c</p>'
        "<div/><p>d</p></body></html>"
    )
    assert said(html_blocks(markup)) == [("paragraph", "a b c"), ("paragraph", "d")]
