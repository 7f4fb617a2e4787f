"""When a page is drawn small to be looked at, and what that tells: the step from text and boxes to ink.

Promise: a bitmap is taken only where the numbers at hand leave a doubt (`is_doubtful`), of bounded size, once. Boxes come as MuPDF gives them, not
yet turned by /Rotate. Must not know what the text says.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pymupdf
from msgspec import Struct

from schemas.geometry import BBox, contains_point, intersection_area
from streams.read.trust import ink
from streams.read.trust.alignment import Alignment, PlacedWord, measure_alignment
from streams.read.trust.decoding import Run, Span
from streams.read.trust.suspects import Suspect

MAX_BOXES = 4_000
"""Boxes compared with the ink: a page of single-glyph spans has about as many."""
LARGE_IMAGE = 0.5
"""Share of the page from which pictures may be a scan."""
LID = 0.7
"""Share of the page that a picture covers which hides text: a scan. Charts and maps are smaller, and often let text through."""
MOST = 0.7
MAX_LIDS = 4
TEXT_DRAWN = frozenset({"fill-text", "stroke-text"})
SOME_IMAGE = 0.12
"""Share of the page from which pictures beside little text may hold the text."""
LITTLE_TEXT = 300
"""Characters; a page of prose has 2,000 and more."""
OUTLINES = 400
"""Curves of about 30 letters drawn as paths."""
MANY_OUTLINES = 4_000
"""Curves of about 300 such letters: worth a look on any page."""
CROWDED = 0.004
"""Characters a square point, 2,000 on A4. The layer is distrusted for ink beside it from twice as many characters on, and a page so full has no
room for them (print of 9 pt fills A4 with 6,000): background pictures and maps of such pages need no look."""
DOUBTFUL = 0.3
"""Share of characters hidden or pale from which the ink decides."""
SOME_REPLACED = 0.015
MANY_BLANKS = 200
"""White space in spans of nothing else; more of it than of text may be a font that calls all its letters spaces."""
FIGURE = 0.08
"""Share of the page from which a picture beside sound text is looked into: a third of a column."""
MAX_FIGURES = 6
FIGURE_CHARACTERS = 60.0
"""Characters that a figure of text has at the least: two lines."""
FIGURE_LINES = 0.6
"""Share of a figure's text-like ink in long lines; labels of charts and maps reach half."""


_LETTER = re.compile(r"[^\W_]")


class Doubt(Struct, frozen=True):
    """The numbers that say whether a look is worth its cost. `pale`, `blanks`: characters; `curves`: outlines."""

    characters: int
    image_cover: float
    curves: int
    hidden_share: float
    replacement_share: float
    pale: int
    blanks: int


class Look(Struct, frozen=True, kw_only=True):
    """What the bitmap showed: as in `signals.PageSignals`; `dots`: of the characters that nobody can read, those that are leader dots."""

    blank: bool
    dots: int
    stray_characters: float
    stray_line_characters: float
    empty_share: float
    whole_characters: float = 0.0
    whole_line_characters: float = 0.0
    outside_share: float = 0.0
    crossed_share: float = 0.0
    vacant_share: float = 0.0
    pictures_undecoded: bool = False
    content_lost: bool = False
    suspects: tuple[Suspect, ...] = ()


def is_doubtful(doubt: Doubt, page: pymupdf.Page) -> bool:
    """Whether only the page's ink can tell. The page is asked for its size where that decides."""
    little = doubt.characters < LITTLE_TEXT and (doubt.image_cover >= SOME_IMAGE or doubt.curves >= OUTLINES)
    beside = doubt.image_cover >= LARGE_IMAGE or doubt.curves >= MANY_OUTLINES or little
    return (
        not doubt.characters
        or (beside and doubt.characters < CROWDED * abs(page.rect.width * page.rect.height))
        or doubt.hidden_share > DOUBTFUL
        or doubt.replacement_share > SOME_REPLACED
        or doubt.pale > DOUBTFUL * doubt.characters
        or doubt.blanks > max(MANY_BLANKS, doubt.characters)
    )


def covering_pictures(page: pymupdf.Page) -> list[BBox]:
    """Large pictures that are drawn over most of the text in their box: some tools put recognised text under the scan, not invisible."""
    log = page.get_bboxlog()
    area = abs(page.rect.width * page.rect.height)
    lids: list[BBox] = []
    for place, (kind, box) in enumerate(log):
        if kind == "fill-image" and abs((box[2] - box[0]) * (box[3] - box[1])) >= LID * area and len(lids) < MAX_LIDS:
            inside = [number < place for number, (other, spot) in enumerate(log) if other in TEXT_DRAWN and in_any(spot, (box,))]
            if sum(inside) > MOST * len(inside):
                lids.append(box)
    return lids


def in_any(box: BBox, others: Sequence[BBox]) -> bool:
    """Whether the centre of a box lies in any of the others."""
    return any(contains_point(other, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for other in others)


def look_at(page: pymupdf.Page, spans: Sequence[Span], runs: Sequence[Run]) -> Look:
    """Draws a page and compares its ink with its text. Raises what MuPDF raises when it cannot be drawn."""
    pymupdf.TOOLS.reset_mupdf_warnings()
    bitmap = ink.render_bitmap(page)
    complaints = bool(pymupdf.TOOLS.mupdf_warnings())
    matrix = turn_of(page)
    boxes = [_displayed(span.box, matrix) for span in spans[:MAX_BOXES]]
    dotted = [(_part(boxes[run.span], run.start, run.end), run.characters) for run in runs if run.span < len(boxes)]
    total = sum(span.characters for span in spans)
    recognised = sum(span.characters for span in spans if span.hidden) > DOUBTFUL * total
    seen = ink.measure(bitmap, boxes, [span.characters for span in spans[:MAX_BOXES]], [box for box, _ in dotted], whole=recognised)
    found = _alignment(page, bitmap) if recognised else Alignment()
    undecoded = seen.blank and not total and complaints and bool(page.get_images())
    lost = seen.blank and not total and not undecoded and (complaints or _draws_outside(page))
    return Look(
        blank=seen.blank and not undecoded and not lost,
        dots=sum(count for (_, count), thin in zip(dotted, seen.thin_runs, strict=True) if thin),
        stray_characters=seen.stray_characters,
        stray_line_characters=seen.stray_line_characters,
        whole_characters=seen.whole_characters,
        whole_line_characters=seen.whole_line_characters,
        outside_share=seen.outside_share,
        empty_share=seen.empty_share,
        crossed_share=found.crossed,
        vacant_share=found.vacant,
        pictures_undecoded=undecoded,
        content_lost=lost,
    )


def pictures_with_text(page: pymupdf.Page, images: Sequence[Mapping[str, Any]], spans: Sequence[Span]) -> tuple[Suspect, ...]:
    """Pictures on a page of sound text that show text themselves: scanned letters, screens, tables as pictures; no ground of the page's own text."""
    sheet, matrix = page.rect, turn_of(page)
    wanted = [box for image in images if _is_figure(box := _displayed(image["bbox"], matrix), sheet)]
    found: list[Suspect] = []
    for box in wanted[:MAX_FIGURES]:
        within = [(shown, span) for span in spans if intersection_area(box, shown := _displayed(span.box, matrix)) > 0]
        boxes = [shown for shown, _ in within]
        written = sum(span.characters for _, span in within if not span.hidden)
        bitmap = ink.render_bitmap(page, box)
        moved = [(x0 - box[0], y0 - box[1], x1 - box[0], y1 - box[1]) for x0, y0, x1, y1 in boxes]
        seen = ink.measure(bitmap, moved, [1] * len(moved))
        if seen.stray_line_characters >= max(FIGURE_CHARACTERS, FIGURE_LINES * seen.stray_characters, written):
            found.append(Suspect(box=box, reason="ink_without_text", characters=round(seen.stray_line_characters)))
    return tuple(found)


def _is_figure(box: BBox, sheet: pymupdf.Rect) -> bool:
    """Whether a picture is large enough to hold lines of text, and not the page's ground."""
    share = (box[2] - box[0]) * (box[3] - box[1]) / max(abs(sheet.width * sheet.height), 1e-6)
    return bool(FIGURE <= share < LID)


def _alignment(page: pymupdf.Page, bitmap: ink.Bitmap) -> Alignment:
    matrix = turn_of(page)
    # words of signs are leader dots and rules, too thin to be seen at this size, and remain so where one of them is taken for a letter
    written = [word for word in page.get_text("words") if 2 * len(_LETTER.findall(word[4])) > len(word[4])]
    words = [PlacedWord(_displayed(word[:4], matrix), (word[5], word[6])) for word in written]
    return measure_alignment(ink.strokes_of(bitmap), bitmap.scale, words)


def _draws_outside(page: pymupdf.Page) -> bool:
    """Whether a page that shows nothing draws something beside what it shows: its crop box is wrong, not its content empty."""
    sheet = page.rect
    return any(box[2] <= 0 or box[3] <= 0 or box[0] >= sheet.width or box[1] >= sheet.height for _, box in page.get_bboxlog())


def turn_of(page: pymupdf.Page) -> pymupdf.Matrix | None:
    """What turns MuPDF's boxes to the page as displayed; None where they are so already."""
    return page.rotation_matrix if page.rotation else None


def _displayed(box: Sequence[float], matrix: pymupdf.Matrix | None) -> BBox:
    """A box on the page as displayed."""
    if matrix is None:
        return (box[0], box[1], box[2], box[3])
    turned: BBox = tuple((pymupdf.Rect(box[:4]) * matrix).normalize())
    return turned


def _part(box: BBox, start: float, end: float) -> BBox:
    """A stretch along a line of text, as shares of its length; of upright text, where up and down are not known, all of it."""
    x0, y0, x1, y1 = box
    return (x0 + (x1 - x0) * start, y0, x0 + (x1 - x0) * end, y1) if x1 - x0 >= y1 - y0 else box
