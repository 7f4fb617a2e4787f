"""Words that run over a border are cut where their characters are, however these come in."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.tables.finder import find_tables
from streams.read.tables.grid import Grid, draw
from streams.read.tables.lines import Word
from streams.read.tables.splitting import Glyph, cut_at_borders, cuts_through_letters
from tests.unit.read.tables.drawn_tables import line

XS, ROW = [0.0, 50.0, 100.0], 12.0


def _glyphs_of(text: str, row: int, wide: float = 9.0) -> list[Glyph]:
    return [(5 + wide * n, ROW * row + 1, 5 + wide * (n + 1), ROW * row + 11, sign) for n, sign in enumerate(text)]


def _word_of(glyphs: list[Glyph], index: int) -> Word:
    return (glyphs[0][0], glyphs[0][1], glyphs[-1][2], glyphs[0][3], "".join(glyph[4] for glyph in glyphs), index)


def _grid(rows: int) -> Grid:
    grid = Grid(XS, [ROW * row for row in range(rows + 1)])
    draw(grid, [(y, XS[0], XS[-1]) for y in grid.ys], [(x, 0.0, grid.ys[-1]) for x in XS])
    return grid


@given(st.lists(st.text("abcdefgh0123456789", min_size=7, max_size=9), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_each_character_goes_to_the_side_that_it_stands_on(texts: list[str], shuffled: Random) -> None:
    rows = [_glyphs_of(text, row) for row, text in enumerate(texts)]
    words = [_word_of(glyphs, index) for index, glyphs in enumerate(rows)]
    glyphs = [glyph for row in rows for glyph in row] + [(40.0, ROW * row + 1, 60.0, ROW * row + 11, " ") for row in range(len(rows))]
    shuffled.shuffle(glyphs)
    pieces = cut_at_borders(words, _grid(len(rows)), _grid(len(rows)), lambda: glyphs)
    assert [(piece[4], piece[5]) for piece in pieces] == [(part, index) for index, text in enumerate(texts) for part in (text[:5], text[5:])]


def test_glyphs_are_asked_for_once_and_only_where_a_word_is_cut() -> None:
    asked: list[int] = []
    rows = [_glyphs_of("Jeanine233", row) for row in range(3)]

    def glyphs() -> list[Glyph]:
        asked.append(1)
        return [glyph for row in rows for glyph in row]

    whole: list[Word] = [(5.0, 1.0, 40.0, 11.0, "word", 0)]
    assert cut_at_borders(whole, _grid(3), _grid(3), glyphs) == whole
    assert not asked
    cut_at_borders([_word_of(row, index) for index, row in enumerate(rows)], _grid(3), _grid(3), glyphs)
    assert asked == [1]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("shown", "left", "right"),
    [
        ("םולשםלוע", "שלום", "עולם"),
        ("ملسقنبتث", "سلم", "ثتبنق"),
        ("123מולש", "123", "שלומ"),
        ("ab12םלוע", "ab12", "עולם"),
    ],
)
def test_words_from_right_to_left_are_cut_where_they_are_shown(shown: str, left: str, right: str, *, known: bool) -> None:
    glyphs = _glyphs_of(shown, 0, 90 / len(shown))
    word = (5.0, 1.0, 95.0, 11.0, right + left, 0)
    edge = 5.0 + 90 / len(shown) * len(left)
    grid = Grid([0.0, edge, 100.0], [0.0, ROW])
    draw(grid, [(y, 0.0, 100.0) for y in grid.ys], [(x, 0.0, ROW) for x in grid.xs])
    assert [piece[4] for piece in cut_at_borders([word], grid, grid, (lambda: glyphs) if known else None)] == [left, right]


def test_a_border_between_the_letters_of_two_cells_cuts_none_of_them() -> None:
    """As of 品名 and 数量 in full cells: one word, since writing without spaces has no gap that parts words."""
    glyphs = [(x, 1.0, x + 9, 11.0, sign) for x, sign in zip((30.0, 40.0, 51.0, 61.0), "品名数量", strict=True)]
    word, grid = _word_of(glyphs, 0), _grid(1)
    assert cuts_through_letters([word], grid, lambda: glyphs) == 0
    assert cuts_through_letters([word], grid, None) == 1
    through = [(x + 4, y0, x1 + 4, y1, sign) for x, y0, x1, y1, sign in glyphs]
    assert cuts_through_letters([_word_of(through, 0)], grid, lambda: through) == 1


def test_tight_cells_in_writing_without_spaces_are_a_table() -> None:
    rows = [("品名", "数量", "価格"), ("りんご", "三", "百円"), ("みかん", "五", "二百円")]
    xs = [0.0, 32.0, 54.0, 86.0]
    words: list[tuple[float, float, float, float, str, int, int, int]] = []
    glyphs: list[Glyph] = []
    for row, texts in enumerate(rows):
        y = 14.0 * row
        placed = [(x + 1 + 10 * n, y + 2, x + 11 + 10 * n, y + 12, sign) for x, text in zip(xs, texts, strict=False) for n, sign in enumerate(text)]
        glyphs += placed
        words.append((placed[0][0], y + 2, placed[-1][2], y + 12, "".join(texts), 0, row, 0))
    drawings = [*(line(x, 0.0, x, 42.0) for x in xs), *(line(0.0, y, 86.0, y) for y in (0.0, 14.0, 28.0, 42.0))]
    found = find_tables(words, drawings, (0, 0, 200, 200), glyphs=lambda: glyphs)
    assert [tuple(cell.text for cell in table.table.cells) for table in found] == [tuple(text for row in rows for text in row)]
