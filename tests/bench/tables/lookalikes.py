"""Pages without a table that look a little like one: what a finder of tables without rules must leave alone."""

import random
from collections.abc import Callable

import pymupdf

from tests.bench.tables.making import MARGIN, PAGE_HEIGHT, PAGE_WIDTH, MadePage, Pen
from tests.bench.tables.words import SCRIPTS, phrase, sentence

LEFT, RIGHT, BOTTOM = MARGIN, PAGE_WIDTH - MARGIN, PAGE_HEIGHT - MARGIN


def lookalike(seed: int) -> MadePage:
    """A page without a table, of a kind drawn by the seed."""
    rng = random.Random(seed)
    script = rng.choice(SCRIPTS)
    kind, draw = rng.choice(list(KINDS.items()))
    document = pymupdf.open()
    pen = Pen(document.new_page(width=PAGE_WIDTH, height=PAGE_HEIGHT), script, rng.choice((8.0, 9.0, 10.0, 11.0)))
    y = pen.paragraph(rng, LEFT, RIGHT, MARGIN, rng.randint(1, 3))
    draw(rng, pen, y + 6)
    pen.done()
    return MadePage(document, kind, script.name)


def _prose(columns: int) -> Callable[[random.Random, Pen, float], None]:
    def draw(rng: random.Random, pen: Pen, top: float) -> None:
        gutter = rng.uniform(12, 24)
        width = (RIGHT - LEFT - gutter * (columns - 1)) / columns
        for column in range(columns):
            x, y = LEFT + column * (width + gutter), top
            end = BOTTOM if column < columns - 1 else top + rng.uniform(0.3, 1.0) * (BOTTOM - top)
            while y < end - 2 * pen.height:
                y = pen.paragraph(rng, x, x + width, y, rng.randint(1, 4))

    return draw


def _listing(marks: Callable[[int], str]) -> Callable[[random.Random, Pen, float], None]:
    def draw(rng: random.Random, pen: Pen, y: float) -> None:
        indent = rng.uniform(16, 30)
        long = rng.random() < 0.5
        for index in range(rng.randint(5, 16)):
            pen.write(LEFT, RIGHT, y, marks(index))
            text = sentence(rng, pen.script) if long else phrase(rng, pen.script, rng.randint(2, 6))
            for line in pen.fitted(text, RIGHT - LEFT - indent):
                pen.write(LEFT + indent, RIGHT, y, line)
                y += pen.height
            y += rng.choice((0.0, 2.0))

    return draw


def _contents(rng: random.Random, pen: Pen, y: float) -> None:
    page = 1
    leaders = rng.random() < 0.6
    numbered = rng.random() < 0.5
    for index in range(rng.randint(8, 25)):
        page += rng.randint(0, 9)
        title = phrase(rng, pen.script, rng.randint(1, 5))
        pen.write(LEFT, RIGHT, y, f"{index + 1}. {title}" if numbered else title)
        pen.write(LEFT, RIGHT, y, str(page), "right")
        if leaders:
            start = LEFT + pen.width(f"{index + 1}. {title}  ")
            dots = int((RIGHT - 25 - start) / pen.width("."))
            pen.write(start, RIGHT, y, "." * max(0, dots))
        y += 1.3 * pen.height
        if y > BOTTOM:
            break


def _form(rng: random.Random, pen: Pen, y: float) -> None:
    for _ in range(rng.randint(4, 10)):
        pen.write(LEFT, RIGHT, y, phrase(rng, pen.script, rng.randint(1, 2)) + ":")
        x = LEFT + rng.choice((110.0, 150.0))
        pen.write(x, RIGHT, y, rng.choice(("", phrase(rng, pen.script, 2))) or "____________")
        if rng.random() < 0.4:
            pen.write(x + 150, RIGHT, y, phrase(rng, pen.script, 1) + ":")
        y += 1.9 * pen.height


def _letter(rng: random.Random, pen: Pen, y: float) -> None:
    for _ in range(rng.randint(4, 6)):
        pen.write(LEFT, RIGHT, y, phrase(rng, pen.script, rng.randint(1, 3)))
        pen.write(RIGHT - 150, RIGHT, y, phrase(rng, pen.script, rng.randint(1, 2)))
        y += pen.height
    for _ in range(3):
        y = pen.paragraph(rng, LEFT, RIGHT, y + pen.height, 3)


def _code(rng: random.Random, pen: Pen, y: float) -> None:
    for _ in range(rng.randint(6, 14)):
        depth = rng.randint(0, 3)
        pen.write(
            LEFT + depth * 4 * pen.width("m"),
            RIGHT,
            y,
            f"{phrase(rng, pen.script, 1).lower()} = {phrase(rng, pen.script, 1).lower()}({rng.randint(0, 9)})",
        )
        y += pen.height


def _equations(rng: random.Random, pen: Pen, y: float) -> None:
    for index in range(rng.randint(3, 7)):
        pen.write(
            LEFT, RIGHT, y, f"f({rng.choice('xyz')}) = {rng.randint(2, 9)} {rng.choice('+-')} {rng.choice('abc')} {rng.choice('xyz')}", "center"
        )
        pen.write(LEFT, RIGHT, y, f"({index + 1})", "right")
        y += 2 * pen.height
        if rng.random() < 0.5:
            y = pen.paragraph(rng, LEFT, RIGHT, y, 1)


KINDS: dict[str, Callable[[random.Random, Pen, float], None]] = {
    "two_columns": _prose(2),
    "three_columns": _prose(3),
    "bullets": _listing(lambda _: "•"),
    "numbered": _listing(lambda index: f"{index + 1}."),
    "references": _listing(lambda index: f"[{index + 1}]"),
    "letters": _listing(lambda index: f"({chr(97 + index % 26)})"),
    "contents": _contents,
    "form": _form,
    "letter": _letter,
    "code": _code,
    "equations": _equations,
}
"""What else stands on pages, by its name."""
