"""Parts of a page that a rule drawn between them sets apart, as the halves of a slip or two columns: each is read for itself. Pure."""

from collections.abc import Sequence

from schemas.geometry import BBox, height, width

LEAST_HEIGHT = 9.0
"""Type sizes of a rule that parts a page; in a table one runs along two or three rows at least."""
LEAST_LINES = 3
"""Lines on either side of it."""
SLACK = 0.5
"""Type sizes by which a line may stand beyond an end of the rule, or its box over the rule."""
MAX_RULES = 20
"""Upright rules that are tried, the longest first."""


def parted(boxes: Sequence[BBox], rules: Sequence[BBox], size: float) -> list[list[int]]:
    """Indexes of boxes in groups in reading order: above a parting rule, left of it, right of it, below it; one group where none parts them.

    `rules` as thin boxes, `size` the usual type size, both in the unit of the boxes.
    """
    upright = [rule for rule in rules if height(rule) > width(rule) and height(rule) >= LEAST_HEIGHT * size]
    return _parted(boxes, list(range(len(boxes))), sorted(upright, key=lambda rule: (-height(rule), rule))[:MAX_RULES], SLACK * size)


def _parted(boxes: Sequence[BBox], members: list[int], rules: Sequence[BBox], slack: float) -> list[list[int]]:
    for number, rule in enumerate(rules):
        beside = [i for i in members if _middle(boxes[i]) > rule[1] - slack and _middle(boxes[i]) < rule[3] + slack]
        left = [i for i in beside if boxes[i][2] <= rule[2] + slack]
        right = [i for i in beside if boxes[i][0] >= rule[0] - slack]
        if min(len(left), len(right)) < LEAST_LINES or len(left) + len(right) != len(beside) or set(left) & set(right):
            continue
        above = [i for i in members if _middle(boxes[i]) <= rule[1] - slack]
        below = [i for i in members if _middle(boxes[i]) >= rule[3] + slack]
        if not (_is_clear(boxes, above, beside, 2 * slack) and _is_clear(boxes, beside, below, 2 * slack)):
            continue  # a column runs past an end of the rule, which is drawn within another one
        rest = rules[number + 1 :]
        return [group for part in (above, left, right, below) if part for group in _parted(boxes, part, rest, slack)]
    return [members] if members else []


def _is_clear(boxes: Sequence[BBox], upper: Sequence[int], lower: Sequence[int], gap: float) -> bool:
    """Whether there is white over the whole width between two groups, of which one may be empty."""
    return not upper or not lower or min(boxes[i][1] for i in lower) - max(boxes[i][3] for i in upper) >= gap


def _middle(box: BBox) -> float:
    return (box[1] + box[3]) / 2
