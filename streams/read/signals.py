"""Plain numbers about a page that say whether its text layer tells what the page shows.

Promise: measures and decides nothing; `confidence.judge` decides. One pass over the spans, one over drawings and pictures; only pages on which these
leave a doubt pay for a small bitmap (`ink.py`) or the drawing order. Every step has a bound. Takes what the page pass has at hand, as MuPDF
gives it: boxes not yet turned by /Rotate, text not yet normalised. Must not know documents, settings or models.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pymupdf
from msgspec import Struct

from schemas.geometry import BBox, contains_point
from streams.read import ink
from streams.read.decoding import Decoding, FontShift, Span, judge_codes, text_of
from streams.read.language import SEPARATOR
from streams.read.words import unsound_share

PAINTED = 16 | 32 | 64
"""MuPDF's character flags: filled, stroked, used as a clip. Text with none of them is invisible (render mode 3)."""
UNMAPPED = 128 | 256
"""MuPDF's character flags: no Unicode known, so the character's code or glyph number stands in its place."""
BLANKS = " \t\n\r\u00a0\u2002\u2003\u3000"
"""White space in text; the control characters that Python counts as such are not, they are codes without meaning."""
PALE = 240
"""Least red, green and blue of text that may be white on white."""
MAX_PATH_ITEMS = 20_000
"""Path segments counted: a page of outlined text has tens of thousands, more tell nothing."""
MAX_BOXES = 4_000
"""Boxes compared with the ink: a page of single-glyph spans has about as many."""
MAX_IMAGE_PIXELS = 100_000_000
"""Pixels of all pictures together, up to which a page is drawn just to look at it: decoding more takes a second."""
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


class PageSignals(Struct, frozen=True, kw_only=True):
    """What was measured. Shares are 0..1 of `characters`, which counts all but white space, hidden or not.

    Shares of undecoded characters leave out leader dots, private codes with a known meaning and fonts in `shifts`. `unlikely_share`: characters
    in fonts whose text is no language. `hidden_share`: invisible, or under a picture. `unsound_share`: of hidden words, those no reader would
    accept. `curves`: outlines drawn. If `looked`, the bitmap gave `blank`, `stray_*` and `empty_share` (see `ink.Ink`), and
    `pictures_undecoded`: the page asks for pictures of which nothing can be shown.
    """

    characters: int = 0
    control_share: float = 0.0
    replacement_share: float = 0.0
    private_share: float = 0.0
    unmapped_share: float = 0.0
    shifted_share: float = 0.0
    unlikely_share: float = 0.0
    fragmented_share: float = 0.0
    overprinted_share: float = 0.0
    hidden_share: float = 0.0
    unsound_share: float = 0.0
    image_cover: float = 0.0
    curves: int = 0
    looked: bool = False
    blank: bool = False
    stray_characters: float = 0.0
    stray_line_characters: float = 0.0
    empty_share: float = 0.0
    pictures_undecoded: bool = False
    shifts: tuple[FontShift, ...] = ()


def collect_signals(
    page: pymupdf.Page, text: Mapping[str, Any], drawings: Sequence[Mapping[str, Any]], images: Sequence[Mapping[str, Any]]
) -> PageSignals:
    """Measures a page. `text` is `get_text("dict")` (pictures left out or not), `drawings` `get_cdrawings()`, `images` `get_image_info()`.

    Raises what MuPDF raises when the page cannot be drawn at all.
    """
    cover, pixels = _image_cover(page, images)
    spans, blanks = _spans(text)
    if cover >= LARGE_IMAGE and any(not span.hidden for span in spans) and (lids := _covering_pictures(page)):
        spans = [msgspec.structs.replace(span, hidden=True) if any(_center_in(span.box, lid) for lid in lids) else span for span in spans]
    decoding = judge_codes(spans)
    characters = sum(span.characters for span in spans)
    total = max(1, characters)
    hidden = [span for span in spans if span.hidden]
    signals = PageSignals(
        characters=characters,
        control_share=decoding.control / total,
        replacement_share=decoding.replacement / total,
        private_share=decoding.private / total,
        unmapped_share=decoding.unmapped / total,
        shifted_share=decoding.shifted / total,
        unlikely_share=decoding.unlikely / total,
        fragmented_share=decoding.fragmented,
        overprinted_share=_overprinted(spans) / total,
        hidden_share=sum(span.characters for span in hidden) / total,
        unsound_share=unsound_share(text_of(hidden).replace(SEPARATOR, " ")),
        image_cover=cover,
        curves=_curves(drawings),
        shifts=decoding.shifts,
    )
    if not characters and _is_empty(page):
        return msgspec.structs.replace(signals, blank=True)
    if pixels > MAX_IMAGE_PIXELS or not _is_doubtful(signals, spans, blanks, page.rect):
        return signals
    return _looked_at(page, signals, spans, decoding)


def _spans(text: Mapping[str, Any]) -> tuple[list[Span], int]:
    """The spans that hold more than white space, and the characters of those that do not."""
    spans, blanks = [], 0
    for block in text["blocks"]:
        for line in block.get("lines", ()):
            apart = True
            for span in line["spans"]:
                content = span["text"]
                characters = len(content) - content.count(" ")
                if not characters or not content.strip(BLANKS):
                    apart = True
                    blanks += len(content)
                    continue
                flags, colour = span["char_flags"], span["color"]
                hidden = not flags & PAINTED or span["alpha"] == 0
                pale = colour > 0xF00000 and min(colour >> 16 & 255, colour >> 8 & 255, colour & 255) >= PALE
                spans.append(Span(content, apart, span["font"], characters, hidden, pale, flags & UNMAPPED != 0, span["bbox"]))
                apart = False
    return spans, blanks


def _image_cover(page: pymupdf.Page, images: Sequence[Mapping[str, Any]]) -> tuple[float, int]:
    """(share of the page that pictures cover, overlaps counted twice but never above 1; pixels of all different pictures)."""
    if not images:
        return 0.0, 0
    sheet = page.rect * page.derotation_matrix
    covered, pixels = 0.0, {}
    for image in images:
        x0, y0, x1, y1 = image["bbox"]
        covered += max(0.0, min(x1, sheet.x1) - max(x0, sheet.x0)) * max(0.0, min(y1, sheet.y1) - max(y0, sheet.y0))
        pixels[image["width"], image["height"], image["size"]] = image["width"] * image["height"]
    return min(1.0, covered / max(abs(sheet.width * sheet.height), 1e-6)), sum(pixels.values())


def _covering_pictures(page: pymupdf.Page) -> list[BBox]:
    """Large pictures that are drawn over most of the text in their box: some tools put recognised text under the scan, not invisible."""
    log = page.get_bboxlog()
    area = abs(page.rect.width * page.rect.height)
    lids: list[BBox] = []
    for place, (kind, box) in enumerate(log):
        if kind == "fill-image" and abs((box[2] - box[0]) * (box[3] - box[1])) >= LID * area and len(lids) < MAX_LIDS:
            inside = [number < place for number, (other, spot) in enumerate(log) if other in TEXT_DRAWN and _center_in(spot, box)]
            if sum(inside) > MOST * len(inside):
                lids.append(box)
    return lids


def _center_in(box: BBox, other: BBox) -> bool:
    return contains_point(other, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def _curves(drawings: Sequence[Mapping[str, Any]]) -> int:
    """Curves drawn, and straight segments at a third each: letters of engineering drawings are made of those."""
    curves = lines = seen = 0
    for drawing in drawings:
        items = drawing.get("items", ())
        if len(items) > 1 or (items and items[0][0] != "re"):
            kinds = [item[0] for item in items]
            curves += kinds.count("c")
            lines += kinds.count("l")
            seen += len(kinds)
            if seen > MAX_PATH_ITEMS:
                break
    return curves + lines // 3


def _overprinted(spans: Sequence[Span]) -> int:
    """Characters of spans that stand a second time on the same place, to a point."""
    places = [(span.text, int(span.box[0] + 0.5), int(span.box[1] + 0.5)) for span in spans]
    if len(set(places)) == len(places):
        return 0
    first = {place: number for number, place in reversed(list(enumerate(places)))}
    return sum(span.characters for number, (span, place) in enumerate(zip(spans, places, strict=True)) if first[place] != number)


def _is_empty(page: pymupdf.Page) -> bool:
    """Whether a page has nothing to draw: no content stream and no annotation. Other formats than PDF are always drawn."""
    return bool(page.parent.is_pdf) and not page.get_contents() and page.first_annot is None and page.first_widget is None


def _is_doubtful(signals: PageSignals, spans: Sequence[Span], blanks: int, sheet: pymupdf.Rect) -> bool:
    """Whether only the page's ink can tell."""
    pale = sum(span.characters for span in spans if span.pale)
    little = signals.characters < LITTLE_TEXT and (signals.image_cover >= SOME_IMAGE or signals.curves >= OUTLINES)
    beside = signals.image_cover >= LARGE_IMAGE or signals.curves >= MANY_OUTLINES or little
    return (
        not signals.characters
        or (beside and signals.characters < CROWDED * abs(sheet.width * sheet.height))
        or signals.hidden_share > DOUBTFUL
        or signals.replacement_share > SOME_REPLACED
        or pale > DOUBTFUL * signals.characters
        or blanks > max(MANY_BLANKS, signals.characters)
    )


def _looked_at(page: pymupdf.Page, signals: PageSignals, spans: Sequence[Span], decoding: Decoding) -> PageSignals:
    """The signals completed from a bitmap of the page."""
    pymupdf.TOOLS.reset_mupdf_warnings()
    bitmap = ink.render_bitmap(page)
    complaints = bool(pymupdf.TOOLS.mupdf_warnings())
    matrix = page.rotation_matrix
    boxes: list[BBox] = [tuple((pymupdf.Rect(span.box) * matrix).normalize()) for span in spans[:MAX_BOXES]]
    runs = [(_part(boxes[run.span], run.start, run.end), run.characters) for run in decoding.runs if run.span < len(boxes)]
    seen = ink.measure(bitmap, boxes, [span.characters for span in spans[:MAX_BOXES]], [box for box, _ in runs])
    dots = sum(count for (_, count), thin in zip(runs, seen.thin_runs, strict=True) if thin)
    undecoded = seen.blank and not signals.characters and complaints and bool(page.get_images())
    return msgspec.structs.replace(
        signals,
        looked=True,
        blank=seen.blank and not undecoded,
        replacement_share=max(0.0, signals.replacement_share - dots / max(1, signals.characters)),
        stray_characters=seen.stray_characters,
        stray_line_characters=seen.stray_line_characters,
        empty_share=seen.empty_share,
        pictures_undecoded=undecoded,
    )


def _part(box: BBox, start: float, end: float) -> BBox:
    """A stretch along a line of text, as shares of its length; of upright text, where up and down are not known, all of it."""
    x0, y0, x1, y1 = box
    return (x0 + (x1 - x0) * start, y0, x0 + (x1 - x0) * end, y1) if x1 - x0 >= y1 - y0 else box
