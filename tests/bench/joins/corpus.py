"""The same questions asked of real files, where a folder holds them with their truth: which tables are whole, which were joined wrongly."""

import csv
import json
import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pymupdf

from schemas.document import Document
from tests.bench.joins.reading import assembled, read_pages

MUST_NOT = (
    ("files", "t10_neg_same_layout.pdf", (2, 3)),
    ("files", "t11_neg_mmwr.pdf", (2, 3)),
    ("icdar2013", "eu-020.pdf", (2, 3)),
    ("icdar2013", "us-024.pdf", (2, 3)),
    ("icdar2013", "us-024.pdf", (5, 6)),
)
"""Pages of like tables that are none: other captions, or the same rows with new columns."""
MUST = (("icdar2013", "us-020.pdf", (2, 3)), ("icdar2013", "us-020.pdf", (4, 5)))
"""Pages over which a table goes on."""
NEVER_BELOW = ("us-017.pdf",)
"""Files whose tables go on sideways only."""


def report_corpus(folder: Path) -> None:
    """Prints what became of the files that have truth, and every join in the others."""
    documents: dict[Path, Document] = {}

    def document_of(path: Path) -> Document:
        if path not in documents:
            documents[path] = read_document(path)
        return documents[path]

    index = json.loads((folder / "joined_tables" / "index.json").read_text())
    exact = 0
    for entry in index:
        with (folder / "joined_tables" / entry["csv"]).open(encoding="utf8", newline="") as lines:
            truth = [[_folded(cell) for cell in row] for row in csv.reader(lines)]
        same, rows = _best(document_of(folder / "files" / entry["file"]), truth)
        exact += same == len(truth) == rows
        if not same == len(truth) == rows:
            print(f"  {entry['csv']}: {same} of {len(truth)} rows exact, {rows} rows in the table")
    print(f"tables of the corpus that are whole: {exact} of {len(index)}")
    wrong = [f"{name} {pages}" for of, name, pages in MUST_NOT if _joins(document_of(folder / of / name), *pages)]
    wrong += [f"{name} is apart at {pages}" for of, name, pages in MUST if not _joins(document_of(folder / of / name), *pages)]
    wrong += [name for name in NEVER_BELOW if list(_joined_pages(document_of(folder / "icdar2013" / name)))]
    print(f"pairs of the corpus that must or must not be one: {len(MUST_NOT) + len(MUST) + len(NEVER_BELOW) - len(wrong)} right", *wrong)
    for path in sorted((folder / "icdar2013").glob("*.pdf")):
        if joins := list(_joined_pages(document_of(path))):
            print(f"  {path.name}: joined over {joins}")


def read_document(path: Path) -> Document:
    """A file read and assembled."""
    with pymupdf.open(path) as document:
        count = len(document)
    return assembled(path.stem, read_pages(path, count))


def _best(document: Document, truth: list[list[str]]) -> tuple[int, int]:
    """Rows of the truth that the table most like it holds in order from the end on, and how many rows that table has."""
    best = (0, 0)
    for block in document.blocks:
        if block.table is not None:
            rows = [row for row in ([_folded(cell) for cell in row] for row in block.table.rows) if any(row)]
            tail = rows[-len(truth) :]  # a title above the header may be a row of it
            same = sum(a == b for a, b in zip(tail, truth, strict=False)) if len(tail) == len(truth) else 0
            same = same or len({*map(tuple, rows)} & {*map(tuple, truth)}) - 1
            best = max(best, (same, len(tail) if len(tail) == len(truth) else len(rows)))
    return best


def _joins(document: Document, above: int, below: int) -> bool:
    return (above, below) in list(_joined_pages(document))


def _joined_pages(document: Document) -> Iterator[tuple[int, int]]:
    for block in document.blocks:
        if block.table is not None:
            pages = sorted({region.page for region in block.regions})
            yield from pairwise(pages)


def _folded(text: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))
