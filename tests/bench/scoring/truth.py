"""Truth as the corpus keeps it: table cells of the ICDAR-2013 competition (XML), joined tables (CSV), labels of pages (TSV), olmOCR tests (JSONL)."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from msgspec import Struct

from tests.bench.scoring.grids import Grid, grid_of, grid_of_cells


class JoinedTable(Struct, frozen=True):
    """A table over page breaks: the file it stands in, its name, and all its rows, header first."""

    file: str
    name: str
    grid: Grid


class PageLabel(Struct, frozen=True):
    """What a page needs: `high` (its text layer may be trusted), `low` (must be recognized), `blank`, `either`."""

    file: str
    page: int
    expected: str


def icdar_tables(structure: Path) -> list[Grid]:
    """The true tables of a `*-str.xml`; a table that goes on over regions is one."""
    return [grid_of_cells(_cell(cell) for cell in table.iter("cell")) for table in ElementTree.parse(structure).getroot().iter("table")]


def _cell(cell: ElementTree.Element) -> tuple[int, int, int, int, str]:
    row, column = int(cell.get("start-row", "0")), int(cell.get("start-col", "0"))
    last_row, last_column = int(cell.get("end-row", row)), int(cell.get("end-col", column))
    text = "".join(content.text or "" for content in cell.iter("content"))
    return row, column, last_row - row + 1, last_column - column + 1, text


def icdar_files(folder: Path) -> Iterator[tuple[str, list[Grid]]]:
    """Names of the PDF files of a folder with their true tables."""
    for structure in sorted(folder.glob("*-str.xml")):
        yield f"{structure.name.removesuffix('-str.xml')}.pdf", icdar_tables(structure)


def joined_tables(folder: Path) -> list[JoinedTable]:
    """The joined tables that `index.json` of a folder names."""
    tables = []
    for entry in json.loads((folder / "index.json").read_text(encoding="utf-8")):
        with (folder / entry["csv"]).open(encoding="utf-8", newline="") as file:
            tables.append(JoinedTable(entry["file"], entry["csv"], grid_of(csv.reader(file))))
    return tables


def page_labels(file: Path) -> list[PageLabel]:
    """The labelled pages of a TSV file with the columns `file`, `page`, `expected_confidence`."""
    with file.open(encoding="utf-8", newline="") as lines:
        return [PageLabel(row["file"], int(row["page"]), row["expected_confidence"]) for row in csv.DictReader(lines, delimiter="\t")]


def olmocr_tests(file: Path) -> list[dict[str, Any]]:
    """The tests of a `tests.jsonl`, as they are written there."""
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
