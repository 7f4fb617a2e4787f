"""The last rows of a table that are no table by themselves, tables that go on sideways, and captions that name two tables."""

from msgspec.structs import replace

from schemas.content import Block, BlockType, Cell, Table
from streams.assemble.document.pages import PageInput
from tests.unit.assemble.made_documents import HEADER, block, build, heading, of_type, one, page, paragraph, rows, table, tables, texts, whole_page

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


def test_a_row_of_a_total_alone_is_the_last_of_the_table():
    document = build(FIRST, ends_with(["Total", "", "2,810.00"]))
    assert one(document).rows[-1] == ("Total", "", "2,810.00")
    assert texts(document) == []


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


def lines(*texts: tuple[int, int, str, float]) -> Block:
    """Rows between two rules: the row, the column, the text and its top, each text 10 points high."""
    cells = tuple(Cell(row=row, column=c, text=text, bbox=(EDGES[c] + 5, y, EDGES[c] + 45, y + 10)) for row, c, text, y in texts)
    grid = Table(rows=texts[-1][0] + 1, columns=3, cells=tuple(cells))
    return Block(type=BlockType.TABLE, bbox=(50.0, 60.0, 545.0, texts[-1][3] + 14.0), table=grid)


def behind(first: PageInput, rest: Block) -> list[tuple[str, ...]]:
    """The last rows of the table on `first`, whose next page begins with a rest."""
    grid = rest.table
    assert grid is not None
    said = [block(cell.text, cell.bbox[1], bbox=cell.bbox) for cell in grid.cells if cell.bbox]
    return list(one(build(first, with_rests(page(2, *said), rest))).rows[20:])


CUT = page(1, whole_page([HEADER, *rows(0, 19), ["19", "Company of the", "133.00"]], header_rows=1))


def test_the_end_of_a_cell_alone_is_taken_where_a_row_was_cut():
    assert behind(CUT, lines((0, 1, "eastern harbour", 62.0))) == [("19", "Company of the eastern harbour", "133.00")]


def test_a_text_alone_is_no_row():
    whole = page(1, whole_page([HEADER, *rows(0, 20)], header_rows=1))
    document = build(whole, with_rests(page(2, block("eastern", 62.0)), lines((0, 0, "eastern", 62.0))))
    assert (len(one(document).rows), texts(document)) == (21, ["eastern"])


def test_lines_set_close_are_those_of_one_row_and_others_are_rows():
    close = lines((0, 1, "eastern harbour", 62.0), (1, 1, "and of the", 73.0), (2, 1, "northern one", 84.0))
    assert behind(CUT, close) == [("19", "Company of the eastern harbour and of the northern one", "133.00")]
    apart = lines((0, 1, "eastern harbour", 62.0), (1, 0, "20", 80.0), (1, 1, "Company 20", 80.0), (1, 2, "140.00", 80.0))
    assert behind(CUT, apart) == [("19", "Company of the eastern harbour", "133.00"), ("20", "Company 20", "140.00")]


def test_what_only_the_page_before_vouches_for_is_a_page_of_the_table():
    middle = with_rests(page(2, *[block(" ".join(row), 60.0 + 36 * n) for n, row in enumerate(rows(20, 20))]), whole_page(rows(20, 20), ruled=0.0))
    assert tables(build(middle)) == []
    first, third = page(1, whole_page([HEADER, *rows(0, 20)], header_rows=1, ruled=0.0)), page(3, whole_page(rows(40, 20), ruled=0.0))
    document = build(first, middle, third)
    assert [row[0] for row in one(document).rows[1:]] == [str(n) for n in range(60)]
    assert texts(document) == []


def test_rules_may_be_longer_than_the_text_of_a_table_without_any():
    def first(ruled: float) -> PageInput:
        made = whole_page([HEADER, *rows(0, 20)], header_rows=1, ruled=ruled)
        return page(1, replace(made, bbox=(50.0, 60.0, 500.0, 780.0)))

    last = page(2, block("20 Company 20 140.50", 61.0))
    assert len(one(build(first(0.0), with_rests(last, rest(["20", "Company 20", "140.50"])))).rows) == 22
    assert len(one(build(first(0.3), with_rests(last, rest(["20", "Company 20", "140.50"])))).rows) == 21


def test_a_row_that_looks_like_a_running_head_is_one_only_where_heads_could_repeat():
    row = ["20", "Company 20", "140.50"]
    last = block(" ".join(row), 61.0, BlockType.PAGE_HEADER)
    end = paragraph("Another matter is told of here.", 300.0)
    assert len(one(build(FIRST, with_rests(page(2, last, end), rest(row)))).rows) == 22


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


def doubtful(rows_said: list[list[str]], y: float, header_rows: int = 0) -> PageInput:
    """A page whose last lines may be a table, of which its reader is not sure."""
    held = table(rows_said, y, 780.0, header_rows, ruled=0.0)
    step = (780.0 - y) / len(rows_said)
    said = [block(" ".join(row), y + step * n) for n, row in enumerate(rows_said)]
    return with_rests(page(1, paragraph("What was sold and where.", 100.0), *said), held)


GOES_ON = page(2, whole_page([HEADER, *rows(3, 20)], header_rows=1), block("Another matter.", 790.0))


def test_a_doubtful_beginning_is_one_where_the_next_page_goes_on_with_it():
    document = build(doubtful([HEADER, *rows(0, 3)], 700.0, 1), GOES_ON)
    assert [row[0] for row in one(document).rows] == ["No.", *(str(n) for n in range(23))]
    assert [b.text for b in document.blocks if b.type is not BlockType.TABLE] == ["What was sold and where.", "Another matter."]
    assert [r.page for r in of_type(document, BlockType.TABLE)[0].regions] == [1, 2]


def test_a_note_stuck_on_a_doubtful_beginning_is_no_row_of_it():
    beginning = doubtful([HEADER, *rows(0, 3)], 700.0, 1)
    assert beginning.content is not None
    note = block("Check this row, please.", 740.0, BlockType.ANNOTATION)
    noted = replace(beginning, content=replace(beginning.content, blocks=(*beginning.content.blocks, note)))
    document = build(noted, GOES_ON)
    assert len(one(document).rows) == 24
    assert texts(document, BlockType.ANNOTATION) == ["Check this row, please."]


def test_a_doubtful_beginning_goes_on_to_the_end_of_the_chain():
    third = page(3, whole_page([HEADER, *rows(23, 5)], header_rows=1))
    document = build(doubtful([HEADER, *rows(0, 3)], 700.0, 1), page(2, whole_page([HEADER, *rows(3, 20)], header_rows=1)), third)
    assert len(one(document).rows) == 29
    assert len(one(document).joins) == 2


def test_a_doubtful_beginning_stays_text_without_strong_evidence():
    above = [HEADER, *rows(0, 3)]
    text = [" ".join(row) for row in above[:3]]  # the last one stands alone at the foot of its page
    another = page(2, whole_page([["Town", "River", "Length"], *([f"T{n}", f"R{n}", str(n)] for n in range(20))], header_rows=1))
    alone = page(2, heading("The year after", 60.0))
    unnumbered = page(2, whole_page([["9", f"Company {n}", "4.50"] for n in range(20)]))
    for second in (another, alone, unnumbered):
        document = build(doubtful(above, 700.0, 1), second)
        assert texts(document)[1:4] == text
        assert all(len(t.rows) <= 21 and t.joins == () for t in tables(document))
    off = build(doubtful(above, 700.0, 1), GOES_ON, join_tables=False)
    assert texts(off)[1:4] == text
    ended = doubtful(above, 500.0, 1)
    assert ended.content is not None
    more = replace(ended, content=replace(ended.content, blocks=(*ended.content.blocks, paragraph("So it ended.", 790.0))))
    assert texts(build(more, GOES_ON))[1:4] == text
