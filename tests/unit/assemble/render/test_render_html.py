"""HTML that is inert whatever the document says, and says what the document says."""

import re

import nh3
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemas.content import Block, BlockType, Cell, FormField, Link
from schemas.events import Format
from streams.assemble.render import render
from streams.assemble.render.block_html import TAGS
from streams.assemble.render.links import safe_target
from tests.unit.assemble.made_documents import block, build, heading, page, paragraph, table
from tests.unit.assemble.render.html_tree import tree_of

ATTRIBUTES = {
    "*": {"id", "dir", "class"},
    "a": {"href", "rel"},
    "li": {"value"},
    "td": {"rowspan", "colspan"},
    "th": {"rowspan", "colspan", "scope"},
}
ATTACKS = st.sampled_from(
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "</p></main><iframe src=//evil>",
        "&lt;b&gt;",
        "]]><svg onload=alert(1)>",
        "' onmouseover='alert(1)",
        "<!--",
        "-->",
        "{{7*7}}",
        "plain words",
        "\u202eabc",
        "שלום",
    ]
)
KINDS = st.sampled_from([kind for kind in BlockType if kind is not BlockType.TABLE])
TARGETS = st.sampled_from(
    ["javascript:alert(1)", "https://example.org/?a=1&b=2", "data:text/html,x", '#page=2"><script>', "#page=7", " https://a b", "vbscript:x"]
)


def html(*blocks: Block) -> str:
    """One page's blocks as a page of HTML."""
    return render(build(page(1, *blocks)), Format.HTML)


@given(KINDS, st.lists(ATTACKS, min_size=1, max_size=3), TARGETS)
@settings(max_examples=200, deadline=None)
@example(BlockType.PARAGRAPH, ["<script>alert(1)</script>"], "javascript:alert(1)")
def test_a_block_is_safe_and_shows_its_text(kind, parts, target):
    text = " ".join(parts)
    made = block(text, 300, kind, level=2, links=(Link(text=parts[0], target=target),), field=FormField(name=text, value=text))
    document = build(page(1, made))
    (finished,) = document.blocks
    cleaned = nh3.clean(
        finished.html, tags=set(TAGS), attributes=ATTRIBUTES, link_rel=None, url_schemes={"https", "http", "mailto"}, strip_comments=False
    )
    tree = tree_of(finished.html)
    assert [n.tag for n in tree_of(cleaned).walk()] == [n.tag for n in tree.walk()]
    assert text in tree.text()
    whole = tree_of(render(document, Format.HTML).removeprefix("<!DOCTYPE html>"))
    assert whole.all("script", "iframe", "img", "svg", "object", "embed", "link", "form", "base") == []
    (shown,) = whole.all("body")
    for node in shown.walk():
        assert not any(name.startswith("on") or name in ("src", "srcset", "style", "action") for name in node.attributes)
        assert not node.attributes.get("href", "#").lower().startswith(("javascript:", "data:", "vbscript:"))


@given(st.lists(st.lists(ATTACKS, min_size=2, max_size=2), min_size=1, max_size=4), st.integers(0, 2))
@settings(max_examples=100, deadline=None)
def test_a_table_shows_its_cells_and_nothing_else(rows, header_rows):
    tree = tree_of(html(table(rows, 100, header_rows=header_rows)))
    shown = [[c.text() for c in row.all("th", "td")] for row in tree.all("tr")]
    turned = slice(None, None, -1 if tree.all("table")[0].attributes.get("dir") else 1)
    assert shown == [[" ".join(t.split()) for t in row[turned]] for row in rows]
    assert sum(len(part.all("tr")) for part in tree.all("thead")) == min(header_rows, len(rows))


def test_the_page_forbids_everything_and_needs_nothing():
    made = html(heading("Title & more"), paragraph("Text."))
    assert '<meta charset="utf-8">' in made
    assert "default-src 'none'" in made
    assert "<title>Title &amp; more</title>" in made
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", made)


def test_lists_nest_and_close():
    items = [("• a", 0), ("1. b", 1), ("2. c", 1), ("• d", 0), ("(x) e", 0)]
    made = html(*(block(text, 60 + 20 * i, BlockType.LIST_ITEM, list_depth=depth) for i, (text, depth) in enumerate(items)), paragraph("End.", 300))
    (main,) = tree_of(made).all("main")
    lists = main.children("ul")
    items = [item for one in lists for item in one.children("li") if "id" in item.attributes]
    assert [item.text() for item in items] == ["a", "d", "(x) e"]
    (inner,) = main.all("ol")
    assert [item.attributes["value"] for item in inner.children("li")] == ["1", "2"]
    assert made.index("</ul>") < made.index("End.")


def test_spans_cover_their_places_and_stay_inside_their_part():
    cells = (
        Cell(row=0, column=0, text="head", row_span=3),
        Cell(row=0, column=1, text="x", column_span=2),
        Cell(row=1, column=1, text="y"),
        Cell(row=1, column=2, text="z"),
    )
    tree = tree_of(html(table([["", "", ""]] * 3, 100, header_rows=1, cells=cells)))
    assert [[(c.text(), c.attributes.get("rowspan"), c.attributes.get("colspan")) for c in r.all("th", "td")] for r in tree.all("tr")] == [
        [("head", None, None), ("x", None, "2")],
        [("", None, None), ("y", None, None), ("z", None, None)],
        [("", None, None), ("", None, None), ("", None, None)],
    ]


def test_pages_can_be_linked_to():
    link = Link(text="there", target="#page=2")
    pages = [page(1, paragraph("Look there.", links=(link,))), page(2, heading("There"))]
    anchors = tree_of(render(build(*pages), Format.HTML)).all("a")
    assert [a.attributes.get("href") or a.attributes["id"] for a in anchors] == ["page-1", "#page-2", "page-2"]


def test_text_from_right_to_left_says_so():
    assert 'dir="auto"' in build(page(1, paragraph("שלום עולם"))).blocks[0].html
    assert "dir" not in build(page(1, paragraph("hello"))).blocks[0].html


def test_targets():
    assert safe_target("https://example.org/a") == "https://example.org/a"
    assert safe_target("mailto:a@example.org") == "mailto:a@example.org"
    assert safe_target("#page=12") == "#page-12"
    for bad in ("javascript:x", "JavaScript:x", "file:///etc", "https://a\nb", "//evil", "", "https://" + "a" * 3000, "java\tscript:x"):
        assert safe_target(bad) is None


def test_a_field_without_a_name_has_no_empty_name():
    fields = [FormField(name="n", value="Ada", label="Name:"), FormField(name="", value="Bath")]
    made = html(*(block(field.value, 60 + 40 * i, BlockType.FORM_FIELD, field=field) for i, field in enumerate(fields)))
    assert [node.text() for node in tree_of(made.removeprefix("<!DOCTYPE html>")).all("strong")] == ["Name:"]
    assert '<p id="p1-2" class="form_field">Bath</p>' in made
