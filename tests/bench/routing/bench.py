"""How well the shipped judgement routes pages: `python -m tests.bench.routing.bench FOLDER`. Prints, for the test split of a labelled set, by script
and kind: area under ROC, recall of bad pages and needless recognition at the shipped threshold, calibration error, each with its 95 % interval; cost
a page; and what others decide about the same pages.
"""

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from streams.settings import Settings
from tests.bench.routing.measure import MeasuredPage, measured
from tests.bench.routing.plan import Label
from tests.bench.routing.rivals import RULES, pymupdf4llm_decisions
from tests.bench.routing.scores import area_under_roc, bootstrap, calibration_error, wilson


class Routed(Struct, frozen=True):
    """A page with its fate. `good`: its text, as read, is right or it shows nothing; `confidence` of the text as read; `sent`: to a model."""

    page: MeasuredPage
    good: int
    confidence: float
    sent: bool


def routed(page: MeasuredPage, threshold: float) -> Routed:
    """What becomes of a page whose text is trusted less than `threshold`: a blank one is never sent."""
    return Routed(page, int(page.good), page.confidence, not page.blank and page.confidence < threshold)


def _auc(pages: Sequence[Routed]) -> float:
    return area_under_roc([page.confidence for page in pages], [page.good for page in pages])


def _error(pages: Sequence[Routed]) -> float:
    return calibration_error([page.confidence for page in pages], [page.good for page in pages])


def _by_document(pages: Sequence[Routed]) -> list[list[Routed]]:
    groups: dict[str, list[Routed]] = defaultdict(list)
    for page in pages:
        groups[page.page.file].append(page)
    return list(groups.values())


def _share(hits: int, total: int) -> str:
    low, high = wilson(hits, total)
    return f"{hits:4}/{total:<4} {100 * hits / max(1, total):5.1f} % ({100 * low:.1f}-{100 * high:.1f})"


def _interval(pages: Sequence[Routed], score: Callable[[list[Routed]], float]) -> str:
    low, high = bootstrap(_by_document(pages), score)
    value = score(list(pages))
    return "     -              " if math.isnan(value) else f"{value:.4f} ({low:.4f}-{high:.4f})"


def print_scores(name: str, pages: Sequence[Routed]) -> None:
    """One line: everything about a group of pages."""
    bad, good = [page for page in pages if not page.good], [page for page in pages if page.good]
    recall, needless = _share(sum(page.sent for page in bad), len(bad)), _share(sum(page.sent for page in good), len(good))
    sys.stdout.write(f"{name:12} AUC {_interval(pages, _auc)}  recall {recall}  needless {needless}  ECE {_interval(pages, _error)}\n")


def print_kinds(pages: Sequence[Routed], others: Sequence[MeasuredPage], threshold: float) -> None:
    """What happened to the pages of each kind, and which scripts went wrong."""
    groups: dict[tuple[bool, str], list[Routed]] = defaultdict(list)
    for page in pages:
        groups[bool(page.good), page.page.kind].append(page)
    for (good, kind), members in sorted(groups.items()):
        wrong = [page for page in members if page.sent == good]
        scripts = ", ".join(sorted({page.page.script for page in wrong}))
        sys.stdout.write(f"  {'good' if good else 'bad ':4} {kind:20} wrongly routed {_share(len(wrong), len(members))} {scripts}\n")
    for kind in sorted({page.kind for page in others}):
        members = [page for page in others if page.kind == kind]
        sent = sum(routed(page, threshold).sent for page in members)
        named = sum(bool(page.signals.suspects) for page in members)
        sys.stdout.write(f"  part {kind:20} sent {_share(sent, len(members))}  with a region named {_share(named, len(members))}\n")


def print_rival(name: str, decisions: Sequence[bool], pages: Sequence[Routed]) -> None:
    """The same two shares for somebody else's decisions."""
    bad = [sent for sent, page in zip(decisions, pages, strict=True) if not page.good]
    good = [sent for sent, page in zip(decisions, pages, strict=True) if page.good]
    sys.stdout.write(f"{name:26} recall {_share(sum(bad), len(bad))}  needless {_share(sum(good), len(good))}\n")


def print_cost(pages: Sequence[MeasuredPage]) -> None:
    """Processor time a page beyond reading it."""
    for name, group in (("without a bitmap", [p for p in pages if not p.signals.looked]), ("with a bitmap", [p for p in pages if p.signals.looked])):
        if group:
            judged, read = (1000 * sum(getattr(p, field) for p in group) / len(group) for field in ("judged_s", "read_s"))
            sys.stdout.write(f"cost {name}: {judged:.2f} ms a page of {len(group)}, beyond {read:.2f} ms for text, drawings and pictures\n")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="score the routing of pages")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--environment", type=Path, help="where pymupdf4llm is or gets installed; left out without")
    parser.add_argument("--documents", type=int, help="only so many documents of each script, for a quick look")
    found = parser.parse_args()
    threshold = Settings().low_confidence
    everything = measured(found.folder, "test", found.documents)
    pages = [routed(page, threshold) for page in everything if page.label != Label.PART]
    sys.stdout.write(f"{len(pages)} pages of {len(_by_document(pages))} documents, threshold {threshold}\n")
    for script in dict.fromkeys(page.page.script for page in pages):
        print_scores(script, [page for page in pages if page.page.script == script])
    print_scores("all", pages)
    print_kinds(pages, [page for page in everything if page.label == Label.PART], threshold)
    print_cost(everything)
    sent = [page.sent for page in pages]
    print_rival("pageloom", sent, pages)
    for name, rule in RULES.items():
        print_rival(name, [rule(page.page) for page in pages], pages)
    if found.environment and (theirs := pymupdf4llm_decisions(found.folder, [page.page for page in pages], found.environment)):
        print_rival("pymupdf4llm", theirs, pages)


if __name__ == "__main__":
    main()
