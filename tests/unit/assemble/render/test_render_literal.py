"""Code and formulas within a line: read as what they are, and harmless where no formula is known."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from schemas.content import BlockType, Link, Span
from schemas.events import Format
from streams.assemble.render import render
from streams.assemble.render.markdown_literal import code_span, formula_span
from tests.unit.assemble.made_documents import block, build, page, paragraph

PLAIN = MarkdownIt("gfm-like", {"linkify": False})
MATH = MarkdownIt("gfm-like", {"linkify": False}).use(dollarmath_plugin, allow_digits=False, allow_space=False)
LATEX = st.lists(st.sampled_from([*"ax1 ^_{}[]()<>&;:!*~$`\\|=+-", "\\frac", "](", "<b>", "&lt;", "$$"]), min_size=1, max_size=12).map("".join)


def markdown(text: str, *found: Span, links: tuple[Link, ...] = (), kind: BlockType = BlockType.PARAGRAPH) -> str:
    return render(build(page(1, block(text, 100, kind, spans=found, links=links))), Format.MARKDOWN).rstrip("\n")


def kinds(parser: MarkdownIt, text: str) -> list[str]:
    return [child.type for token in parser.parse(text) for child in token.children or []]


def test_code_is_not_escaped_and_may_hold_ticks():
    assert markdown("Run git_checkout -b a*b now", Span(offset=4, length=19, code=True)) == "Run `git_checkout -b a*b` now"
    assert code_span("a`b") == "``a`b``"
    assert code_span("`a`") == "`` `a` ``"


def test_code_stands_in_links_items_and_tables():
    link = (Link(text="convert()", target="https://example.org/"),)
    assert markdown("Use convert() here", Span(offset=4, length=9, code=True), links=link) == "Use [`convert()`](https://example.org/) here"
    assert markdown("- a_b c", Span(offset=2, length=3, code=True), kind=BlockType.LIST_ITEM) == "- `a_b` c"
    assert markdown("very a()b", Span(offset=5, length=3, code=True, bold=True)) == "very <strong>`a()`</strong>b"


def test_a_formula_is_marked_and_money_beside_it_is_not():
    text = r"It costs $5 when A=\pi r^{2} and $6."
    assert markdown(text, Span(offset=17, length=11, math=True)) == r"It costs \$5 when $A=\pi r^{2}$ and \$6."
    html = render(build(page(1, paragraph("x < y", spans=(Span(offset=0, length=5, math=True),)))), Format.HTML)
    assert '<code class="math">x &lt; y</code>' in html


LINES = "First line\u2028# no heading\u2028- no item"


def test_lines_that_the_author_ended_stay_lines():
    document = build(page(1, block(LINES, 100), block(f"1. {LINES}", 150, BlockType.LIST_ITEM, list_depth=0)))
    assert [one.text for one in document.blocks] == ["First line\n# no heading\n- no item", "1. First line\n# no heading\n- no item"]
    assert render(document, Format.MARKDOWN) == (
        "First line  \n\\# no heading  \n\\- no item\n\n1. First line  \n   \\# no heading  \n   \\- no item\n"
    )
    assert "First line<br># no heading<br>- no item</p>" in render(document, Format.HTML)


def test_emphasis_and_links_over_lines():
    link = (Link(text="b\u2028c", target="https://example.org/"),)
    document = build(page(1, block("a b\u2028c d\u2028e", 100, spans=(Span(offset=6, length=3, bold=True),), links=link)))
    assert render(document, Format.MARKDOWN) == "a [b  \nc](https://example.org/) **d  \ne**\n"
    assert document.blocks[0].links[0].text == "b\nc"


def test_remarks_of_several_lines_are_quoted_in_each():
    assert markdown("one\u2028two", kind=BlockType.ANNOTATION) == "> one  \n> two"


def test_a_page_that_says_line_feed_is_one_line():
    assert build(page(1, paragraph("a\nb"))).blocks[0].text == "a b"


@given(LATEX)
@settings(max_examples=300, deadline=None)
@example("[a](b)")
@example("<img src=x>")
@example("a$b")
@example("a\\")
def test_a_formula_is_one_where_formulas_are_known_and_no_markup_elsewhere(latex: str) -> None:
    if not latex.strip():
        return
    written = formula_span(latex)
    assert kinds(MATH, written) in (["math_inline"], ["code_inline"])
    assert not {"html_inline", "link_open", "image"} & set(kinds(PLAIN, written))


def test_code_beside_a_formula_written_as_code_opens_no_markup():
    """Two fences that touch would be one of another length, and what stands between them markup."""
    text = "a`` <script>alert(1)</script>"
    written = markdown(text, Span(offset=0, length=1, code=True), Span(offset=1, length=len(text) - 1, math=True))
    assert not {"html_inline", "html_block"} & set(kinds(PLAIN, written))
    assert "<script>" in written
