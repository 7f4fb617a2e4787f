"""Vertical writing that is set glyph by glyph: columns of upright characters, each placed by itself, made lines of vertical writing.

Fonts for vertical writing say so (writing mode 1); many programs instead place upright glyphs one under the other, and MuPDF sees lines of one
character, or rows across the columns. Works on MuPDF's raw dictionary, in place; pure. A column becomes one line of writing mode 1, a gap in it
ends a line. Only on pages where most such characters stand nearer to the one below than to the one beside, or come one below the other in the file.
Level lines among them (headings, notes, numbers of pages) stay as they are.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from msgspec import Struct

from schemas.geometry import center, union

CJK = re.compile("[\u3001-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]")
FEWEST = 24
"""Characters of a page from which it is looked at: two columns."""
SINGLES = 0.5
"""Share of these characters in lines of one character that makes a page suspect; 0.02 on pages with level lines."""
NEARER = 0.87
"""Times the usual distance to the character beside that the one to the character below must be less than; narrow columns have 0.8."""
ACROSS = 3
"""Characters of a number or word that is set across a column of vertical writing, at the most; of CJK text, one."""
SAME_COLUMN = 0.3
"""Ems by which middles of one column differ; punctuation stands a quarter to the right."""
LINE_BREAK = 1.7
"""Ems from one character to the next that end a line: a space of one character leaves 2."""

Raw = dict[str, Any]


class _Glyph(Struct):
    """A character, its span, and its middle and size."""

    char: Raw
    span: Raw
    x: float
    y: float
    size: float


def looks_stacked(content: Raw) -> bool:
    """Whether much of a page's CJK text is in lines of one character, by its dictionary of texts."""
    total = single = 0
    for block in content["blocks"]:
        for line in block.get("lines", ()):
            text = "".join([span["text"] for span in line["spans"]])
            found = len(CJK.findall(text))
            total += found
            single += found if found and _is_upright(line) and max(map(len, text.split())) == 1 else 0
    return total >= FEWEST and single > SINGLES * total


def join_columns(raw: Raw) -> None:
    """Makes columns of stacked characters lines of vertical writing; on pages without such, changes nothing."""
    lines = [line for block in raw["blocks"] for line in block.get("lines", ())]
    beside = zip(lines, [None, *lines[:-1]], [*lines[1:], None], strict=True)
    stacked = [line for line, before, after in beside if _is_stacked(line, before, after)]
    glyphs = [_glyph(char, span) for line in stacked for span in line["spans"] for char in span["chars"] if not char["c"].isspace()]
    found = [line for column in _columns(glyphs) for line in _lines(column)]
    if len(glyphs) < FEWEST or not (_comes_down(glyphs) or _runs_down(glyphs, found)):
        return
    made, taken = [_vertical(line) for line in found], {id(line) for line in stacked}
    others = [line for line in lines if id(line) not in taken]
    raw["blocks"] = [{"type": 0, "number": 0, "bbox": union(line["bbox"] for line in [*made, *others]), "lines": [*made, *others]}]


def _is_upright(line: Raw) -> bool:
    """Whether a line is one of level writing, as glyphs that are set upright are to MuPDF."""
    return not line["wmode"] and line["dir"] == (1.0, 0.0)


def _is_stacked(line: Raw, before: Raw | None, after: Raw | None) -> bool:
    """Whether a line is a character of a column, a row of such across columns, or a number set across one, right below or above a character of it.

    `before` and `after` are its neighbours in the file. What else stands in one line is read across.
    """
    parts = _parts(line)
    longest = max(map(len, parts), default=0)
    if longest <= 1 or not _is_upright(line):
        return longest == 1 and _is_upright(line)
    is_number = len(parts) == 1 and longest <= ACROSS and not CJK.search(parts[0])
    return is_number and any(other is not None and len("".join(_parts(other))) == 1 and _is_next_in_column(line, other) for other in (before, after))


def _parts(line: Raw) -> list[str]:
    return "".join([char["c"] for span in line["spans"] for char in span["chars"]]).split()


def _is_next_in_column(line: Raw, other: Raw) -> bool:
    size: float = max(other["spans"][0]["size"], 0.1)
    (x, y), (u, v) = center(line["bbox"]), center(other["bbox"])
    return abs(x - u) <= SAME_COLUMN * size and abs(y - v) <= LINE_BREAK * size


def _glyph(char: Raw, span: Raw) -> _Glyph:
    x0, y0, x1, y1 = char["bbox"]
    return _Glyph(char, span, (x0 + x1) / 2, (y0 + y1) / 2, max(span["size"], 0.1))


def _columns(glyphs: Sequence[_Glyph]) -> list[list[_Glyph]]:
    """Glyphs by column, by their middles: a column is as wide as its first glyph allows."""
    columns: list[list[_Glyph]] = []
    for glyph in sorted(glyphs, key=lambda g: g.x):
        if columns and glyph.x - columns[-1][0].x <= 2 * SAME_COLUMN * glyph.size:
            columns[-1].append(glyph)
        else:
            columns.append([glyph])
    return columns


def _lines(column: Sequence[_Glyph]) -> list[list[_Glyph]]:
    """A column's glyphs from top to bottom, cut at wide gaps. Two glyphs on one height (a number set across) keep their order."""
    lines: list[list[_Glyph]] = []
    height = 0.3 * max(glyph.size for glyph in column)
    for glyph in sorted(column, key=lambda g: (round(g.y / height), g.x)):
        if lines and glyph.y - lines[-1][-1].y <= LINE_BREAK * max(glyph.size, lines[-1][-1].size):
            lines[-1].append(glyph)
        else:
            lines.append([glyph])
    return lines


def _comes_down(glyphs: Sequence[_Glyph]) -> bool:
    """Whether most glyphs come right after the one above them: columns as close as their characters have no other sign."""
    below = sum(
        abs(after.x - before.x) <= SAME_COLUMN * after.size and 0 < after.y - before.y <= LINE_BREAK * after.size
        for before, after in pairwise(glyphs)
    )
    return 2 * below > len(glyphs)


def _runs_down(glyphs: Sequence[_Glyph], lines: Sequence[Sequence[_Glyph]]) -> bool:
    """Whether characters stand nearer to the one below than to the one beside."""
    down = sorted(below.y - above.y for line in lines for above, below in pairwise(line))
    height = 0.5 * median(glyph.size for glyph in glyphs)
    level = sorted(glyphs, key=lambda g: (round(g.y / height), g.x))
    across = sorted(right.x - left.x for left, right in pairwise(level) if right.x > left.x)
    if not down:
        return False
    return not across or down[len(down) // 2] < NEARER * across[len(across) // 2]


def _vertical(glyphs: Sequence[_Glyph]) -> Raw:
    """A line of vertical writing, as MuPDF gives one."""
    spans: list[Raw] = []
    source: Raw | None = None
    for glyph in glyphs:
        if glyph.span is not source:
            source = glyph.span
            spans.append({**source, "chars": []})
        spans[-1]["chars"].append(glyph.char)
    for span in spans:
        span["bbox"] = union(char["bbox"] for char in span["chars"])
        span["origin"] = span["chars"][0]["origin"]
    return {"spans": spans, "wmode": 1, "dir": (0.0, 1.0), "bbox": union(span["bbox"] for span in spans)}
