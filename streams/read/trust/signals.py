"""Plain numbers about a page that say whether its text layer tells what the page shows.

Promise: measures and decides nothing; `confidence.judge` decides. One pass over the spans, one over drawings and pictures; only pages on which these
leave a doubt pay for a small bitmap (`looking.py`). Every step has a bound. Takes what the page pass has at hand, as MuPDF gives it: boxes not yet
turned by /Rotate, text not yet normalised. Must not know documents, settings or models.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
import numpy as np
import pymupdf
from msgspec import Struct

from streams.read.characters.word_gaps import glued_letters
from streams.read.language.letter_pairs import in_runs
from streams.read.language.likelihood import SEPARATOR, unshift
from streams.read.language.misreadings import misread_share
from streams.read.language.strangeness import judge_words
from streams.read.language.words import unsound_share
from streams.read.trust.decoding import FEWEST_BAD, Decoding, FontShift, PageText, Span, judge_codes, page_text
from streams.read.trust.looking import LARGE_IMAGE, Doubt, Look, covering_pictures, in_any, is_doubtful, look_at, pictures_with_text, turn_of
from streams.read.trust.suspects import Suspect, suspect_lines
from streams.read.trust.wording import wording_of

PAINTED = 16 | 32 | 64
"""MuPDF's character flags: filled, stroked, used as a clip. Text with none of them is invisible (render mode 3)."""
UNMAPPED = 128 | 256
"""MuPDF's character flags: no Unicode known, so the character's code or glyph number stands in its place."""
BLANKS = " \t\n\r\u00a0\u2002\u2003\u3000"
"""White space in text; the control characters that Python counts as such are not, they are codes without meaning."""
PALE, WHITISH = 240, 0xF00000
"""Least red, green and blue of text that may be white on white; no lower code of a colour is one of those."""
SOME_BAD = 0.2
"""Share of a page from which even fewer than `FEWEST_BAD` characters count: one stray code in a short note is 4 %."""
MAX_PATH_ITEMS = 20_000
"""Path segments counted: a page of outlined text has tens of thousands, more tell nothing."""

_SPACE, _DOT, _MIDDLE_DOT, _UNKNOWN = 0x20, 0x2E, 0xB7, 0xFFFD
MAX_IMAGE_PIXELS = 100_000_000
"""Pixels of all pictures together, up to which a page is drawn just to look at it: decoding more takes a second."""
MAX_FIGURE_PIXELS = 12_000_000
"""The same for pictures beside sound text, of which only a part of the page could be wrong: a tenth of a second."""


class PageSignals(Struct, frozen=True, kw_only=True):
    """What was measured. Shares are 0..1 of `characters`, which counts all but white space, hidden or not.

    Shares of undecoded characters leave out leader dots, private codes with a known meaning and fonts in `shifts`. `unlikely_share`: characters in
    fonts whose text is no language; of text whose `shifts` are undone, `rare_share`, `mixed_share`, `odd_share`: letters of words that are none (see
    `strangeness`). `glued_share`: letters of words longer than any language has. `wordless_share`: how surely 0..1 its sentences lack the words
    that sentences have; `foreign_share`: its words with letters together that no language of the script has; `interchanged`: nats a pair of letters
    that it would win by exchanging letters (see `interchange`). `hidden_share`: invisible, or under a picture. Of hidden words: `unsound_share`,
    those no reader would accept; `misread_share`, those with a slip (see `misreadings`). `curves`: outlines drawn. If `looked`, the bitmap gave
    `blank`, `stray_*` and `empty_share` (see `ink.Ink`), of hidden text `whole_*`, `outside_share`, `crossed_share` and `vacant_share` (see
    `alignment`), and why a page without ink is not called blank: `pictures_undecoded`, it asks for pictures of which nothing can be shown;
    `content_lost`, its drawing broke off, or lies beside the page. `suspects`: places whose text is bad while the rest may be sound.
    """

    characters: int = 0
    control_share: float = 0.0
    replacement_share: float = 0.0
    private_share: float = 0.0
    unmapped_share: float = 0.0
    shifted_share: float = 0.0
    unlikely_share: float = 0.0
    rare_share: float = 0.0
    mixed_share: float = 0.0
    odd_share: float = 0.0
    glued_share: float = 0.0
    wordless_share: float = 0.0
    foreign_share: float = 0.0
    interchanged: float = 0.0
    fragmented_share: float = 0.0
    overprinted_share: float = 0.0
    hidden_share: float = 0.0
    unsound_share: float = 0.0
    misread_share: float = 0.0
    image_cover: float = 0.0
    curves: int = 0
    looked: bool = False
    blank: bool = False
    stray_characters: float = 0.0
    stray_line_characters: float = 0.0
    whole_characters: float = 0.0
    whole_line_characters: float = 0.0
    outside_share: float = 0.0
    empty_share: float = 0.0
    crossed_share: float = 0.0
    vacant_share: float = 0.0
    pictures_undecoded: bool = False
    content_lost: bool = False
    shifts: tuple[FontShift, ...] = ()
    suspects: tuple[Suspect, ...] = ()


def collect_signals(
    page: pymupdf.Page,
    text: Mapping[str, Any],
    drawings: Sequence[Mapping[str, Any]],
    images: Sequence[Mapping[str, Any]],
    *,
    figures: bool = False,
) -> PageSignals:
    """Measures a page. `text` is `get_text("dict")` (pictures left out or not), `drawings` `get_cdrawings()`, `images` `get_image_info()`.

    `figures`: also looks into pictures beside sound text for text; they must be drawn for it, so it is for those who would have them read.

    Raises what MuPDF raises when the page cannot be drawn at all.
    """
    cover, pixels = _image_cover(page, images)
    spans, blanks = _spans(text)
    if cover >= LARGE_IMAGE and any(not span.hidden for span in spans) and (lids := covering_pictures(page)):
        spans = [msgspec.structs.replace(span, hidden=True) if in_any(span.box, lids) else span for span in spans]
    read = page_text(spans)
    decoding = judge_codes(spans, read)
    signals = msgspec.structs.replace(_of_text(spans, read, decoding, page), image_cover=cover, curves=_curves(drawings))
    if not signals.characters and _is_empty(page):
        return msgspec.structs.replace(signals, blank=True)
    pale = sum(span.characters for span in spans if span.pale)
    doubt = Doubt(signals.characters, cover, signals.curves, signals.hidden_share, signals.replacement_share, pale, blanks)
    if not is_doubtful(doubt, page) or pixels > MAX_IMAGE_PIXELS:
        if not figures or pixels > MAX_FIGURE_PIXELS:
            return signals
        return msgspec.structs.replace(signals, suspects=signals.suspects + pictures_with_text(page, images, spans))
    return _completed(signals, look_at(page, spans, decoding.runs))


def _of_text(spans: list[Span], read: PageText, decoding: Decoding, page: pymupdf.Page) -> PageSignals:
    """What the characters and words of the spans of a page tell; `read` is their text."""
    characters = sum([span.characters for span in spans])
    hidden = [span for span in spans if span.hidden]
    undone, text = spans, read
    if decoding.shifts:
        undone = _undone(spans, decoding.shifts)
        text = page_text(undone)
    words = judge_words(text.codes, text.pairs)
    total = max(1, characters - _leaders(text))
    wording = wording_of(text, words, decoding)
    under = text if len(hidden) in (0, len(spans)) else page_text(hidden)
    return PageSignals(
        characters=characters,
        control_share=_bad_share(decoding.control, total),
        replacement_share=_bad_share(decoding.replacement, total),
        private_share=min(1.0, decoding.private / total),
        unmapped_share=min(1.0, decoding.unmapped / total),
        shifted_share=decoding.shifted / max(1, characters),
        unlikely_share=decoding.unlikely / max(1, characters),
        rare_share=wording.rare_share,
        mixed_share=words.share(words.mixed),
        odd_share=words.share(words.odd),
        glued_share=glued_letters(text.whole.replace(SEPARATOR, " ")) / max(1, characters),
        wordless_share=wording.wordless_share,
        foreign_share=wording.foreign_share,
        interchanged=wording.interchanged,
        fragmented_share=decoding.fragmented,
        overprinted_share=_overprinted(spans) / max(1, characters),
        hidden_share=sum([span.characters for span in hidden]) / max(1, characters),
        unsound_share=unsound_share(under.whole.replace(SEPARATOR, " ")) if hidden else 0.0,
        misread_share=misread_share(under.codes, under.pairs) if hidden else 0.0,
        shifts=decoding.shifts,
        suspects=suspect_lines(undone, words, partial(turn_of, page), decoding.amiss),
    )


def _leaders(text: PageText) -> int:
    """Characters that lead the eye or rule a line: most of a page of contents, and they say nothing. Of U+FFFD the ink tells (`Look.dots`)."""
    codes = text.codes[(text.codes != _SPACE) & (text.codes != ord(SEPARATOR))]  # dots may stand apart, each in a span of its own
    return int(np.count_nonzero((in_runs(codes) & (codes != _UNKNOWN)) | (codes == _DOT) | (codes == _MIDDLE_DOT)))


def _bad_share(count: int, total: int) -> float:
    """Share of undecoded characters, 0 of so few that they say nothing about the others."""
    return 0.0 if count < min(FEWEST_BAD, SOME_BAD * total) else min(1.0, count / total)


def _completed(signals: PageSignals, look: Look) -> PageSignals:
    """The signals with what the bitmap showed."""
    return msgspec.structs.replace(
        signals,
        looked=True,
        blank=look.blank,
        replacement_share=max(0.0, signals.replacement_share - look.dots / max(1, signals.characters)),
        stray_characters=look.stray_characters,
        stray_line_characters=look.stray_line_characters,
        whole_characters=look.whole_characters,
        whole_line_characters=look.whole_line_characters,
        outside_share=look.outside_share,
        empty_share=look.empty_share,
        crossed_share=look.crossed_share,
        vacant_share=look.vacant_share,
        pictures_undecoded=look.pictures_undecoded,
        content_lost=look.content_lost,
        suspects=signals.suspects + look.suspects,
    )


def _spans(text: Mapping[str, Any]) -> tuple[list[Span], int]:
    """The spans that hold more than white space, and the characters of those that do not. Plain loops: a page has a thousand spans."""
    spans, blanks = [], 0
    for block in text["blocks"]:
        for line in block.get("lines", ()):
            apart = True
            for span in line["spans"]:
                content: str = span["text"]
                characters = len(content) - content.count(" ")
                if not characters or (content.isspace() and not content.strip(BLANKS)):
                    apart = True
                    blanks += len(content)
                    continue
                flags = span["char_flags"]
                hidden, pale = not flags & PAINTED or span["alpha"] == 0, span["color"] > WHITISH and is_pale(span)
                spans.append(Span(content, apart, span["font"], characters, hidden, pale, flags & UNMAPPED != 0, span["bbox"]))
                apart = False
    return spans, blanks


def is_invisible(span: Mapping[str, Any]) -> bool:
    """Whether nothing of a span is painted."""
    return not span["char_flags"] & PAINTED or span["alpha"] == 0


def is_pale(span: Mapping[str, Any]) -> bool:
    """Whether a span is white, or nearly."""
    colour: int = span["color"]
    return colour > WHITISH and min(colour >> 16 & 255, colour >> 8 & 255, colour & 255) >= PALE


def _undone(spans: list[Span], shifts: Sequence[FontShift]) -> list[Span]:
    """The spans as they read once the shifts of their fonts are undone."""
    if not shifts:
        return spans
    known = {found.font: found.shift for found in shifts}
    return [
        msgspec.structs.replace(span, text=unshift(span.text, shift), unmapped=False) if (shift := known.get(span.font)) else span for span in spans
    ]


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


def _curves(drawings: Sequence[Mapping[str, Any]]) -> int:
    """Curves drawn, and straight segments at a third each: letters of engineering drawings are made of those."""
    curves = lines = seen = 0
    for drawing in drawings:
        items = drawing.get("items", ())
        if len(items) == 1:
            kind = items[0][0]
            lines += kind == "l"
            curves += kind == "c"
            seen += kind != "re"
            if seen > MAX_PATH_ITEMS:
                break
        elif items:
            kinds = [item[0] for item in items]
            curves += kinds.count("c")
            lines += kinds.count("l")
            seen += len(kinds)
            if seen > MAX_PATH_ITEMS:
                break
    return curves + lines // 3


def _overprinted(spans: Sequence[Span]) -> int:
    """Characters of spans that stand a second time on the same place, to a point."""
    texts = Counter([span.text for span in spans])
    if len(texts) == len(spans):
        return 0
    seen, count = set[tuple[str, int, int]](), 0
    for span in spans:
        if texts[span.text] > 1:
            place = span.text, int(span.box[0] + 0.5), int(span.box[1] + 0.5)
            if place in seen:
                count += span.characters
            seen.add(place)
    return count


def _is_empty(page: pymupdf.Page) -> bool:
    """Whether a page has nothing to draw: no content stream and no annotation. Other formats than PDF are always drawn."""
    return bool(page.parent.is_pdf) and not page.get_contents() and page.first_annot is None and page.first_widget is None
