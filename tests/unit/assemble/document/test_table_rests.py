"""The last rows of a table that are no table by themselves, tables that go on sideways, and captions that name two tables."""

from msgspec.structs import replace

from schemas.content import Block, BlockType, Cell, Table
from streams.assemble.document.pages import PageInput
from tests.unit.assemble.made_documents import HEADER, block, build, of_type, one, page, paragraph, rows, table, tables, texts, whole_page

EDGES = (50.0, 215.0, 380.0, 545.0)


def rest(row: list[str], y: float = 60.0, *, drawn: bool = False, right: float = 545.0) -> Block:
    """One row between two rules, its cells boxes of text."""
    cells = tuple(Cell(row=0, column=c, text=text, bbox=(EDGES[c] + 5, y + 2, EDGES[c] + 45, y + 12)) for c, text in enumerate(row) if text)
    grid = Table(rows=1, columns=len(row), cells=cells, column_edges=EDGES if drawn else (), ruled=float(drawn))
    return Block(type=BlockType.TABLE, bbox=(50.0, y, right, y + 14.0), table=grid)


def with_rests(made: PageInput, *rests: Block) -> PageInput:
    assert made.content is not None
    return replace(made, content=replace(made.content, rests=rests))


def ends_with(row: list[str], *more: Block, **how) -> PageInput:
    """A page whose first line says what the rest holds."""
    return with_rests(page(2, block(" ".join(row), 61.0), *more), rest(row, **how))


FIRST = page(1, whole_page([HEADER, *rows(0, 20)], header_rows=1))


def test_one_row_on_the_next_page_is_the_last_of_the_table():
    for drawn in (True, False):
        document = build(FIRST, ends_with(["20", "Company 20", "140.50"], drawn=drawn))
        assert one(document).rows[-1] == ("20", "Company 20", "140.50")
        assert texts(document) == []
        assert [r.page for r in of_type(document, BlockType.TABLE)[0].regions] == [1, 2]
        assert [cell.page for cell in one(document).cells][-3:] == [2, 2, 2]


def test_a_rest_may_lack_cells():
    document = build(FIRST, ends_with(["20", "", "140.50"]))
    assert one(document).rows[-1] == ("20", "", "140.50")


def test_the_text_stays_where_no_table_takes_it():
    row = ["20", "Company 20", "140.50"]
    alone = build(ends_with(row))
    assert texts(alone) == [" ".join(row)]
    assert tables(alone) == []
    elsewhere = build(FIRST, ends_with(row, right=400.0))
    assert texts(elsewhere) == [" ".join(row)]
    assert len(one(elsewhere).rows) == 21
    assert one(elsewhere).joins == ()
    off = build(FIRST, ends_with(row), join_tables=False)
    assert texts(off) == [" ".join(row)]


def test_words_over_numbers_are_no_rest():
    document = build(FIRST, ends_with(["Prepared by", "Approved by", "Date of issue"]))
    assert len(one(document).rows) == 21
    assert texts(document) == ["Prepared by Approved by Date of issue"]


def test_text_between_keeps_a_rest_away():
    made = with_rests(page(2, paragraph("The year ended well.", 40.0), block("20 Company 20 140.50", 61.0)), rest(["20", "Company 20", "140.50"]))
    assert texts(build(FIRST, made)) == ["The year ended well.", "20 Company 20 140.50"]


def test_a_table_goes_on_behind_a_rest_of_a_page_of_its_own():
    second = table([HEADER, *rows(50, 9)], 300, 500, 1)
    document = build(FIRST, ends_with(["20", "Company 20", "140.50"], paragraph("Another matter.", 200.0), second))
    assert [len(t.rows) for t in tables(document)] == [22, 10]


def test_what_goes_on_sideways_names_its_table():
    stubs = [f"Region {n}" for n in range(12)]
    left = [["Region", "2001", "2002"], *[[s, str(i), str(i + 1)] for i, s in enumerate(stubs)]]
    right = [["Region", "2003", "2004"], *[[s, str(i + 5), str(i + 6)] for i, s in enumerate(stubs)]]
    first, second = of_type(build(page(1, whole_page(left, header_rows=1)), page(2, whole_page(right, header_rows=1))), BlockType.TABLE)
    assert (first.sideways_of, second.sideways_of) == (None, first.id)
    joined = build(FIRST, page(2, whole_page(rows(20, 9))))
    assert of_type(joined, BlockType.TABLE)[0].sideways_of is None


def test_a_caption_read_across_two_columns_names_two_tables():
    def columns(caption: str):
        halves = [table([HEADER, *rows(n, 20)], 60, 780, 1, x=x, column_edges=(x, x + 60, x + 140, x + 220)) for n, x in ((0, 50.0), (20, 320.0))]
        halves = [replace(half, bbox=(x, 60, x + 220, 780)) for half, x in zip(halves, (50.0, 320.0), strict=True)]
        return tables(build(page(1, block(caption, 40, BlockType.CAPTION), *halves)))

    assert len(columns("Table 1. Harbours of the east")) == 1
    assert len(columns("Table 1. Harbours of the east Table 2. Mills of the west")) == 2
