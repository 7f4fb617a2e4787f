"""What engines read of scans made of pages whose text and tables are known: clean and degraded, in several scripts."""

import time
from collections.abc import Iterator, Sequence
from itertools import islice

from inference.fallback import agreement, decide, is_open
from inference.guards import page_text
from inference.types import PageAnswer, PageInput, PageRead
from schemas.errors import Code
from tests.bench.infer.engines import Bench
from tests.bench.infer.scanning import scanned
from tests.bench.infer.scripts import SCRIPTS, Script, drawn, text_of
from tests.bench.scoring.cells import CellScore, score_cells
from tests.bench.scoring.distance import normalised_edit_distance
from tests.bench.scoring.teds import TedsScore, score_teds
from tests.bench.tables.__main__ import found_grid, true_grid
from tests.bench.tables.making import MadePage, made_page

TABLE_SEED = 5_000
"""Tables from here on were not looked at while rules were written."""
PROSE_WORDS, SCRIPT_WORDS = 60, 24
"""Words of a paragraph, of which a page has three: half a page of prose, and enough lines to tell a script by."""


def text_pages(script: Script, count: int, words: int, *, degraded: bool) -> list[tuple[PageInput, str]]:
    """Scans of made pages of prose, with what they say."""
    pages = []
    for number in range(count):
        texts = [text_of(script, words if script.gap else 2 * words, 10 * number + part) for part in range(3)]
        page = drawn(texts, script)
        pages.append((scanned(page, number + 1, degraded=degraded, seed=number), " ".join(texts)))
        page.parent.close()
    return pages


def said(answer: PageAnswer) -> str:
    """The text of an answer; none for a refused page."""
    return page_text(answer.content) if isinstance(answer, PageRead) else ""


def texts(benches: Sequence[Bench], count: int) -> Iterator[str]:
    """Accuracy (1 - NED) and CPU-seconds of each engine on Latin prose, and how far the engines agree."""
    yield f"{'Latin prose':24} {'clean':>8} {'degraded':>9} {'CPU-s/page':>11}"
    answers: dict[tuple[str, bool], list[str]] = {}
    made = {degraded: text_pages(SCRIPTS[0], count, PROSE_WORDS, degraded=degraded) for degraded in (False, True)}
    for bench in benches:
        scores, cpu = [], 0.0
        for degraded, pages in made.items():
            started = time.process_time()
            read = [said(bench.read([page])[0]) for page, _ in pages]
            cpu += time.process_time() - started
            answers[bench.spec.name, degraded] = read
            scores.append(1 - sum(normalised_edit_distance(true, text) for (_, true), text in zip(pages, read, strict=True)) / count)
        yield f"{bench.spec.name:24} {scores[0]:8.4f} {scores[1]:9.4f} {cpu / (2 * count):11.2f}"
    names = [bench.spec.name for bench in benches]
    for first, second in ((a, b) for i, a in enumerate(names) for b in names[i + 1 :]):
        same = [sum(map(agreement, answers[first, kind], answers[second, kind])) / count for kind in (False, True)]
        yield f"{f'agree: {first}, {second}':24} {same[0]:8.4f} {same[1]:9.4f}"


def tables(bench: Bench, count: int) -> Iterator[str]:
    """Cell F1 and TEDS of made tables, by how they are drawn."""
    yield f"{'tables, ' + bench.spec.name:24} {'F1':>8} {'TEDS':>8} {'F1 degraded':>12} {'TEDS':>8}"
    kinds: dict[str, list[tuple[CellScore, TedsScore]]] = {}
    for made in _made_tables(count):
        for place, degraded in enumerate((False, True)):
            (answer,) = bench.read([scanned(made.document[0], degraded=degraded, seed=1)])
            blocks = answer.content.blocks if isinstance(answer, PageRead) else ()
            found = [found_grid(block.table) for block in blocks if block.table is not None]
            true = [true_grid(cells) for cells in made.tables]
            for kind in (made.kind, "all"):
                cells, trees = kinds.setdefault(kind, [(CellScore(), TedsScore())] * 2)[place]
                kinds[kind][place] = (cells + score_cells(true, found), trees + score_teds(true, found))
    for kind, ((cells, trees), (worn_cells, worn_trees)) in sorted(kinds.items(), key=lambda item: (item[0] == "all", item[0])):
        yield f"{kind:24} {cells.f1:8.3f} {trees.mean:8.3f} {worn_cells.f1:12.3f} {worn_trees.mean:8.3f}"


def _made_tables(count: int) -> Iterator[MadePage]:
    """Pages with tables in scripts that PP-OCR knows, one of each way of drawing before any comes twice."""
    pages = (made_page(seed) for seed in range(TABLE_SEED, TABLE_SEED + 40 * count))
    seen: dict[str, int] = {}
    wanted = (page for page in pages if page.script in ("latin", "cjk"))
    rounds = (page for page in wanted if not seen.update({page.kind: seen.get(page.kind, 0) + 1}) and seen[page.kind] <= 1 + count // 7)
    yield from islice(rounds, count)


def scripts(benches: Sequence[Bench]) -> Iterator[str]:
    """A page of each script: accuracy where it was read, and whether one that could not be read was refused rather than filled with rubbish.

    `both` is what becomes of the page in a worker with the second engine behind the first.
    """
    by_name = {bench.spec.name: bench for bench in benches}
    first, second = by_name["rapidocr"], by_name.get("tesseract")
    yield f"{'script':12} {'first engine':>34} {'second engine':>34} {'both':>34}"
    wrong = 0
    for script in SCRIPTS:
        ((page, true),) = text_pages(script, 1, SCRIPT_WORDS, degraded=False)
        (one,) = first.read([page])
        (two,) = second.read([page]) if second else (one,)
        both = decide(one, two, "tesseract") if is_open(one) else one
        wrong += _verdict(both, true) == "RUBBISH"
        yield f"{script.name:12} {_shown(one, true):>34} {_shown(two, true):>34} {_shown(both, true):>34}"
    yield f"pages of rubbish that pass without a word: {wrong} of {len(SCRIPTS)}"


def _shown(answer: PageAnswer, true: str) -> str:
    accuracy = 1 - normalised_edit_distance(true, said(answer))
    if not isinstance(answer, PageRead):
        return f"{answer.code.value}"
    noted = ",".join(answer.problems)
    return f"{accuracy:.2f} at confidence {answer.confidence:.2f} {_verdict(answer, true)} {noted}".strip()[:34]


def _verdict(answer: PageAnswer, true: str) -> str:
    if not isinstance(answer, PageRead):
        return "refused" if answer.code is Code.SCRIPT_UNSUPPORTED else "failed"
    if 1 - normalised_edit_distance(true, said(answer)) >= 0.8:
        return "read"
    return "noted" if answer.problems else "RUBBISH"
