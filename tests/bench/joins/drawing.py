"""Pages and type: where text may stand, how it is set and ruled. Draws with PyMuPDF; knows nothing of tables.

Fonts of the machine are used where they are installed, else the ones that PyMuPDF carries.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import pymupdf

_FONTS = Path("/usr/share/fonts/truetype")
_FAMILIES = {
    "dejavu": ("dejavu/DejaVuSans.ttf", "dejavu/DejaVuSans-Bold.ttf"),
    "dejavu_serif": ("dejavu/DejaVuSerif.ttf", "dejavu/DejaVuSerif-Bold.ttf"),
    "liberation": ("liberation/LiberationSans-Regular.ttf", "liberation/LiberationSans-Bold.ttf"),
    "liberation_serif": ("liberation/LiberationSerif-Regular.ttf", "liberation/LiberationSerif-Bold.ttf"),
    "liberation_narrow": ("liberation/LiberationSansNarrow-Regular.ttf", "liberation/LiberationSansNarrow-Bold.ttf"),
    "free_serif": ("freefont/FreeSerif.ttf", "freefont/FreeSerifBold.ttf"),
}
_BUILT_IN = (("helv", "hebo"), ("tiro", "tibo"), ("cour", "cobo"))
_BY_SCRIPT = {"han": "china-s", "kana": "japan", "hangul": "korea"}
_RUNS = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]+")


class Face(NamedTuple):
    """A regular and a bold font by their names, and the files to embed; None for fonts that every viewer has."""

    regular: str
    bold: str
    regular_file: str | None = None
    bold_file: str | None = None


def face(dice: Random, script: str) -> Face:
    """A type face that has the script's letters."""
    if script in _BY_SCRIPT:
        name = _BY_SCRIPT[script]
        return Face(name, name)
    families = [name for name, (regular, _) in _FAMILIES.items() if (_FONTS / regular).is_file()]
    if script == "latin" and (not families or dice.random() < 0.4):
        return Face(*dice.choice(_BUILT_IN))
    name = dice.choice(families)
    regular, bold = _FAMILIES[name]
    return Face(name, f"{name}_bold", str(_FONTS / regular), str(_FONTS / bold))


@cache
def _font(name: str, file: str | None) -> pymupdf.Font:
    return pymupdf.Font(fontfile=file) if file else pymupdf.Font(name)


@cache
def _advance(name: str, file: str | None, character: str) -> float:
    """The width of a character in type of one point."""
    return float(_font(name, file).text_length(character, 1.0))


def _length(name: str, file: str | None, text: str) -> float:
    return sum(_advance(name, file, character) for character in text)


def _runs(of: Face, text: str, *, bold: bool) -> list[tuple[str, str, str | None]]:
    """The text in runs of one font: (text, font, file). Letters of Latin script within CJK text have a face of their own, of usual width."""
    name, file = (of.bold, of.bold_file) if bold else (of.regular, of.regular_file)
    if name not in _BY_SCRIPT.values():
        return [(text, name, file)]
    return [(run, "hebo" if bold else "helv", None) if run.isascii() else (run, name, None) for run in _RUNS.findall(text)]


def text_width(of: Face, text: str, size: float, *, bold: bool = False) -> float:
    """Points that a line takes."""
    if of.regular in _BY_SCRIPT.values():
        return size * sum(_length(name, None, run) if run.isascii() else len(run) for run, name, _ in _runs(of, text, bold=bold))
    return size * _length(of.bold if bold else of.regular, of.bold_file if bold else of.regular_file, text)


def wrapped(of: Face, text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """The text in lines no wider than `width`; lines of Chinese, Japanese and Korean may end between any two signs."""
    spaced = not any(character >= "\u1100" for character in text)
    parts = text.split(" ") if spaced else list(text)
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]} {part}" if spaced and lines else (lines[-1] + part if lines else part)
        if lines and text_width(of, longer, size, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines or [""]


@dataclass
class Paper:
    """Size and margins in points. Odd pages have `inner` on the left; `shift` moves even ones."""

    width: float
    height: float
    top: float
    bottom: float
    inner: float
    outer: float

    def box(self, number: int) -> pymupdf.Rect:
        """The type area of a page."""
        left, right = (self.inner, self.outer) if number % 2 else (self.outer, self.inner)
        return pymupdf.Rect(left, self.top, self.width - right, self.height - self.bottom)


@dataclass
class Book:
    """A document that grows: frames of text are filled from top to bottom, then the next column or page begins."""

    paper: Paper
    type: Face
    size: float
    columns: int = 1
    head: str = ""
    foot: str = ""
    document: pymupdf.Document = field(default_factory=pymupdf.open)
    column: int = 0
    y: float = 0.0
    _registered: set[tuple[int, str]] = field(default_factory=set)
    _shape: pymupdf.Shape | None = None

    @property
    def number(self) -> int:
        """The page written on."""
        return len(self.document)

    @property
    def shape(self) -> pymupdf.Shape:
        """Where everything of the page is drawn; it is written once, as PyMuPDF reads a page's content again for each writing."""
        assert self._shape is not None
        return self._shape

    def finish(self) -> None:
        """Writes what was drawn on the page."""
        if self._shape is not None:
            self._shape.commit()

    @property
    def frame(self) -> pymupdf.Rect:
        """The column written in."""
        box = self.paper.box(self.number)
        gutter = 18.0
        wide = (box.width - gutter * (self.columns - 1)) / self.columns
        left = box.x0 + self.column * (wide + gutter)
        return pymupdf.Rect(left, box.y0, left + wide, box.y1)

    @property
    def left_below(self) -> float:
        """Points free down to the end of the frame."""
        return float(self.frame.y1 - self.y)

    def next_page(self) -> None:
        """A new page with its head and number."""
        self.finish()
        self._shape = self.document.new_page(width=self.paper.width, height=self.paper.height).new_shape()
        self.column, self.y = 0, self.paper.top
        box = self.paper.box(self.number)
        if self.head:
            self.write(box.x0, self.paper.top - 26, self.head, self.size * 0.85)
        if self.foot:
            text = self.foot.format(self.number)
            x = (box.x0 + box.x1) / 2 if self.number % 3 else box.x1 - text_width(self.type, text, self.size * 0.85)
            self.write(x, self.paper.height - self.paper.bottom + 22, text, self.size * 0.85)

    def next_frame(self) -> None:
        """The next column, or the next page."""
        if self.document and self.column + 1 < self.columns:
            self.column, self.y = self.column + 1, self.paper.top
        else:
            self.next_page()

    def write(self, x: float, baseline: float, text: str, size: float, *, bold: bool = False) -> None:
        """One line of text."""
        for run, name, file in _runs(self.type, text, bold=bold):
            if file and (self.number, name) not in self._registered:
                self.shape.page.insert_font(fontname=name, fontfile=file)
                self._registered.add((self.number, name))
            self.shape.insert_text((x, baseline), run, fontsize=size, fontname=name)
            x += text_width(self.type, run, size, bold=bold)

    def text(self, text: str, *, size: float | None = None, bold: bool = False, gap: float = 8.0) -> None:
        """A paragraph, heading or caption; it runs over to the next frame where this one is full."""
        size = size or self.size
        for line in wrapped(self.type, text, size, self.frame.width, bold=bold):
            if self.left_below < size * 1.3:
                self.next_frame()
            self.y += size * 1.25
            self.write(self.frame.x0, self.y - size * 0.3, line, size, bold=bold)
        self.y += gap
