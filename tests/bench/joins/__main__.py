"""Tables over page breaks: `python -m tests.bench.joins [CORPUS] [--documents N] [--seed S]`.

Makes N documents whose tables go on over a break and N whose tables must stay apart, reads them with the real reader and assembles them. Prints for
each kind what became of them, and the goals; then the same for some of them with every second page as a scan. Rules are tuned on seeds 1 to 7; what
counts is a seed that nobody has looked at. With a folder of real files and their truth, those are measured too.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from tests.bench.joins import going_on, staying_apart
from tests.bench.joins.corpus import report_corpus
from tests.bench.joins.making import Made
from tests.bench.joins.reading import assembled, failed_page, read_pages, recognized_page
from tests.bench.joins.scanning import scanned_pages
from tests.bench.joins.scoring import Score, score_document

Kinds = tuple[Callable[[Random], Made], ...]
GOALS = (("join F1", 0.99), ("false joins", 0.002), ("TEDS", 0.97), ("split rows", 0.95))


def made_documents(kinds: Kinds, count: int, seed: int) -> Iterator[tuple[str, Made]]:
    """`count` documents, the kinds by turns."""
    for number in range(count):
        kind = kinds[number % len(kinds)]
        yield f"{kind.__name__}-{number}", kind(Random(f"{seed}/{kind.__name__}/{number}"))


def measured(name: str, made: Made, folder: Path, *, scan: bool = False) -> Score:
    """Writes, reads, assembles and scores one document. `scan`: every second page is a picture that the embedded engine reads."""
    path = folder / f"{name}.pdf"
    pages = read_pages(path, made.save(path))
    if scan:
        pages = scanned_pages(path, pages, frozenset(range(2, len(pages) + 1, 2)))
    pages = [failed_page(page) if page.page in made.failed else page for page in pages]
    pages = [recognized_page(page) if page.page in made.recognized else page for page in pages]
    return score_document(made, assembled(name, pages))


def run(title: str, kinds: Kinds, count: int, seed: int, folder: Path, show: bool, *, scan: bool = False) -> Score:
    """Measures one half and prints it by kind."""
    by_kind: dict[str, Score] = {}
    for name, made in made_documents(kinds, count, seed):
        score = measured(name, made, folder, scan=scan)
        by_kind.setdefault(made.kind, Score()).add(score)
        if show:
            for fault in score.faults:
                print(f"{name}: {fault[:400]}")
    total = Score()
    print(f"\n{title:<28} documents  joins found  unread  false of pairs   TEDS  cut rows right  rows exact")
    for kind, score in by_kind.items():
        total.add(score)
        print(_line(kind, score))
    print(_line("all", total))
    return total


def _report_scans(halves: tuple[tuple[str, Kinds], ...], count: int, seed: int, folder: Path) -> None:
    """Prints what is lost where every second page is a scan: the same documents both ways."""
    for title, kinds in halves:
        plain = run(f"{title}, as text", kinds, count, seed, folder, show=False)
        scans = run(f"{title}, scans between", kinds, count, seed, folder, show=False, scan=True)
        print(f"\n{title}, every second page a scan: join F1 {plain.f1:.3f} -> {scans.f1:.3f}, false joins {plain.false} -> {scans.false}")
        print(f"TEDS {_mean(plain.teds):.3f} -> {_mean(scans.teds):.3f}, cut rows right {plain.healed} -> {scans.healed} of {plain.cut}")


def _mean(values: list[float]) -> float:
    return sum(values) / max(1, len(values))


def _line(kind: str, score: Score) -> str:
    teds = f"{sum(score.teds) / len(score.teds):.3f}" if score.teds else "    -"
    cut = f"{score.healed} of {score.cut}" if score.cut else "-"
    joins, pairs = f"{score.joined} of {score.links}", f"{score.false} of {score.pairs}"
    exact = f"{score.rows_right / score.rows:.4f}" if score.rows else "-"
    return f"{kind:<28} {score.documents:9}  {joins:>11}  {score.unread:6}  {pairs:>14}  {teds}  {cut:>14}  {exact:>10}"


def main() -> int:
    """The command line; 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, nargs="?", help="a folder with joined_tables, files and icdar2013")
    parser.add_argument("--documents", type=int, default=500, help="of each half")
    parser.add_argument("--seed", type=int, default=20261)
    parser.add_argument("--kind", default="", help="only kinds whose function has this in its name")
    parser.add_argument("--scans", type=int, default=26, help="documents of each half that are measured again with every second page as a scan")
    parser.add_argument("--show", action="store_true", help="every fault by its document")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pageloom-joins-") as scratch:
        halves = (("going on", going_on.KINDS), ("staying apart", staying_apart.KINDS))
        total = Score()
        for title, kinds in halves:
            chosen = tuple(kind for kind in kinds if arguments.kind in kind.__name__)
            if chosen:
                total.add(run(title, chosen, arguments.documents, arguments.seed, Path(scratch), arguments.show))
        if arguments.scans:
            _report_scans(halves, arguments.scans, arguments.seed, Path(scratch))
    found = (total.f1, total.false / max(1, total.pairs), sum(total.teds) / max(1, len(total.teds)), total.healed / max(1, total.cut))
    print("\n" + ", ".join(f"{name} {value:.4f} (goal {goal})" for (name, goal), value in zip(GOALS, found, strict=True)))
    print(
        f"of parts that were read whole: join F1 {total.f1_read:.4f}, split rows {total.healed_read} of {total.cut_read}; "
        f"{total.unread} of {total.links} breaks have a part that was not"
    )
    if arguments.corpus:
        report_corpus(arguments.corpus)
    missed = found[0] < GOALS[0][1] or found[1] > GOALS[1][1] or found[2] < GOALS[2][1] or found[3] < GOALS[3][1]
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
