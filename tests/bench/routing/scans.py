"""What scanners and recognition make of a page: noisy pictures, and layers of words over them with errors.

Errors are those of recognition: letters taken for their likes or for others of the script, digits and signs inside words, letters lost, doubled,
words split and run together. The rate is the share of characters wrong.
"""

import random

import numpy as np
from msgspec import Struct
from PIL import Image

from tests.bench.routing.drawing import INVISIBLE, Draft, Line, rendered
from tests.bench.routing.fonts import Face
from tests.bench.routing.layouts import Style
from tests.bench.routing.pictures import as_jpeg
from tests.bench.routing.words import SPACELESS, SYLLABIC

LIKES = {
    "e": "c", "c": "e", "o": "0", "l": "1", "i": "l", "a": "o", "n": "u", "u": "n", "h": "b", "b": "h", "t": "f", "f": "t", "s": "5", "g": "9",
    "B": "8", "S": "5", "O": "0", "I": "l", "r": "r", "m": "rn", "w": "vv", "d": "cl", "v": "y", "y": "v", "k": "lc",
    "и": "н", "н": "и", "п": "л", "л": "п", "о": "0", "з": "3", "е": "с", "с": "е", "ш": "щ", "т": "г", "в": "б",
    "ο": "σ", "σ": "ο", "ν": "υ", "υ": "ν", "α": "ο", "ι": "ί", "η": "π", "τ": "ι",
    "ר": "ד", "ד": "ר", "ה": "ח", "ח": "ה", "ו": "ן", "ן": "ו", "ב": "כ", "כ": "ב", "ם": "ס", "ס": "ם", "י": "'",
    "ب": "ت", "ت": "ب", "ن": "ي", "ي": "ن", "ح": "ج", "ج": "خ", "د": "ذ", "ر": "ز", "ز": "ر", "ف": "ق", "ق": "ف", "ع": "غ", "س": "ش",
}  # fmt: skip
"""What a letter is taken for most often."""
SIGNS = "1l|!;:.,'^~*«»§%&/\\#@3568"
DPI = (72.0, 100.0)
"""Scans are small: what is measured of them is looked at with 72 dots an inch."""


class Reading(Struct, frozen=True, kw_only=True):
    """How recognition went: `rate` wrong characters 0..1, `cover` the share of the lines that it found, `by_line`: boxes of lines, not of words."""

    rate: float = 0.0
    cover: float = 1.0
    by_line: bool = False


def scanned(draft: Draft, faces: tuple[Face, ...], rng: random.Random) -> Draft:
    """A page that shows a draft as one picture: noise, grey paper, a little askew."""
    pixmap = rendered(draft, faces, rng.uniform(*DPI))
    grey = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)[:, : pixmap.width]
    if rng.random() < 0.5:
        picture = Image.fromarray(np.ascontiguousarray(grey)).rotate(rng.uniform(-0.4, 0.4), Image.Resampling.BILINEAR, fillcolor=255)
        grey = np.asarray(picture)
    noise = np.random.default_rng(rng.getrandbits(32)).normal(0, rng.uniform(1, 5), grey.shape)
    paper = rng.uniform(0.85, 1.0)
    data = as_jpeg(np.clip(grey * paper + noise, 0, 255).astype(np.uint8), rng.choice((40, 60, 75)))
    return Draft(
        width=draft.width, height=draft.height, lines=[], art=[], pictures=[((0, 0, draft.width, draft.height), data)], rotation=draft.rotation
    )


def read_layer(draft: Draft, style: Style, rng: random.Random, reading: Reading) -> list[Line]:
    """The invisible lines that recognition puts over a scan of a draft."""
    found: list[Line] = []
    script = style.words.script
    if script in SYLLABIC:  # a wrong character may be any that the font has, not only a common one
        letters = "".join(letter for letter in style.faces[0].glyphs if letter.isalpha() and not letter.isascii())
    else:
        letters = "".join(rng.choices(style.words.words, cum_weights=style.words.cumulated, k=200))
    kept = draft.lines
    if reading.cover < 1.0:  # the upper part of the page, or lines here and there
        count = max(1, int(reading.cover * len(draft.lines)))
        places = range(count) if rng.random() < 0.5 else sorted(rng.sample(range(len(draft.lines)), count))
        kept = [draft.lines[place] for place in places]
    for line in kept:
        scale = line.size / style.size
        parts = [line.text] if reading.by_line or style.words.script in SPACELESS else line.text.split(" ")
        x, way = line.x, -1 if line.right_to_left else 1
        for part in parts:
            width = style.measure(part) * scale
            text = misread(part, reading.rate, letters, rng)
            said = style.measure(text) * scale
            if text.strip() and said > 0:
                jitter = rng.uniform(-0.6, 0.6)
                tail = "" if len(parts) == 1 else " "
                # the gap is not part of the stretch: words of recognition are placed one by one
                found.append(
                    Line(
                        x=x + jitter,
                        y=line.y + jitter,
                        size=line.size,
                        text=text + tail,
                        right_to_left=line.right_to_left,
                        mode=INVISIBLE,
                        stretch=min(4.0, max(0.25, width / said)),
                    )
                )
            x += way * (width + style.measure(" ") * scale)
    return found


def misread(text: str, rate: float, letters: str, rng: random.Random) -> str:
    """A text with so many characters wrong; other letters come from `letters`."""
    out: list[str] = []
    for letter in text:
        if letter == " " or rng.random() >= rate:
            out.append(letter)
            continue
        way = rng.random()
        if way < 0.35:
            out.append(LIKES.get(letter, rng.choice(letters)))
        elif way < 0.6:
            out.append(rng.choice(letters))
        elif way < 0.78:
            out.append(rng.choice(SIGNS))
        elif way < 0.88:
            pass
        elif way < 0.95:
            out += [letter, rng.choice(letters)]
        else:
            out += [letter, " "]
    return "".join(out)
