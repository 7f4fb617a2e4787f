"""What others decide about the same pages, each by its own rule: whether a page needs recognition.

`fewer_than_50`: the rule of many scripts. `marker_heuristics`: the checks that Marker's documentation and settings describe, written anew from their
description: an empty layer, too many spaces or line breaks, too few letters and digits, too many U+FFFD, hardly any text under pictures that cover
the page. `pymupdf4llm`: that package's own decision, asked in an environment of its own.
"""

import json
import re
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench.routing.measure import MeasuredPage

FEWEST = 50
MOST_SPACES, MOST_BREAKS, LEAST_LETTERS, MOST_INVALID, FEWEST_INVALID = 0.7, 0.6, 0.3, 0.03, 4
COVERED, LITTLE = 0.65, 200
PACKAGES = ("pymupdf>=2", "pymupdf4llm")
_ASK = """
import json, sys
import pymupdf
from pymupdf4llm.helpers.document_layout import make_ocr_decision
from pymupdf4llm.ocr import OCRMode
pymupdf.TOOLS.mupdf_display_errors(False)
for line in sys.stdin:
    path, number = json.loads(line)
    with pymupdf.open(path) as document:
        needed = make_ocr_decision(document[number - 1], OCRMode.SELECT_KEEP_OLD)[0]
    print(json.dumps(bool(needed)), flush=True)
"""


def fewer_than_50(page: MeasuredPage) -> bool:
    """Fewer than fifty characters."""
    return len(page.text.strip()) < FEWEST


def marker_heuristics(page: MeasuredPage) -> bool:
    """Shares of spaces, line breaks, letters and U+FFFD; cover of pictures."""
    text = page.text
    if not text.strip():
        return True
    spaces, breaks = len(re.findall(r"\s+", text)), len(re.findall(r"\n+", text))
    letters = len(re.sub(r"\s+", "", text))
    invalid = text.count("\ufffd")
    return (
        spaces / (letters + spaces) > MOST_SPACES
        or breaks / len(text) > MOST_BREAKS
        or sum(letter.isalnum() for letter in text) / max(1, letters) < LEAST_LETTERS
        or invalid > max(FEWEST_INVALID, MOST_INVALID * len(text))
        or (page.signals.image_cover > COVERED and letters < LITTLE)
    )


RULES: dict[str, Callable[[MeasuredPage], bool]] = {"fewer than 50 characters": fewer_than_50, "Marker's heuristics": marker_heuristics}


def pymupdf4llm_decisions(folder: Path, pages: Sequence[MeasuredPage], environment: Path) -> list[bool] | None:
    """Its decision for each page; None, with a message, where its package cannot be had."""
    python = environment / "bin" / "python"
    if not python.exists():
        venv.create(environment, with_pip=True)
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stdout.write(f"pymupdf4llm is left out: pip install {' '.join(PACKAGES)} failed\n")
        return None
    asked = "".join(json.dumps([str((folder / page.file).resolve()), page.page]) + "\n" for page in pages)
    answered = subprocess.run([python, "-c", _ASK], input=asked, capture_output=True, text=True, check=False)
    found = [json.loads(line) for line in answered.stdout.splitlines() if line in ("true", "false")]
    if answered.returncode or len(found) != len(pages):
        sys.stdout.write(f"pymupdf4llm is left out: it ended after {len(found)} of {len(pages)} pages: {answered.stderr.strip()[-200:]}\n")
        return None
    return found
