"""Which text of Office files is code: what is set in a typewriter's font among text that is not. Pure functions of strings.

A font alone makes no code of a whole paragraph: letters and screenplays are set so too. A paragraph is code where its signs or its indentation say
so.
"""

import re
from collections.abc import Iterable

from streams.read.blocks.emphasis import CODE, Run
from streams.read.characters.normalise import clean_text

_MONOSPACE = re.compile(r"courier|consol|mono\b|menlo|monaco|lucida console|source code|fixed|typewriter|terminal", re.IGNORECASE)
_SPACES = re.compile(r"( {2,}|\t)")
_CODE = re.compile(r"[;{}\\]|[=<>!|&+*/-]=|[-=]>|\w[(\[]|\w\s=\s|[\"'(]\)|://|^\s*(?:[#$>]\s|//|/\*|<\w|@\w|--\w)|:$")
"""Signs that prose does not have: brackets right behind a word, assignments, operators of two signs, prompts, comments, tags."""
TAB = "    "
INDENT = 2
"""Spaces from which on a line is indented, and not only set off by a slip."""


def is_monospace(font: str) -> bool:
    """Whether a font gives all letters the same width, by its name."""
    return bool(font) and _MONOSPACE.search(font) is not None


def code_text(text: str) -> str:
    """Text of code, normalised, each of its spaces kept."""
    return "".join(part.replace("\t", TAB) if part.isspace() else clean_text(part) for part in _SPACES.split(text) if part)


def is_all_code(runs: Iterable[Run]) -> bool:
    """Whether all of a text is set as code."""
    settings = [setting for count, setting in runs if count]
    return bool(settings) and all(setting & CODE for setting in settings)


def looks_like_code(line: str, *, after_code: bool) -> bool:
    """Whether a line in a typewriter's font is code; `after_code`: what stands before it is."""
    if not line.strip():
        return False
    indent = len(line) - len(line.lstrip(" "))
    return _CODE.search(line.rstrip()) is not None or (after_code and indent >= INDENT)
