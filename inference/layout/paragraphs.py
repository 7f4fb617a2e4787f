"""Where a paragraph ends, and what it is. Decisions on the geometry and the marks of lines in one column. Pure.

Sizes come from ink and vary by a tenth within a line's letters, so the bounds are wider than a text layer would need.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from msgspec import Struct
from msgspec.structs import replace

from inference.layout.lines import Line
from inference.text import begins_item
from schemas.content import BlockType

SAME_SIZE = 1.2
"""Sizes of one paragraph differ by less."""
HEADING_SIZE = 1.2
"""Type this much larger than the body's is a heading's."""
MORE_SPACE = 1.3
"""Line distance over the usual one from which a paragraph ends."""
LEADING = 1.25
"""Line distance in type sizes where a column has too few lines to tell."""
FARTHEST = 2.6
"""Line distance in type sizes from which lines never belong together: more than double spacing."""
INDENT = 0.8
"""Of the type size: where a first line is indented. A skewed scan moves lines by less."""
ROOM = 1.5
"""Type sizes of room beyond the next word that show that a line was ended on purpose."""
CENTRED = 0.6
"""Type sizes between the middles of two lines that are set about one."""
MOST_NUMBER = 4
"""Letters of what numbers a heading ("VIII", "A.1")."""
MAX_HEADING_CHARS = 200
MAX_HEADING_LINES = 3

_CAPTION = re.compile(
    r"(?:figure|fig|table|tab|scheme|chart|exhibit|plate|abbildung|abb|tabelle|tableau|figura|tabla|tabela)\b\.?\s*[A-Z]?[-–.]?\d+[\w.]*\s*[.:|—–-]"
    r"|[图表圖図]\s*\d+",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|(?:chapter|part|section|article|appendix|annex|kapitel|teil|anhang)\s+[\dIVXLA-Z]{1,5})\s+[^\W\d_]{3}",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"[^\W\d_A-Z]{2}[)\"”’]?[.!?] [^\W\d_a-z]")
"""The end of a sentence and the beginning of another: text of a page whose small print is longer, whatever its size."""
_LETTER = re.compile(r"[^\W\d_]")
_RELATION = re.compile("[=≈≠≡≤≥<>∑∫∏√∂∈→⇒]")
_WORD = re.compile(r"[^\W\d_]{4}")
MAX_EQUATION_CHARS = 160
"""Longer texts without a word are cells of a table, or noise."""


class Usual(Struct, frozen=True):
    """What is usual on a page: the type size of most characters."""

    size: float


class Column(Struct, frozen=True):
    """A text column, x0 to x1 in points, and how far its lines usually end before x1 (0 where they are justified)."""

    x0: float
    x1: float
    ragged: float = 0.0


def usual_of(lines: Sequence[Line]) -> Usual:
    """The usual size of a page: the middle one by characters."""
    if not lines:
        return Usual(10.0)
    ordered = sorted(lines, key=lambda line: line.size)
    half, seen = sum(line.weight for line in lines) / 2, 0.0
    size = ordered[-1].size
    for line in ordered:
        seen += line.weight
        if seen >= half:
            size = line.size
            break
    return Usual(max(size, 1.0))


def with_steady_sizes(lines: Sequence[Line], usual: Usual) -> list[Line]:
    """Lines inside a run of lines at one distance and one left edge get the middle size of their neighbours, two on each side: ink that
    touches from the next line, or a faint descender, misleads a line or two but not most.
    """
    together = [_run_on(a, b, usual) for a, b in pairwise(lines)]
    steady = list(lines)
    for index in range(1, len(lines) - 1):
        if not (together[index - 1] and together[index]):
            continue
        first = index - 2 if index > 1 and together[index - 2] else index - 1
        last = index + 2 if index + 1 < len(together) and together[index + 1] else index + 1
        steady[index] = replace(lines[index], size=median(line.size for line in lines[first : last + 1]))
    return steady


def _run_on(above: Line, below: Line, usual: Usual) -> bool:
    return _pitch(above, below) < 1.5 * usual.size and abs(above.box[0] - below.box[0]) < 2 * usual.size


def stacks_of(lines: Sequence[Line], usual: Usual) -> list[tuple[int, int]]:
    """Runs of lines (first, one past last) of one type size at one distance: a column of text, or a part of it between wider spaces."""
    steps = sorted(_pitch(a, b) for a, b in pairwise(lines))
    near = [step for step in steps if 0.6 * usual.size < step < FARTHEST * usual.size]
    pitch = median(near) if len(near) >= 2 else LEADING * usual.size
    stacks: list[tuple[int, int]] = []
    start = 0
    for index in range(1, len(lines) + 1):
        if index == len(lines) or _parts(lines[index - 1], lines[index], pitch, usual):
            stacks.append((start, index))
            start = index
    return stacks


def column_of(stack: Sequence[Line], region: tuple[float, float]) -> Column:
    """The extent of a stack; that of its region where it has too few lines to tell."""
    if len(stack) < 3:
        return Column(*region)
    x0, x1 = min(line.box[0] for line in stack), max(line.box[2] for line in stack)
    return Column(x0, x1, median(x1 - line.box[2] for line in stack) if len(stack) > 3 else 0.0)


def is_continued(paragraph: Sequence[Line], line: Line, following: Line | None, column: Column) -> bool:
    """Whether a line of a stack belongs to the paragraph above it. `following` is the line after it. Lines of a list item hang."""
    if begins_item(line.text) or ends_short(paragraph[-1], line, column):
        return False
    return begins_item(paragraph[0].text) or not _begins_indented(paragraph[-1], line, following)


def is_title(above: Line, line: Line, usual: Usual) -> bool:
    """Whether two lines of a stack are of one title: both in large type and set about one middle."""
    large = min(above.size, line.size) >= HEADING_SIZE * usual.size
    return large and abs(above.box[0] + above.box[2] - line.box[0] - line.box[2]) <= 2 * CENTRED * line.size and not _NUMBERED.match(line.text)


def are_names(cells: Sequence[Line]) -> bool:
    """Whether a row of cells holds texts that stand beside each other: columns of names are no heading, a heading with its number is."""
    return sum(1 for cell in cells if len(_LETTER.findall(cell.text)) > MOST_NUMBER) > 1


def ends_short(line: Line, following: Line | None, column: Column) -> bool:
    """Whether a line ends although the next word had room; without a next line, whether it ends well before the column does."""
    room = column.x1 - line.box[2]
    if column.x1 - column.x0 < 8 * line.size:
        return False
    if following is None:
        return room > 3 * line.size
    word = following.text.split(" ", 1)[0]
    width = (following.box[2] - following.box[0]) * min(1.0, len(word) / following.weight)
    return room > width + ROOM * line.size + column.ragged


def is_indented(line: Line, column: Column) -> bool:
    """Whether a first line starts right of its column's edge."""
    return line.box[0] > column.x0 + INDENT * line.size


def type_of(lines: Sequence[Line], text: str, usual: Usual, *, isolated: bool, beside: bool = False) -> BlockType:
    """Heading, list item, caption, equation or paragraph. `isolated`: more space than lines have stands above and below; `beside`: these are texts
    that stand beside each other in a row.
    """
    if _CAPTION.match(text):
        return BlockType.CAPTION
    if isolated and is_equation(text):
        return BlockType.EQUATION
    if not beside and _is_heading(lines, text, usual, isolated=isolated):
        return BlockType.HEADING
    return BlockType.LIST_ITEM if begins_item(text) else BlockType.PARAGRAPH


def is_equation(text: str) -> bool:
    """Whether a text set apart is an equation: two sides and no word. What a model of lines reads of one is a hint at most."""
    if len(text) > MAX_EQUATION_CHARS or _WORD.search(text):
        return False
    relation = _RELATION.search(text)
    return relation is not None and any(map(str.isalnum, text[: relation.start()])) and any(map(str.isalnum, text[relation.end() :]))


def _is_heading(lines: Sequence[Line], text: str, usual: Usual, *, isolated: bool) -> bool:
    letters = len(_LETTER.findall(text[:MAX_HEADING_CHARS]))
    if letters < 3 or 2 * letters <= len(text.replace(" ", "")) or len(text) > MAX_HEADING_CHARS or len(lines) > MAX_HEADING_LINES:
        return False
    size = median(line.size for line in lines)
    if size >= HEADING_SIZE * usual.size and not _SENTENCES.search(text):
        return True
    if not isolated or len(lines) > 1 or size < usual.size / SAME_SIZE or text.endswith((".", ",", ";", ":")):
        return False
    return _NUMBERED.match(text) is not None or (text.isupper() and letters > 3)


def _begins_indented(above: Line, line: Line, following: Line | None) -> bool:
    """Whether a line is the indented first line of a paragraph: it starts right of its neighbours on both sides."""
    step = INDENT * line.size
    if line.box[0] <= above.box[0] + step:
        return False
    return following is None or following.box[0] < line.box[0] - step


def _parts(above: Line, line: Line, pitch: float, usual: Usual) -> bool:
    """Whether two lines cannot be of one paragraph: another size, or more space than lines have."""
    if max(above.size, line.size) > SAME_SIZE * min(above.size, line.size) and min(above.weight, line.weight) > 3:
        return True
    step, larger = _pitch(above, line), max(1.0, min(above.size, line.size) / usual.size)
    return step > MORE_SPACE * pitch * larger or step > FARTHEST * line.size


def _pitch(above: Line, below: Line) -> float:
    """Distance of two lines in points, from middle to middle: steadier than their edges, which depend on letters."""
    return (below.box[1] + below.box[3] - above.box[1] - above.box[3]) / 2
