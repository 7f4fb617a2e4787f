"""Signs for the glyphs of a readable page that have no meaning in its text layer. A door to PyMuPDF.

A font of symbols without a map says "\x03" for a minus; dropped, "-0.9393" is another number. Such a glyph is drawn once for each code of its font
and told by its shape (`glyph_shapes`). What draws nothing is taken out; what is not told stays as it is, for others to judge.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pymupdf

from streams.read.characters.symbol_fonts import pictures_of
from streams.read.fonts.glyph_shapes import ink_of, shape_of, sign_of
from streams.read.fonts.sign_names import CODES
from streams.read.parser_errors import PARSER_ERRORS
from streams.read.trust.signals import UNMAPPED

_CODES = re.compile(f"[{CODES}\x0b\x0c\x7f-\x9f]")
MOST_SHARE, MOST = 0.04, 300
"""Of the characters of a page, and in all: with more the page is undecodable, which is not for single glyphs to mend."""
MAX_KINDS = 24
"""Codes by font that are drawn for a page, half a millisecond each."""
EM_PIXELS = 48.0
WIDEST = 2.0
"""Ems of a sign; a file may say any width, and what is drawn takes memory by it."""
LEAST_SIZE, LARGEST_SIZE = 3.0, 200.0
"""Points; smaller is no text to be read, larger is no sign in a line."""

Char = dict[str, Any]


def has_unnamed_glyphs(text: str) -> bool:
    """Whether some characters of a page's text, and only some, are codes without a meaning."""
    return not text.isprintable() and 0 < len(_CODES.findall(text)) <= min(MOST, MOST_SHARE * len(text))


def name_glyphs(page: pymupdf.Page, raw: Mapping[str, Any]) -> bool:
    """Gives the level glyphs without a meaning of a raw dictionary the signs that they show, in place: whether there were any.

    A page that is turned keeps its own.
    """
    if page.rotation:
        return False
    found: dict[tuple[str, str], str | None] = {}
    drawn: pymupdf.DisplayList | None = None
    for span in _spans(raw):
        for char in span["chars"]:
            kind = span["font"], char["c"]
            if not _CODES.match(char["c"]) or (kind not in found and len(found) >= MAX_KINDS):
                continue
            if kind not in found:
                try:
                    drawn = drawn or page.get_displaylist(annots=0)
                    found[kind] = _sign(drawn, char, span["size"])
                except PARSER_ERRORS:
                    found[kind] = ""
            char["c"] = found[kind] or char["c"]
        span["chars"] = [char for char in span["chars"] if found.get((span["font"], char["c"]), "") is not None]
        if not any(_CODES.match(char["c"]) for char in span["chars"]):
            span["char_flags"] &= ~UNMAPPED
    return any(sign != "" for sign in found.values())


def _sign(drawn: pymupdf.DisplayList, char: Char, size: float) -> str | None:
    """What a glyph shows: a sign, "" where it is not told, None where it draws nothing."""
    x0, _, x1, _ = char["bbox"]
    base, scale = char["origin"][1], EM_PIXELS / size
    if x1 - x0 > WIDEST * size:
        return ""
    box = pymupdf.Rect(x0, base - size, max(x1, x0 + 0.1 * size), base + 0.4 * size)
    picture = drawn.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, clip=box)
    if not picture.width or not picture.height or _is_even(picture):
        return None
    shape = shape_of(ink_of(picture), (base * scale) - picture.y, EM_PIXELS)
    return None if shape is None else sign_of(shape)


def _is_even(picture: pymupdf.Pixmap) -> bool:
    """Whether a grey picture shows one grey; PyMuPDF's `is_unicolor` asks pixel by pixel, for milliseconds."""
    samples = picture.samples
    return bool(samples.count(samples[:1]) == len(samples))


def _spans(raw: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The spans of level lines that hold codes without a meaning, but those of fonts whose codes have one by the font's name."""
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            if line["wmode"] or line["dir"][0] < 0.99:
                continue
            for span in line["spans"]:
                if (
                    LEAST_SIZE <= span["size"] <= LARGEST_SIZE
                    and _CODES.search("".join([char["c"] for char in span["chars"]]))  # no span of nearly all that have none
                    and pictures_of(span["font"]) is None
                    and any(_CODES.match(c["c"]) for c in span["chars"])
                ):
                    yield span
