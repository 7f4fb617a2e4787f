"""Listings: which lines in typewriter type are code, a console's output or a file's text, and what they say. Pure functions of lines.

Promise: a listing keeps its lines, its indents and its blank lines, and takes in no prose. What tells a listing from prose in typewriter type are the
signs of programs and shells, and the shape of its lines: they end where a statement does, and begin at several indents.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from streams.read.blocks.joined_rows import LETTER_WIDTH
from streams.read.blocks.lines import Line

_CODE_SIGNS = re.compile(r"[{}();=<>#\[\]]|^\s*(?:def|class|import|return|for|if|while|\$|>>>)\b")
_TAG = r"</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>"
_STATEMENT = re.compile(
    r"[;{}\\]\s*$|\)\s?[:,]?\s?$|^\s*(?:[}\])]|#|//|/\*|\*/|--\s|\$\s|>>>\s|%\s|>\s?\w)|"
    + _TAG
    + r"|\w\s?(?:=|==|:=|\+=|->|=>|::|!=|<>|\|\|)\s?[\w\"'(\[{-]|\w\(|^\s*\w[\w.-]*:\s*(?:\S+)?$|\s--?[a-z][\w-]*"
    r"|^\s*(?:SELECT|FROM|WHERE|WHEN|THEN|ELSE|END|CASE|INSERT|VALUES|CREATE|ALTER|DROP|RETURN|BEGIN|SET|AND|OR|JOIN|ORDER BY|GROUP BY)\b"
)
"""What hardly a line of prose has: the end of a statement, a comment, a prompt, a tag, an assignment, a call, a key with its value, an option."""
_LONE = re.compile(r"^\s*(?:\$|>>>|#|%|>)\s+\S|[;{}]\s*$|\w\([^()]*\)|\s--?[a-z][\w-]*|\w\s?(?:=|:=|->|=>|::)\s?\S|" + _TAG)
"""What a listing of one line has at the least."""
_PROSE = re.compile(r"(?:\b[a-zß-öø-ÿ]{2,}[,;]?\s+){3}[a-zß-öø-ÿ]{2}")
"""Four words of a sentence in a row."""
_ADDRESS = re.compile(r"[\w}]\s?@\s?\w+\.\w|^\s*(?:https?://|www\.)\S+\s*$")
"""Of mail or a page: papers and letterheads set theirs in typewriter type."""
MOSTLY = 0.4
"""Share of a page's lines with statements from which on its typewriter type is that of listings, and not of its prose."""
MOSTLY_PROSE = 0.55
"""Share of the lines of a paragraph that are prose, and no statements, from which on it is prose: a listing may be half comments."""
FEWEST = 5
"""Lines of a page that tell such."""
MAX_CHARS = 400
"""Of a line that are looked at."""
BLANK_LINE = 1.6
"""Distance of lines over the usual one from which on a blank line stands between them."""
MAX_BLANK_LINES = 2


def is_listing(lines: Sequence[Line]) -> bool:
    """Whether a paragraph is a listing, on a page whose prose is not set in typewriter type."""
    if not all(line.style.monospace for line in lines) or 2 * sum(_shows(line, _ADDRESS) for line in lines) > len(lines):
        return False
    if len(lines) < 2:
        return _shows(lines[0], _LONE)
    signs = sum(_shows(line, _CODE_SIGNS) or _shows(line, _STATEMENT) for line in lines)
    shaped = len({round(line.x0) for line in lines}) > 2 or any(line.text.startswith("  ") for line in lines)
    return (signs * 3 >= len(lines) or shaped) and not _are_prose(lines)


def _are_prose(lines: Sequence[Line]) -> bool:
    """Whether most lines are those of sentences."""
    return sum(_shows(line, _PROSE) and not _shows(line, _STATEMENT) for line in lines) > MOSTLY_PROSE * len(lines)


def _shows(line: Line, sign: re.Pattern[str]) -> bool:
    return sign.search(line.text[:MAX_CHARS]) is not None


def are_listings(lines: Sequence[Line]) -> bool:
    """Whether the typewriter type of a page is that of listings, by most of what these lines of it say."""
    typed = [line for line in lines if line.style.monospace]
    return len(typed) >= FEWEST and sum(_shows(line, _STATEMENT) for line in typed) >= MOSTLY * len(typed)


def listing_text(lines: Sequence[Line]) -> str:
    """The lines of a listing, with the indents that they have by the width of a letter, and blank lines where the space of such was left."""
    left = min(line.x0 for line in lines)
    letter = letter_width(lines)
    texts = [" " * min(int((line.x0 - left) / letter + 0.4), 80) + line.text.rstrip() for line in lines]
    typed = min(len(text) - len(text.lstrip()) for text in texts)
    steps = [below.baseline - above.baseline for above, below in pairwise(lines)]
    usual = sorted(steps)[(len(steps) - 1) // 2] if steps else 0.0
    said = [texts[0][typed:]]
    for step, text in zip(steps, texts[1:], strict=True):
        blank = round(step / usual) - 1 if len(steps) > 1 and usual > 0 and step > BLANK_LINE * usual else 0
        said += [""] * min(blank, MAX_BLANK_LINES)
        said.append(text[typed:])
    return "\n".join(said)


def letter_width(lines: Sequence[Line]) -> float:
    """How wide a letter of typewriter type is, in points: as in the longest part of these lines, since not all such faces have 0.6 of their size."""
    longest = max((part for line in lines for part in line.parts or ()), key=lambda part: len(part.text), default=None)
    size = max(lines[0].style.size_pt, 1.0)
    if longest is None or len(longest.text) < 2:
        return LETTER_WIDTH * size
    return min(max((longest.x1 - longest.x0) / len(longest.text), 0.4 * size), 0.8 * size)
