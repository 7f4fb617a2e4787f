"""`pageloom search`: hits in the index of this machine or of the configured OpenSearch, for people and for programs."""

import sys
from typing import Annotated

import msgspec
import typer
from rich.markup import escape

from streams.index.highlight import Piece
from streams.index.query import parse_query
from streams.index.sinks import check_search_settings, open_reader
from streams.publishing import printable
from streams.terminal import current_settings, err, out

QUERY_HELP = 'Words, "a phrase", -not, a OR b, filename:report, heading:yields, type:table, page:3..7, confidence:0.8.., metadata.NAME:value.'

NOTHING_ASKED = 2
"""Exit status: wrong usage, as of the command line's own."""


def search(
    query: Annotated[str, typer.Argument(help=QUERY_HELP)],
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Search what was parsed on this machine. Exits with 2 where nothing of the query can be asked."""
    settings = current_settings()
    check_search_settings(settings)
    found = open_reader(settings).search(printable(query), limit)
    for problem in found.problems:
        err.print(f"[yellow]query:[/yellow] {escape(problem)}", soft_wrap=True)
    for hit in found.hits:
        if as_json:
            sys.stdout.buffer.write(msgspec.json.encode(hit) + b"\n")
            continue
        where = f"page {hit.page}" if hit.page else "no page"
        path = " › ".join(hit.heading_path)
        named = hit.document_id if hit.document_id.startswith(hit.filename) else f"{hit.filename} ({hit.document_id})"
        out.print(f"[bold]{escape(printable(named))}[/bold], {where}" + (f" — {escape(path)}" if path else ""), soft_wrap=True)
        out.print("   " + _marked(hit.excerpt) + "\n")
    if not parse_query(printable(query)).asks:
        if not found.problems:
            err.print(f"nothing was asked for. A query is made of: {QUERY_HELP}", soft_wrap=True, markup=False)
        raise typer.Exit(NOTHING_ASKED)
    if not found.hits and not as_json:
        out.print("nothing found")


def _marked(pieces: tuple[Piece, ...]) -> str:
    """The excerpt of a hit with its words in bold; everything of the document is escaped, and no control character reaches the terminal."""
    return "".join(f"[bold yellow]{escape(printable(p.text))}[/bold yellow]" if p.hit else escape(printable(p.text)) for p in pieces)
