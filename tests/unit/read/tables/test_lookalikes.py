"""Grids of words that are no tables."""

from schemas.content import Cell, Table
from streams.read.tables.lookalikes import is_lookalike


def table(rows: list[list[str]], header_rows: int = 0) -> Table:
    cells = tuple(Cell(row=r, column=c, text=text) for r, row in enumerate(rows) for c, text in enumerate(row))
    return Table(rows=len(rows), columns=len(rows[0]), header_rows=header_rows, cells=cells)


def test_a_listing_with_its_comments_is_no_table() -> None:
    listing = [
        ["v0 := ld state[748]", "// load primes"],
        ["st sp[0], v0", "// store primes"],
        ["v1 := ld state[764]", "// load k"],
        ["v2 := i2f(v1)", ""],
    ]
    assert is_lookalike(table(listing))
    assert is_lookalike(table([[code, remark.replace("//", "/*")] for code, remark in listing]))


def test_a_table_whose_last_column_has_a_sign_here_and_there_is_one() -> None:
    rows = [["Port", "Rank", "State"], ["Garrow", "#12", "open"], ["Whitcombe", "#7", "//"], ["Trevelyan", "#31", "shut"], ["Penhale", "#2", "open"]]
    assert not is_lookalike(table(rows, header_rows=1))
    assert not is_lookalike(table([[row[0], row[2], row[1]] for row in rows], header_rows=1))


def test_a_query_with_its_clauses_above_each_other_is_no_table() -> None:
    query = [["SELECT", "lot,"], ["", "weight"], ["FROM", "harvest"], ["WHERE", "port = 'Garrow'"], ["ORDER BY", "lot;"]]
    assert is_lookalike(table(query))
    assert is_lookalike(table([[clause.lower(), rest] for clause, rest in query]))
    assert not is_lookalike(table([["Select", "what"], ["Garrow", "from the port"], ["Where", "it lies"]])), "words that a table may begin rows with"
