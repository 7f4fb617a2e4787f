"""Drawings of a page from what the text pass tells of its vectors, so that most pages need no drawing pass.

Promise: pure. Where every vector is a filled box or a thin straight line, their boxes say all there is to say, and this gives the dicts that
`get_cdrawings` would, as far as anybody reads them; else None, and MuPDF has to be asked. The drawing pass costs a third of reading a page of
tables, and three pages of four need none: of 149 pages with drawings in 60 files, 130 are made of boxes and thin lines.
"""

from collections.abc import Mapping, Sequence
from typing import Any

THIN_PT = 3.0
"""A vector at most this thick is a line, filled or stroked: rulings are 0.2 to 2 points."""
MAX_VECTORS = 20_000
"""More are hatching or a map: the drawing pass has its own bound for those."""


def drawings_of(vectors: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]] | None:
    """The drawings of a page whose vectors (blocks of type 3 of a text pass) are all plain; None where one is not."""
    if len(vectors) > MAX_VECTORS:
        return None
    drawings: list[dict[str, Any]] = []
    for vector in vectors:
        x0, y0, x1, y1 = box = vector["bbox"]
        wide, high = x1 - x0, y1 - y0
        thin = min(wide, high)
        if thin > THIN_PT and (vector["stroked"] or not vector["isrect"]):
            return None  # the box of a stroked path with corners is larger than the path by many times its width
        code = vector["color"]
        colour = ((code >> 16 & 255) / 255, (code >> 8 & 255) / 255, (code & 255) / 255)
        opacity = vector["alpha"] / 255
        if not vector["stroked"]:
            drawings.append({"type": "f", "items": [("re", box, 1)], "rect": box, "fill": colour, "fill_opacity": opacity})
        else:
            # The box of a stroke is half its width larger all round.
            half = thin / 2
            ends = ((x0 + half, y0 + half), (x1 - half, y0 + half)) if wide >= high else ((x0 + half, y0 + half), (x0 + half, y1 - half))
            drawings.append({"type": "s", "items": [("l", *ends)], "rect": box, "color": colour, "stroke_opacity": opacity, "width": thin})
    return drawings
