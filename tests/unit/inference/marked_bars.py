"""Pages of bars instead of lines of text, and three models that read them: a bar is dark at its beginning and gray at its end.

So the tests of detection and orientation need no real model: a bar read the right way round gives its length class with high
confidence, read on its head it gives little, and bars too thin for the size that a detector looks at are not seen.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from inference.engines.word_places import LineReading
from inference.images import Pixels, Quad

DARK, GRAY = 0, 120
VISIBLE_PX = 3.0
"""Height of a bar on the image that the detector looks at from which it sees it."""


def page_of(bars: Sequence[tuple[int, int, int, int]], width: int = 600, height: int = 800, rotation: int = 0) -> Pixels:
    """A white page with upright bars (x, y, length, thickness), turned clockwise as a whole afterwards."""
    page = np.full((height, width, 3), 255, np.uint8)
    for x, y, length, thickness in bars:
        page[y : y + thickness, x : x + length] = GRAY
        page[y : y + thickness, x : x + length // 3] = DARK
    return np.ascontiguousarray(np.rot90(page, -(rotation // 90)))


class BarModels:
    """Counts what is asked of it."""

    def __init__(self) -> None:
        self.looked_at: list[tuple[int, int]] = []
        self.read = 0

    def detect(self, bgr: Pixels, long_side: int) -> list[Quad]:
        height, width = bgr.shape[:2]
        scale = min(1.0, long_side / max(height, width))
        self.looked_at.append((round(width * scale), round(height * scale)))
        inked = (bgr[:, :, 0] < 200).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(inked)
        boxes = [(x, y, x + w, y + h) for x, y, w, h, _ in stats[1:].tolist() if min(w, h) * scale >= VISIBLE_PX]
        return [np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float32) for x0, y0, x1, y1 in boxes]

    def upside_down(self, lines: Sequence[Pixels]) -> list[float]:
        return [0.95 if _begins(line) < 0 else 0.05 for line in lines]

    def recognize(self, lines: Sequence[Pixels]) -> list[LineReading]:
        self.read += len(lines)
        return [
            LineReading("tilted", 0.35)
            if line.shape[0] > line.shape[1]
            else (LineReading("text", 0.95) if _begins(line) > 0 else LineReading("ʇxǝʇ", 0.4))
            for line in lines
        ]


def _begins(line: Pixels) -> float:
    """Positive where the dark end is at the left."""
    third = max(1, line.shape[1] // 3)
    return float(line[:, -third:].mean() - line[:, :third].mean())
