"""Text that something drawn later lies over: names blacked out, lines whited out. Nobody sees it, so it is no part of what the page shows.

Promise: a character is left out only where a path that lets nothing through, or a picture without a mask, was drawn after it and over it, and where
the page's bitmap shows one even grey in its place: a highlight that lets text through (blend modes, opacity) hides nothing. Where something else
stands on a white or black box, the order of drawing alone decides, for its place is no longer even. The order costs nothing: the text pass numbers
blocks of text and vectors as they are drawn. Only a page with text under a later vector pays for more.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import pymupdf
from msgspec import Struct

from schemas.geometry import BBox, area, center, contains_point, overlap_x, overlap_y, union
from streams.read.hidden.unseen import shows_nothing
from streams.read.trust.ink import Bitmap, render_bitmap
from streams.read.trust.looking import LID, TEXT_DRAWN
from streams.read.trust.signals import MAX_IMAGE_PIXELS
from streams.read.turning import Matrix, turn_box

COVERED = "covered_text"
"""The reason."""
MIN_COVER_PT = 5.0
"""Height and width of what may cover text: rules and underlines are thinner, the smallest print is not."""
OPAQUE = 250
"""Least opacity of 255 of what may cover text."""
MOST_OF = 0.6
"""Share of a line's height that must be covered: the shading of a table's row reaches into the line above by less."""
MAX_COVERS, MAX_TALL, MAX_PICTURES = 5_000, 200, 50
"""Covers, lines of turned text and pictures looked at on a page: maps have thousands of paths, and their text comes last."""
REACH_PT = 40.0
"""Half the height of the largest lines that are looked for by their middle; higher ones are compared with every cover."""
FEW_LOOKS, MARGIN_PT = 6, 4.0
"""Up to so many places are drawn each alone, with a margin, which costs as much as reading the page's text; of more, the page is drawn once."""
GROUND = 0.95
"""Share of the page's width from which a picture is its ground, or a strip of a scan."""
FEW_PIXELS, EVEN_BYTES = 10_000, 0.03
"""A picture of one colour has few pixels, or takes so little for each: a photo takes 0.1 and more, a JPEG of one colour 0.01."""
WHITE, BLACK = 245, 10
"""Least and most grey of a box that whites or blacks out."""
NEVER = 1 << 30


class _Cover(Struct, frozen=True):
    """Something drawn over text: its box and place in the order of drawing; `plain`: a white or black rectangle; `after`: of a picture, the boxes
    of text that was drawn after it.
    """

    box: BBox
    number: int
    plain: bool
    after: tuple[BBox, ...] = ()


class _Line(Struct, frozen=True):
    """A line of text, as block and line of the dictionary, and when it was drawn."""

    box: BBox
    number: int
    block: int
    line: int


def uncovered(
    page: pymupdf.Page,
    content: Mapping[str, Any],
    vectors: Sequence[Mapping[str, Any]],
    images: Sequence[Mapping[str, Any]],
    characters: Callable[[], dict[str, Any]],
    matrix: Matrix | None,
) -> dict[str, Any] | None:
    """The raw dictionary of a page's text (`characters` gives it) without what is covered; None where nothing is.

    `content` is its dictionary, `vectors` and `images` as MuPDF gives them. Raises what MuPDF raises when the page cannot be drawn.
    """
    blocks = content["blocks"]
    if not blocks:
        return None
    first = blocks[0].get("number", NEVER)
    covers = [_of_vector(vector) for vector in vectors if vector["number"] > first and _may_cover(vector)]
    widest = GROUND * abs((page.rect * page.derotation_matrix).width) if images else 0.0
    pictures = [image["bbox"] for image in images if not image.get("has-mask") and _may_be_even(image, widest)][:MAX_PICTURES]
    if not covers and not pictures:
        return None
    lines = _lines(blocks)
    pairs = _pairs(covers[:MAX_COVERS], lines)
    if pictures and (over := [box for box in pictures if _pairs([_Cover(box, NEVER, plain=False)], lines)]):
        pairs += _pairs(_of_pictures(page, over), lines)
    if not pairs or sum(image["width"] * image["height"] for image in images) > MAX_IMAGE_PIXELS:
        return None
    seen = partial(_shows_nothing, page, matrix, cache(lambda: render_bitmap(page)), cache(page.get_displaylist), len(pairs) > FEW_LOOKS)
    later = [(block["number"], block["bbox"]) for block in (*blocks, *vectors) if "number" in block]
    hidden = [(cover, line) for cover, line in pairs if _is_hidden(_common(cover.box, line.box), cover, later, seen)]
    return _without(characters(), hidden) if hidden else None


def _shows_nothing(
    page: pymupdf.Page, matrix: Matrix | None, whole: Callable[[], Bitmap], drawn: Callable[[], Any], many: bool, place: BBox
) -> bool:  # fmt: skip
    """Whether the page shows one even grey in a place. `many`: it is drawn as a whole, once, else in this place alone."""
    shown = turn_box(place, matrix)
    if many:
        return shows_nothing(whole(), shown)
    left, top = max(0.0, shown[0] - MARGIN_PT), max(0.0, shown[1] - MARGIN_PT)
    part = render_bitmap(page, (left, top, shown[2] + MARGIN_PT, shown[3] + MARGIN_PT), drawn())
    return shows_nothing(part, (shown[0] - left, shown[1] - top, shown[2] - left, shown[3] - top))


def _may_be_even(image: Mapping[str, Any], widest: float) -> bool:
    """Whether a picture may be of one colour, by what little room it takes in the file. One as wide as the page is its ground, or of a scan."""
    pixels = image["width"] * image["height"]
    if not _is_thick(image["bbox"]) or image["bbox"][2] - image["bbox"][0] > widest:
        return False
    return bool(pixels <= FEW_PIXELS or image["size"] <= EVEN_BYTES * pixels)


def _may_cover(vector: Mapping[str, Any]) -> bool:
    """Whether a vector fills its box: a rectangle. The box of another path, filled or stroked, is often a frame around nothing."""
    return vector["isrect"] and not vector["stroked"] and vector["alpha"] >= OPAQUE and _is_thick(vector["bbox"])


def _is_thick(box: BBox) -> bool:
    return min(box[2] - box[0], box[3] - box[1]) >= MIN_COVER_PT


def _of_vector(vector: Mapping[str, Any]) -> _Cover:
    code = vector["color"]
    shades = code >> 16 & 255, code >> 8 & 255, code & 255
    return _Cover(vector["bbox"], vector["number"], plain=min(shades) >= WHITE or max(shades) <= BLACK)


def _of_pictures(page: pymupdf.Page, boxes: Sequence[BBox]) -> list[_Cover]:
    """The pictures in these boxes with the text that was drawn after them. Those that cover a page are scans, and for the judge of the page."""
    log = page.get_bboxlog()
    sheet = abs(page.rect.width * page.rect.height)
    found: list[_Cover] = []
    for place, (kind, box) in enumerate(log):
        wanted = kind == "fill-image" and area(box) < LID * sheet and any(max(abs(a - b) for a, b in zip(box, one, strict=True)) < 1 for one in boxes)
        if wanted and len(found) < MAX_PICTURES:
            after = tuple(spot for other, spot in log[place + 1 :] if other in TEXT_DRAWN and _lies_on(spot, box))
            found.append(_Cover(box, NEVER, plain=False, after=after))
    return found


def _lines(blocks: Sequence[Mapping[str, Any]]) -> list[_Line]:
    found = [
        _Line(line["bbox"], block.get("number", NEVER), number, place)
        for number, block in enumerate(blocks)
        for place, line in enumerate(block.get("lines", ()))
    ]
    found.sort(key=lambda line: line.box[1] + line.box[3])
    return found


def _pairs(covers: Sequence[_Cover], lines: Sequence[_Line]) -> list[tuple[_Cover, _Line]]:
    """Covers with the lines under them. `lines` from top to bottom."""
    middles = [(line.box[1] + line.box[3]) / 2 for line in lines]
    tall = [line for line in lines if line.box[3] - line.box[1] > 2 * REACH_PT][:MAX_TALL]
    found: list[tuple[_Cover, _Line]] = []
    for cover in covers:
        near = lines[bisect_left(middles, cover.box[1] - REACH_PT) : bisect_right(middles, cover.box[3] + REACH_PT)]
        number, (x0, y0, x1, y1) = cover.number, cover.box
        for line in near:
            if line.number < number:  # most lines are drawn on what might cover them
                a0, b0, a1, b1 = line.box
                # told apart at once, but for lines without an extent
                beside = a1 <= x0 or a0 >= x1 or b1 <= y0 or b0 >= y1
                if not (beside and a0 < a1 and b0 < b1) and _is_under(line, cover):
                    found.append((cover, line))
        found += [(cover, line) for line in tall if line.number < number and line not in near and _is_under(line, cover)]
    return found


def _common(one: BBox, other: BBox) -> BBox:
    """The part that two boxes share."""
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _is_under(line: _Line, cover: _Cover) -> bool:
    return line.number < cover.number and _lies_on(cover.box, line.box) and not any(_lies_on(spot, line.box) for spot in cover.after)


def _lies_on(box: BBox, line: BBox) -> bool:
    """Whether a box covers the height of a line, over a letter's width at the least."""
    wide, high = line[2] - line[0], line[3] - line[1]
    least = MOST_OF * (high if high < wide else wide)
    return overlap_x(box, line) >= least and overlap_y(box, line) >= least


def _is_hidden(place: BBox, cover: _Cover, drawn: Sequence[tuple[int, BBox]], shows_nothing_in: Callable[[BBox], bool]) -> bool:
    """Whether text in a place below a cover cannot be seen. `drawn`: text and vectors with their places in the order of drawing; where one of them
    stands on a plain cover, the bitmap cannot tell what lies below.
    """
    if cover.plain and any(number > cover.number and overlap_x(place, box) > 0 and overlap_y(place, box) > 0 for number, box in drawn):
        return True
    return shows_nothing_in(place)


def _without(raw: dict[str, Any], hidden: Sequence[tuple[_Cover, _Line]]) -> dict[str, Any] | None:
    """The raw dictionary less the characters of lines below their covers, a space in the place of each run of them; None where there are none."""
    gone: set[int] = set()
    for cover, line in hidden:
        lines = raw["blocks"][line.block].get("lines", ()) if line.block < len(raw["blocks"]) else ()
        chars = [char for span in lines[line.line]["spans"] for char in span["chars"]] if line.line < len(lines) else []
        gone.update(id(char) for char in chars if not char["c"].isspace() and contains_point(cover.box, *center(char["bbox"])))
    if not gone:
        return None
    for block in raw["blocks"]:
        for text_line in block.get("lines", ()):
            _leave_out(text_line, gone)
        block["lines"] = [text_line for text_line in block.get("lines", ()) if text_line["spans"]]
    return {**raw, "blocks": [block for block in raw["blocks"] if block["lines"]]}


def _leave_out(line: dict[str, Any], gone: set[int]) -> None:
    """Takes characters out of a line; what stood on both sides of them stays apart."""
    changed = False
    for span in line["spans"]:
        kept: list[Mapping[str, Any]] = []
        for char in span["chars"]:
            if id(char) not in gone:
                kept.append(char)
            elif not kept or not kept[-1]["c"].isspace():
                kept.append({**char, "c": " "})
        if len(kept) != len(span["chars"]) or any(a is not b for a, b in zip(kept, span["chars"], strict=True)):
            changed = True
            span["chars"] = kept
    if changed:
        line["spans"] = [span for span in line["spans"] if any(not char["c"].isspace() for char in span["chars"])]
        shown = [char["bbox"] for span in line["spans"] for char in span["chars"] if not char["c"].isspace()]
        line["bbox"] = union(shown)
        for span in line["spans"]:
            span["bbox"] = union(char["bbox"] for char in span["chars"] if not char["c"].isspace())
