"""The straight rules drawn on the image of a page, and lines of text cut where a rule runs through them. Knows no model, no page geometry.

Method: pixels darker than their surroundings, then what is left of them after opening with a long thin element, along rows and along columns
(as usual for ruled forms). Everything is measured in type sizes of the page, as the resolution of an image says little. The image must lie straight.
"""

from collections.abc import Sequence
from statistics import median

import numpy as np

from inference.images import Pixels, Quad, bounds_of, dark_marks, part_of, straight_runs
from schemas.geometry import BBox

BOX_HEIGHT = 1.6
"""Height of a line's box as detectors draw it, in type sizes."""
LEAST_ACROSS, LEAST_UPRIGHT = 1.6, 1.15
"""Length of a rule in type sizes: columns are wider than the first, rows higher than the second, and letters are lower than both."""
GAP = 0.12
"""Type sizes of a gap that is closed: dotted rules, and specks of white in worn ones."""
THICKEST = 0.45
"""Type sizes; what is thicker is a bar or a picture."""
SLENDER = 5.0
"""Length over thickness of a rule at least."""
DRAWN = 0.75
"""Share of a rule's length that is inked by itself: letters that were closed up have a half. Longer than any word,"""
LONG, DOTTED = 9.0, 0.35
"""so many type sizes, dots have less."""
REACH = 1.1
"""Type sizes around a pixel that it must be darker than."""
LEAST_IMAGE, LEAST_SIZE = 8, 4.0
"""Pixels: smaller images show no table, and print of less is not read."""
MAX_RULES = 4_000
"""Rules kept of a page, longest first: the most a ruled page has is some hundred, more is hatching or a picture."""
CROSSES = 0.8
"""Share of the height of a line's box that an upright rule must cover to cut the line. Stems of letters below each other (p over d) hang together
over two lines of narrow leading and cover .7: of a letter of 91 lines they cut five words."""
END = 0.35
"""Of a line's height: a rule so near to its end only bounds it, and the line is cut off there without a second part."""
LEAST_PART = 0.3
"""Of a line's height; narrower parts hold no character."""


def size_of_print(lines: Sequence[Quad]) -> float:
    """The usual type size of lines that a detector found, in pixels."""
    heights = [y1 - y0 for _, y0, _, y1 in map(bounds_of, lines)]
    return median(heights) / BOX_HEIGHT if heights else 0.0


def marks_of(gray: Pixels, size: float) -> Pixels:
    """1 where an image of gray levels is marked by print of about a type size in pixels, else 0."""
    return dark_marks(gray, round(REACH * max(LEAST_SIZE, size)))


def rules_of(marks: Pixels, size: float, text: Sequence[Quad], least: float = 1.0) -> list[BBox]:
    """The rules among the marks of an image, as thin boxes in its pixels.

    `size`: the usual type size in pixels; `text`: the lines of text found on the image, parts of whose letters are no rules; `least`: how many
    times as long as usual a rule must be at least, where text is not known yet.
    """
    if min(marks.shape[:2]) < LEAST_IMAGE:
        return []
    size = max(LEAST_SIZE, size)
    boxes = np.array([bounds_of(line) for line in text], np.float32).reshape(-1, 4)
    found: list[BBox] = []
    for upright, length in ((False, LEAST_ACROSS), (True, LEAST_UPRIGHT)):
        runs = straight_runs(marks, round(GAP * size), round(least * length * size), upright=upright)
        found += [run for run in runs if _is_rule(run, marks, size, upright=upright) and not _is_in_text(run, boxes, upright=upright)]
    found.sort(key=lambda box: (box[0] + box[1] - box[2] - box[3], box))
    return found[:MAX_RULES]


def _is_rule(run: tuple[int, int, int, int], marks: Pixels, size: float, *, upright: bool) -> bool:
    x0, y0, x1, y1 = run
    length, thickness = (y1 - y0, x1 - x0) if upright else (x1 - x0, y1 - y0)
    if thickness > THICKEST * size or length < SLENDER * thickness:
        return False
    inked = marks[y0:y1, x0:x1].any(axis=1 if upright else 0)
    return float(inked.mean()) >= (DOTTED if length >= LONG * size else DRAWN)


def _is_in_text(run: tuple[int, int, int, int], boxes: np.ndarray[tuple[int, ...], np.dtype[np.float32]], *, upright: bool) -> bool:
    """Whether a run is a part of the letters of one line: it lies inside of the line's box and is not longer than that."""
    x0, y0, x1, y1 = run
    height = boxes[:, 3] - boxes[:, 1]
    inset = 0.0 if upright else 0.12 * height
    inside = (boxes[:, 0] - 2 <= x0) & (x1 <= boxes[:, 2] + 2) & (boxes[:, 1] + inset - 2 <= y0) & (y1 <= boxes[:, 3] - inset + 2)
    return bool(inside.any())


def cut_at_rules(lines: Sequence[Quad], rules: Sequence[BBox]) -> list[Quad]:
    """The lines in parts where upright rules run through them: detectors take neighbouring cells for one line, whatever is drawn between them.

    All boxes are of an image that lies straight.
    """
    upright = np.array([rule for rule in rules if rule[3] - rule[1] > rule[2] - rule[0]], np.float32)
    if not len(upright):
        return list(lines)
    return [part for line in lines for part in _parts(line, upright)]


def _parts(line: Quad, upright: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> list[Quad]:
    x0, y0, x1, y1 = bounds_of(line)
    width, height = x1 - x0, y1 - y0
    if width < height:
        return [line]
    covered = np.minimum(upright[:, 3], y1) - np.maximum(upright[:, 1], y0)
    through = upright[(covered >= CROSSES * height) & (upright[:, 2] > x0) & (upright[:, 0] < x1)]
    if not len(through):
        return [line]
    start, spans = x0, []
    for left, _, right, _ in sorted(through.tolist()):
        if right < x0 + END * height:
            start = max(start, right + 1)
            continue
        spans.append((start, left - 1))
        start = right + 1
        if left > x1 - END * height:
            start = x1
            break
    spans.append((start, x1))
    return [part_of(line, (a - x0) / width, (b - x0) / width) for a, b in spans if b - a >= LEAST_PART * height]
