"""Sound pages of many kinds: what offices, presses and programs print. Each layout is a function of a document's style and random numbers.

Nothing here is broken: `faults` breaks copies of these pages.
"""

import random
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from tests.bench.routing.drawing import Draft, Line
from tests.bench.routing.fonts import Face, shaped
from tests.bench.routing.pictures import photograph
from tests.bench.routing.words import Vocabulary, known_words, paragraph, sentence, title, vocabulary, words_of

SIZES = ((595.0, 842.0), (612.0, 792.0), (499.0, 709.0), (595.0, 842.0))


class Style(Struct, frozen=True):
    """How a document looks: its faces, words, page and type."""

    faces: tuple[Face, ...]
    words: Vocabulary
    width: float
    height: float
    margin: float
    size: float
    leading: float
    header: str

    @property
    def right(self) -> float:
        """Right edge of the text."""
        return self.width - self.margin

    def measure(self, text: str) -> float:
        """Width of a text at the style's size; letters of the second face count as that one draws them."""
        main, plain = self.faces[0], self.faces[1]
        shown = [glyph for glyph, _ in shaped(text, main)] if self.words.script == "arabic" else text
        return self.size * sum((main if letter in main.glyphs else plain).glyphs.get(letter, (0, 0.3))[1] for letter in shown)


def style_of(words: Vocabulary, faces: tuple[Face, ...], rng: random.Random) -> Style:
    """A style of its own for each document."""
    width, height = rng.choice(SIZES)
    size = rng.choice((8.5, 9.0, 10.0, 10.5, 11.0, 12.0))
    return Style(faces, words, width, height, rng.uniform(45, 80), size, rng.uniform(1.25, 1.6), title(words, rng, 3))


def wrapped(style: Style, text: str, width: float) -> list[str]:
    """Text in lines of at most `width` points."""
    gap = style.words.gap
    parts = text.split(" ") if gap else list(text)
    lines, line, used = [], list[str](), 0.0
    space = style.measure(" ") if gap else 0.0
    for part in parts:
        long = style.measure(part)
        if line and used + space + long > width:
            lines.append(gap.join(line))
            line, used = [], 0.0
        used += long + (space if line else 0.0)
        line.append(part)
    return [*lines, gap.join(line)]


def put(style: Style, left: float, right: float, y: float, text: str, **how: float) -> Line:
    """A line between two edges, at the one where its script starts."""
    backwards = style.words.right_to_left
    return Line(x=right if backwards else left, y=y, size=how.get("size", style.size), text=text, right_to_left=backwards, grey=how.get("grey", 0.0))


def _blank(style: Style, rng: random.Random, *, landscape: bool = False) -> Draft:
    width, height = (style.height, style.width) if landscape else (style.width, style.height)
    draft = Draft(width=width, height=height, lines=[], art=[], pictures=[])
    if rng.random() < 0.6:
        draft.lines.append(put(style, style.margin, width - style.margin, 32, style.header, size=8.0))
    return draft


def _fill(style: Style, draft: Draft, rng: random.Random, edges: tuple[float, float], top: float, bottom: float) -> None:
    """Paragraphs from `top` down to `bottom` between two edges."""
    step, y = style.size * style.leading, top
    while y < bottom - 2 * step:
        lines = wrapped(style, paragraph(style.words, rng, rng.randint(160, 600)), edges[1] - edges[0])
        for line in lines[: int((bottom - y) / step)]:
            draft.lines.append(put(style, *edges, y, line))
            y += step
        y += rng.choice((0.0, step / 2))


def prose(style: Style, rng: random.Random) -> Draft:
    """One column, full or ending early."""
    draft = _blank(style, rng)
    _fill(style, draft, rng, (style.margin, style.right), style.margin + 20, style.height - style.margin * rng.choice((1.0, 1.0, 3.0, 5.0)))
    return draft


def bilingual(style: Style, rng: random.Random) -> Draft:
    """Half a page in the document's language, half in another one: abstracts, manuals, treaties."""
    other = rng.choice([language for language in ("en", "fr", "de") if language != style.words.language])
    beside = replace(style, words=vocabulary("latin", other, rng, style.faces[1].glyphs))
    draft, middle = _blank(style, rng), style.height * rng.uniform(0.35, 0.65)
    _fill(style, draft, rng, (style.margin, style.right), style.margin + 20, middle)
    _fill(beside, draft, rng, (style.margin, style.right), middle + 10, style.height - style.margin)
    return draft


def columns(style: Style, rng: random.Random) -> Draft:
    """Two columns under a heading."""
    draft = _blank(style, rng)
    draft.lines.append(put(style, style.margin, style.right, style.margin + 18, title(style.words, rng), size=style.size * 1.5))
    half = (style.right - style.margin - 18) / 2
    for left in (style.margin, style.margin + half + 18):
        _fill(style, draft, rng, (left, left + half), style.margin + 45, style.height - style.margin)
    return draft


def _number(rng: random.Random) -> str:
    value = rng.choice((rng.randint(0, 99), rng.randint(1000, 99_999), round(rng.uniform(-99, 999), 1)))
    return f"{value:,}" if rng.random() < 0.9 else rng.choice(("–", "n/a", "..", f"{rng.randint(1, 99)}%"))


def numbers(style: Style, rng: random.Random) -> Draft:
    """A table of numbers with short heads, ruled or not."""
    draft = _blank(style, rng)
    count, step = rng.randint(4, 8), style.size * style.leading
    first = 0.28 * (style.right - style.margin)
    wide = (style.right - style.margin - first) / count
    y = style.margin + 30
    ruled = rng.random() < 0.6
    while y < style.height - style.margin * rng.choice((1, 1, 4)):
        draft.lines.append(put(style, style.margin, style.margin + first, y, _short(style, rng, first)))
        for column in range(count):
            text = _number(rng)
            right = style.margin + first + (column + 1) * wide - 4
            draft.lines.append(Line(x=right - style.measure(text), y=y, size=style.size, text=text))
        if ruled:
            draft.art.append(f"0.5 w {style.margin:.1f} {style.height - y - 3:.1f} m {style.right:.1f} {style.height - y - 3:.1f} l S")
        y += step
    return draft


def _short(style: Style, rng: random.Random, width: float) -> str:
    """A title that fits a width."""
    return wrapped(style, title(style.words, rng, rng.randint(1, 3)), width)[0]


def code(style: Style, rng: random.Random) -> Draft:
    """A listing: identifiers, signs and indents, with a comment in the document's language."""
    draft, y, indent = _blank(style, rng), style.margin + 20, 0
    known = [word for word, _ in known_words("latin", "en")[:3_000] if len(word) > 2]
    joints = rng.choice((("_", str.lower), ("", str.title)))
    names = [joints[0].join(joints[1](word) for word in rng.sample(known, rng.randint(1, 3))) for _ in range(24)]
    while y < style.height - style.margin:
        a, b, c = rng.choices(names, k=3)
        text = rng.choice((f"{a} = {b}({c}, {rng.randint(0, 99)})", f"if ({a} != {b}) {{", f"return {a}[{b}] + {c};", "}", f"for {a} in {b}.{c}():"))
        draft.lines.append(Line(x=style.margin + 14 * indent, y=y, size=style.size * 0.9, text=text, face=1))
        if rng.random() < 0.15:
            draft.lines.append(put(style, style.margin + 230, style.right, y, "# " + _short(style, rng, 150)))
        indent = max(0, min(5, indent + rng.choice((-1, 0, 0, 1))))
        y += style.size * 1.3
    return draft


def form(style: Style, rng: random.Random) -> Draft:
    """Labels, boxes and a few answers."""
    draft, y = _blank(style, rng), style.margin + 30
    half = (style.right - style.margin) / 2
    while y < style.height - style.margin:
        for left in (style.margin, style.margin + half):
            draft.lines.append(put(style, left, left + half - 20, y, f"{_short(style, rng, half / 2)}:", size=8.0))
            draft.art.append(f"0.6 w {left:.1f} {style.height - y - 22:.1f} {half - 14:.1f} 18 re S")
            if rng.random() < 0.6:
                answer = rng.choice(
                    (_short(style, rng, half / 2), f"{rng.randint(1, 28)}.{rng.randint(1, 12)}.{rng.randint(1950, 2026)}", _number(rng))
                )
                draft.lines.append(put(style, left + 4, left + half - 22, y + 17, answer))
        y += 42
    return draft


def contents(style: Style, rng: random.Random) -> Draft:
    """A page of contents with dots that lead to page numbers."""
    draft, y, page = _blank(style, rng), style.margin + 40, 1
    dot = rng.choice((".", ". ", "·"))
    while y < style.height - style.margin:
        page += rng.randint(1, 9)
        head = _short(style, rng, (style.right - style.margin) * 0.6)
        room = style.right - style.margin - style.measure(head) - style.measure(f" {page}")
        draft.lines.append(put(style, style.margin, style.right, y, f"{head} {dot * max(3, int(room / max(style.measure(dot), 1.5)) - 2)} {page}"))
        y += style.size * style.leading * 1.1
    return draft


def parts(style: Style, rng: random.Random) -> Draft:
    """A list of part numbers, quantities and names."""
    draft, y = _blank(style, rng), style.margin + 30
    while y < style.height - style.margin:
        letters = "".join(rng.choices("ABCDEFGHJKLMNPRSTUVWXYZ", k=3))
        cells = (
            f"{letters}-{rng.randint(1000, 99_999)}/{rng.choice('ABX')}",
            str(rng.randint(1, 40)),
            rng.choice(("M6x20", "DIN 912", '1/2"', "IP65")),
        )
        for cell, left in zip(cells, (0.0, 0.3, 0.4), strict=True):
            draft.lines.append(Line(x=style.margin + left * (style.right - style.margin), y=y, size=style.size, text=cell))
        left = style.margin + 0.55 * (style.right - style.margin)
        draft.lines.append(put(style, left, style.right, y, _short(style, rng, style.right - left)))
        y += style.size * style.leading
    return draft


def slide(style: Style, rng: random.Random) -> Draft:
    """A slide: a heading, some points, a picture beside them."""
    draft = _blank(style, rng, landscape=True)
    draft.lines.append(put(style, style.margin, draft.width - style.margin, 80, title(style.words, rng), size=26.0))
    y, narrow = 150.0, draft.width * 0.45
    for _ in range(rng.randint(2, 6)):
        for line in wrapped(style, sentence(style.words, rng, rng.randint(3, 9)), narrow * style.size / 16)[:2]:
            draft.lines.append(put(style, style.margin, style.margin + narrow, y, line, size=16.0))
            y += 24
    draft.pictures.append(((draft.width * 0.58, 130, draft.width - 30, draft.height - 60), photograph(rng)))
    return draft


def background(style: Style, rng: random.Random) -> Draft:
    """Text over a picture as large as the page."""
    draft = prose(style, rng)
    draft.pictures.append(((0, 0, draft.width, draft.height), photograph(rng, level=rng.choice((215, 230)), spread=rng.choice((8, 12, 16)))))
    return draft


def photo_page(style: Style, rng: random.Random) -> Draft:
    """A photograph and what it shows."""
    draft = _blank(style, rng)
    foot = style.height * rng.uniform(0.6, 0.85)
    draft.pictures.append(((style.margin, 60, style.right, foot), photograph(rng)))
    _fill(style, draft, rng, (style.margin, style.right), foot + 20, min(style.height - 20, foot + 90))
    return draft


def chart(style: Style, rng: random.Random) -> Draft:
    """Curves with labels above some lines of text."""
    draft, foot = _blank(style, rng), style.height * 0.5
    for _ in range(rng.randint(3, 6)):
        points = [(style.margin + k * (style.right - style.margin) / 40, style.height - rng.uniform(90, foot)) for k in range(41)]
        draft.art.append(f"0.8 w {points[0][0]:.1f} {points[0][1]:.1f} m " + " ".join(f"{x:.1f} {y:.1f} l" for x, y in points[1:]) + " S")
    draft.lines += [Line(x=style.margin - 22, y=90 + k * (foot - 90) / 6, size=7.0, text=str(60 - 10 * k)) for k in range(7)]
    _fill(style, draft, rng, (style.margin, style.right), foot + 40, style.height - style.margin)
    return draft


def title_page(style: Style, rng: random.Random) -> Draft:
    """A few words and nothing else."""
    draft, y = _blank(style, rng), style.height * 0.3
    for size in (24.0, 14.0, 11.0)[: rng.randint(1, 3)]:
        draft.lines.append(put(style, style.margin, style.right, y, title(style.words, rng, rng.randint(1, 4)), size=size))
        y += 2.5 * size
    return draft


def dark(style: Style, rng: random.Random) -> Draft:
    """White on a dark ground."""
    draft = prose(style, rng)
    draft.art.append(f"0.1 g 0 0 {draft.width} {draft.height} re f")
    draft.lines = [Line(x=line.x, y=line.y, size=line.size, text=line.text, right_to_left=line.right_to_left, grey=1.0) for line in draft.lines]
    return draft


def letters_apart(style: Style, rng: random.Random) -> Draft:
    """Names and abbreviations in capitals where the script has them: an index or a register."""
    draft, y = _blank(style, rng), style.margin + 30
    while y < style.height - style.margin:
        for left in (style.margin, style.margin + (style.right - style.margin) / 2):
            text = ", ".join(word.upper() for word in words_of(style.words, 3, rng)) + f" {rng.randint(1, 400)}"
            draft.lines.append(put(style, left, left + (style.right - style.margin) / 2 - 10, y, text, size=style.size * 0.8))
        y += style.size * style.leading
    return draft


LAYOUTS: dict[str, Callable[[Style, random.Random], Draft]] = {
    "prose": prose, "columns": columns, "numbers": numbers, "code": code, "form": form, "contents": contents, "parts": parts, "slide": slide,
    "background": background, "photo_page": photo_page, "chart": chart, "title_page": title_page, "dark": dark, "register": letters_apart,
    "bilingual": bilingual,
}  # fmt: skip
"""All kinds of sound pages by name."""
TEXTUAL = ("prose", "columns", "prose", "columns", "form", "contents", "register", "numbers", "parts")
"""Kinds that are broken: those with enough text that it matters."""
