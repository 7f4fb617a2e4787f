"""Lines of plain text as they look on a screen of fixed-width letters: places, indentation, what is blank in all of them. Pure functions of strings.

A wide character (Chinese, Japanese, Korean) takes two places; the second one is held by `FILLER`, so that columns line up by index.
"""

import re
import unicodedata
from collections.abc import Sequence

FILLER = "\x00"
TAB_WIDTH = 8

_WIDE = re.compile("[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\U0001f300-\U0001faff]")
_RULE = re.compile(r"\s*[-=_~+|*#.]{3,}[-=_~+|*#.\s]*")


def placed(line: str) -> str:
    """A line in which every index is a place on the screen: tabs filled up, wide characters followed by `FILLER`."""
    if "\t" in line:
        line = line.expandtabs(TAB_WIDTH)
    if line.isascii():
        return line
    line = "".join(character for character in line if not unicodedata.combining(character)) if _has_marks(line) else line
    return _WIDE.sub(lambda match: match[0] + FILLER, line)


def unplaced(text: str) -> str:
    """The text of a part of a placed line."""
    return text.replace(FILLER, "").strip()


def indent_of(line: str) -> int:
    """Places before the first letter of a line."""
    expanded = line.expandtabs(TAB_WIDTH)
    return len(expanded) - len(expanded.lstrip())


def is_rule(line: str) -> bool:
    """Whether a line is drawn and says nothing: dashes, equals signs, corners."""
    return _RULE.fullmatch(line) is not None


def common_gaps(lines: Sequence[str], narrowest: int) -> list[tuple[int, int]]:
    """(first, end) of every run of at least `narrowest` places that is blank in all placed lines, between the first and the last that is not."""
    width = max((len(line) for line in lines), default=0)
    used = bytearray(width)
    for line in lines:
        for match in re.finditer(r"\S+", line):
            used[match.start() : match.end()] = b"\1" * (match.end() - match.start())
    first, last = used.find(1), used.rfind(1)
    if first < 0:
        return []
    gaps = [(match.start() + first, match.end() + first) for match in re.finditer(rb"\x00+", bytes(used[first:last]))]
    return [(start, end) for start, end in gaps if end - start >= narrowest]


def _has_marks(line: str) -> bool:
    return any("\u0300" <= character <= "\u036f" for character in line)
