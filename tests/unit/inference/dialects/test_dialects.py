"""What document models write, read as blocks: each dialect as it is documented, and whatever else a model may write."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.dialects import DIALECTS, dialect_of, pages_of
from inference.dialects.dialect import MAX_ANSWER_CHARS, MAX_BLOCKS
from inference.dialects.model_html import MAX_COLUMNS
from schemas import codec
from schemas.content import BlobReference, Block, BlockType, PageContent
from schemas.events import PageImage

SURYA, UNLIMITED, MARKDOWN = (DIALECTS[name] for name in ("surya", "unlimited", "markdown"))


def image(page: int = 1) -> PageImage:
    blob = BlobReference(name="a", size_bytes=1, sha256="00")
    return PageImage(page=page, image=blob, pixels_sha256="00", width_px=10, height_px=10, dpi=72.0, width_pt=600.0, height_pt=800.0, rotation=0)


def blocks(name: str, answer: str) -> list[Block]:
    return list(pages_of(DIALECTS[name], answer, [image()], 0.9)[0].content.blocks)


def said(name: str, answer: str) -> list[tuple[str, str]]:
    return [(block.type.value, block.text) for block in blocks(name, answer)]


def rows(block: Block) -> list[list[str]]:
    assert block.table is not None
    grid = [["" for _ in range(block.table.columns)] for _ in range(block.table.rows)]
    for cell in block.table.cells:
        grid[cell.row][cell.column] = cell.text
    return grid


def test_models_speak_the_dialect_of_their_name() -> None:
    assert dialect_of("datalab-to/surya-ocr-2") is SURYA
    assert dialect_of("baidu/Unlimited-OCR-2") is UNLIMITED
    assert dialect_of("somebody/some-vlm") is MARKDOWN


def test_surya_blocks_have_labels_and_places() -> None:
    answer = (
        '<div data-label="Page-Header" data-bbox="100 10 900 30">Annual report</div>'
        '<div data-label="Section-Header" data-bbox="100 50 900 80"><h2>Results</h2></div>'
        '<div data-label="Text" data-bbox="100 100 900 200"><p>Less <b>than</b> last<br>year.</p></div>'
        '<div data-label="List-Group" data-bbox="100 210 900 300"><ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul></div>'
        '<div data-label="Code-Block" data-bbox="0 0 10 10"><pre>if x:\n    y</pre></div>'
        '<div data-label="Image" data-bbox="100 400 200 500"></div>'
        '<div data-label="Blank-Page" data-bbox="0 0 1000 1000"></div>'
    )
    found = blocks("surya", answer)
    assert [(block.type.value, block.text) for block in found] == [
        ("page_header", "Annual report"),
        ("heading", "Results"),
        ("paragraph", "Less than last year."),
        ("list_item", "one"),
        ("list_item", "inner"),
        ("list_item", "two"),
        ("code", "if x:\n    y"),
        ("figure", ""),
    ]
    assert found[0].bbox == (60.0, 8.0, 540.0, 24.0)
    assert (found[1].level, found[4].list_depth) == (2, 1)


def test_tables_keep_their_spans_and_headers() -> None:
    answer = (
        '<div data-label="Table" data-bbox="0 0 1000 500"><table><caption>Sums</caption><thead><tr><th rowspan="2">Year</th><th colspan="2">Euro</th>'
        "</tr><tr><th>in</th><th>out</th></tr></thead><tbody><tr><td>2024</td><td></td><td>7</td></tr></tbody></table></div>"
    )
    caption, block = blocks("surya", answer)
    assert (caption.type, caption.text) == (BlockType.CAPTION, "Sums")
    assert rows(block) == [["Year", "Euro", ""], ["", "in", "out"], ["2024", "", "7"]]
    assert block.table is not None
    assert block.table.header_rows == 2


def test_unlimited_marks_pages_blocks_levels_and_continuations() -> None:
    answer = (
        "<PAGE><BLOCK>title<LEVEL2>[100,50,900,80]<FORK>Results\n<BLOCK>text<cross_text>[0,0,500,500]<FORK>goes on\nhere"
        "<PAGE><BLOCK>table<append_table>[0,0,1000,1000]<FORK><table><tr><td>1</td></tr></table><BLOCK>page_number[1,2,3,4]<FORK>7"
    )
    first, second = pages_of(UNLIMITED, answer, [image(4), image(5)], 0.9)
    assert [(block.type.value, block.text, block.level, block.tags) for block in first.content.blocks] == [
        ("heading", "Results", 2, ()),
        ("paragraph", "goes on here", None, ("cross_text",)),
    ]
    assert [(block.type.value, block.tags) for block in second.content.blocks] == [("table", ("append_table",)), ("page_footer", ())]
    assert (first.content.page, second.content.page, first.problems, second.problems) == (4, 5, (), ())


def test_unlimited_of_the_first_version_is_read_as_well() -> None:
    assert said("unlimited", "<|det|>title [10, 20, 500, 60]<|/det|>Heading\n<|det|>text [1,2,3,4]<|/det|>Body<|end|>") == [
        ("heading", "Heading"),
        ("paragraph", "Body"),
    ]


@pytest.mark.parametrize(("count", "problem"), [(1, "pages_missing"), (3, "pages_added"), (40, "pages_added")])
def test_a_window_with_other_pages_than_were_sent_says_so_on_every_page(count: int, problem: str) -> None:
    answer = "".join(f"<PAGE><BLOCK>text[0,0,9,9]<FORK>page {number}" for number in range(count))
    assert [problem in page.problems for page in pages_of(UNLIMITED, answer, [image(1), image(2)], 0.9)] == [True, True]


def test_text_before_the_first_mark_is_kept_and_noted() -> None:
    (page,) = pages_of(UNLIMITED, "no marks at all", [image()], 0.9)
    assert [block.text for block in page.content.blocks] == ["no marks at all"]
    assert page.problems == ("damaged_markup",)


def test_markdown_is_read_as_blocks() -> None:
    answer = """---
primary_language: en
---
# Title

Some *text* with $a_1 * b_2 * c$ in it.

- one
    - inner
- two

3. three

| a | b |
|---|---|
| 1 | |

<table><tr><td>x</td></tr></table>

$$E = mc^2$$

![a map](map.png)

```python
x = 1
```
"""
    found = blocks("markdown", answer)
    assert [(block.type.value, block.text) for block in found] == [
        ("heading", "Title"),
        ("paragraph", "Some text with $a_1 * b_2 * c$ in it."),
        ("list_item", "one"),
        ("list_item", "inner"),
        ("list_item", "two"),
        ("list_item", "3. three"),
        ("table", ""),
        ("table", ""),
        ("equation", "$$E = mc^2$$"),
        ("figure", "a map"),
        ("code", "x = 1"),
    ]
    assert rows(found[6]) == [["a", "b"], ["1", ""]]


def test_a_fence_around_the_whole_answer_is_no_code() -> None:
    assert said("markdown", "```markdown\n# Title\n```") == [("heading", "Title")]


def test_markup_of_a_model_runs_nowhere() -> None:
    for name in ("surya", "markdown"):  # in the third, HTML is only read in tables
        text = " ".join(text for _, text in said(name, "<script>alert(1)</script><style>p{}</style><p onclick='x()'>said</p>"))
        assert "said" in text
        assert "onclick" not in text


def test_endless_spans_and_rows_are_bounded() -> None:
    wide = '<div data-label="Table" data-bbox="0 0 1 1"><table><tr>' + '<td colspan="99999" rowspan="99999">x</td>' * 50 + "</tr></table></div>"
    (block,) = blocks("surya", wide)
    assert block.table is not None
    assert (block.table.columns, block.table.rows) == (MAX_COLUMNS, 1)
    page = pages_of(MARKDOWN, "# a\n\n" * (MAX_BLOCKS + 50), [image()], 0.9)[0]
    assert (len(page.content.blocks), page.problems) == (MAX_BLOCKS, ("truncated",))
    assert "truncated" in pages_of(MARKDOWN, "word " * MAX_ANSWER_CHARS, [image()], 0.9)[0].problems


PIECES = st.sampled_from(
    [
        "<PAGE>", "<BLOCK>", "<FORK>", "text[1,2,3,4]", "table", "<LEVEL1>", "<|det|>", "<|/det|>", "<table>", "</table>", "<tr>", "<th>",
        "<td colspan='3'>", "<ul>", "<li>", "<ol start='-3'>", "<div data-label='Text' data-bbox='1 2 3'>", "</div>", "<math>", "x^2", "$", "$$",
        "\\[", "\\]", "| a |", "|---|", "\n", "# ", "- ", "```", "![](", ")", "\x00", "\ud800", "\ue0f01\ue0f1", "<!--", "<![CDATA[", "&#0;",
        "&amp;", "text", " ",
    ]
)  # fmt: skip


@given(st.sampled_from(sorted(DIALECTS)), st.lists(PIECES | st.text(max_size=8), max_size=40), st.integers(1, 3))
def test_whatever_a_model_writes_becomes_pages_that_can_be_sent(name: str, pieces: list[str], count: int) -> None:
    images = [image(page) for page in range(1, count + 1)]
    pages = pages_of(DIALECTS[name], "".join(pieces), images, 0.5)
    assert [page.content.page for page in pages] == list(range(1, count + 1))
    for page in pages:
        assert codec.decode(codec.encode(page.content), PageContent) == page.content
        for block in page.content.blocks:
            if block.table is not None:
                places = [
                    (cell.row + down, cell.column + across)
                    for cell in block.table.cells
                    for down in range(cell.row_span)
                    for across in range(cell.column_span)
                ]
                assert len(places) == len(set(places))
                assert all(row < block.table.rows and column < block.table.columns for row, column in places)


@pytest.mark.parametrize("piece", ["[", "![", "\\[", "\\(", "$", "$$ ", "<div>", "> ", "*a_", "|"])
def test_an_answer_of_one_piece_over_and_over_is_read_in_time(piece: str) -> None:
    started = time.process_time()
    pages_of(MARKDOWN, piece * (100_000 // len(piece)), [image()], 0.9)
    assert time.process_time() - started < 10
