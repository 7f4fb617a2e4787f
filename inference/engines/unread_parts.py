"""Which parts of a page a reader of one script could not read: runs of long lines that came out badly. Pure.

A paragraph in another script on a page that reads well has such lines, one below the other; textures of pictures and signatures have one at most.
"""

from collections.abc import Sequence

from inference.pictures import is_long
from inference.types import PageText, TextLine
from schemas.geometry import BBox, height, union

UNREAD = 0.6
"""Confidence under which a line may be in another script: Korean read as English came with .4 on average, single lines of it with .55."""
LEAST_LINES = 2
TOGETHER = 1.2
"""Line heights between two lines of a part at most."""
MARGIN = 0.3
"""Of a line's height, around a part: marks above letters."""


def unread_parts(text: PageText, dropped: Sequence[TextLine], width: int, height_px: int) -> list[tuple[int, int, int, int]]:
    """Boxes in whole pixels of the image of `width` x `height_px`. `dropped` are lines that were found and are not in `text`."""
    bad = sorted((line.bbox for line in (*text.lines, *dropped) if line.confidence < UNREAD and is_long(line)), key=lambda box: box[1])
    runs: list[list[BBox]] = []
    for box in bad:
        if runs and _follows(runs[-1][-1], box):
            runs[-1].append(box)
        else:
            runs.append([box])
    return [_around(run, width, height_px) for run in runs if len(run) >= LEAST_LINES]


def _follows(above: BBox, below: BBox) -> bool:
    near = below[1] - above[3] <= TOGETHER * max(height(above), height(below))
    return near and below[0] < above[2] and above[0] < below[2]


def _around(run: Sequence[BBox], width: int, height_px: int) -> tuple[int, int, int, int]:
    x0, y0, x1, y1 = union(run)
    margin = MARGIN * max(map(height, run))
    return max(0, int(x0 - margin)), max(0, int(y0 - margin)), min(width, int(x1 + margin) + 1), min(height_px, int(y1 + margin) + 1)
