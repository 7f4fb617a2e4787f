"""Outputs as scorers see them: our JSON (`schemas.document`) with the Markdown beside it, or the Markdown of others alone.

An output of `name.pdf` is `name.pdf.json`, `name.pdf.md`, or both, in one folder; `name.pdf.error.json` says that it failed. An output that is not
JSON is an error of the run that made it, and is raised.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
from markdown_it import MarkdownIt
from msgspec import Struct

from tests.bench.scoring.grids import Grid, grid_of
from tests.bench.scoring.markup_tables import tables_of_markup


class PageOutcome(Struct, frozen=True):
    """What became of a page: `extracted`, `recognized`, `blank` or `failed`, and why."""

    status: str
    reasons: tuple[str, ...]


class TableFound(Struct, frozen=True):
    """A table and the pages it stands on; none where the output does not say."""

    grid: Grid
    pages: tuple[int, ...]


class Heading(Struct, frozen=True):
    """A heading: level from 1, text, page or None where the output does not say."""

    level: int
    text: str
    page: int | None


class Output(Struct, frozen=True):
    """One parsed document. `markdown` is its body text; `pages` is empty where the output speaks of none; `page_count` likewise None."""

    tables: tuple[TableFound, ...]
    markdown: str
    headings: tuple[Heading, ...]
    pages: Mapping[int, PageOutcome]
    page_count: int | None

    @property
    def grids(self) -> list[Grid]:
        """The tables alone."""
        return [table.grid for table in self.tables]


def load_output(folder: Path, name: str) -> Output | None:
    """The output of a file by its name; None where there is none. Raises orjson.JSONDecodeError, LookupError for damaged JSON."""
    written, marked = folder / f"{name}.json", folder / f"{name}.md"
    markdown = marked.read_text(encoding="utf-8", errors="replace") if marked.is_file() else None
    if written.is_file():
        return output_of_document(orjson.loads(written.read_bytes()), markdown)
    return None if markdown is None else output_of_markdown(markdown)


def has_failed(folder: Path, name: str) -> bool:
    """Whether the folder says that this file could not be parsed."""
    return (folder / f"{name}.error.json").is_file()


def output_of_document(document: Mapping[str, Any], markdown: str | None) -> Output:
    """An output of our JSON; without Markdown its text is that of the blocks."""
    blocks = document["blocks"]
    return Output(
        tables=tuple(_table(block) for block in blocks if block["type"] == "table"),
        markdown="\n\n".join(block["text"] for block in blocks) if markdown is None else markdown,
        headings=tuple(Heading(block["level"] or 1, block["text"], _first_page(block)) for block in blocks if block["type"] == "heading"),
        pages={page["number"]: PageOutcome(page["status"], tuple(page["reasons"])) for page in document["pages"]},
        page_count=document["page_count"],
    )


def output_of_markdown(markdown: str) -> Output:
    """An output of Markdown alone."""
    tables = tuple(TableFound(grid, ()) for grid in tables_of_markup(markdown))
    return Output(tables=tables, markdown=markdown, headings=tuple(_markdown_headings(markdown)), pages={}, page_count=None)


def _table(block: Mapping[str, Any]) -> TableFound:
    table = block["table"]
    spans = {(cell["row"], cell["column"]): (cell.get("row_span", 1), cell.get("column_span", 1)) for cell in table["cells"]}
    return TableFound(grid_of(table["rows"], spans), tuple(sorted({region["page"] for region in block["regions"]})))


def _first_page(block: Mapping[str, Any]) -> int | None:
    return block["regions"][0]["page"] if block["regions"] else None


def _markdown_headings(markdown: str) -> list[Heading]:
    found, level = [], 0
    for token in MarkdownIt("commonmark").parse(markdown):
        if token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type == "heading_close":
            level = 0
        elif token.type == "inline" and level:
            found.append(Heading(level, "".join(child.content for child in token.children or ()), None))
    return found
