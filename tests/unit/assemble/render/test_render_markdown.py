"""Markdown that means what the document says: its text never becomes markup, its structure does."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from schemas.content import BlobReference, Block, BlockType, Cell, FormField, Link
from schemas.events import Format
from streams.assemble.render import render
from tests.unit.assemble.made_documents import block, build, heading, page, paragraph, table

PARSER = MarkdownIt("gfm-like", {"linkify": False})


def markdown(*blocks: Block) -> str:
    """One page's blocks as Markdown."""
    return render(build(page(1, *blocks)), Format.MARKDOWN)


def shown(text: str) -> tuple[list[str], str]:
    """The tags that a Markdown reader makes of a text, and the text that it shows."""
    tags, words = [], []
    for token in PARSER.parse(text):
        if token.nesting >= 0 and token.type != "inline":
            tags.append(token.tag or token.type)
        for child in token.children or []:
            if child.type in ("text", "code_inline"):
                words.append(child.content)
            else:
                tags.append(child.type)
        if token.type in ("html_block", "fence", "code_block"):
            words.append(token.content)
    return tags, "".join(words)


SIGN = st.sampled_from([*"ab1 *_`~[](){}<>#+-.!|\\&;:/=$\"'^", "&amp;", "http://x.y", "](", "**", "```", "  "])
SIGNS = st.lists(SIGN, max_size=24).map("".join)


@given(SIGNS)
@settings(max_examples=300, deadline=None)
@example("- item")
@example("1. item")
@example("# no heading")
@example("***bold***")
@example("[a](javascript:alert(1))")
@example("<img src=x onerror=alert(1)>")
@example("a\\*b")
@example("---")
@example("+ a")
@example("~~gone~~")
@example("[^1]: note")
@example("&lt;b&gt;")
@example("> quote")
@example("| a | b |")
@example("`code`")
def test_text_stays_text(text):
    plain = " ".join(text.split())
    if not plain:
        return
    tags, words = shown(markdown(paragraph(plain)))
    assert tags == ["p"]
    assert words == plain
    tags, words = shown(markdown(heading(plain)))
    assert tags == ["h1"]
    assert words == plain


@given(st.lists(st.lists(SIGNS, min_size=3, max_size=3), min_size=2, max_size=5))
@settings(max_examples=100, deadline=None)
def test_tables_of_pipes_can_be_read_back(rows):
    rows = [[" ".join(text.split()) for text in row] for row in rows]
    rows[0] = ["x" + text for text in rows[0]]
    tokens = PARSER.parse(markdown(table(rows, header_rows=1)))
    read = []
    for i, token in enumerate(tokens):
        if token.type in ("th_open", "td_open"):
            read.append("".join(child.content for child in tokens[i + 1].children or [] if child.type == "text"))
    assert read == [text for row in rows for text in row]


@pytest.mark.parametrize("text", ["snake_case_name", "2 * 3", "[11, 37]", "a < b", "R&D", "costs $5 and $6", "5 - 3", "(see 1.)", "50 %"])
def test_what_needs_no_backslash_gets_none(text):
    assert markdown(paragraph(text)) == text + "\n"


def test_structure_becomes_markup():
    made = markdown(
        heading("1 Intro", 40),
        paragraph("Text.", 80),
        block("• first", 120, BlockType.LIST_ITEM, list_depth=0),
        block("1. inner", 140, BlockType.LIST_ITEM, list_depth=2),
        block("(a) innermost", 150, BlockType.LIST_ITEM, list_depth=3),
        block("• second", 160, BlockType.LIST_ITEM, list_depth=0),
        table([["A", "B"], ["1", "2|3"]], 200, header_rows=1),
        block("x = 1\n```\ny", 300, BlockType.CODE),
        block("E = \\frac{a}{b}", 340, BlockType.EQUATION),
        block("Note", 380, BlockType.ANNOTATION),
        block("", 400, BlockType.FIGURE),
        block("Name: Ada", 500, BlockType.FORM_FIELD, field=FormField(name="Name", value="Ada")),
        block("Empty", 520, BlockType.FORM_FIELD, field=FormField(name="Empty", value="")),
        block("1 A footnote.", 780, BlockType.FOOTNOTE),
    )
    assert made == (
        "# 1 Intro\n\nText.\n\n- first\n  1. inner\n     - (a) innermost\n- second\n\n"
        "| A | B |\n| --- | --- |\n| 1 | 2\\|3 |\n\n"
        "````\nx = 1\n```\ny\n````\n\n```math\nE = \\frac{a}{b}\n```\n\n> Note\n\n![Figure on page 1]()\n\n"
        "**Name:** Ada\n\n1 A footnote.\n"
    )


def test_labels_of_fields_have_one_colon_and_no_name_has_none():
    fields = [FormField(name="n", value="Ada", label="Name:"), FormField(name="Town ：", value="# Bath"), FormField(name="", value="# loose")]
    made = markdown(*(block(field.value, 60 + 40 * i, BlockType.FORM_FIELD, field=field) for i, field in enumerate(fields)))
    assert made == "**Name:** Ada\n\n**Town:** # Bath\n\n\\# loose\n"


def test_nested_lists_are_nested_for_a_reader():
    items = [("• a", 0), ("• b", 1), ("• c", 2), ("• d", 1), ("10. e", 0), ("• f", 4)]
    made = markdown(*(block(text, 60 + 20 * i, BlockType.LIST_ITEM, list_depth=depth) for i, (text, depth) in enumerate(items)))
    depth, seen = 0, []
    for token in PARSER.parse(made):
        depth += token.nesting if token.type.startswith(("bullet_list", "ordered_list")) else 0
        if token.type == "inline":
            seen.append((token.content, depth))
    assert seen == [("a", 1), ("b", 2), ("c", 3), ("d", 2), ("e", 1), ("f", 2)]


def test_a_table_without_a_header_gets_an_empty_one_and_one_with_spans_is_html():
    assert markdown(table([["a", "b"]])) == "|  |  |\n| --- | --- |\n| a | b |\n"
    cells = (Cell(row=0, column=0, text="<Both>", column_span=2), Cell(row=1, column=0, text="a", row_span=2), Cell(row=1, column=1, text="b"))
    made = markdown(table([["<Both>", ""], ["a", "b"], ["", ""]], header_rows=1, cells=cells))
    assert made == (
        '<table>\n<thead>\n<tr><th scope="col" colspan="2">&lt;Both&gt;</th></tr>\n</thead>\n<tbody>\n'
        '<tr><td rowspan="2">a</td><td>b</td></tr>\n<tr><td></td></tr>\n</tbody>\n</table>\n'
    )


def test_links_are_written_where_they_stand_and_only_to_safe_places():
    links = (
        Link(text="site", target="https://example.org/a_(b)?q=1&r=2"),
        Link(text="bad", target="javascript:alert(1)"),
        Link(text="page [x]", target="#page=3"),
    )
    made = markdown(paragraph("# see! site or bad or page [x] now", links=links))
    assert made == "\\# see! [site](https://example.org/a_%28b%29?q=1&r=2) or bad or page [x] now\n"  # there is no page 3
    exclaimed = markdown(paragraph("wow!site", links=links))
    assert exclaimed == "wow\\![site](https://example.org/a_%28b%29?q=1&r=2)\n"


def test_pages_that_are_linked_to_have_an_anchor_and_others_have_none():
    links = tuple(Link(text=f"page {page}", target=f"#page={page}") for page in (2, 3, 5, 9))
    one = paragraph("See page 2, page 3, page 5 or page 9.", links=links), block("• A one.", 160, BlockType.LIST_ITEM, list_depth=0)
    items = [page(number, block(f"• {text}", 60, BlockType.LIST_ITEM, list_depth=0)) for number, text in ((2, "B two."), (3, "C three."))]
    document = build(page(1, *one), *items, page(4, paragraph("Page four.")), page(5, paragraph("Page five.")))
    assert render(document, Format.MARKDOWN) == (
        "See [page 2](#page-2), [page 3](#page-3), [page 5](#page-5) or page 9.\n\n- A one.\n- B two.\n- C three.\n\n"
        '<a id="page-2"></a>\n\n<a id="page-3"></a>\n\nPage four.\n\n<a id="page-5"></a>\n\nPage five.\n'
    )


@given(SIGNS, SIGNS, SIGNS)
@settings(max_examples=150, deadline=None)
def test_text_around_a_link_stays_text(before, inside, after):
    inside = " ".join(inside.split()) or "x"
    whole = " ".join(f"{before}{inside}{after}".split())
    if inside not in whole:
        return
    tags, words = shown(markdown(paragraph(whole, links=(Link(text=inside, target="https://example.org/"),))))
    assert tags == ["p", "link_open", "link_close"]
    assert words == whole


def test_furniture_is_left_out():
    pages = [page(n, block("A Head", 20), paragraph(f"Text {'abc'[n - 1]} ends.", 100), block(f"{n}", 815)) for n in (1, 2, 3)]
    assert render(build(*pages), Format.MARKDOWN) == "Text a ends.\n\nText b ends.\n\nText c ends.\n"


def test_a_figure_shows_its_text_and_names_its_file():
    reference = BlobReference(name="runs/aa/b-0-1/figure-1.png", size_bytes=1, sha256="00")
    made = markdown(block("A [chart] of *things*", 100, BlockType.FIGURE, figure=reference))
    assert made == "![A (chart) of \\*things\\*](runs/aa/b-0-1/figure-1.png)\n"
    long_text = "word " * 60
    assert re.match(r"!\[Figure on page 1\]\(\)\n\nword word", markdown(block(long_text, 100, BlockType.FIGURE)))
