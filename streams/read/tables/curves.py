"""Strokes that are no rulings: where the curve of a chart, or the outline of something drawn, runs on a page."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from schemas.geometry import BBox

Point = tuple[float, float]

MAX_PIECES, MAX_POINTS = 32, 8
"""Pieces that a long curve is cut into, and points of each that are looked at: of a frame around a page a piece has 80 points of a side."""


class Curve(Struct, frozen=True, gc=False):
    """Where strokes run that are no rulings, and of how many parts they are: the curve of a chart, the outline of something drawn.

    `pieces`: boxes along a long path: a frame, or a ring drawn by hand, runs nowhere near most of its own box. Of a short one there are none.
    """

    box: BBox
    parts: int
    pieces: tuple[BBox, ...] = ()


def pieces_of(items: Sequence[Any]) -> Iterator[tuple[Point, Point]]:
    """Opposite corners of the boxes along a path of many parts, in the path's own coordinates; `MAX_PIECES` of them at most.

    `items` are those of a dict of `get_cdrawings`. Takes the same time for a path of any length.
    """
    step = -(-len(items) // MAX_PIECES)
    for first in range(0, len(items), step):
        end = min(first + step, len(items))
        points = [point for item in (*items[first : end : -(-step // MAX_POINTS)], items[end - 1]) for point in _ends(item)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        yield (min(xs), min(ys)), (max(xs), max(ys))


def _ends(item: Any) -> Sequence[Sequence[float]]:
    """Where a part of a path starts and ends; of a box two opposite corners."""
    if item[0] == "re":
        return item[1][:2], item[1][2:]
    return (item[1][0], item[1][3]) if item[0] == "qu" else (item[1], item[-1])
