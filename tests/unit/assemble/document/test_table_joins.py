"""Tables over page breaks: what joins, what must not, what becomes of rows that a break cut, and that nothing gets lost."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.content import Block, BlockType, Cell, Table
from streams.assemble.tables.grid import grid_of
from streams.assemble.tables.joined_table import JoinedTable, TableNotWhole
from tests.unit.assemble.made_documents import (
    HEADER,
    apart,
    blank,
    block,
    build,
    failed,
    heading,
    of_type,
    one,
    page,
    paragraph,
    rows,
    table,
    tables,
    texts,
    whole_page,
)


@pytest.mark.parametrize("pages", [2, 3, 50])
@pytest.mark.parametrize("repeated", [True, False])
def test_chains_of_any_length(pages, repeated):
    made = [
        page(n + 1, whole_page(([HEADER] if n == 0 or repeated else []) + rows(n * 20, 20), header_rows=1 if n == 0 or repeated else 0))
        for n in range(pages)
    ]
    whole = one(build(*made))
    assert whole.header_rows == 1
    assert [list(row) for row in whole.rows] == [HEADER, *rows(0, pages * 20)]
    assert [j.decision for j in whole.joins] == ["joined"] * (pages - 1)
    assert [cell.page for cell in whole.cells if cell.column == 0][1:] == [n + 1 for n in range(pages) for _ in range(20)]


def test_words_within_a_table_that_no_cell_has_do_not_stand_between_it_and_the_next():
    lost = block("43 4", bbox=(54.0, 337.0, 80.0, 377.0))
    pages = [page(1, whole_page([HEADER, *rows(0, 20)]), lost), page(2, lost, whole_page(rows(20, 20))), page(3, whole_page(rows(40, 20)))]
    document = build(*pages)
    assert len(one(document).rows) == 61
    assert texts(document).count("43 4") == 2
    below = block("43 4", 790.0)
    assert len(tables(build(page(1, whole_page([HEADER, *rows(0, 20)]), below), *pages[1:]))) == 2


def test_a_header_that_nothing_marks_is_known_by_its_repetition():
    whole = one(build(*(page(n, whole_page([HEADER, *rows(n * 10, 10)])) for n in (1, 2, 3))))
    assert whole.header_rows == 1
    assert len(whole.rows) == 31


def test_a_two_row_header_and_a_wording_read_with_errors():
    header = [["", "2023", "2024"], ["Item", "Revenue", "Revenue"]]
    worse = [["", "2023", "2024"], ["ltem", "Revenve", "Revenue"]]
    data = [[f"Item {n}", f"{n}", f"{n + 1}"] for n in range(20)]
    whole = one(build(page(1, whole_page(header + data, header_rows=2)), page(2, whole_page(worse + data[::-1], header_rows=2))))
    assert whole.header_rows == 2
    assert len(whole.rows) == 2 + 40


def test_the_switch_turns_joining_off():
    made = [page(n, whole_page([HEADER, *rows(n * 10, 10)], header_rows=1)) for n in (1, 2)]
    apart = build(*made, join_tables=False)
    assert [len(t.rows) for t in tables(apart)] == [11, 11]
    assert all(t.joins == () for t in tables(apart))


def test_blank_pages_and_furniture_stand_between():
    first = page(1, block("Annual report", 30), whole_page([HEADER, *rows(0, 10)], header_rows=1), block("1", 810))
    second = page(3, block("Annual report", 30), whole_page(rows(10, 10)), block("3", 810))
    third = page(4, block("Annual report", 30), whole_page(rows(20, 10)), block("4", 810))
    document = build(first, blank(2), second, third)
    assert len(one(document).rows) == 31
    assert [r.page for r in of_type(document, BlockType.TABLE)[0].regions] == [1, 3, 4]


def test_a_page_of_another_width_and_a_shifted_margin():
    wide = table(rows(10, 10), y=60, bottom=500, column_edges=(80.0, 250.0, 420.0, 590.0), x=80.0)
    narrow = table([HEADER, *rows(0, 10)], y=60, bottom=780, header_rows=1, column_edges=(50.0, 215.0, 380.0, 545.0))
    assert len(one(build(page(1, narrow), page(2, wide))).rows) == 21


CONTINUED = [
    "Table 3 (continued)",
    "Table 3. Receipts—Continued",
    "Tabelle 3: Einnahmen (Fortsetzung)",
    "Tableau 3 (suite)",
    "Tabla 3. Ingresos (continuación)",
    "表3（续）",
    "续表3",
]


@pytest.mark.parametrize("caption", CONTINUED)
def test_a_caption_that_says_it_goes_on(caption):
    kinds = {"caption": BlockType.CAPTION}
    first = page(1, block(caption.split(" ")[0] + " 3", 40, kinds["caption"]), whole_page([HEADER, *rows(0, 10)], header_rows=1))
    second = page(2, block(caption, 40, kinds["caption"]), whole_page([HEADER, *rows(10, 10)], header_rows=1))
    document = build(first, second)
    assert len(one(document).rows) == 21
    assert caption not in texts(document, BlockType.CAPTION)
    assert "continued_caption" in one(document).joins[0].reasons


def test_notes_that_only_point_onward_do_not_cut():
    note = block("See notes at end of table.", 790)
    first = page(1, block("Table A-1. Schools", 40, BlockType.CAPTION), table([HEADER, *rows(0, 10)], 60, 780, 1), note)
    second = page(2, block("Table A-1. Schools—Continued", 40, BlockType.CAPTION), table([HEADER, *rows(10, 4)], 60, 200, 1))
    document = build(first, second)
    assert len(one(document).rows) == 15
    assert of_type(document, BlockType.PAGE_FOOTER)[0].text == note.text


def test_a_new_caption_is_another_table():
    first = page(1, block("Table 2.3: Female students", 40, BlockType.CAPTION), whole_page([HEADER, *rows(0, 10)], header_rows=1))
    second = page(2, block("Table 2.4: Male students", 40, BlockType.CAPTION), whole_page([HEADER, *rows(0, 10)], header_rows=1))
    assert apart(build(first, second)) == ["veto:new_caption"]


@pytest.mark.parametrize("between", [heading("2 Results", 40), paragraph("The next table is about something else.", 40)])
def test_words_between_keep_tables_apart(between):
    first = page(1, whole_page([HEADER, *rows(0, 10)], header_rows=1))
    second = page(2, between, whole_page([HEADER, *rows(10, 10)], header_rows=1))
    assert apart(build(first, second)) == []
    after = page(1, table([HEADER, *rows(0, 10)], 60, 700, 1), paragraph("And so the year ended.", 720))
    assert apart(build(after, page(2, whole_page(rows(10, 10))))) == []


def test_another_header_over_the_same_columns():
    other = ["Month", "Office", "Persons"]
    first = page(1, whole_page([HEADER, *rows(0, 10)], header_rows=1))
    second = page(2, whole_page([other, *rows(10, 10)], header_rows=1))
    assert apart(build(first, second)) == ["veto:another_header"]


def test_a_header_of_another_year():
    def year(number: int) -> Block:
        return whole_page([["Office", f"Receipts {number}", "Persons"], *[[f"Office {n}", f"{n}.0", str(n)] for n in range(9)]], header_rows=1)

    assert apart(build(page(1, year(2021)), page(2, year(2022))))[0] in ("veto:header_differs", "veto:continued_sideways")


def test_columns_elsewhere_are_another_table():
    uneven = (50.0, 150.0, 200.0, 545.0)
    first = page(1, whole_page([HEADER, *rows(0, 10)], header_rows=1))
    assert apart(build(first, page(2, whole_page(rows(10, 10), column_edges=uneven)))) == ["veto:columns_differ"]
    six = [[*row, *row] for row in rows(10, 10)]
    assert apart(build(first, page(2, whole_page(six)))) == ["veto:columns_differ"]


def test_a_table_continued_sideways_is_never_appended_below():
    stubs = [f"Region {n}" for n in range(12)]
    left = [["Region", "2001", "2002"], *[[s, str(i), str(i + 1)] for i, s in enumerate(stubs)]]
    right = [["Region", "2003", "2004"], *[[s, str(i + 5), str(i + 6)] for i, s in enumerate(stubs)]]
    caption = block("Table 1 (continued)", 40, BlockType.CAPTION)
    first = page(1, block("Table 1 Regions", 40, BlockType.CAPTION), whole_page(left, header_rows=1))
    assert apart(build(first, page(2, caption, whole_page(right, header_rows=1)))) == ["veto:continued_sideways"]


def test_a_table_that_ends_high_on_its_page_is_at_most_possible():
    short = page(1, table([HEADER, *rows(0, 4)], 60, 200, 1))
    text = page(3, paragraph("Text.", 60), paragraph("Text.", 770))
    repeated = build(short, page(2, table([HEADER, *rows(10, 20)], 60, 780, 1)), text)
    assert [j.decision for j in tables(repeated)[0].joins] == ["possible"]
    assert len(tables(repeated)) == 2
    unmarked = build(short, page(2, table(rows(10, 20), 60, 780)), text)
    assert [j.decision for j in tables(unmarked)[0].joins] == ["apart"]


def test_a_page_that_is_missing_is_never_joined_over():
    first, last = page(1, whole_page(rows(0, 10))), page(3, whole_page(rows(10, 10)))
    assert len(tables(build(first, failed(2), last))) == 2
    assert len(tables(build(first, last))) == 2


def test_only_the_last_and_the_first_table_of_pages_are_a_pair():
    made = page(1, table([["a", "b"], ["c", "d"]], 60, 200), heading("2", 220), table([HEADER, *rows(0, 9)], 240, 780, 1))
    next_one = page(2, table(rows(9, 9), 60, 300), heading("3", 320), table([["a", "b"], ["c", "d"]], 340, 400))
    document = build(made, next_one)
    assert [len(t.rows) for t in tables(document)] == [2, 19, 2]


def split(upper: list[str], lower: list[str], **more) -> list[tuple[str, ...]]:
    """The rows around a break, between whole rows."""
    document = build(page(1, whole_page([HEADER, *rows(0, 9), upper], header_rows=1, **more)), page(2, whole_page([lower, *rows(20, 9)])))
    return list(one(document).rows)[10:-9]


def test_a_row_cut_by_the_break_is_healed_cell_by_cell():
    assert split(["9", "Research Equipment", "63.50"], ["", "and accessories", ""]) == [("9", "Research Equipment and accessories", "63.50")]
    assert split(["9", "Research Equipment and", ""], ["", "accessories", "63.50"]) == [("9", "Research Equipment and accessories", "63.50")]


def test_whole_rows_are_never_merged():
    assert len(split(["9", "Company 9", "63.50"], ["10", "Company 10", "70.00"])) == 2
    assert len(split(["9", "Company 9", "63.50"], ["", "Total", "650.00"])) == 2
    assert len(split(["", "Carried forward", "63.50"], ["10", "Company 10", "70.00"])) == 2
    assert len(split(["9", "Company 9", "63.50"], ["", "", "70.00"])) == 2


def test_a_label_cut_in_a_script_without_capitals():
    label = ("1.重新计量设定受益计", "划净负债或净资产的变动")
    data = [["营业收入", "4,755.11"], ["利润", "15.00"], ["税金", "3.00"], ["其他综合收益的税后净额", ""]]
    first = [["项目", "本期"], *data, [label[0], ""]]
    second = [[label[1], ""], ["六、综合收益总额", "2,434.51"], ["七、每股收益", "1.00"]]
    full = build(page(1, whole_page(first, header_rows=1, full_cells=(0,))), page(2, whole_page(second)))
    assert ["".join(label), ""] in [list(r) for r in one(full).rows]
    unknown = build(page(1, whole_page(first, header_rows=1)), page(2, whole_page(second)))
    assert len(one(unknown).rows) == len(first) + len(second)
    elsewhere = page(3, heading("合并", 40), whole_page([["".join(label), "1"], ["其他", "2"]]))
    known = build(page(1, whole_page(first, header_rows=1)), page(2, whole_page(second)), elsewhere)
    assert ["".join(label), ""] in [list(r) for r in tables(known)[0].rows]


def test_section_rows_at_the_top_of_a_page_are_data():
    def section(date: str) -> list[str]:
        return ["", f"Date of Inclusion: {date}", "EC Number"]

    def substances(first: int) -> list[list[str]]:
        return [[str(n), f"Substance {n}", f"{n}-45"] for n in range(first, first + 8)]

    first = page(1, whole_page([section("June 14, 2023"), *substances(1), section("Jan 17, 2023"), *substances(9)], header_rows=0))
    second = page(2, whole_page([section("Dec 16, 2013"), *substances(17)], header_rows=1))
    assert len(one(build(first, second)).rows) == 27


def test_a_column_that_was_missed_on_one_page():
    edges = (50.0, 215.0, 380.0, 545.0)
    wide = whole_page([["1", "A", ""], ["2", "B", "x"], ["3", "C", ""]] * 4, column_edges=edges)
    narrow = whole_page([["9", "D"], ["8", "E"], ["7", "F"]] * 4, column_edges=edges[:3])
    assert [row[2] for row in one(build(page(1, wide), page(2, narrow))).rows][12:] == [""] * 12
    turned = one(build(page(1, narrow), page(2, wide)))
    assert turned.columns == 3
    assert len(turned.rows) == 24


def test_a_header_printed_outside_the_grid():
    first = page(1, whole_page([HEADER, *rows(0, 10)], header_rows=1))
    second = page(2, block("No. Name Amount", 40), whole_page(rows(10, 10)))
    document = build(first, second)
    assert len(one(document).rows) == 21
    assert texts(document, BlockType.PAGE_HEADER) == ["No. Name Amount"]


def test_a_title_printed_on_every_page_of_a_table_stays_once():
    made = [
        page(n, block("Major Contribution Report", 30), whole_page([HEADER, *rows(n * 10, 10)], header_rows=1), block(f"Page {n}", 810))
        for n in (1, 2, 3)
    ]
    document = build(*made)
    assert len(one(document).rows) == 31
    assert texts(document) == ["Major Contribution Report"]


def test_spans_come_through_and_stand_once():
    cells = (Cell(row=0, column=0, text="Both", column_span=2), Cell(row=1, column=0, text="a"), Cell(row=1, column=1, text="b"))
    spanned = table([["Both", ""], ["a", "b"]], cells=cells)
    whole = one(build(page(1, spanned)))
    assert whole.rows == (("Both", ""), ("a", "b"))
    assert whole.cells[0].column_span == 2


def test_cells_that_lie_on_each_other_or_outside_are_set_right():
    cells = (
        Cell(row=0, column=0, text="a", row_span=9, column_span=9),
        Cell(row=0, column=1, text=""),
        Cell(row=-1, column=0, text="above"),
        Cell(row=1, column=7, text="beyond"),
        Cell(row=1, column=0, text=""),
        Cell(row=1, column=1, text=""),
    )
    spanned = Block(type=BlockType.TABLE, bbox=(0, 0, 9, 9), table=Table(rows=2, columns=2, cells=cells))
    whole = one(build(page(1, spanned)))
    assert [(c.row, c.column, c.row_span, c.column_span, c.text) for c in whole.cells] == [(0, 0, 2, 2, "a")]


def test_a_span_ends_before_a_cell_that_says_something():
    cells = (
        Cell(row=0, column=0, text="a", row_span=2, column_span=3),
        Cell(row=0, column=2, text="b", row_span=2),
        Cell(row=1, column=0, text="c"),
        Cell(row=1, column=0, text="on c"),
    )
    spanned = Block(type=BlockType.TABLE, bbox=(0, 0, 9, 9), table=Table(rows=2, columns=3, cells=cells))
    whole = one(build(page(1, spanned)))
    assert [(c.row, c.column, c.row_span, c.column_span, c.text) for c in whole.cells] == [(0, 0, 1, 2, "a"), (0, 2, 2, 1, "b"), (1, 0, 1, 1, "c")]


def test_the_account_is_checked_and_a_wrong_one_takes_the_table_apart(monkeypatch):
    appended = JoinedTable.append

    def losing(self, grid, header_rows, merge_first):
        appended(self, grid, header_rows, merge_first)
        self.rows.pop()

    monkeypatch.setattr(JoinedTable, "append", losing)
    document = build(page(1, whole_page([HEADER, *rows(0, 9)], header_rows=1)), page(2, whole_page(rows(9, 9))))
    assert [len(t.rows) for t in tables(document)] == [10, 9]
    assert "left apart" in document.warnings[0]
    grid = grid_of(table(rows(0, 3)).table, 1)
    assert grid is not None
    damaged = JoinedTable(grid)
    damaged.rows.pop()
    with pytest.raises(TableNotWhole, match="3 rows in"):
        damaged.check()


@st.composite
def broken_tables(draw):
    """A table of distinct rows, cut at random places, its header printed again on some pages."""
    count = draw(st.integers(4, 60))
    data = rows(1, count)
    cuts = sorted(draw(st.sets(st.integers(2, count - 2), max_size=6)) | {0, count})
    repeats = draw(st.booleans())
    parts = [data[a:b] for a, b in pairwise(cuts)]
    return data, [([HEADER] if i == 0 or repeats else []) + part for i, part in enumerate(parts)], repeats


@given(broken_tables())
@settings(max_examples=60, deadline=None)
def test_rows_in_are_rows_out(made):
    data, parts, repeats = made
    pages = [page(n, whole_page(part, header_rows=1 if n == 1 or repeats else 0)) for n, part in enumerate(parts, 1)]
    document = build(*pages)
    assert [list(r) for t in tables(document) for r in t.rows[t.header_rows :]] == data
    assert len(tables(document)) == 1
