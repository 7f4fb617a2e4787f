"""Prints how well tables made in code are read, by how they are drawn, and how many pages without one are taken for one.

`python -m tests.bench.tables [--pages 120] [--seed 1000] [--layout never|doubtful|always]`. Seeds from 1000 on were never looked at while rules
were written. Cell F1 and TEDS as in `tests.bench.scoring`; milliseconds are of one process, reading everything of the page.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable

from msgspec import Struct

from schemas.content import Table
from streams.read.page import survey_page
from streams.read.page_tables import LayoutWish
from tests.bench.scoring.cells import CellScore, score_cells
from tests.bench.scoring.grids import Grid, grid_of_cells
from tests.bench.scoring.teds import TedsScore, score_teds
from tests.bench.tables.lookalikes import lookalike
from tests.bench.tables.making import MadePage, TrueCell, made_page

WISHES = {"never": LayoutWish.NEVER, "doubtful": LayoutWish.WHERE_DOUBTFUL, "always": LayoutWish.ALWAYS}


class Tally(Struct):
    """What was counted of one kind of page."""

    pages: int = 0
    found: int = 0
    asked: int = 0
    seconds: float = 0.0
    cells: CellScore = CellScore()
    teds: TedsScore = TedsScore()


def true_grid(cells: list[TrueCell]) -> Grid:
    """The truth as scorers see it."""
    return grid_of_cells((c.row, c.column, c.row_span, c.column_span, c.text) for c in cells)


def found_grid(table: Table) -> Grid:
    """A table of the reader as scorers see it."""
    return grid_of_cells((c.row, c.column, c.row_span, c.column_span, c.text) for c in table.cells)


def tallied(make: Callable[[int], MadePage], seeds: range, wish: LayoutWish) -> dict[str, Tally]:
    """The counts by kind of page."""
    kinds: dict[str, Tally] = defaultdict(Tally)
    for seed in seeds:
        made = make(seed)
        tally = kinds[made.kind]
        started = time.process_time()
        survey = survey_page(made.document[0], wish)
        tally.seconds += time.process_time() - started
        found = [found_grid(block.table) for block in survey.objects if block.table is not None]
        true = [true_grid(cells) for cells in made.tables]
        tally.pages += 1
        tally.found += bool(found)
        tally.asked += bool(survey.layout)
        tally.cells += score_cells(true, found)
        tally.teds += score_teds(true, found)
        made.document.close()
    return kinds


def main() -> None:
    """Makes the pages, reads them and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--layout", choices=WISHES, default="doubtful")
    wanted = parser.parse_args()
    seeds = range(wanted.seed, wanted.seed + wanted.pages)
    made = tallied(made_page, seeds, WISHES[wanted.layout])
    print(f"{'tables drawn':16} pages found  P     R     F1    TEDS  asked ms/page")
    for kind, tally in [*sorted(made.items()), ("all", _sum(list(made.values())))]:
        scores = f"{tally.cells.precision:.3f} {tally.cells.recall:.3f} {tally.cells.f1:.3f} {tally.teds.mean:.3f}"
        print(f"{kind:16} {tally.pages:5} {tally.found:5} {scores} {tally.asked:5} {1000 * tally.seconds / tally.pages:7.1f}")
    others = tallied(lookalike, seeds, WISHES[wanted.layout])
    print(f"{'no table':16} pages taken for one  asked ms/page")
    for kind, tally in [*sorted(others.items()), ("all", _sum(list(others.values())))]:
        print(f"{kind:16} {tally.pages:5} {tally.found:13} {tally.asked:6} {1000 * tally.seconds / tally.pages:7.1f}")


def _sum(tallies: list[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.pages += tally.pages
        total.found += tally.found
        total.asked += tally.asked
        total.seconds += tally.seconds
        total.cells += tally.cells
        total.teds += tally.teds
    return total


if __name__ == "__main__":
    main()
