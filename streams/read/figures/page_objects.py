"""What stands on one page besides lines of text and tables: pictures, drawn figures, equations. Pure functions of what was found.

Each word of the page is in one place afterwards: in a figure as its label, in an equation, or still among the fragments.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from schemas.content import Block
from schemas.geometry import BBox, area, center, contains_point, height, intersection_area, width
from streams.read.blocks.lines import Fragment
from streams.read.figures.charts import find_charts, framed_figures
from streams.read.figures.elements import find_figures
from streams.read.figures.equations import find_equations
from streams.read.turning import Matrix, to_page

PROSE_LETTERS, PROSE_LINES = 30, 2
"""Longer lines than so many letters are prose, and more of them than so many lie on no picture that is a figure."""
BAR, BAR_LINES = 4.0, 3.0
"""A picture so many times as wide as high, and so many sizes of type high at most, is a bar behind the line of text on it."""
MAX_FIELDS_TAKEN = 400
"""Form fields whose drawing is left out of figures: each path of the page is compared with each."""


class PageObjects(Struct):
    """Tables, figures and equations as blocks, the fragments that are in none of them, and the panels that none of them fills."""

    blocks: list[Block]
    fragments: list[Fragment]
    panels: list[BBox]


def objects_of_page(
    drawings: Sequence[Mapping[str, Any]],
    images: Sequence[dict[str, Any]],
    tables: Sequence[Block],
    fragments: Sequence[Fragment],
    panels: Sequence[BBox],
    fields: Sequence[BBox],
    box: BBox,
    matrix: Matrix | None,
) -> PageObjects:
    """The objects of a page. `fragments` are those outside of tables; `panels` as `panels.find_panels` gives them; what is drawn in the areas of
    form `fields` are frames and arrows of these.
    """
    pictures = [
        picture
        for picture in find_figures(images, box, matrix)
        if not any(contains_point(table.bbox, *center(picture.bbox)) for table in tables) and not _is_background(picture.bbox, fragments)
    ]
    taken = [*(block.bbox for block in (*tables, *pictures)), *fields[:MAX_FIELDS_TAKEN]]
    charts, labels = find_charts(drawings, fragments, taken, box, matrix)
    left = _without(fragments, labels)
    figures, labels = framed_figures([*pictures, *charts], panels, left)
    left = _without(left, labels)
    equations, pieces = find_equations(left)
    left = _without(left, pieces)
    blocks = [*tables, *figures, *equations]
    free = [panel for panel in panels if not any(intersection_area(panel, block.bbox) > 0.6 * area(panel) for block in blocks)]
    return PageObjects(blocks, left, free)


def _without(fragments: Sequence[Fragment], taken: set[int]) -> list[Fragment]:
    return [f for index, f in enumerate(fragments) if index not in taken] if taken else list(fragments)


def _is_background(box: BBox, fragments: Sequence[Fragment]) -> bool:
    """Whether lines of prose run over a picture: then it is decoration, or the scan that the text was recognised from; so is a bar behind a
    heading.
    """
    if width(box) > BAR * height(box):
        over = (fragment for fragment in fragments if fragment.letters > 1 and contains_point(box, *center(to_page(fragment.box, fragment.angle))))
        if any(height(box) < BAR_LINES * fragment.style.size_pt for fragment in over):
            return True
    prose = (fragment for fragment in fragments if fragment.letters > PROSE_LETTERS)
    return sum(contains_point(box, *center(to_page(fragment.box, fragment.angle))) for fragment in prose) > PROSE_LINES
