"""Makes the labelled set: `python -m tests.bench.routing.make_set FOLDER [--documents 42] [--seed 7]`.

The same seed makes the same pages. Every document has words, fonts, type and page of its own and lies in one split as a whole; its pages are of
different kinds. `pages.tsv` names each page: file, page (from 1), split, script, language, kind, label; `shown.json` has the text of each page by
file.
"""

import argparse
import csv
import json
import random
import sys
import time
from pathlib import Path

from tests.bench.routing.drawing import Book
from tests.bench.routing.fonts import FILES, face, faces_of
from tests.bench.routing.layouts import style_of
from tests.bench.routing.plan import KINDS, Kind
from tests.bench.routing.words import LANGUAGES, vocabulary

SPLITS = {"train": 0.5, "test": 1.0}
"""Splits, and their share of the documents asked for: what is tested is to be known to a percent by script, what is trained on is pooled over all."""
PAGES = 8
"""Pages a document: enough for several kinds under one style, few enough that documents are many."""
MANIFEST = "pages.tsv"
SHOWN = "shown.json"
FIELDS = ("file", "page", "split", "script", "language", "kind", "label")


def deck(count: int, rng: random.Random) -> list[Kind]:
    """So many kinds, each as often as its weight says, shuffled: every split of every script has all of them."""
    once = [kind for kind in KINDS for _ in range(kind.weight)]
    dealt: list[Kind] = []
    while len(dealt) < count:
        rng.shuffle(once)
        dealt += once
    return dealt[:count]


def make_document(script: str, kinds: list[Kind], rng: random.Random) -> tuple[bytes, str, list[str]]:
    """(a PDF with a page of each kind, its language, the text of each page as its fonts show it; of scans, the text of their layer)."""
    language = rng.choice(LANGUAGES[script])
    main, plain = faces_of(script, rng)
    words = vocabulary(script, language, rng, main.glyphs)
    second = face(rng.choice(FILES[script]), script)
    style = style_of(words, (main, plain, second), rng)
    book, shown = Book(style.faces), list[str]()
    for kind in kinds:
        draft = kind.make(style, rng)
        shown.append(" ".join(line.text for line in draft.lines))
        book.add(draft)
    return book.done(), language, shown


def make_set(folder: Path, documents: int, seed: int, scripts: list[str]) -> int:
    """Writes the set; returns the number of pages."""
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[tuple[str, int, str, str, str, str, str]] = []
    shown: dict[str, list[str]] = {}
    for script in scripts:
        for split, part in SPLITS.items():
            count = max(1, round(documents * part))
            dealt = deck(count * PAGES, random.Random(f"{seed}:{script}:{split}"))
            for number in range(count):
                name = f"{split}_{script}_{number:03d}.pdf"
                kinds = dealt[number * PAGES : (number + 1) * PAGES]
                data, language, shown[name] = make_document(script, kinds, random.Random(f"{seed}:{script}:{split}:{number}"))
                (folder / name).write_bytes(data)
                rows += [(name, page, split, script, language, kind.name, kind.label.value) for page, kind in enumerate(kinds, start=1)]
    (folder / SHOWN).write_text(json.dumps(shown, ensure_ascii=False), encoding="utf-8")
    with (folder / MANIFEST).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerows([FIELDS, *rows])
    return len(rows)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="make the labelled set of pages")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=42, help="documents a script and split: 300 pages and more that are scored")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--scripts", default=",".join(LANGUAGES))
    found = parser.parse_args()
    started = time.monotonic()
    pages = make_set(found.folder, found.documents, found.seed, found.scripts.split(","))
    sys.stdout.write(f"{pages} pages in {found.folder}, {time.monotonic() - started:.0f} s\n")


if __name__ == "__main__":
    main()
