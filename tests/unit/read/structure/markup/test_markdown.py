"""Markdown: what CommonMark and GitHub write, front matter, and raw HTML that must not harm what stands around it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_markup import grid, items, markdown_blocks, said, texts, the_table

from schemas.content import BlockType, Link
from schemas.errors import Code, PageloomError
from streams.read.structure.markup import markdown
from streams.read.structure.markup.markdown import read_markdown, split_front_matter
from streams.read.structure.text.encodings import Decoded


def test_the_common_blocks() -> None:
    text = "# One *em*\n\nTwo\n---\n\nline one\nline two  \nthree `code` \\*\n\n> quote\n\n```py\na  b\n\nc\n```\n\n    indented\n\n***\n\nend"
    assert said(markdown_blocks(text)) == [
        ("heading", "One em"), ("heading", "Two"), ("paragraph", "line one line two\u2028three code *"), ("paragraph", "quote"),
        ("code", "a  b\n\nc"), ("code", "indented"), ("paragraph", "end"),
    ]  # fmt: skip


def test_lists_nest_and_number() -> None:
    text = "- a\n  - b\n    1. c\n    2. d\n\n       more\n- [x] e\n- [ ] f\n\n4) g\n5) h\n"
    assert items(markdown_blocks(text)) == [(0, "• a"), (1, "• b"), (2, "1. c"), (2, "2. d"), (0, "• ☑ e"), (0, "• ☐ f"), (0, "4. g"), (0, "5. h")]


@pytest.mark.parametrize("depth", [10, 45])
def test_lists_far_deeper_than_the_parsers_default_lose_nothing(depth: int) -> None:
    text = "\n".join("  " * level + f"- level {level}" for level in range(depth))
    assert [text for _, text in items(markdown_blocks(text))] == [f"• level {level}" for level in range(depth)]


def test_what_is_nested_too_deep_is_kept_and_said() -> None:
    (page,) = read_markdown(Decoded(text="> " * 300 + "- 1. one *em*\n" + "> " * 300 + "two\n\nafter", encoding="utf-8")).pages
    assert texts(page.blocks) == ["1. one em", "two", "after"]
    assert any("nested deeper" in warning for warning in page.warnings)
    (page,) = read_markdown(Decoded(text="> " * 20 + "x", encoding="utf-8")).pages
    assert page.warnings == ()
    text = "\n".join("  " * level + f"- level {level}" for level in range(120)) + "\n\nafter"
    assert [text.removeprefix("• ") for _, text in said(markdown_blocks(text))] == [*(f"level {level}" for level in range(120)), "after"]


def test_tables_with_escaped_pipes_and_empty_heads() -> None:
    assert grid(the_table(markdown_blocks("| A | B |\n|---|--:|\n| 1 | x\\|y |\n| 2 |"))) == [["A", "B"], ["1", "x|y"], ["2", ""]]
    table = the_table(markdown_blocks("|  |  |\n|---|---|\n| 1 | 2 |"))
    assert (grid(table), table.header_rows) == ([["1", "2"]], 0)


def test_links_pictures_notes_and_formulas() -> None:
    line = 'See [the *page*](https://x.org "t") and <https://y.org>[^n] or $a_1*b*c$, $5 and $6.'
    text = f"{line}\n\n![A cat](cat.png)\n\n$$\nx^2\n$$\n\n[^n]: The note.\n"
    blocks = markdown_blocks(text)
    assert said(blocks) == [
        ("paragraph", "See the page and https://y.org[1] or a_1*b*c, $5 and $6."), ("figure", "A cat"), ("equation", "x^2"),
        ("footnote", "1. The note."),
    ]  # fmt: skip
    assert [blocks[0].text[s.offset : s.offset + s.length] for s in blocks[0].spans if s.math] == ["a_1*b*c"]
    assert blocks[0].links == (Link(text="the page", target="https://x.org"), Link(text="https://y.org", target="https://y.org"))


def test_front_matter_is_metadata_and_no_text() -> None:
    text = '---\ntitle: "A: B"\nauthors:\n  - X\n  - Y\ntags: [a, "b"]\ndraft: true\n---\n# H\n'
    assert read_markdown(Decoded(text=text, encoding="utf-8")).metadata == {"title": "A: B", "author": "X, Y", "keywords": "a, b"}
    assert said(markdown_blocks(text)) == [("heading", "H")]
    assert split_front_matter("+++\ntitle = 'T'\n+++\nx") == ({"title": "T"}, "x")
    for none in ("---\n\nno entry here\n\n---\ntext", "text\n---\na: b\n---\n", "---\na: b\nnever closed"):
        assert split_front_matter(none) == ({}, none)


def test_raw_html_is_read_and_not_run() -> None:
    text = '<div align="center"><h2>Raw</h2><script>bad()</script></div>\n\na <b>b</b> <span hidden>c</span> <sup>2</sup>\n\n<p hidden>x</p>\n'
    assert said(markdown_blocks(text)) == [("heading", "Raw"), ("paragraph", "a b ²")]


@pytest.mark.parametrize("tag", ["title", "textarea", "xmp", "iframe", "plaintext", "script", "template", "select"])
def test_a_tag_that_would_swallow_the_rest_is_text(tag: str) -> None:
    assert said(markdown_blocks(f"the <{tag}> element\n\n# After\n"))[-1] == ("heading", "After")
    assert f"<{tag}>" in texts(markdown_blocks(f"the <{tag}> element"))[0]


def test_more_than_is_read_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown, "MAX_CHARACTERS", 10)
    with pytest.raises(PageloomError) as error:
        markdown_blocks("x" * 11)
    assert error.value.code is Code.TOO_LARGE


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab \n\t#>-*_`~|[](){}<!/&\\:1.)=+$^\"'é中", max_size=120))
def test_any_text_becomes_blocks(text: str) -> None:
    for page in read_markdown(Decoded(text=text, encoding="utf-8")).pages:
        assert all(block.text or block.table or block.type in (BlockType.FIGURE, BlockType.FORM_FIELD) for block in page.blocks)


def test_rows_of_tables_beyond_the_bound_are_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown, "MAX_TABLE_CELLS", 30)
    text = "before | it\n\n|a|b|\n|-|-|\n" + "|1|2|\n" * 20 + "\nafter | it\n"
    (page,) = read_markdown(Decoded(text=text, encoding="utf-8")).pages
    assert [block.type for block in page.blocks] == [BlockType.PARAGRAPH, BlockType.TABLE, BlockType.PARAGRAPH]
    table = page.blocks[1].table
    assert table is not None
    assert 5 <= table.rows < 20
    assert f"{21 - table.rows} rows of tables are left out" in page.warnings[0]


def test_bars_in_prose_are_no_rows() -> None:
    text = "a | b\nc | d\n\n" * (markdown.MAX_TABLE_CELLS // 2 + 5)
    assert markdown.bounded_tables(text) == (text, 0)


def test_more_lines_than_are_read_is_an_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown, "MAX_LINES", 3)
    with pytest.raises(PageloomError, match="split the file") as error:
        read_markdown(Decoded(text="a\n\nb\n\nc\n\nd\n", encoding="utf-8"))
    assert error.value.code is Code.TOO_LARGE
    assert read_markdown(Decoded(text="a\n\nb\n\nc\n", encoding="utf-8")).page_count == 1
