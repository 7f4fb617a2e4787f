"""Signals of every page of a labelled set, with what is true of it: the ground on which training and bench stand.

The reader's own steps are taken: single characters are mended before, and another reading of undecodable ones is tried after the judgement. A page
with a broken font that the parser gets round is read, not shown to a model: it counts as good if the text so won is what the page shows, which is
looked up here and not assumed.
"""

import csv
import json
import re
import time
import unicodedata
from collections import Counter
from pathlib import Path

import pymupdf
from msgspec import Struct

from streams.read.text_pass import TextPass, read_text, recover
from streams.read.trust.confidence import judge
from streams.read.trust.signals import PageSignals, collect_signals
from streams.read.vectors import drawings_of
from tests.bench.routing.faults import BROKEN_MAPS
from tests.bench.routing.make_set import MANIFEST, SHOWN
from tests.bench.routing.plan import Label

FONT_FAULTS = frozenset({*BROKEN_MAPS, "partial_font", "alternating"})
"""Kinds whose text is wrong only if the parser reads it so: whether it does is looked up, too."""
_WORD = re.compile(r"[^\W_]+")
"""Leader dots are most of a page of contents, and whether they are right says nothing."""
SAME, WRONG = 0.95, 0.9
"""Share of the shown text's pairs of letters that a text holds which is the same, and at most if it is another: one letter in twenty is wrong."""


class MeasuredPage(Struct, frozen=True, kw_only=True):
    """A labelled page. `seconds` of processor time: `read` for text, drawings and pictures, `judged` for signals and verdict beyond that.

    `signals` are of the text as MuPDF reads it, with faults of single characters mended, and `first_label` is what is true of that. Where the reader
    found another reading of the page's characters, `recovered` are the signals of that. `label` is what is true of the text that the reader would
    publish, and `confidence` is the reader's, after all that.
    """

    file: str
    page: int
    split: str
    script: str
    kind: str
    label: str
    first_label: str
    signals: PageSignals
    confidence: float
    blank: bool
    text: str
    read_s: float
    judged_s: float
    recovered: PageSignals | None = None

    @property
    def good(self) -> bool:
        """Whether what the reader would publish is what the page shows."""
        return self.label in (Label.GOOD, Label.BLANK)


def measured(folder: Path, split: str, documents: int | None = None) -> list[MeasuredPage]:
    """All pages of a split, or those of the first `documents` of each script. Raises SystemExit where the folder holds no set."""
    if not (folder / MANIFEST).is_file():
        raise SystemExit(f"{folder} holds no labelled set; make one: python -m tests.bench.routing.make_set {folder}")
    shown = json.loads((folder / SHOWN).read_text(encoding="utf-8"))
    with (folder / MANIFEST).open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["split"] == split]
    if documents is not None:
        files = {script: list(dict.fromkeys(row["file"] for row in rows if row["script"] == script)) for script in {row["script"] for row in rows}}
        rows = [row for row in rows if row["file"] in files[row["script"]][:documents]]
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
    text = read_text(page)
    drawings = None if text.vectors is None else drawings_of(text.vectors)
    drawings = page.get_cdrawings() if drawings is None else drawings
    images = page.get_image_info()
    read = time.process_time()
    figures = row["label"] == Label.PART
    signals = collect_signals(page, text.content, drawings, images, figures=figures)
    verdict = judge(signals)
    judged = time.process_time()
    said = _text_of(text)
    confidence, _ = recover(page, text, verdict, lambda content: judge(collect_signals(page, content, drawings, images)))
    first, last = _label_of(row, said, shown), _label_of(row, _text_of(text), shown)
    return MeasuredPage(
        file=row["file"], page=int(row["page"]), split=row["split"], script=row["script"], kind=row["kind"], label=last, first_label=first,
        signals=signals, confidence=confidence, blank=verdict.blank, text=said, read_s=read - started, judged_s=judged - read,
        recovered=None if _text_of(text) == said else collect_signals(page, text.content, drawings, images),
    )  # fmt: skip


def _text_of(text: TextPass) -> str:
    lines = (line for block in text.content["blocks"] for line in block.get("lines", ()))
    return "\n".join(span["text"] for line in lines for span in line["spans"])


def _label_of(row: dict[str, str], said: str, shown: str) -> str:
    """What is true of a text: by how its page was made, and, where the parser may have got round a fault, by the text itself."""
    if row["label"] != Label.BAD or row["kind"] not in FONT_FAULTS:
        return row["label"]
    share = same_share(said, shown)
    return (Label.GOOD if share >= SAME else Label.PART if share > WRONG else Label.BAD).value


def same_share(text: str, shown: str) -> float:
    """Share of what a page shows that a text holds, in whatever order: by pairs of letters, white space aside; 1 of a page that shows nothing."""
    wanted, found = _pairs(shown), _pairs(text)
    return sum((wanted & found).values()) / max(1, sum(wanted.values()))


def _pairs(text: str) -> Counter[str]:
    words = _WORD.findall(unicodedata.normalize("NFKC", text))
    return Counter(word[place : place + 2] for word in words for place in range(max(1, len(word) - 1)))
