"""Tables read from Markdown and HTML: as parsers write them, and as they should not."""

from hypothesis import given
from hypothesis import strategies as st

from tests.bench.scoring.markup_tables import tables_of_markup


def rows_of(text: str) -> list[list[tuple[str, ...]]]:
    return [list(table.rows) for table in tables_of_markup(text)]


def test_pipe_table_with_marks_and_escapes() -> None:
    text = "Before\n\n| **City** | `n` |\n|---|--:|\n| Os*l*o | 1<br>2 |\n| a \\| b | [x](http://y) |\n\nafter | it"
    assert rows_of(text) == [[("City", "n"), ("Oslo", "12"), ("a|b", "x")]]


def test_html_table_with_spans() -> None:
    text = "<table><tr><th rowspan='2'>a</th><th colspan=2>b</th></tr><tr><td>c</td><td>d &amp; e</td></tr></table>"
    (table,) = tables_of_markup(text)
    assert table.rows == (("a", "b", ""), ("", "c", "d&e"))
    assert table.spans == {(0, 0): (2, 1), (0, 1): (1, 2)}


def test_blank_lines_do_not_end_an_html_table() -> None:
    assert rows_of("# T\n\n<table>\n\n<tr><td>1</td>\n\n<td>2</td></tr>\n\n</table>\n") == [[("1", "2")]]


def test_tables_inside_cells_and_tables_never_closed() -> None:
    inner, outer = rows_of("<table><tr><td>o<table><tr><td>i</td></tr></table></td><td>p</td></tr></table>")
    assert (inner, outer) == ([("i",)], [("o", "p")])
    assert rows_of("<table><tr><td>a<td>b<tr><td>c") == [[("a", "b"), ("c", "")]]


def test_text_without_tables() -> None:
    assert rows_of("a | b\nc | d\n\n<td>x</td> 3 < 4") == []
    assert rows_of("<table></table><table><tr></tr></table>") == []


def test_spans_that_nobody_means_are_bounded() -> None:
    (table,) = tables_of_markup("<table><tr><td colspan=999999999 rowspan=999999999>a</td><td colspan=x>b</td></tr></table>")
    assert len(table.rows) < 2000
    assert "a" in table.rows[0]


@given(st.text("<>/|-tabledrh \n=\"'1&;", max_size=80))
def test_any_text_is_read(text: str) -> None:
    for table in tables_of_markup(text):
        assert len({len(row) for row in table.rows}) <= 1


@given(st.lists(st.lists(st.text("abc1", min_size=1, max_size=3), min_size=2, max_size=2), min_size=1, max_size=4))
def test_both_ways_to_write_a_table_are_the_same(rows: list[list[str]]) -> None:
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    pipes = "\n".join([lines[0], "|---|---|", *lines[1:]])
    elements = "<table>" + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows) + "</table>"
    assert tables_of_markup(pipes) == tables_of_markup(elements)
