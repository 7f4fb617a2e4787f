"""Words that run over a drawn border are cut there.

A cell too narrow for its text lets it run on below its neighbour's, and the text layer then has one word of both: `Jeanine233` of
`Jeanine` and `233`. Where the characters are known each goes to the side its middle is on; else their places are estimated.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from streams.read.characters.bidi import is_right_to_left, reading_order
from streams.read.characters.right_to_left import RIGHT_TO_LEFT
from streams.read.tables.grid import Grid, slot
from streams.read.tables.lines import Word, is_vertical

Glyph = tuple[float, float, float, float, str]
"""A character's box and text."""
Glyphs = Callable[[], Sequence[Glyph]]
"""Gives the characters of the page as displayed. Called at most once a page, and only if a word has to be cut."""
_ByHeight = tuple[list[float], list[Glyph]]
"""The heights of middles, ascending, and the glyphs of each."""

OVERHANG_SHARE = 0.2
"""A word may stick out of its cell by this share of a letter: kerning and italics."""
ON_LETTER_PT = 0.25
"""A border that stands further than this within a letter's box runs through the letter, not beside it."""
MAX_CUT_LENGTH = 400
"""Longer words are no words; they stay whole."""
NARROW, WIDE = frozenset("iljtfrI.,;:'|!()[]- "), frozenset("mwMWQO@%—")


def cut_at_borders(words: Sequence[Word], grid: Grid, drawn: Grid, glyphs: Glyphs | None) -> list[Word]:
    """The words, those over a drawn side border as one word for each side. Pieces keep the index of their word."""
    whole: list[Word] = []
    known: _ByHeight | None = None
    xs = grid.xs
    for word in words:
        borders = bisect_right(xs, word[0]) < bisect_left(xs, word[2]) and _borders_under(word, grid, drawn)
        if not borders:  # between two, as most are
            whole.append(word)
            continue
        if known is None:
            known = _by_height(glyphs() if glyphs else ())
        whole += _cut(word, borders, _characters(word, known))
    return whole


def cuts_through_letters(words: Sequence[Word], grid: Grid, glyphs: Glyphs | None) -> int:
    """How often words are cut at the borders of a drawn grid where a letter stands, or none is known to stand beside.

    Texts of neighbouring cells that come as one word, as those of full cells in writing without spaces do, have the border between their letters.
    """
    known: _ByHeight | None = None
    cuts = 0
    for word in words:
        borders = _borders_under(word, grid, grid)
        if not borders:
            continue
        if known is None:
            known = _by_height(glyphs() if glyphs else ())
        inside = _inside(word, known)
        free = "".join(sorted(g[4] for g in inside)) == "".join(sorted(word[4]))
        through = sum(1 for x in borders if any(g[0] + ON_LETTER_PT < x < g[2] - ON_LETTER_PT for g in inside))
        cuts += through if free else len(borders)
    return cuts


def _borders_under(word: Word, grid: Grid, drawn: Grid) -> list[float]:
    """The x of the drawn borders that a word runs over by more than an overhang."""
    slack = OVERHANG_SHARE * (word[2] - word[0]) / len(word[4])
    first, last = bisect_right(grid.xs, word[0] + slack), bisect_left(grid.xs, word[2] - slack)
    if first >= last or not 2 <= len(word[4]) <= MAX_CUT_LENGTH or is_vertical(word):
        return []
    row = drawn.along[slot(grid.ys, (word[1] + word[3]) / 2)]
    return [grid.xs[edge] for edge in range(max(1, first), min(last, grid.columns)) if row[edge]]


def _by_height(glyphs: Sequence[Glyph]) -> _ByHeight:
    """The glyphs that show something by the height of their middle: a page has thousands, and a table may have hundreds of words to cut."""
    found = sorted([((glyph[1] + glyph[3]) / 2, glyph) for glyph in glyphs if not glyph[4].isspace()])
    return [height for height, _ in found], [glyph for _, glyph in found]


def _characters(word: Word, glyphs: _ByHeight) -> list[tuple[float, str]]:
    """The middles and texts of a word's characters in the order of reading: its glyphs where these spell it, else estimated."""
    x0, _, x1, _, text, _ = word
    inside = _inside(word, glyphs)
    read = [inside[index] for index in _turned([g[4] for g in inside])] if inside else []
    if "".join(g[4] for g in read) == text:
        return [((g[0] + g[2]) / 2, g[4]) for g in read]
    weights = [0.55 if c in NARROW else 1.5 if c in WIDE else 1.2 if c.isupper() else 1.0 for c in text]
    unit = (x1 - x0) / sum(weights)
    middles, x = [0.0] * len(text), x0
    for index in _turned(text):
        middles[index] = x + weights[index] * unit / 2
        x += weights[index] * unit
    return list(zip(middles, text, strict=True))


def _inside(word: Word, glyphs: _ByHeight) -> list[Glyph]:
    """The glyphs that stand where a word does, from left to right."""
    heights, upright = glyphs
    level = upright[bisect_left(heights, word[1]) : bisect_right(heights, word[3])]
    return sorted([g for g in level if word[0] - 0.5 <= (g[0] + g[2]) / 2 <= word[2] + 0.5])


def _turned(parts: Sequence[str]) -> Sequence[int]:
    """The places of a word's parts, which stand from left to right, in the order of reading; of parts in that order, from left to right: within one
    word Hebrew and Arabic are turned around and numbers turned back.
    """
    if not any(map(RIGHT_TO_LEFT.match, parts)):
        return range(len(parts))
    return reading_order(parts, right_to_left=is_right_to_left(parts, page=False))[0]


def _cut(word: Word, borders: Sequence[float], characters: Sequence[tuple[float, str]]) -> list[Word]:
    sides: dict[int, list[str]] = {}
    for x, character in characters:
        sides.setdefault(bisect_left(borders, x), []).append(character)
    edges = [word[0], *borders, word[2]]
    return [(edges[side], word[1], edges[side + 1], word[3], "".join(text), word[5]) for side, text in sorted(sides.items())]
