"""Figures of a recognized page as blocks: what was read in one, or at its axes, is its text and not the page's. Pure."""

from collections.abc import Sequence

from inference.layout.lines import Frame, Line
from inference.pictures import PICTURE_CONFIDENCE, is_part_of
from schemas.content import Block, BlockType
from schemas.geometry import BBox, center, contains_point, rounded

TICK, TICK_SIGNS, GRAIN_SIGNS = 1.6, 8, 2
"""Type sizes between a figure and the short texts at its axes, and their characters: numbers, and less than that where it is no number."""
LABEL = 0.7
"""Confidence from which a line in a figure is a label, and not its grain."""


def figure_of(box: BBox, text: str, figures: Sequence[BBox], size: float) -> int | None:
    """The figure that a line is a part of: one that it lies in, or as a number or a sign or two one at whose edge it stands. `size`: of the type."""
    for index, figure in enumerate(figures):
        if is_part_of(box, figure):
            return index
    if len(text) > (TICK_SIGNS if any(map(str.isdigit, text)) else GRAIN_SIGNS):
        return None
    x, y = center(box)
    reach = TICK * size
    return next((i for i, (x0, y0, x1, y1) in enumerate(figures) if contains_point((x0 - reach, y0 - reach, x1 + reach, y1 + reach), x, y)), None)


def figure_block(figure: BBox, labels: Sequence[Line], frame: Frame) -> Block:
    """A figure with what is written in it, from top to bottom."""
    said = [line for line in labels if line.confidence >= LABEL and any(map(str.isalnum, line.text))]
    said.sort(key=lambda line: (round((line.box[1] + line.box[3]) / (2 * max(line.size, 1.0))), line.box[0], line.text))
    weight = sum(line.weight for line in said)
    confidence = sum(line.confidence * line.weight for line in said) / weight if said else PICTURE_CONFIDENCE
    return Block(
        type=BlockType.FIGURE,
        bbox=rounded(frame.turn_back(figure)),
        text="\n".join(line.text for line in said),
        confidence=round(confidence, 4),
        rotation=frame.rotation,
    )
