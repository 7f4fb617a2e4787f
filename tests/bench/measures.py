"""The measures of a corpus, in the order in which they are shown: each from the outputs of one folder and one kind of truth.

A folder without outputs, or a corpus without a kind of truth, gives no line; it is never counted as right or wrong.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pymupdf
from msgspec import Struct

from tests.bench.scoring.cells import CellScore, score_cells
from tests.bench.scoring.distance import normalised_edit_distance
from tests.bench.scoring.headings import HeadingScore, score_headings
from tests.bench.scoring.joined import FACING, JoinScore, false_joins, score_join
from tests.bench.scoring.olmocr import COUNTED, OlmocrScore, page_of, score_olmocr
from tests.bench.scoring.outputs import Heading, Output, has_failed, load_output
from tests.bench.scoring.routing import score_routing
from tests.bench.scoring.teds import TedsScore, score_teds
from tests.bench.scoring.truth import icdar_files, joined_tables, olmocr_tests, page_labels

FILES, ICDAR, OLMOCR = "files", "icdar2013", "olmocr_sample/pdfs"
FOLDERS: dict[str, tuple[str, ...]] = {FILES: (), ICDAR: ("--no-join-tables",), OLMOCR: ()}
"""Folders of the corpus, of its outputs likewise, and the switches that `pageloom parse` needs for each."""
GOOD_LAYER_LETTERS, SCAN_COVER = 100, 0.7
"""A page of an olmOCR sample has a good text layer if it holds so many letters, and no pictures that cover so much of it: judged from the file
alone, so that an output does not choose the tests it is measured by."""


class Measure(Struct, frozen=True):
    """A line of the table: value and goal in words, whether the goal holds (None without one), and what is wrong, by name."""

    name: str
    value: str
    goal: str = ""
    holds: bool | None = None
    wrong: tuple[str, ...] = ()


def measures(corpus: Path, out: Path) -> list[Measure]:
    """All measures for which there are truth and outputs."""
    parts: list[tuple[str, Callable[[Path, Path], Iterator[Measure]]]] = [
        (FILES, _ends),
        (FILES, _routing),
        (FILES, _joined),
        (FILES, _apart),
        (FILES, _headings),
        (FILES, _texts),
        (ICDAR, _icdar),
        (OLMOCR, _olmocr),
    ]
    return [measure for folder, part in parts if (out / folder).is_dir() and (corpus / folder).is_dir() for measure in part(corpus, out / folder)]


def _loaded(folder: Path, names: Iterable[str]) -> dict[str, Output]:
    loaded = {name: load_output(folder, name) for name in set(names)}
    return {name: output for name, output in loaded.items() if output is not None}


def _ends(corpus: Path, out: Path) -> Iterator[Measure]:
    """Every file ends in a document or in an error, never in both or in neither."""
    names = [path.name for path in sorted((corpus / FILES).iterdir()) if path.is_file()]
    outputs = _loaded(out, names)
    wrong = [f"{name}: no outcome" for name in names if name not in outputs and not has_failed(out, name)]
    wrong += [f"{name}: a document and an error" for name in names if name in outputs and has_failed(out, name)]
    for name, output in outputs.items():
        if output.page_count is not None and (output.page_count < 1 or output.page_count != len(output.pages)):
            wrong.append(f"{name}: {output.page_count} pages, {len(output.pages)} of them described")
    yield Measure("files with one outcome", f"{len(names) - len(wrong)} of {len(names)}", "all", not wrong, tuple(wrong))


def _routing(corpus: Path, out: Path) -> Iterator[Measure]:
    file = corpus / "page_labels.tsv"
    labels = page_labels(file) if file.is_file() else []
    outputs = {name: output for name, output in _loaded(out, (label.file for label in labels)).items() if output.pages}
    if not outputs:
        return  # a parser that says nothing of pages routes nothing
    score = score_routing(labels, outputs)
    wrong = tuple(f"missed {name}" for name in score.missed)
    yield Measure("bad pages found", f"{score.recall:.3f} of {score.bad}", ">= 0.99", score.recall >= 0.99, wrong)
    yield Measure("recognized for nothing", f"{score.needless_share:.3f} of {score.good}", "<= 0.05", score.needless_share <= 0.05, score.needless)
    yield Measure("labelled pages without outcome", str(len(score.absent)), "0", not score.absent, score.absent)


def _joined(corpus: Path, out: Path) -> Iterator[Measure]:
    folder = corpus / "joined_tables"
    tables = joined_tables(folder) if folder.is_dir() else []
    outputs = _loaded(out, (table.file for table in tables))
    scores = [score_join(table, outputs.get(table.file)) for table in tables]
    if not scores:
        return
    exact = sum(score.exact for score in scores)
    rows, shared = sum(score.true_rows for score in scores), sum(score.same_rows for score in scores)
    compared = [score.teds for score in scores if score.teds is not None]
    yield Measure("joined tables exact", f"{exact} of {len(scores)}", "all", exact == len(scores), tuple(_told(s) for s in scores if not s.exact))
    yield Measure("rows of joined tables exact", f"{shared / max(rows, 1):.3f} of {rows}")
    mean = sum(compared) / max(len(compared), 1)
    yield Measure("TEDS of joined tables", f"{mean:.3f}, {len(scores) - len(compared)} too large", ">= 0.97", not compared or mean >= 0.97)


def _told(score: JoinScore) -> str:
    return f"{score.name}: {score.same_rows} of {score.true_rows} rows exact, {score.found_rows} rows in the best table"


def _apart(corpus: Path, out: Path) -> Iterator[Measure]:
    cases = [case for case in FACING if (corpus / FILES / case.file).is_file()]
    outputs = _loaded(out, (case.file for case in cases))
    if cases and any(output.pages for output in outputs.values()):
        wrong = false_joins(cases, outputs)
        yield Measure("facing tables kept apart", f"{len(cases) - len(wrong)} of {len(cases)}", "all", not wrong, tuple(wrong))


def _headings(corpus: Path, out: Path) -> Iterator[Measure]:
    """Against the outlines that the files themselves carry."""
    total = HeadingScore()
    for path in sorted((corpus / FILES).glob("*.pdf")):
        output = load_output(out, path.name)
        outline = _outline(path) if output else []
        if output and outline:
            total += score_headings(outline, output.headings)
    if total.entries:
        yield Measure("entries of outlines that are headings", f"{total.recall:.3f} of {total.entries}")
        yield Measure("level of those", f"{total.level_accuracy:.3f}")


def _outline(path: Path) -> list[Heading]:
    try:
        with pymupdf.open(path) as document:
            if document.needs_pass:
                return []
            return [Heading(level, title, page if page > 0 else None) for level, title, page, *_ in document.get_toc()]
    except (RuntimeError, ValueError):  # a file that is damaged on purpose has no outline to be measured by
        return []


def _texts(corpus: Path, out: Path) -> Iterator[Measure]:
    """Against whole texts, `texts/<file name>.txt`, where the corpus has any."""
    files = sorted((corpus / "texts").glob("*.txt"))
    outputs = _loaded(out, (file.stem for file in files))
    far = {file.stem: 1.0 for file in files}
    for file in files:
        if file.stem in outputs:
            far[file.stem] = normalised_edit_distance(file.read_text(encoding="utf-8"), outputs[file.stem].markdown)
    if far:
        worst = tuple(f"{name}: {value:.3f}" for name, value in sorted(far.items(), key=lambda item: -item[1]) if value > 0.1)
        yield Measure("NED of whole texts", f"{sum(far.values()) / len(far):.3f} of {len(far)}", wrong=worst)


def _icdar(corpus: Path, out: Path) -> Iterator[Measure]:
    cells, likeness, files, wrong = CellScore(), TedsScore(), 0, []
    for name, true in icdar_files(corpus / ICDAR):
        output = load_output(out, name)
        found = output.grids if output else []
        score = score_cells(true, found)
        cells, likeness, files = cells + score, likeness + score_teds(true, found), files + 1
        if score.f1 < 0.95:
            wrong.append((score.f1, f"{name}: F1 {score.f1:.3f} ({len(true)} tables, {len(found)} found)"))
    worst = tuple(text for _, text in sorted(wrong))
    value = f"{cells.f1:.3f} (precision {cells.precision:.3f}, recall {cells.recall:.3f}; {files} files)"
    yield Measure("ICDAR-2013 cell F1", value, ">= 0.95", cells.f1 >= 0.95, worst)
    yield Measure("ICDAR-2013 TEDS", f"{likeness.mean:.3f} of {likeness.tables} tables, {likeness.too_large} too large")


def _olmocr(corpus: Path, out: Path) -> Iterator[Measure]:
    file = (corpus / OLMOCR).parent / "tests.jsonl"
    tests = [test for test in olmocr_tests(file) if (corpus / OLMOCR / page_of(test)).is_file()] if file.is_file() else []
    if not tests:
        return
    names = {page_of(test) for test in tests}
    outputs = _loaded(out, names)
    good = {name for name in names if has_good_layer(corpus / OLMOCR / name)}
    score = score_olmocr((test for test in tests if page_of(test) in good), outputs)
    everything = score_olmocr(tests, outputs)
    wrong = tuple(name for name in score.failed if name.startswith(tuple(f"{kind} " for kind in COUNTED)))
    yield Measure(f"olmOCR tests, {len(good)} pages with a good text layer", _by_type(score), ">= 0.90", score.share >= 0.9, wrong)
    yield Measure(f"olmOCR tests, all {len(names)} pages", _by_type(everything))


def has_good_layer(path: Path) -> bool:
    """Whether the first page of a file has text of its own and is no scan."""
    if not path.is_file():
        return False
    with pymupdf.open(path) as document:
        page = document[0]
        letters = sum(character.isalpha() for character in page.get_text())
        whole = abs(page.rect)
        covers = [abs(pymupdf.Rect(image["bbox"]) & page.rect) / whole for image in page.get_image_info()]
        return bool(letters >= GOOD_LAYER_LETTERS and sum(covers) < SCAN_COVER)


def _by_type(score: OlmocrScore) -> str:
    apart = ("math", "table_headings")
    kinds = [kind for kind in score.total if kind not in apart] + [kind for kind in apart if kind in score.total]
    shares = [f"{'apart: ' if kind in apart else ''}{kind} {score.passed.get(kind, 0)}/{score.total[kind]}" for kind in kinds]
    return f"{score.share:.3f} ({', '.join(shares)})"
