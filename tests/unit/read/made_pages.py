"""Pages made in code, sound and broken in the ways that fonts, scanners and recognition break them.

The trick of the broken ones: what a page shows and what its text layer says are set apart. Letters are drawn with glyphs of a font that comes
with PyMuPDF, while the font's ToUnicode map, written here, names any character for each glyph, or none.
"""

import io
import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pymupdf
from PIL import Image

from streams.read.trust.confidence import Verdict, judge
from streams.read.trust.signals import PageSignals, collect_signals

A4 = (595.0, 842.0)
LEFT, TOP, LEADING, SIZE = 72.0, 90.0, 15.0, 11.0
Layer = Callable[[str], str | None]
TEXT_FLAGS = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES


def signals_of(page: pymupdf.Page) -> PageSignals:
    """The signals, from the same passes as the reader's."""
    return collect_signals(page, page.get_text("dict", flags=TEXT_FLAGS), page.get_cdrawings(), page.get_image_info())


def verdict_of(page: pymupdf.Page) -> Verdict:
    """The verdict on a page."""
    return judge(signals_of(page))


def lines_of(text: str, width: int = 74, repeat: int = 1) -> list[str]:
    """Text cut into lines of at most `width` characters, at spaces where there are any."""
    lines, line = [], ""
    words = (text + " ") * repeat
    for word in words.split(" ") if " " in text.strip() else [words[i : i + 30] for i in range(0, len(words), 30)]:
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line] if line else lines


@cache
def _font() -> pymupdf.Font:
    return pymupdf.Font("cjk")


def glyph_of(letter: str) -> int:
    """A glyph that shows the letter, or one that stands in for it where the font lacks it (one glyph for each letter)."""
    return _font().has_glyph(ord(letter)) or 3000 + ord(letter) % 9000


class Sheet:
    """One page that is drawn on; `document[0]` after `done` reads it as a stored file would be read."""

    def __init__(self, size: tuple[float, float] = A4) -> None:
        self.document = pymupdf.open()
        self.page = self.document.new_page(width=size[0], height=size[1])
        self.content: list[bytes] = []
        self.fonts: dict[str, int] = {}

    def font(self, name: str, letters: str, layer: Layer | None) -> None:
        """A font whose text layer says `layer(letter)` for each letter; None says nothing. `layer` None leaves out the whole map."""
        stored = self.page.insert_font(fontname=name, fontbuffer=_font().buffer)
        xref = self.document.get_new_xref()
        self.document.update_object(xref, self.document.xref_object(stored))  # a second font of the same file is one object to PyMuPDF
        resources = int(self.document.xref_get_key(self.page.xref, "Resources")[1].split()[0])
        self.document.xref_set_key(resources, f"Font/{name}", f"{xref} 0 R")
        if layer is None:
            self.document.xref_set_key(xref, "ToUnicode", "null")
        else:
            pairs = sorted({(glyph_of(letter), said) for letter in letters if (said := layer(letter)) is not None})
            rows = "\n".join(f"<{glyph:04x}> <{said.encode('utf-16-be').hex()}>" for glyph, said in pairs)
            space = "1 begincodespacerange\n<0000> <ffff>\nendcodespacerange"
            cmap = f"/CIDInit /ProcSet findresource begin\nbegincmap\n{space}\n{len(pairs)} beginbfchar\n{rows}\nendbfchar\nendcmap\nend"
            target = self.document.get_new_xref()
            self.document.update_object(target, "<<>>")
            self.document.update_stream(target, cmap.encode())
            self.document.xref_set_key(xref, "ToUnicode", f"{target} 0 R")
        self.fonts[name] = xref

    def write(
        self, lines: Sequence[str], layer: Layer | None = lambda letter: letter, *, name: str = "F1", top: float = TOP, left: float = LEFT,
        size: float = SIZE, mode: int = 0, grey: float = 0.0, leading: float = LEADING,
    ) -> "Sheet":  # fmt: skip
        """Lines of text with a font of their own."""
        self.font(name, "".join(lines), layer)
        if any("\u0590" <= letter <= "\u08ff" for line in lines for letter in line):
            lines = [line[::-1] for line in lines]  # as in real files: glyphs in the order in which they stand on the page
        height = self.page.rect.height
        for number, line in enumerate(lines):
            codes = "".join(f"{glyph_of(letter):04x}" for letter in line)
            place = f"1 0 0 1 {left} {height - top - number * leading} Tm"
            self.content.append(f"BT /{name} {size} Tf {mode} Tr {grey} g {place} <{codes}> Tj ET".encode())
        return self

    def draw(self, content: str) -> "Sheet":
        """Raw content, in PDF's own coordinates."""
        self.content.append(content.encode())
        return self

    def image(self, picture: bytes, box: tuple[float, float, float, float] | None = None) -> "Sheet":
        """A picture; drawn before or after text in the order of the calls."""
        self._flush()
        self.page.insert_image(pymupdf.Rect(box or self.page.rect), stream=picture, keep_proportion=False)
        return self

    def _flush(self) -> None:
        if self.content:
            xref = self.document.get_new_xref()
            self.document.update_object(xref, "<<>>")
            self.document.update_stream(xref, b"q\n" + b"\n".join(self.content) + b"\nQ\n")
            have = [f"{number} 0 R" for number in self.page.get_contents()]
            self.document.xref_set_key(self.page.xref, "Contents", f"[{' '.join([*have, f'{xref} 0 R'])}]")
            self.content = []

    def done(self, rotation: int = 0) -> pymupdf.Page:
        """The page, stored and opened again. Keeps its document alive."""
        self._flush()
        self.page.set_rotation(rotation)
        page = pymupdf.open("pdf", self.document.tobytes())[0]
        self.document.close()
        return page


def text_page(text: str, layer: Layer | None = lambda letter: letter, *, rotation: int = 0, **how: Any) -> pymupdf.Page:
    """A page of prose."""
    return Sheet().write(lines_of(text, repeat=2), layer, **how).done(rotation)


def picture_of(page: pymupdf.Page, dpi: int = 120, quality: int = 80) -> bytes:
    """A scan of a page: what it shows, as JPEG with a little noise."""
    pixmap = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
    grey = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)[:, : pixmap.width].astype(np.int16)
    noisy = np.clip(grey * 0.92 + np.random.default_rng(5).normal(6, 4, grey.shape), 0, 255).astype(np.uint8)
    return as_jpeg(noisy, quality)


def as_jpeg(grey: np.ndarray, quality: int = 80) -> bytes:
    """Grey or colour pixels as JPEG."""
    buffer = io.BytesIO()
    Image.fromarray(grey).save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def photograph(width: int = 800, height: int = 1100, level: int = 128, spread: int = 60) -> bytes:
    """Something like a photograph: clouds of grey at several scales."""
    rng = np.random.default_rng(11)
    total = np.zeros((height, width))
    for cells in (3, 7, 15, 40, 90):
        small = Image.fromarray(rng.normal(0, 1, (cells, cells)).astype(np.float32))
        total += np.asarray(small.resize((width, height), Image.Resampling.BICUBIC)) / cells**0.4
    total = (total - total.mean()) / total.std()
    return as_jpeg(np.clip(level + spread * total, 0, 255).astype(np.uint8))


def misread(text: str, rate: float, seed: int = 3) -> str:
    """What bad recognition makes of a text: characters wrong at `rate`, by signs, digits and odd capitals."""
    rng = random.Random(seed)
    wrong = "1l|!;:.,'^~*«»£§%&/\\#@3568SBGXKV"
    return "".join(rng.choice(wrong) if letter != " " and rng.random() < rate else letter for letter in text)


def shuffled(text: str, seed: int = 7) -> Layer:
    """A map that names another letter of the same text for each letter: valid characters, no language."""
    letters = sorted({letter for letter in text if letter.isalpha()})
    others = letters[:]
    random.Random(seed).shuffle(others)
    table = dict(zip(letters, others, strict=True))
    return lambda letter: table.get(letter, letter)
