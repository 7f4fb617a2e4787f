"""The ways in which text layers fail, done to sound pages: what fonts, exporters, scanners and recognition do.

Each fault is a function of a document's style and random numbers that gives a page as it shows and as its layer says. Which of them make a page bad,
and which are only near misses that must stay trusted, stands in `plan`.
"""

import random
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tests.bench.routing.drawing import INVISIBLE, Draft, Layer, Line, Says
from tests.bench.routing.layouts import LAYOUTS, TEXTUAL, Style, put
from tests.bench.routing.scans import Reading, read_layer, scanned
from tests.bench.routing.words import SPACELESS, title

CODE_PAGES = {
    "latin": ("mac-roman", "cp850", "cp1250", "utf-8"),
    "cyrillic": ("koi8-r", "cp1251", "cp866", "iso8859-5", "mac-cyrillic", "utf-8"),
    "greek": ("iso8859-7", "cp1253", "cp737", "mac-greek", "utf-8"),
    "hebrew": ("iso8859-8", "cp1255", "cp862", "utf-8"),
    "arabic": ("cp1256", "iso8859-6", "cp864", "utf-8"),
    "chinese": ("gbk", "big5", "utf-8"),
    "japanese": ("euc-jp", "shift-jis", "utf-8"),
    "korean": ("cp949", "utf-8"),
}
"""Code pages of each script, whose bytes exporters take for Latin-1 or its Windows neighbour."""
TAKEN_FOR = ("latin-1", "cp1252")
VOWELS = {
    "latin": "aeiou", "cyrillic": "аеиоуы", "greek": "αεηιουω", "hebrew": "אהוי", "arabic": "اويه",
}  # fmt: skip
MOVED = (1, 3, 13)
"""Places in the alphabet by which letters, and they alone, are moved."""
Fault = Callable[[Style, random.Random], Draft]


def textual(style: Style, rng: random.Random) -> Draft:
    """A sound page with enough text to be worth breaking."""
    return LAYOUTS[rng.choice(TEXTUAL)](style, rng)


def _with_layer(draft: Draft, layer: Layer, chosen: Callable[[int], bool] = lambda _: True) -> Draft:
    draft.lines = [replace(line, layer=layer) if chosen(number) else line for number, line in enumerate(draft.lines)]
    return draft


def _named(rng: random.Random, name: str, says: Says | None) -> Layer:
    """A layer of one page: its name is its own, so that documents may hold several of a kind."""
    return Layer(f"{name}{rng.getrandbits(20):x}", says)


def shifted(style: Style, rng: random.Random) -> Layer:
    """Every code moved by one constant."""
    offset = rng.choice((-29, 29, 3, 1, -31, 5))
    return _named(rng, "shift", lambda letter: chr(max(1, ord(letter) + offset)) if ord(letter) < 0x3000 else chr(ord(letter) + offset))


def permuted(style: Style, rng: random.Random) -> Layer:
    """Valid letters of the same script, interchanged."""
    letters = sorted({letter for word in style.words.words for letter in word + word.upper() if letter.isalpha()})
    others = letters[:]
    rng.shuffle(others)
    table = dict(zip(letters, others, strict=True))
    return _named(rng, "mixed", lambda letter: table.get(letter, letter))


def unmapped(style: Style, rng: random.Random) -> Layer:
    """No map at all."""
    return _named(rng, "none", None)


def controls(style: Style, rng: random.Random) -> Layer:
    """Control characters for letters."""
    return _named(rng, "control", lambda letter: " " if letter == " " else chr(1 + ord(letter) * 7 % 30))


def private(style: Style, rng: random.Random) -> Layer:
    """Codes of private use."""
    start = rng.choice((0xE000, 0xE100, 0xF100))
    return _named(rng, "private", lambda letter: " " if letter == " " else chr(start + ord(letter) * 13 % 0x900))


def replaced(style: Style, rng: random.Random) -> Layer:
    """U+FFFD for some of the letters, always the same ones."""
    share, seed = rng.choice((0.25, 0.5, 1.0)), rng.random()
    return _named(rng, "lost", lambda letter: "\ufffd" if letter.isalpha() and random.Random(f"{letter}{seed}").random() < share else letter)


def halfway(style: Style, rng: random.Random) -> Layer:
    """A map that lacks some of the letters."""
    share, seed = rng.choice((0.2, 0.4, 0.7)), rng.random()
    return _named(rng, "holes", lambda letter: None if letter != " " and random.Random(f"{letter}{seed}").random() < share else letter)


def code_page(style: Style, rng: random.Random) -> Layer:
    """Bytes of another code page, taken for those of a western one."""
    page, taken = rng.choice(CODE_PAGES[style.words.script]), rng.choice(TAKEN_FOR)
    return _named(rng, "page", lambda letter: letter.encode(page, "replace").decode(taken, "replace"))


def swapped(style: Style, rng: random.Random) -> Layer:
    """Vowels (or letters of their kind) interchanged, all else right; of scripts of thousands of characters, any interchanged."""
    vowels = VOWELS.get(style.words.script)
    if vowels is None:
        return permuted(style, rng)
    turned = vowels[1:] + vowels[0]
    table = str.maketrans(vowels + vowels.upper(), turned + turned.upper())
    return _named(rng, "swap", lambda letter: letter.translate(table))


def moved(style: Style, rng: random.Random) -> Layer:
    """Every letter moved along the alphabet, and round its end; digits and signs are right."""
    letters = sorted({letter for word in style.words.words for letter in word if letter.isalpha()})
    by = rng.choice(MOVED)
    table = {letter: letters[(place + by) % len(letters)] for place, letter in enumerate(letters)}
    table |= {letter.upper(): other.upper() for letter, other in table.items() if len(letter.upper()) == len(other.upper()) == 1}
    return _named(rng, "moved", lambda letter: table.get(letter, letter))


def spaces(style: Style, rng: random.Random) -> Layer:
    """A font that calls all its letters spaces."""
    return _named(rng, "void", lambda letter: " ")


BROKEN_MAPS: dict[str, Callable[[Style, random.Random], Layer]] = {
    "shifted": shifted, "permuted": permuted, "unmapped": unmapped, "control": controls, "private": private, "replaced": replaced, "holes": halfway,
    "code_page": code_page, "spaces": spaces, "swapped": swapped, "moved": moved,
}  # fmt: skip


def whole(name: str) -> Fault:
    """A page all of whose text has a broken map."""
    return lambda style, rng: _with_layer(textual(style, rng), BROKEN_MAPS[name](style, rng))


def partly(least: float, most: float) -> Fault:
    """A page of which a stretch is in a font with a broken map: its share of the lines."""

    def broken(style: Style, rng: random.Random) -> Draft:
        draft = LAYOUTS[rng.choice(("prose", "columns"))](style, rng)
        layer = BROKEN_MAPS[rng.choice(("permuted", "unmapped", "control", "private", "replaced"))](style, rng)
        share = rng.uniform(least, most)
        start = rng.uniform(0.0, 1.0 - share) * len(draft.lines)
        face = rng.choice((0, 2))
        draft = _with_layer(draft, layer, lambda number: start <= number < start + share * len(draft.lines))
        draft.lines = [replace(line, face=face) if line.layer is layer else line for line in draft.lines]
        return draft

    return broken


def alternating(style: Style, rng: random.Random) -> Draft:
    """Sound and broken runs in turn, line by line or word by word."""
    draft = textual(style, rng)
    layer = BROKEN_MAPS[rng.choice(("permuted", "unmapped", "control", "private"))](style, rng)
    if style.words.script in SPACELESS or rng.random() < 0.5:
        return _with_layer(draft, layer, lambda number: number % 2 == 0)
    lines: list[Line] = []
    for line in draft.lines:
        x, way = line.x, -1 if line.right_to_left else 1
        for number, word in enumerate(line.text.split(" ")):
            lines.append(replace(line, x=x, text=f"{word} ", layer=layer if number % 2 else line.layer))
            x += way * style.measure(f"{word} ") * line.size / style.size
    draft.lines = lines
    return draft


def scan(style: Style, rng: random.Random) -> Draft:
    """A picture of a page and no text."""
    return scanned(textual(style, rng), style.faces, rng)


def scan_with_head(style: Style, rng: random.Random) -> Draft:
    """A scan whose only text is a stamp or a running head."""
    draft = scan(style, rng)
    stamp = rng.choice(
        (f"{rng.randint(0, 9_999_999):07d}", style.header, f"{style.header} {rng.randint(1, 400)}", f"Page {rng.randint(1, 400)} of 400")
    )
    draft.lines = [put(style, style.margin, style.right, rng.choice((20.0, draft.height - 14)), stamp, size=8.0)]
    return draft


def outlined(head: bool) -> Fault:
    """Text turned into outlines, with a head of real text or without."""

    def drawn(style: Style, rng: random.Random) -> Draft:
        draft = Draft(width=style.width, height=style.height, lines=[], art=["0 g"], pictures=[])
        for row in range(rng.randint(14, 36)):
            y, x = style.height - style.margin - 20 - row * 15, style.margin
            while x < style.right - 60 * rng.random():
                wide = rng.uniform(3.5, 7.0)
                a, b = x + wide * 0.2, x + wide * 0.8
                draft.art.append(
                    f"{x:.1f} {y:.1f} m {a:.1f} {y + 7:.1f} {b:.1f} {y + 7:.1f} {b:.1f} {y:.1f} c "
                    f"{a + 1:.1f} {y + 2:.1f} {a:.1f} {y + 2:.1f} {x:.1f} {y:.1f} c f "
                    f"{a:.1f} {y + 3:.1f} m {b:.1f} {y + 6:.1f} {a:.1f} {y + 1:.1f} {b:.1f} {y + 7:.1f} c {a:.1f} {y + 7:.1f} l f"
                )
                x += wide + 0.8 + (3.0 if rng.random() < 0.18 else 0.0)
        if head:
            draft.lines.append(put(style, style.margin, style.right, 30, title(style.words, rng, 3), size=9.0))
        return draft

    return drawn


def recognised(**how: Any) -> Fault:
    """A scan with an invisible layer (see `scans.Reading`). `rate`, `cover`: pairs of bounds of the shares of wrong characters and of lines found."""

    def layered(style: Style, rng: random.Random) -> Draft:
        shown = textual(style, rng)
        said = textual(style, rng) if how.get("stale") else shown
        reading = Reading(
            rate=rng.uniform(*how.get("rate", (0.0, 0.01))), cover=rng.uniform(*how.get("cover", (1.0, 1.0))), by_line=rng.random() < 0.15
        )
        draft = scanned(shown, style.faces, rng)
        draft.lines = read_layer(said, style, rng, reading)
        if how.get("under"):
            draft.lid = True
            draft.lines = [replace(line, mode=0) for line in draft.lines]
        return draft

    return layered


def white_text(style: Style, rng: random.Random) -> Draft:
    """Words in white, or invisible, on a page that shows other ones as a picture in its middle."""
    said, shown = textual(style, rng), scan(style, rng)
    grey, mode = rng.choice(((1.0, 0), (0.0, INVISIBLE)))
    box = (style.margin, style.height * 0.3, style.right, style.height * 0.75)
    lines = [replace(line, grey=grey, mode=mode) for line in said.lines if not box[1] - 10 < line.y < box[3] + 14]
    return Draft(width=said.width, height=said.height, lines=lines, art=[], pictures=[(box, shown.pictures[0][1])])


def covered(style: Style, rng: random.Random) -> Draft:
    """Text of another page under the picture of a scan."""
    draft = scan(style, rng)
    draft.lines, draft.lid = textual(style, rng).lines, True
    return draft
