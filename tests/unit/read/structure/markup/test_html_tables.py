"""Tables of HTML: spans, headers, captions, nesting, and tables that only lay out a page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_markup import grid, html_blocks, html_page, said, the_table

from schemas.content import BlockType


def test_spans_stand_where_browsers_put_them() -> None:
    table = the_table(
        html_blocks("<table><thead><tr><th rowspan=2>A<th colspan=2>B<tr><th>b1<th>b2<tbody><tr><td>1<td>2<td>3<tr><td colspan=3>x</table>")
    )
    assert grid(table) == [["A", "B", ""], ["", "b1", "b2"], ["1", "2", "3"], ["x", "", ""]]
    assert table.header_rows == 2
    assert [(c.row_span, c.column_span) for c in table.cells if c.text in "ABx"] == [(2, 1), (1, 2), (1, 3)]


@pytest.mark.parametrize(
    ("markup", "heads"),
    [
        ("<thead><tr><td>a<td>b<tbody><tr><td>1<td>2", 1),
        ("<tr><th>a<th>b<tr><td>1<td>2", 1),
        ("<tr><td>a<td>b<tr><td>1<td>2", 0),
        ("<tr><th>a<td>1<tr><th>b<td>2", 0),
        ("<tr><th>a<th>b<tr><th>c<th>d", 1),
        ("<thead><tr><th><th><tbody><tr><td>1<td>2<tr><td>3<td>4", 0),
    ],
)
def test_header_rows_are_those_of_the_head_or_of_header_cells(markup: str, heads: int) -> None:
    table = the_table(html_blocks(f"<table>{markup}</table>"))
    assert (table.header_rows, table.columns) == (heads, 2)


def test_a_foot_stands_last_and_a_span_ends_with_its_group() -> None:
    table = the_table(html_blocks("<table><tfoot><tr><td>sum<td>9</tfoot><tbody><tr><td rowspan=0>k<td>1<tr><td>2</tbody></table>"))
    assert grid(table) == [["k", "1"], ["", "2"], ["sum", "9"]]
    assert table.cells[0].row_span == 2


def test_the_caption_stands_before_its_table_and_names_it() -> None:
    blocks = html_blocks("<p>x</p><table><caption>Table 1. <b>Sums</b></caption><tr><td>a<td>b</table>")
    assert [block.type for block in blocks] == [BlockType.PARAGRAPH, BlockType.CAPTION, BlockType.TABLE]
    assert (blocks[1].text, blocks[1].caption_of) == ("Table 1. Sums", 3)


def test_cells_say_all_that_is_in_them_on_one_line() -> None:
    cell = "<p>one</p><ul><li>x<li>y</ul><pre>a\n b</pre><img src=q.png alt=pic><a href='https://x.org'>l</a><input name=n value=v>"
    blocks = html_blocks(f"<table><tr><th>k<td>{cell}<tr><th>l<td>m</table>")
    assert grid(the_table(blocks))[0] == ["k", "one • x • y a\n b pic l v"]
    assert [link.target for link in blocks[0].links] == ["https://x.org"]


def test_a_table_inside_a_cell_of_data_is_a_part_of_the_cell() -> None:
    table = the_table(html_blocks("<table><tr><th>a<td><table><tr><th>x<td>1<tr><th>y<td>2</table><tr><th>b<td>c</table>"))
    assert grid(table) == [["a", "x 1 y 2"], ["b", "c"]]


@pytest.mark.parametrize(
    "markup",
    [
        "<table role=presentation><tr><td><p>a</p><td><p>b</p></table>",
        "<table><tr><td>a<tr><td>b</table>",
        "<table><tr><td><h2 hidden>h</h2>a<td>b</table>",
        "<table><tr><td><table><tr><td>a</table><td>b</table>",
    ],
)
def test_a_table_that_lays_out_a_page_is_its_text(markup: str) -> None:
    assert said(html_blocks(markup)) == [("paragraph", "a"), ("paragraph", "b")]


def test_a_table_of_data_inside_one_of_layout_is_a_table() -> None:
    blocks = html_blocks("<table><tr><td>menu<td><h1>T</h1><table><tr><th>k<th>v<tr><td>1<td>2</table></table>")
    assert said(blocks)[:2] == [("paragraph", "menu"), ("heading", "T")]
    assert grid(the_table(blocks)) == [["k", "v"], ["1", "2"]]


def test_hidden_rows_and_cells_are_left_out() -> None:
    table = the_table(html_blocks("<table><tr><th>a<th>b<tr hidden><td>x<td>y<tr><td>1<td style='display:none'>z<td>2</table>"))
    assert grid(table) == [["a", "b"], ["1", "2"]]


def test_absurd_spans_claim_nothing() -> None:
    table = the_table(html_blocks("<table><tr><td colspan=99999999>a<td rowspan=65534>b<tr><td>c<td>d</table>"))
    assert table.rows == 2
    assert table.columns <= 3
    page = html_page("<table>" + "<tr><td colspan=1000>x<td>y" * 3_000 + "</table>")
    assert (the_table(page.blocks).rows, the_table(page.blocks).columns, page.warnings) == (3_000, 2, ())


def test_cells_beside_absurd_spans_are_kept() -> None:
    table = the_table(html_blocks("<table><tr><td colspan=1000000000 rowspan=1000000000>a<td>b<tr><td>c</table>"))
    assert grid(table) == [["a", "b"], ["", "c"]]
    assert [(cell.row_span, cell.column_span) for cell in table.cells] == [(2, 1), (1, 1), (1, 1)]


def test_what_is_beyond_the_widest_table_is_said() -> None:
    page = html_page("<table><tr>" + "<td>x" * 1_100 + "<tr><td>y</table>")
    table = the_table(page.blocks)
    assert (table.columns, len(table.cells)) == (1_000, 1_001)
    assert [warning for warning in page.warnings if "100 cells" in warning]


@given(st.lists(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=4), min_size=1, max_size=5))
def test_cells_never_overlap_and_never_leave_the_grid(rows: list[list[tuple[int, int]]]) -> None:
    body = "".join("<tr>" + "".join(f"<th rowspan={down} colspan={across}>x</th>" for down, across in row) + "</tr>" for row in rows)
    blocks = html_blocks(f"<table>{body}</table>")
    table = the_table(blocks)
    taken: set[tuple[int, int]] = set()
    for cell in table.cells:
        places = {(r, c) for r in range(cell.row, cell.row + cell.row_span) for c in range(cell.column, cell.column + cell.column_span)}
        assert not places & taken
        assert max(r for r, _ in places) < table.rows
        assert max(c for _, c in places) < table.columns
        taken |= places
    assert len(table.cells) == sum(map(len, rows))


def test_a_row_that_is_named_over_several_rows_is_no_head() -> None:
    rows = "<tr><th>Year</th><th>Month</th></tr><tr><th rowspan=3>2025</th></tr><tr><td>May</td></tr><tr><td>June</td></tr>"
    table = the_table(html_blocks(f"<table>{rows}</table>"))
    assert (table.header_rows, [cell.row_span for cell in table.cells if cell.text == "2025"]) == (1, [3])
    both = the_table(html_blocks("<table><tr><th rowspan=2>a</th><th>b</th></tr><tr><th>c</th></tr><tr><td>1</td><td>2</td></tr></table>"))
    assert both.header_rows == 2


def test_a_table_or_heading_among_short_values_is_a_value() -> None:
    inner = "<table><tr><td>A1</td><td>B1</td></tr></table>"
    assert grid(the_table(html_blocks(f"<table><tr><td>A</td><td>B</td></tr><tr><td>{inner}</td><td>2</td></tr></table>"))) == [
        ["A", "B"], ["A1 B1", "2"],
    ]  # fmt: skip
    headed = the_table(html_blocks("<table><tr><td><h1>A</h1>text</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></table>"))
    assert grid(headed)[0] == ["A text", "B"]
    page = f"<table><tr><td><h1>A</h1></td><td>menu</td></tr><tr><td>{'word ' * 60}</td><td>2</td></tr></table>"
    assert [block.type for block in html_blocks(page) if block.table is not None] == []


def test_cells_keep_their_emphasis_over_several_blocks() -> None:
    table = the_table(
        html_blocks("<table><tr><td>a <b>bold</b><ul><li>x <code>y</code></li></ul></td><td>plain<br>text</td></tr><tr><td>1</td></tr></table>")
    )
    assert [cell.text for cell in table.cells] == ["a bold • x y", "plain text", "1"]
    assert [(span.offset, span.length, span.bold, span.code) for span in table.cells[0].spans] == [(2, 4, True, False), (11, 1, False, True)]
