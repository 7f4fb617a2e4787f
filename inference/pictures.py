"""What on a page is a picture and no text: shapes that a model takes for letters, and pages that hold nothing else. Pure.

Models of text read every shape that they are shown: coins become 0, a cup 8, an eye S. Single signs, large ones and doubtful ones at that; real text
has lines of several characters that read well. Measured on 30 photographs and drawings at two sizes each, most of them without a letter.
"""

from collections.abc import Sequence
from statistics import median

from inference.types import TextLine, recognized_content
from schemas.content import Block, BlockType, PageContent
from schemas.events import PageImage
from schemas.geometry import BBox, area, height, intersection_area, rounded, width

WORD_SIGNS, WORD_CONFIDENCE = 3, 0.8
"""A line of so many signs that reads so well is text: rubbish of that length came with .67 at most."""
SIGN_CONFIDENCE = 0.95
"""So is a single sign from here on: a page number reads with .99, shapes came with .88 at most."""
FEW_SIGNS = 40
"""More signs without one line that reads well are text that the model cannot read, which others must judge."""
LARGE = 2.2
"""Heights of the usual line from which one or two signs that read with less than `SIGN_CONFIDENCE` are a shape."""
LINE_SHAPE = 4.0
"""Length over height of a line of a few words; coins taken for 00 had 2.8."""
INKED = 0.01
"""Share of ink from which a page without text is a picture: line drawings have this; less is dirt, or text that was missed."""
WITHIN = 0.6
"""Share of a line's box within a figure from which it is a part of it."""
DRAWN = frozenset({BlockType.FIGURE, BlockType.EQUATION})
"""Blocks of which pictures are cut out and stored."""
MAX_CUT_PIXELS = 2_000_000
"""Of all pictures that are cut out of a page: A4 at 120 dpi has 1.4 million; ten pages of noise stay below what an engine process may answer."""
PICTURE_CONFIDENCE = 0.9
"""How sure it is that such a page says nothing: of thirty pictures two held letters that were not found."""


def without_shapes(lines: Sequence[TextLine]) -> list[TextLine]:
    """The lines that are text, in their order."""
    text = [line for line in lines if _is_text(line)]
    if not text:
        return [] if sum(_signs(line) for line in lines) < FEW_SIGNS else list(lines)
    usual = median(_thickness(line) for line in ([line for line in text if _signs(line) >= WORD_SIGNS] or text))
    return [line for line in lines if _signs(line) >= WORD_SIGNS or line.confidence >= SIGN_CONFIDENCE or _thickness(line) <= LARGE * usual]


def is_long(line: TextLine) -> bool:
    """Whether a box has the shape of a line of text, read or not: shapes of pictures are hardly ever so slender."""
    sides = sorted((width(line.bbox), height(line.bbox)))
    return sides[1] >= LINE_SHAPE * sides[0]


def is_part_of(line: BBox, figure: BBox) -> bool:
    """Whether what stands in the box of a line is a part of a figure; both boxes in one unit."""
    return intersection_area(line, figure) >= WITHIN * max(area(line), 1e-6)


def picture_page(image: PageImage, ink_box: BBox) -> PageContent:
    """The content of a page that is one picture. `ink_box` is where its ink is, in pixels of the image."""
    x, y = image.width_pt / max(1, image.width_px), image.height_pt / max(1, image.height_px)
    box = rounded((ink_box[0] * x, ink_box[1] * y, ink_box[2] * x, ink_box[3] * y))
    return recognized_content(image, [Block(type=BlockType.FIGURE, bbox=box, confidence=PICTURE_CONFIDENCE)])


def is_picture_page(content: PageContent) -> bool:
    """Whether a recognized page is nothing but a picture."""
    return len(content.blocks) == 1 and content.blocks[0].type is BlockType.FIGURE


def _is_text(line: TextLine) -> bool:
    return line.confidence >= (WORD_CONFIDENCE if _signs(line) >= WORD_SIGNS else SIGN_CONFIDENCE)


def _signs(line: TextLine) -> int:
    """Characters, those of scripts that write words with one or two of them counted twice."""
    return sum(1 if ord(c) < 0x2E80 else 2 for c in line.text if not c.isspace())


def _thickness(line: TextLine) -> float:
    """Height of a line across its direction, in pixels."""
    return min(width(line.bbox), height(line.bbox)) if _signs(line) > 1 else height(line.bbox)
