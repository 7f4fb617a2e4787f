"""Headings that neither size nor weight gives away: a short line in another face, set off above, that leads into the text below it.

Fonts of publishers are often named by numbers, so that nothing says which of them is the bold one, and many styles set their lower headings in
italics. What tells them is their place: more space above than below, room left at the end of the line, and a paragraph of the body right under it.
Pure functions of lines.
"""

import re
from collections.abc import Sequence

from streams.read.blocks.lines import Line

MORE_ABOVE = 1.18
"""Space above such a line, over the usual line distance, from which it is set off."""
NEAR_BELOW = 2.6
"""Space below it at the most, so: a blank line, and half of one."""
ROOM = 0.1
"""Share of the column's width that the line leaves free at the least."""
FULL_LINE = 0.8
"""Share of the column's width that the first lines of the paragraph below fill."""
MAX_CHARS = 90
MIN_LETTERS = 4
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[A-Z]\.|[IVX]{1,5}\.)\s+(?=\w)")
_NO_TITLE = re.compile(r"[.,;:!?。，；：]\s*$|@|www\.|https?:|[=≤≥∈]|\d{4}\b.*\d{4}\b")
_DEEPER = re.compile(r"\d{1,2}\.\d{1,2}")


def leads(lines: Sequence[Line], above: Line | None, below: Sequence[Line], column: tuple[float, float], leading_pt: float) -> bool:
    """Whether a paragraph of one line is a heading by its place and face. `above`: the line before it, `below`: the lines of the paragraph after it;
    `column`: where the lines of the region begin and end, `leading_pt`: their usual distance.
    """
    if len(lines) != 1 or not below or not is_title(lines[0].text):
        return False
    line, first = lines[0], below[0]
    if line.style.font == first.style.font or line.style.monospace or line.gaps or not line.style.size_pt > 0.97 * first.style.size_pt:
        return False
    gap_above = line.baseline - above.baseline if above is not None else 2 * leading_pt
    gap_below = first.baseline - line.baseline
    if not gap_above > MORE_ABOVE * leading_pt or not 0 < gap_below < min(NEAR_BELOW * leading_pt, 1.02 * gap_above + 1):
        return False
    width = column[1] - column[0]
    if line.x1 - line.x0 > (1 - ROOM) * width:
        return False
    if len(below) > 1:
        return max(first.x1, below[1].x1) - min(first.x0, below[1].x0) > FULL_LINE * width
    return _NUMBERED.match(line.text) is not None and _DEEPER.match(first.text) is not None and is_title(first.text)


def is_title(text: str) -> bool:
    """Whether a line could be a title: it begins with a capital, after a number or without, and does not end as a sentence or a formula does."""
    text = text.strip()
    number = _NUMBERED.match(text)
    words = text[number.end() :] if number else text
    letters = sum(map(str.isalpha, words))
    return len(text) <= MAX_CHARS and letters >= MIN_LETTERS and words[0].isupper() and _NO_TITLE.search(text) is None
