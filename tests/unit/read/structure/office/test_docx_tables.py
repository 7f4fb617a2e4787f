"""Tables of text documents on their grid."""

import io
from pathlib import Path

import docx
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.content import BlockType, Table
from streams.read.structure.cell_text import CellText
from streams.read.structure.office.docx_tables import read_table
from streams.read.structure.office.package import parse_xml
from tests.unit.read.structure.office.making import SPACES, blocks, opened, p, r, word


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc>{f'<w:tcPr>{properties}</w:tcPr>' if properties else ''}{p(text)}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr>{f'<w:trPr>{properties}</w:trPr>' if properties else ''}{''.join(cells)}</w:tr>"


def table(*rows: str) -> str:
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


def the_table(folder: Path, body: str) -> Table:
    (found,) = (block for block in blocks(folder, word(body)) if block.type is BlockType.TABLE)
    assert found.table is not None
    return found.table


def placed(found: Table) -> list[tuple[int, int, int, int, str]]:
    return [(c.row, c.column, c.row_span, c.column_span, c.text) for c in found.cells]


def span(count: int) -> str:
    return f'<w:gridSpan w:val="{count}"/>'


def test_spans_right_and_down(tmp_path: Path) -> None:
    start, goes_on = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    body = table(row(cell("a", span(2)), cell("b", start)), row(cell("c"), cell("d"), cell("", goes_on)), row(cell("e"), cell("f"), cell("g", start)))
    found = the_table(tmp_path, body)
    assert (found.rows, found.columns) == (3, 3)
    assert placed(found) == [
        (0, 0, 1, 2, "a"),
        (0, 2, 2, 1, "b"),
        (1, 0, 1, 1, "c"),
        (1, 1, 1, 1, "d"),
        (2, 0, 1, 1, "e"),
        (2, 1, 1, 1, "f"),
        (2, 2, 1, 1, "g"),
    ]


def test_cells_beside_an_absurd_span_are_kept(tmp_path: Path) -> None:
    found = the_table(tmp_path, table(row(cell("a", span(10**9)), cell("b")), row(cell("c"), cell("d"), cell("e"))))
    assert (found.columns, placed(found)) == (4, [(0, 0, 1, 3, "a"), (0, 3, 1, 1, "b"), (1, 0, 1, 1, "c"), (1, 1, 1, 1, "d"), (1, 2, 1, 1, "e")])


def test_rows_that_begin_late_and_end_early(tmp_path: Path) -> None:
    body = table(row(cell("a"), cell("b"), cell("c")), row(cell("d"), properties='<w:gridBefore w:val="1"/><w:gridAfter w:val="1"/>'))
    found = the_table(tmp_path, body)
    assert (found.rows, found.columns, placed(found)[-1]) == (2, 3, (1, 1, 1, 1, "d"))


def test_a_continuation_of_nothing_is_a_cell(tmp_path: Path) -> None:
    assert placed(the_table(tmp_path, table(row(cell("a", "<w:vMerge/>"), cell("b")))))[0] == (0, 0, 1, 1, "a")


def test_rows_that_repeat_on_every_page_are_headers(tmp_path: Path) -> None:
    body = table(*(row(cell(text), cell(text), properties="<w:tblHeader/>" if text < "c" else "") for text in "abcd"))
    assert the_table(tmp_path, body).header_rows == 2


def test_a_bold_first_row_is_a_header(tmp_path: Path) -> None:
    bold = f"<w:tc><w:p>{r('Name', '<w:b/>')}</w:p></w:tc>"
    assert the_table(tmp_path, table(row(bold, bold), row(cell("a"), cell("b")))).header_rows == 1
    assert the_table(tmp_path, table(row(bold, bold), row(bold, bold))).header_rows == 0


def test_deleted_rows_are_out_and_inserted_ones_in(tmp_path: Path) -> None:
    body = table(row(cell("a"), cell("b")), row(cell("x"), cell("y"), properties="<w:del/>"), row(cell("c"), cell("d"), properties="<w:ins/>"))
    assert [c[4] for c in placed(the_table(tmp_path, body))] == ["a", "b", "c", "d"]


def test_a_table_in_a_cell_is_its_text(tmp_path: Path) -> None:
    inner = table(row(cell("x"), cell("y")), row(cell("z"), cell("w")))
    body = table(row(cell("a"), f"<w:tc>{p('see')}{inner}{p('')}</w:tc>"), row(cell("b"), cell("c")))
    assert placed(the_table(tmp_path, body))[1] == (0, 1, 1, 1, "see\nx | y\nz | w")


def test_tables_nested_too_deep_keep_their_words_and_it_is_said(tmp_path: Path) -> None:
    inside, framed = p("inmost") + p("words"), p("boxed")
    for level in range(20):
        inside = p(f"level {level}") + table(row(cell("beside"), f"<w:tc>{inside}{p('')}</w:tc>"))
        framed = table(row(f"<w:tc>{framed}</w:tc>"))
    found = opened(tmp_path, word(inside + framed))
    words = placed(next(block.table for block in found.pages[0].blocks if block.table is not None))[1][4]
    assert words.endswith("beside inmost words")
    assert [words.split().count(str(level)) for level in range(19)] == [1] * 19
    assert found.pages[0].blocks[-1].text == "boxed"
    assert len(found.pages[0].warnings) == 1


def test_a_frame_of_one_cell_is_text(tmp_path: Path) -> None:
    found = blocks(tmp_path, word(table(row(f"<w:tc>{p('one')}{p('two')}</w:tc>"))))
    assert [(b.type, b.text) for b in found] == [(BlockType.PARAGRAPH, "one"), (BlockType.PARAGRAPH, "two")]


def test_controls_around_rows_and_cells(tmp_path: Path) -> None:
    wrapped = f"<w:sdt><w:sdtContent>{row(cell('a'), '<w:sdt><w:sdtContent>' + cell('b') + '</w:sdtContent></w:sdt>')}</w:sdtContent></w:sdt>"
    assert [c[4] for c in placed(the_table(tmp_path, table(wrapped, row(cell("c"), cell("d")))))] == ["a", "b", "c", "d"]


def test_what_another_program_merges(tmp_path: Path) -> None:
    document = docx.Document()
    made = document.add_table(3, 3)
    for index, one in enumerate(c for line in made.rows for c in line.cells):
        one.text = str(index)
    made.cell(0, 0).merge(made.cell(1, 1)).text = "all"
    buffer = io.BytesIO()
    document.save(buffer)
    (found,) = blocks(tmp_path, buffer.getvalue())
    assert found.table is not None
    assert [c for c in placed(found.table) if c[0] < 2] == [(0, 0, 2, 2, "all"), (0, 2, 1, 1, "2"), (1, 2, 1, 1, "5")]


def test_a_first_row_that_names_the_columns_is_a_header_where_the_table_would_show_one(tmp_path: Path) -> None:
    words = row(cell("Name"), cell("Town"), cell("Food")) + row(cell("Ann"), cell("Rome"), cell("soup")) + row(cell("Bo"), cell("Oslo"), cell("rice"))
    look = '<w:tblPr><w:tblLook w:val="04A0" w:firstRow="{}"/></w:tblPr>'
    assert the_table(tmp_path, table(look.format(1) + words)).header_rows == 1
    assert the_table(tmp_path, table(look.format(0) + words)).header_rows == 0
    wide = row(cell("Name", span(2)), cell("Food")) + row(cell("Ann"), cell("Rome"), cell("soup")) + row(cell("Bo"), cell("Oslo"), cell("rice"))
    assert the_table(tmp_path, table(look.format(1) + wide)).header_rows == 0


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(-3, 2000), st.sampled_from(["", "restart", "continue"])), max_size=5), max_size=6))
def test_any_spans_give_cells_inside_the_table_and_none_over_another(rows: list[list[tuple[int, str]]]) -> None:
    merges = {"": "", "restart": '<w:vMerge w:val="restart"/>', "continue": "<w:vMerge/>"}
    body = table(*(row(*(cell("x", span(wide) + merges[merge]) for wide, merge in line)) for line in rows))
    found = read_table(parse_xml(body.replace("<w:tbl>", f"<w:tbl {SPACES}>", 1).encode()), lambda _: CellText("x"), styled_header=False)
    if found is None:
        assert not any(rows)
        return
    taken: set[tuple[int, int]] = set()
    for one in found.table.cells:
        places = {(y, x) for y in range(one.row, one.row + one.row_span) for x in range(one.column, one.column + one.column_span)}
        assert not places & taken
        taken |= places
        assert one.row + one.row_span <= found.table.rows
        assert one.column + one.column_span <= found.table.columns
