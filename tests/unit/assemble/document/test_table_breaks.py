"""What joins or parts two fragments: unknown places, missing pages, columns of one page, numbers of rows, carried sums, spans."""

import msgspec
import pytest

from schemas.content import Block, BlockType, Cell, Table
from tests.unit.assemble.made_documents import HEADER, apart, block, build, failed, of_type, one, page, paragraph, rows, table, tables, whole_page


def as_recognized(made: Block) -> Block:
    """A table as a model gives it: without edges, rules, boxes of cells."""
    bare = msgspec.structs.replace(
        made.table, column_edges=(), ruled=0.0, cells=tuple(msgspec.structs.replace(c, bbox=None) for c in made.table.cells)
    )
    return msgspec.structs.replace(made, style=None, column=None, table=bare)


@pytest.mark.parametrize("header", [True, False])
def test_text_layer_above_and_recognition_below(header):
    first = page(1, whole_page([HEADER, *rows(0, 10)], header_rows=1))
    second = as_recognized(whole_page(([HEADER] if header else []) + rows(10, 10)))
    whole = one(build(first, page(2, second)))
    assert len(whole.rows) == 21
    assert [join.decision for join in whole.joins] == ["joined"]


def test_two_columns_whose_places_are_unknown_need_a_vote_of_the_model():
    pairs = [[f"Company {n}", f"{n * 7}.50"] for n in range(20)]
    first, second = page(1, whole_page(pairs[:10])), as_recognized(whole_page(pairs[10:]))
    assert tables(build(first, page(2, second)))[0].joins[0].decision == "possible"
    tagged = msgspec.structs.replace(second, tags=("append_table",))
    assert len(one(build(first, page(2, tagged))).rows) == 20


def test_columns_that_no_rule_draws_lie_anywhere_in_their_gaps():
    upper = whole_page([HEADER, *rows(0, 10)], header_rows=1, ruled=0.4, column_edges=(50.0, 90.0, 320.0, 545.0))
    same = whole_page(rows(10, 10), ruled=0.4, column_edges=(50.0, 90.0, 280.0, 545.0))
    other = whole_page(rows(10, 10), ruled=0.4, column_edges=(50.0, 300.0, 400.0, 545.0))
    assert len(one(build(page(1, upper), page(2, same))).rows) == 21
    assert apart(build(page(1, upper), page(2, other))) == ["veto:columns_differ"]
    drawn = [msgspec.structs.replace(b, table=msgspec.structs.replace(b.table, ruled=1.0)) for b in (upper, same)]
    assert apart(build(page(1, drawn[0]), page(2, drawn[1]))) == ["veto:columns_differ"]


def test_behind_a_missing_page_a_table_is_at_most_possible():
    first, last = page(1, whole_page([HEADER, *rows(0, 10)], header_rows=1)), page(3, whole_page([HEADER, *rows(30, 10)], header_rows=1))
    document = build(first, failed(2), last, page(4, whole_page(rows(40, 10))))
    assert [len(t.rows) for t in tables(document)] == [11, 21]
    (join,) = tables(document)[0].joins
    assert (join.decision, join.from_page, join.to_page) == ("possible", 1, 3)
    assert "page_missing_between" in join.reasons


LEFT, RIGHT = (50.0, 200.0, 240.0, 290.0), (310.0, 460.0, 500.0, 550.0)


def column_table(made: list[list[str]], edges: tuple[float, ...], y: float, bottom: float, header_rows: int = 0) -> Block:
    return msgspec.structs.replace(table(made, y, bottom, header_rows, column_edges=edges), bbox=(edges[0], y, edges[-1], bottom))


def test_a_table_goes_on_in_the_next_column():
    upper = column_table([HEADER, *rows(0, 20)], LEFT, 300, 780, 1)
    lower = column_table(rows(20, 10), RIGHT, 60, 300)
    document = build(page(1, block("Text.", 60), upper, lower, block("More.", 400, bbox=(310.0, 400.0, 550.0, 412.0))))
    assert len(one(document).rows) == 31
    assert [(r.page, r.bbox[0]) for r in of_type(document, BlockType.TABLE)[0].regions] == [(1, 50.0), (1, 310.0)]
    captioned = block("Table 2 Others", 45, BlockType.CAPTION, bbox=(310.0, 45.0, 550.0, 57.0))
    assert apart(build(page(1, upper, captioned, lower))) == ["veto:new_caption"]
    beside = column_table([HEADER, *rows(20, 10)], RIGHT, 300, 500, 1)
    small = column_table([HEADER, *rows(0, 10)], LEFT, 300, 500, 1)
    assert len(tables(build(page(1, small, beside)))) == 2


def test_rows_numbered_on_and_rows_that_begin_again():
    total = ["Total", "", "77.00"]
    first = page(1, whole_page([HEADER, *rows(1, 10), total], header_rows=1))
    on = one(build(first, page(2, whole_page([HEADER, *rows(11, 10)], header_rows=1))))
    assert "rows_numbered_on" in on.joins[0].reasons
    assert apart(build(first, page(2, whole_page([HEADER, *rows(1, 10)], header_rows=1)))) == ["veto:begins_again"]


CARRIED = [
    ("Carried forward", "Brought forward"),
    ("Übertrag", "Übertrag"),
    ("À reporter", "Report"),
    ("过次页", "承前页"),
    ("К переносу", "Перенос"),
]


@pytest.mark.parametrize("labels", CARRIED)
def test_sums_carried_forward_are_rows_and_never_halves_of_one(labels):
    last, first = [labels[0], "", "70.00"], [labels[1], "", "70.00"]
    data = [[f"Item {n}", "x", f"{n}.00"] for n in range(10)]
    whole = one(build(page(1, whole_page([HEADER, *data, last], header_rows=1)), page(2, whole_page([first, *data]))))
    assert [list(row) for row in whole.rows[11:13]] == [last, first]
    assert "carried_forward" in whole.joins[0].reasons


def spanning(label: str, count: int, start: int = 0, header: bool = False) -> Block:
    """A table whose first column is one cell over all its data rows."""
    data = [HEADER] * header + [[label if n == 0 else "", f"Company {start + n}", f"{n}.50"] for n in range(count)]
    made = whole_page(data, header_rows=int(header))
    cells = [c for c in made.table.cells if c.column > 0 or c.row <= int(header)]
    cells = [msgspec.structs.replace(c, row_span=count) if c.column == 0 and c.row == int(header) else c for c in cells]
    return msgspec.structs.replace(made, table=msgspec.structs.replace(made.table, cells=tuple(cells)))


@pytest.mark.parametrize("repeated", [True, False])
def test_a_cell_over_several_rows_goes_on_below_the_break(repeated):
    pages = [page(1, spanning("North", 8, header=True)), page(2, spanning("", 8, 8, repeated)), page(3, spanning("", 4, 16, repeated))]
    whole = one(build(*pages))
    (north,) = [c for c in whole.cells if c.text == "North"]
    assert (north.row, north.row_span) == (1, 20)
    assert [r.page for r in north.regions] == [1, 2, 3]
    south = one(build(pages[0], page(2, spanning("South", 8, 8, repeated))))
    assert [(c.text, c.row, c.row_span) for c in south.cells if c.row_span > 1] == [("North", 1, 8), ("South", 9, 8)]
    assert all(c.regions == () for c in south.cells)


def test_a_merged_cell_keeps_all_its_places():
    first = page(1, whole_page([HEADER, *rows(0, 9), ["9", "a company of the", "1.00"]], header_rows=1))
    second = page(2, whole_page([["", "northern harbour", ""], *rows(10, 9)]))
    whole = one(build(first, second))
    (cell,) = [c for c in whole.cells if c.text == "a company of the northern harbour"]
    assert [r.page for r in cell.regions] == [1, 2]


def test_a_header_of_two_rows_that_differs_in_its_year():
    def year(number: int) -> Block:
        data = [[f"Office {n}", f"{n}.0", str(n)] for n in range(9)]
        return whole_page([["Office", "Receipts", "Persons"], ["", str(number), str(number)], *data], header_rows=2)

    assert apart(build(page(1, year(2021)), page(2, year(2022)))) == ["veto:header_differs"]


def test_an_empty_column_that_no_rule_shows_is_missed_on_later_pages():
    edges, fewer = (50.0, 110.0, 260.0, 330.0, 430.0, 545.0), (50.0, 105.0, 300.0, 440.0, 545.0)
    upper = [[str(n), f"Company {n}", "", f"{n}.50", "x"] for n in range(12)]
    lower = [[str(n), f"Company {n}", f"{n}.50", "x"] for n in range(12, 36)]
    pages = [page(1, whole_page(upper, ruled=0.4, column_edges=edges))]
    pages += [page(2 + n, whole_page(lower[12 * n : 12 * n + 12], ruled=0.4, column_edges=fewer)) for n in (0, 1)]
    whole = one(build(*pages))
    assert whole.columns == 5
    assert list(whole.rows[-1]) == ["35", "Company 35", "", "35.50", "x"]
    assert all(cell.column_span == 1 for cell in whole.cells)


def test_edges_known_before_a_recognized_page_are_known_behind_it():
    first, third = (whole_page(rows(n, 10), header_rows=0) for n in (0, 20))
    shifted = msgspec.structs.replace(third, table=msgspec.structs.replace(third.table, column_edges=(50.0, 90.0, 130.0, 545.0)))
    second = as_recognized(whole_page(rows(10, 10)))
    assert len(one(build(page(1, first), page(2, second), page(3, third))).rows) == 30
    assert [len(t.rows) for t in tables(build(page(1, first), page(2, second), page(3, shifted)))] == [20, 10]


def test_a_row_without_its_key_and_its_value_is_the_rest_of_the_one_above():
    def made(lower: list[str]):
        data = [[f"A{n}", f"항구{n}", f"학교{n}", f"도서관{n}", f"{n}.5"] for n in range(9)]
        first = page(1, whole_page([["a", "b", "c", "d", "e"], *data], header_rows=1))
        return one(build(first, page(2, whole_page([lower, *[[f"B{row[0]}", *row[1:]] for row in data]]))))

    assert made(["", "강은", "짐은", "모든", ""]).rows[9] == ("A8", "항구8 강은", "학교8 짐은", "도서관8 모든", "8.5")
    assert len(made(["", "강은", "짐은", "모든", "7.5"]).rows) == 20
    assert len(made(["B", "강은", "짐은", "모든", ""]).rows) == 20


def test_a_key_of_two_lines_is_cut_with_the_texts_beside_it():
    def made(lower: list[str]):
        data = [[f"Mill {n}", "Every lot is listed", "It has a weight", f"{n}.5"] for n in range(9)]
        upper = ["Harbour", "The river was counted and", "The weight of the", "9.5"]
        first = page(1, whole_page([["a", "b", "c", "d"], *data, upper], header_rows=1))
        return one(build(first, page(2, whole_page([lower, *[[f"Quay {n}", *row[1:]] for n, row in enumerate(data)]]))))

    whole = ("Harbour Library", "The river was counted and every lot was", "The weight of the lots", "9.5")
    assert made(["Library", "every lot was", "lots", ""]).rows[10] == whole
    assert len(made(["Library", "every lot was", "lots", "7.5"]).rows) == 21
    assert len(made(["Library", "Every lot was", "lots", ""]).rows) == 21


def test_rows_that_stand_alone_elsewhere_are_not_halves_of_one():
    upper, lower = ["收到再保险业务现金净额", "", ""], ["保户储金及投资款净增加额", "", ""]
    data = [[f"支付给职工以及为职工支付的现金{n}", f"{n}.00", f"{n}.50"] for n in "一二三四五六七八九"]

    pages = [page(1, whole_page([*data, upper], full_cells=(0,))), page(2, whole_page([lower, *data]))]
    assert len(one(build(*pages)).rows) == 19
    elsewhere = page(3, paragraph("Another statement follows here.", 40), whole_page([lower, *data]))
    assert len(tables(build(*pages, elsewhere))[0].rows) == 20


@pytest.mark.parametrize(
    ("edges", "is_joined"), [((50.0, 215.0, 380.0, 545.0), True), ((50.0, 132.5, 380.0, 545.0), False), ((50.0, 240.0, 380.0, 545.0), False)]
)
def test_a_fragment_goes_on_with_the_cells_of_the_last_row_though_it_has_fewer_columns(edges, is_joined):
    """Six columns above, whose last rows are a section of three cells over two columns each."""
    xs = tuple(50.0 + 82.5 * n for n in range(7))
    wide = [Cell(row=r, column=c, text=f"{r}{c}.5" if c else f"Mill {r}") for r in range(8) for c in range(6)]
    section = [Cell(row=r, column=c, column_span=2, text=f"{r}{c}.5" if c else f"Mill {r}") for r in range(8, 14) for c in (0, 2, 4)]
    first = Table(rows=14, columns=6, cells=(*wide, *section), column_edges=xs, ruled=1.0)
    upper = Block(type=BlockType.TABLE, bbox=(50.0, 60.0, 545.0, 780.0), table=first)
    lower = whole_page([[f"Mill {n}", f"{n}2.5", f"{n}4.5"] for n in range(14, 20)], column_edges=edges)
    document = build(page(1, upper), page(2, lower))
    if is_joined:
        assert one(document).rows[-1] == ("Mill 19", "", "192.5", "", "194.5", "")
        assert [(c.column, c.column_span) for c in one(document).cells][-3:] == [(0, 2), (2, 2), (4, 2)]
    else:
        assert "veto:columns_differ" in apart(document)
