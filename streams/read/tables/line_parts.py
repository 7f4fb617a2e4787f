"""What one line of text has in each column of a grid: the pieces from which rows, headers and borders are told.

Pure. A piece that runs over several columns is its first one's.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from msgspec import Struct

from streams.read.tables.grid import slot
from streams.read.tables.lines import CURRENCIES, Chunk, Line, Word, chunks_of, is_value, separates

MARGIN_PT = 3.0
"""Room between a text and the border of its cell."""


class Part(Struct, frozen=True, gc=False):
    """What one line has in one column. `middle`: the y of the middle of its first word."""

    x0: float
    x1: float
    first_width: float
    text: str
    value: bool
    middle: float


def parts_of(line: Line, xs: Sequence[float]) -> dict[int, Part]:
    """The parts of a line by column. A chunk that runs over several columns belongs to its first one."""
    parts: dict[int, Part] = {}
    for chunk in chunks_of(line):
        for piece in pieces_of(chunk, xs):
            first, last = piece[0], piece[-1]
            column = slot(xs, (first[0] + (first[2] if first[2] < last[2] else last[2])) / 2)
            text = first[4] if len(piece) == 1 else " ".join([w[4] for w in piece])
            before = parts.get(column)
            if before is not None:
                is_value_yet = before.value and _is_of_value(last[4])
                parts[column] = Part(before.x0, last[2], before.first_width, f"{before.text} {text}", is_value_yet, before.middle)
            else:
                value = _is_of_value(first[4]) and (len(piece) == 1 or all(_is_of_value(w[4]) for w in piece))
                parts[column] = Part(first[0], last[2], first[2] - first[0], text, value, (first[1] + first[3]) / 2)
    return parts


def _is_of_value(text: str) -> bool:
    """Whether a word reads as a number, or as the sign of a currency that stands apart before one."""
    return is_value(text) or text in CURRENCIES


def pieces_of(chunk: Chunk, xs: Sequence[float]) -> list[tuple[Word, ...]]:
    """A chunk cut at the column edges between two of its words, where a number follows or the gap is wider than a space.

    For labels that come close to their row's values, and for headers set tighter than the columns below.
    """
    words = chunk.words
    if len(words) == 1 or bisect_left(xs, words[0][0] - 0.5) >= bisect_right(xs, words[-1][0] + 0.5):
        return [words]  # no edge between its first word and its last
    pieces = []
    start = 0
    for i in range(1, len(words)):
        before, after = words[i - 1], words[i]
        if bisect_left(xs, before[2] - 0.5) < bisect_right(xs, after[0] + 0.5) and separates(before, after, chunk.letter):
            pieces.append(words[start:i])
            start = i
    pieces.append(words[start:])
    return pieces


def had_room(above: Part, below: Part, width: float) -> bool:
    """Whether the first word of `below` had fitted into the line of `above`, in a column of this width."""
    return above.x1 - above.x0 + below.first_width + 2 * MARGIN_PT <= width
