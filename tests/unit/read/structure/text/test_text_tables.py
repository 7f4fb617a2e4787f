"""Tables in plain text and in separated values."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.content import BlockType, Table
from streams.read.structure.text import separated
from streams.read.structure.text.encodings import Decoded
from streams.read.structure.text.plain_text import read_plain_text
from streams.read.structure.text.separated import read_separated
from streams.read.structure.text.text_tables import table_of


def grid(table: Table | None) -> list[list[str]]:
    assert table is not None
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = cell.text
    return rows


def test_aligned_columns_with_a_rule_below_the_head() -> None:
    table = table_of(
        ["Name        Qty   Price", "-----------------------", "Apple         3    1.20", "Pear         12    3.40", "Plum               0.99"]
    )
    assert grid(table) == [["Name", "Qty", "Price"], ["Apple", "3", "1.20"], ["Pear", "12", "3.40"], ["Plum", "", "0.99"]]
    assert table is not None
    assert table.header_rows == 1


def test_wide_characters_take_two_places() -> None:
    assert grid(table_of(["名前        数量", "りんご      3", "なし        12", "ぶどう      7"])) == [
        ["名前", "数量"],
        ["りんご", "3"],
        ["なし", "12"],
        ["ぶどう", "7"],
    ]


def test_grids_with_cells_of_several_lines() -> None:
    table = table_of(
        [
            "+-----+------+",
            "| A   | B    |",
            "+=====+======+",
            "| 1   | two  |",
            "|     | more |",
            "+-----+------+",
            "| x   |      |",
            "+-----+------+",
        ]
    )
    assert grid(table) == [["A", "B"], ["1", "two more"], ["x", ""]]
    assert table is not None
    assert table.header_rows == 1


def test_pipes_and_tabs() -> None:
    assert grid(table_of(["| A | B |", "|---|---|", "| 1 | a\\|b |"])) == [["A", "B"], ["1", "a|b"]]
    assert grid(table_of(["a\tb\tc", "1\t\t3"])) == [["a", "b", "c"], ["1", "", "3"]]


@pytest.mark.parametrize(
    "lines",
    [
        ["One line with  two gaps", "another line of  the text"],
        ["Prose goes on here and has", "no column anywhere in it at", "all, as anybody can see."],
        ["-  item one", "-  item two", "-  item three"],
        ["1.  item one", "2.  item two", "3.  item three"],
        ["left column of prose that runs on and on and on, line by line,  and a right column of prose that runs on and on beside it."] * 4,
        ["+--+--+", "| a   |", "+--+--+"],
        ["| a | b |", "| c |"],
    ],
)
def test_what_is_no_table_for_certain(lines: list[str]) -> None:
    assert table_of(lines) is None


def read_csv(text: str) -> list[list[str]]:
    (page,) = read_separated(Decoded(text=text, encoding="utf-8")).pages
    (block,) = page.blocks
    return grid(block.table)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_separated_values_with_quotes_and_breaks_inside(delimiter: str) -> None:
    text = f'name{delimiter}value\n"a{delimiter}b"{delimiter}"line one\nline two"\n\n"say ""x"""{delimiter}3\n'
    assert read_csv(text) == [["name", "value"], [f"a{delimiter}b".replace("\t", " "), "line one line two"], ['say "x"', "3"]]


def test_the_header_is_told_by_the_numbers_below_it() -> None:
    def heads(text: str) -> int:
        block = read_separated(Decoded(text=text, encoding="utf-8")).pages[0].blocks[0]
        assert block.table is not None
        return block.table.header_rows

    assert heads("name,size\na,1\nb,2\n") == 1
    assert heads("a,1\nb,2\n") == 0
    assert heads("x,y\na,b\n") == 0
    assert heads("name,town,food\nAnn,Rome,soup\nBo,Oslo,rice\n") == 1
    assert heads("Ann,Rome,soup\nBo,Rome,rice\nCy,Oslo,rice\n") == 0


def test_what_has_no_columns_is_text() -> None:
    (page,) = read_separated(Decoded(text="one\ntwo\n", encoding="utf-8")).pages
    assert [(block.type, block.text) for block in page.blocks] == [(BlockType.PARAGRAPH, "one"), (BlockType.PARAGRAPH, "two")]


@pytest.mark.parametrize(
    ("text", "above", "wanted"),
    [
        ("# by X\n# on 2020\na,b,c\n1,2,3\n", ["# by X", "# on 2020"], [["a", "b", "c"], ["1", "2", "3"]]),
        ("#id,name\n1,x\n", [], [["id", "name"], ["1", "x"]]),
        ("sep=;\na;b\n1,5;2\n", [], [["a", "b"], ["1,5", "2"]]),
        ('"sep=,"\na,b\n1,2\n', [], [["a", "b"], ["1", "2"]]),
        ("Sales 2020,,\n,,\nregion,q1,q2\nN,1,2\n", ["Sales 2020"], [["region", "q1", "q2"], ["N", "1", "2"]]),
        ("Sales 2020\nregion,q1\nN,1\nS,2\n", ["Sales 2020"], [["region", "q1"], ["N", "1"], ["S", "2"]]),
        ("a,b,c\n1\n1,2,3,4\n1,2\n", [], [["a", "b", "c", ""], ["1", "", "", ""], ["1", "2", "3", "4"], ["1", "2", "", ""]]),
        ("name,\nx,1\n", [], [["name", ""], ["x", "1"]]),
    ],
)
def test_what_stands_above_a_table_and_rows_of_any_length(text: str, above: list[str], wanted: list[list[str]]) -> None:
    (page,) = read_separated(Decoded(text=text, encoding="utf-8")).pages
    assert [block.text for block in page.blocks[:-1]] == above
    assert grid(page.blocks[-1].table) == wanted


def test_sentences_with_commas_are_no_ragged_table() -> None:
    (page,) = read_separated(Decoded(text="One sentence, with a comma.\nAnother, with two, of them.\n", encoding="utf-8")).pages
    assert all(block.type is BlockType.PARAGRAPH for block in page.blocks)


def test_rows_beyond_the_bound_of_a_page_stand_on_the_next_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separated, "MAX_CELLS", 10)
    lines = ["name,size", *(f"boat {n},{n}" for n in range(11))]
    pages = read_separated(Decoded(text="\n".join(lines), encoding="utf-8")).pages
    tables = [block.table for page in pages for block in page.blocks if block.table is not None]
    assert [table.rows for table in tables] == [5, 5, 2]
    assert [table.header_rows for table in tables] == [1, 0, 0]
    assert [cell.text for table in tables for cell in table.cells if cell.column == 0] == [line.split(",")[0] for line in lines]
    assert not any(page.warnings for page in pages)


def test_columns_that_no_table_has_are_left_out_and_said() -> None:
    wide = ",".join(map(str, range(500)))
    (page,) = read_separated(Decoded(text="a,b\n1,2\n3,4\n5,6\n" + wide + "\n7,8\n", encoding="utf-8")).pages
    assert "in 1 rows" in page.warnings[0]
    assert page.blocks[0].table is not None
    assert page.blocks[0].table.rows == 6


def test_plain_text_that_is_separated_values_is_a_table_and_prose_with_commas_is_not() -> None:
    (page,) = read_plain_text(Decoded(text="id;name;size\n" + "".join(f"{n};x{n};{n * 2}\n" for n in range(6)), encoding="utf-8")).pages
    assert [block.type for block in page.blocks] == [BlockType.TABLE]
    prose = "Well, this is a line, and it has two commas in it, so\n" * 6
    assert all(block.type is not BlockType.TABLE for block in read_plain_text(Decoded(text=prose, encoding="utf-8")).pages[0].blocks)


CELLS = st.text(alphabet="abc ,;'\"\n|é中1", min_size=1, max_size=6).filter(lambda text: text.strip() != "")


@settings(max_examples=150, deadline=None)
@given(st.integers(2, 4).flatmap(lambda columns: st.lists(st.lists(CELLS, min_size=columns, max_size=columns), min_size=2, max_size=6)))
def test_what_a_writer_of_csv_wrote_is_read_back(rows: list[list[str]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows(rows)
    wanted = [[" ".join(text.split()) for text in row] for row in rows]
    assert read_csv(buffer.getvalue()) == wanted
