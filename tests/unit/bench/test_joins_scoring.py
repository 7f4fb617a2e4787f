"""What the measure of joined tables says of outputs whose faults are known, and that made documents hold their truth."""

from random import Random

import pytest

pytest.importorskip("apted")

from schemas.document import FinishedCell, FinishedTable
from tests.bench.joins import going_on, staying_apart
from tests.bench.joins.scoring import score_document, teds
from tests.bench.joins.tables import Span, Style, Table
from tests.unit.assemble.made_documents import build, page
from tests.unit.assemble.made_documents import table as table_block

ROWS = [["Item", "Amount"], *[[f"Item {n}", f"{n}.50"] for n in range(40)]]


def truth(rows: list[list[str]], spans: tuple[Span, ...] = ()) -> Table:
    return Table(header_rows=1, rows=rows, widths=[100.0, 100.0], style=Style(), spans=list(spans))


def found(rows: list[list[str]]) -> FinishedTable:
    cells = tuple(FinishedCell(row=r, column=c, row_span=1, column_span=1, text=t, page=1) for r, row in enumerate(rows) for c, t in enumerate(row))
    return FinishedTable(header_rows=1, columns=2, confidence=1.0, rows=tuple(map(tuple, rows)), cells=cells)


def test_equal_tables_are_one_and_a_missing_row_costs_its_nodes() -> None:
    size = 1 + 41 * 3
    assert teds(truth(ROWS), found(ROWS)) == 1.0
    assert teds(truth(ROWS), found(ROWS[:-1])) == pytest.approx(1 - 3 / size)
    assert teds(truth(ROWS), found([ROWS[0], ["Item 0", "9.99"], *ROWS[2:]])) == pytest.approx(1 - 0.75 / size)
    assert teds(truth(ROWS, (Span(1, 0, 2, 1),)), found(ROWS)) < 1.0


def test_a_table_of_many_faults_is_compared_row_by_row() -> None:
    worse = [[a, b + "x"] for a, b in ROWS]
    assert 0.8 < teds(truth(ROWS), found(worse)) < 1.0
    assert teds(truth(ROWS), found([["a", "b"]])) < 0.1


def test_joins_and_false_joins_are_counted() -> None:
    made = staying_apart.captions_differ(Random("1"))
    parts = [part for table in made.tables for part in table.parts]
    boxes = [part.bbox for part in parts]
    pages = [page(part.page, table_block(ROWS[:5], box[1], box[3])) for part, box in zip(parts, boxes, strict=True)]
    score = score_document(made, build(*pages))
    assert score.pairs == len(made.tables) - 1


@pytest.mark.parametrize("kind", [*going_on.KINDS, *staying_apart.KINDS], ids=lambda kind: kind.__name__)
def test_made_documents_hold_their_truth(kind) -> None:
    made = kind(Random("truth"))
    made.book.finish()
    pages = [made.book.document[number].get_text() for number in range(len(made.book.document))]
    assert made.tables
    for table in made.tables:
        assert all(len(row) == table.columns for row in table.rows)
        assert all(1 <= part.page <= len(pages) for part in table.parts)
        text = "".join("".join(page.split()) for page in pages)
        last = max(table.rows[-1], key=len)
        assert "".join(last.split())[:4] in text
