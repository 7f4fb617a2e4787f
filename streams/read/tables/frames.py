"""Headers in a frame of their own: a low frame of labels right above a table as wide as it, with room between the two.

Looks at regions and at the words in them, before any table is made: both frames become one region, in which the room belongs to the header.
"""

from collections.abc import Sequence
from dataclasses import replace

from streams.read.tables.lines import Word, chunks_of, is_value, is_year, text_lines, words_in
from streams.read.tables.regions import SAME_END_PT, Region

HIGHEST_PT = 60.0
"""Height of a header's frame at most: labels of four lines."""
ROOM_PT = 20.0
"""Room between both frames at most: a line of text, which would stand there if the upper frame were something else."""
MIN_COLUMNS = 3
"""Columns that are drawn in the lower frame at least; two beside each other are boxes of a form as well."""
SAME_X_PT = 3.0
"""Rulings of the header stand this near to those of the body."""


def with_headers(regions: Sequence[Region], words: Sequence[Word]) -> list[Region]:
    """The regions, each header's frame as one with the table below it. `words` are the page's, sorted as `words_of` does."""
    heads = [region for region in regions if not region.is_stack and region.box[3] - region.box[1] <= HIGHEST_PT]
    bodies = [region for region in regions if len(_inner(region)) >= MIN_COLUMNS - 1 and not region.is_stack] if heads else []
    joined: dict[int, Region | None] = {}
    for body in bodies:
        head = next((head for head in heads if id(head) not in joined and _is_header_of(head, body, words)), None)
        if head is not None and id(body) not in joined:  # of low frames in a row, the second is the body of the first and no header itself
            joined[id(head)] = None
            joined[id(body)] = _joined(head, body)
    found = [joined.get(id(region), region) for region in regions] if joined else regions
    return [region for region in found if region is not None]


def _inner(region: Region) -> list[float]:
    """The x of the rulings between the sides of a region."""
    x0, _, x1, _ = region.box
    return [at for at, _, _ in region.vertical if x0 + SAME_END_PT < at < x1 - SAME_END_PT]


def _is_header_of(head: Region, body: Region, words: Sequence[Word]) -> bool:
    """Whether a frame of labels stands right above another one, as wide as it and with no more columns, and nothing stands between."""
    (x0, top, x1, bottom), (left, y, right, _) = head.box, body.box
    if not (0 <= y - bottom <= ROOM_PT and abs(x0 - left) <= SAME_END_PT and abs(x1 - right) <= SAME_END_PT):
        return False
    columns = _inner(body)
    if not all(any(abs(at - x) <= SAME_X_PT for x in columns) for at in _inner(head)):
        return False
    inside = words_in(words, head.box)
    if any(is_value(word[4]) and not is_year(word[4]) for word in inside) or words_in(words, (x0, bottom, x1, y)):
        return False
    return sum(len(chunks_of(line)) for line in text_lines(inside)) >= MIN_COLUMNS and top < bottom


def _joined(head: Region, body: Region) -> Region:
    """Both as one region: the rule below the header goes, its other rulings reach down to the body."""
    x0, top, x1, bottom = head.box
    y = body.box[1]
    horizontal = [rule for rule in head.horizontal if rule[0] < bottom - SAME_X_PT]
    vertical = [(at, start, y if end >= bottom - SAME_X_PT else end) for at, start, end in head.vertical]
    return replace(
        body,
        box=(min(x0, body.box[0]), top, max(x1, body.box[2]), body.box[3]),
        horizontal=[*horizontal, *body.horizontal],
        vertical=sorted([*vertical, *body.vertical]),
    )
