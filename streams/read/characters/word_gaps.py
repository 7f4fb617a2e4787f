"""Spaces that a font calls something else: a code that draws nothing, stands between words, and of which the page knows no other.

Works on MuPDF's raw dictionary, in place; pure. Some fonts map their space to a zero-width mark, to a soft hyphen, to "?" or "_"; read as it is,
the page is one word. What must speak for it: the code has a width, stands between words all over its font, and the font has hardly any other space.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MARKS = "\u00ad\u200b\u200d\u2060\ufeff"
"""Characters that have no width of their own, so that one with a width is something else."""
_SIGNS = "?_"
"""Characters that mean themselves nearly always: they need the evidence of long lines without any space."""
_RARE_SIGNS = "#!"
"""Characters that hardly ever stand between two letters; word processors write them for the space of one font."""
LETTER = "A-Za-z\u00c0-\u024f\u0370-\u052f"
"""The letters of scripts that part their words by spaces, as a range of a pattern."""
_WORD = re.compile(f"[{LETTER}]{{60,}}")


def _between(code: str, digits: str = "") -> re.Pattern[str]:
    return re.compile(f"(?<=[{LETTER}{digits}.,;:!)\u2019\u201d]){re.escape(code)}(?=[{LETTER}{digits}(\u2018\u201c])")


_BETWEEN: Mapping[str, re.Pattern[str]] = {code: _between(code, "0-9" if code in _RARE_SIGNS else "") for code in (*MARKS, *_SIGNS, *_RARE_SIGNS)}

LEAST_WIDTH = 0.1
"""Ems; a space has 0.2 and more, a mark that is one has none."""
LONGEST_WORD, FEWLETTERS = 60, 10
"""Letters of a word from which it is several, as in `_WORD`, and different letters that it has at least."""
FEW, MANY = 8, 20
"""Codes between words from which they are believed to be spaces: marks, and signs."""
LONGEST_WORDS = 20
"""Characters to a code at most, on the mean: words of any of these scripts are shorter."""
LONG_LINE = 40
"""Characters of a run of text, on the mean, from which the absence of spaces tells: names like "first_name" stand in shorter ones."""
USUAL_WORD = 30
"""Characters to a space from which a page may lack its spaces; the runs of its text are taken as parted by one."""


def may_be_glued(text: str) -> bool:
    """Whether a page's text, its runs parted by spaces, may have spaces of another name. Cheap: most pages have enough of the plain ones."""
    codes = MARKS + _RARE_SIGNS + (_SIGNS if text.count(" ") * USUAL_WORD < len(text) else "")
    return any(text.count(code) >= FEW and len(_BETWEEN[code].findall(text)) >= FEW for code in codes)


def glued_letters(text: str) -> int:
    """Letters in words that are longer than any language has. Words in capitals are none (letters of genes and proteins), nor such of few letters."""
    if max(map(len, text.split()), default=0) < LONGEST_WORD:
        return 0
    words = (word for word in _WORD.findall(text) if not word.isupper() and len(set(word)) >= FEWLETTERS)
    return sum(map(len, words))


def restore_spaces(raw: Mapping[str, Any]) -> None:
    """Puts a space in the place of each code that is one, font by font."""
    runs: dict[str, list[str]] = {}
    for span, across in _spans(raw):
        narrow = LEAST_WIDTH * span["size"]
        runs.setdefault(span["font"], []).append("".join(c["c"] for c in span["chars"] if c["c"] not in MARKS or _length(c, across) > narrow))
    spaces = {font: code for font, texts in runs.items() if (code := _space_of(texts)) is not None}
    for span, _ in _spans(raw):
        code = spaces.get(span["font"])
        if code is not None:
            for char in span["chars"]:
                if char["c"] == code:
                    char["c"] = " "


def _space_of(texts: Sequence[str]) -> str | None:
    """The code that is the space of a font, by its runs of text; None where nothing says so."""
    whole = "\n".join(texts)
    spaces = whole.count(" ")
    for code, pattern in _BETWEEN.items():
        least = MANY if code in _SIGNS else FEW
        count = len(pattern.findall(whole)) if whole.count(code) >= least else 0
        if count < least or count * LONGEST_WORDS < len(whole) or spaces * least > count:
            continue
        if code not in _SIGNS or len(whole) > LONG_LINE * len(texts):
            return code
    return None


def _length(char: Mapping[str, Any], across: bool) -> float:
    """Points that a character takes along its line."""
    first, last = (0, 2) if across else (1, 3)
    return float(char["bbox"][last] - char["bbox"][first])


def _spans(raw: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], bool]]:
    """(span, whether its line runs across the page rather than down)."""
    return (
        (span, abs(line["dir"][0]) >= abs(line["dir"][1])) for block in raw["blocks"] for line in block.get("lines", ()) for span in line["spans"]
    )
