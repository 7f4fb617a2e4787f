"""Signals of every page of a labelled set, with what is true of it: the ground on which training and bench stand.

A page whose shifted codes the reader undoes is read, not shown to a model: it counts as good if the text so won is what the page shows, which is
looked up here and not assumed.
"""

import csv
import json
import re
import time
from collections import Counter
from pathlib import Path

import pymupdf
from msgspec import Struct

from streams.read.confidence import Verdict, judge
from streams.read.language import unshift
from streams.read.signals import PageSignals, collect_signals
from tests.bench.routing.faults import BROKEN_MAPS
from tests.bench.routing.make_set import MANIFEST, SHOWN
from tests.bench.routing.plan import Label

TEXT_FLAGS = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES
FONT_FAULTS = frozenset({*BROKEN_MAPS, "partial_font", "alternating"})
"""Kinds whose text is wrong only if the parser reads it so: whether it does is looked up, too."""
_WORD = re.compile(r"[^\W_]+")
"""Leader dots are most of a page of contents, and whether they are right says nothing."""
SAME = 0.95
"""Share of the shown text's pairs of letters that undone text must hold to be the same text."""


class MeasuredPage(Struct, frozen=True, kw_only=True):
    """A labelled page. `seconds` of processor time: `read` for text, drawings and pictures, `judged` for signals and verdict beyond that.

    `recovered`: whether text of undone shifts is what the page shows; None where nothing was undone.
    """

    file: str
    page: int
    split: str
    script: str
    kind: str
    label: str
    signals: PageSignals
    text: str
    read_s: float
    judged_s: float
    recovered: bool | None

    @property
    def verdict(self) -> Verdict:
        """The judgement as shipped."""
        return judge(self.signals)


def measured(folder: Path, split: str) -> list[MeasuredPage]:
    """All pages of a split. Raises SystemExit where the folder holds no set."""
    if not (folder / MANIFEST).is_file():
        raise SystemExit(f"{folder} holds no labelled set; make one: python -m tests.bench.routing.make_set {folder}")
    shown = json.loads((folder / SHOWN).read_text(encoding="utf-8"))
    with (folder / MANIFEST).open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["split"] == split]
    pages: list[MeasuredPage] = []
    name, document = "", pymupdf.open()
    for row in rows:
        if row["file"] != name:
            document.close()
            name, document = row["file"], pymupdf.open(folder / row["file"])
        number = int(row["page"])
        pages.append(_measured(document[number - 1], row, shown[name][number - 1]))
    document.close()
    return pages


def _measured(page: pymupdf.Page, row: dict[str, str], shown: str) -> MeasuredPage:
    started = time.process_time()
    content = page.get_text("dict", flags=TEXT_FLAGS)
    drawings, images = page.get_cdrawings(), page.get_image_info()
    read = time.process_time()
    signals = collect_signals(page, content, drawings, images, figures=row["label"] == Label.PART)
    verdict = judge(signals)
    judged = time.process_time()
    spans = [span for block in content["blocks"] for line in block.get("lines", ()) for span in line["spans"]]
    recovered = None
    if verdict.shifts and verdict.recovered_confidence > verdict.confidence:
        shifts = {found.font: found.shift for found in verdict.shifts}
        recovered = is_same("".join(unshift(span["text"], shifts[span["font"]]) if span["font"] in shifts else span["text"] for span in spans), shown)
    text = "\n".join(span["text"] for span in spans)
    label = row["label"]
    if row["kind"] in FONT_FAULTS and is_same(text, shown):
        label = Label.GOOD.value  # MuPDF found the letters without the map: in the font's own tables
    return MeasuredPage(
        file=row["file"], page=int(row["page"]), split=row["split"], script=row["script"], kind=row["kind"], label=label, signals=signals,
        text=text, read_s=read - started, judged_s=judged - read, recovered=recovered,
    )  # fmt: skip


def is_same(text: str, shown: str) -> bool:
    """Whether a text holds what a page shows, in whatever order: by pairs of letters, white space aside."""
    wanted, found = _pairs(shown), _pairs(text)
    return sum((wanted & found).values()) >= SAME * sum(wanted.values())


def _pairs(text: str) -> Counter[str]:
    words = _WORD.findall(text)
    return Counter(word[place : place + 2] for word in words for place in range(max(1, len(word) - 1)))
