"""Pictures of HTML: which are shown, what stands for them in words, and the bytes of those that lie inside the document. Nothing is fetched."""

import base64
import binascii
import re
from collections.abc import Callable
from pathlib import PurePosixPath
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from msgspec import Struct

from streams.read.structure.logical_page import Picture
from streams.read.structure.markup.inline_text import normalised
from streams.read.structure.markup.tree import Element, classes_of, value_of

Loader = Callable[[str], tuple[bytes, str] | None]
"""From a picture's address to its bytes and media type; None for what does not lie inside the document."""

MAX_PICTURE_CHARACTERS = 48_000_000
"""Of a `data:` address: a photo of 50 megapixels in base 64."""
MAX_ALTERNATIVE = 2_000
MAX_NAME = 200
SMALL_PX = 32
"""Pictures of up to this size in both directions are signs in a line: an emoji, a flag, a bullet."""

_DATA = re.compile(r"data:(image/[a-z0-9.+-]{1,40})((?:;[^,;]{0,100}){0,4}),", re.IGNORECASE)
_FORMULA_CLASS = re.compile(r"math|latex|\btex\b|equation", re.IGNORECASE)
_NO_NAME = re.compile(r"[0-9a-f-]{16,}|image\d*|img\d*|spacer|blank|pixel|transparent", re.IGNORECASE)


class Shown(Struct, frozen=True):
    """A picture that a reader of the page sees. `is_inline`: its text stands in the line; else it is a figure. `is_formula`: its text is LaTeX.
    `picture.block` is not set yet.
    """

    text: str
    is_inline: bool
    picture: Picture | None = None
    is_formula: bool = False


def shown_picture(element: Element, load: Loader) -> Shown | None:
    """What an `img`, an SVG `image` or an image button shows; None for decoration and for what only counts its readers."""
    address = _address(element)
    alternative = element.get("alt")
    text = normalised((alternative or value_of(element, "title") or value_of(element, "aria-label"))[:MAX_ALTERNATIVE])
    width, height = _pixels(element, "width"), _pixels(element, "height")
    if min(width or SMALL_PX, height or SMALL_PX) <= 2:
        return None  # lines, spacers and counters
    if text and (_FORMULA_CLASS.search(" ".join(classes_of(element))) is not None):
        return Shown(text, is_inline=True, is_formula=True)
    if width is not None and height is not None and max(width, height) <= SMALL_PX:
        return Shown(text, is_inline=True) if text else None
    found = load(address) if address else None
    if found is not None:
        return Shown(text, is_inline=False, picture=Picture(block=0, data=found[0], media_type=found[1]))
    if not text and alternative is None:
        text = _name(address)
    return Shown(text, is_inline=False) if text else None


def load_data(address: str) -> tuple[bytes, str] | None:
    """The picture that a `data:` address holds; None for any other address."""
    found = _DATA.match(address[:500])
    if found is None or len(address) > MAX_PICTURE_CHARACTERS:
        return None
    body = address[found.end() :]
    if ";base64" not in found[2].lower():
        return unquote_to_bytes(body), found[1].lower()
    try:
        return base64.b64decode(re.sub(r"[^A-Za-z0-9+/=]", "", unquote(body)), validate=True), found[1].lower()
    except (binascii.Error, ValueError):
        return None


def _address(element: Element) -> str:
    for attribute in ("src", "data-src", "data-original", "href", "{http://www.w3.org/1999/xlink}href", "xlink:href"):
        if address := value_of(element, attribute).strip():
            return address
    return ""


def _pixels(element: Element, attribute: str) -> float | None:
    """A size in pixels where the element says one in pixels."""
    found = re.fullmatch(r"\s*(\d{1,6}(?:\.\d{0,6})?)(?:px)?\s*", value_of(element, attribute))
    return float(found[1]) if found else None


def _name(address: str) -> str:
    """The name of a picture's file, where it may tell something."""
    if not address or address.lower().startswith("data:"):
        return ""
    try:
        name = PurePosixPath(unquote(urlsplit(address).path)).name[:MAX_NAME]
    except ValueError:
        return ""
    return "" if _NO_NAME.fullmatch(PurePosixPath(name).stem) else normalised(name)
