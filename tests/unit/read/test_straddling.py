"""Every word of a page comes out once: in a table or in a block, also where a line of text runs over the border of a table."""

import re
from typing import NamedTuple

import pymupdf
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemas.content import Block, PageContent, TextStyle
from streams.read.blocks.lines import Fragment
from streams.read.page import page_content, surroundings_of, survey_page
from streams.read.straddling import outside_tables


class Text(NamedTuple):
    """A line of so many words."""

    x: float
    y: float
    size: float
    words: int


class Rows(NamedTuple):
    """Words in rows and columns, in a drawn grid or without."""

    x: float
    y: float
    columns: int
    rows: int
    width: float
    ruled: bool


XS = st.sampled_from([20.0, 50.0, 110.0, 200.0, 300.0, 301.0, 400.0])
YS = st.sampled_from([30.0, 60.0, 72.0, 84.0, 96.0, 120.0, 132.0, 300.0, 306.0, 500.0, 800.0])
TEXTS = st.lists(st.builds(Text, XS, YS, st.sampled_from([4.0, 9.0, 12.0, 20.0]), st.integers(1, 7)), max_size=12, unique_by=lambda t: (t.x, t.y))
TABLES = st.lists(st.builds(Rows, XS, YS, st.integers(1, 5), st.integers(1, 8), st.sampled_from([40.0, 90.0]), st.booleans()), max_size=2)
PROSE_INTO_A_TABLE = ([Text(20.0, 320.0, 9.0, 9)], [Rows(200.0, 300.0, 3, 5, 90.0, True)])
LARGE_INTO_A_TABLE = ([Text(300.0, 96.0, 20.0, 5)], [Rows(400.0, 30.0, 2, 7, 90.0, True)])


def draw(page: pymupdf.Page, texts: list[Text], tables: list[Rows]) -> None:
    """Writes words that are all different; no two begin on one spot."""
    spots = {(text.x, text.y) for text in texts}
    number = 1000
    for text in texts:
        words = [f"q{number + n}" for n in range(text.words)]
        number += len(words)
        page.insert_text((text.x, text.y), " ".join(words), fontsize=text.size)
    for x, y, columns, rows, width, ruled in tables:
        for row in range(rows):
            for column in range(columns):
                spot = (x + width * column + 2, y + 12 * row + 9)
                if spot not in spots:
                    spots.add(spot)
                    page.insert_text(spot, f"q{number}", fontsize=9)
                    number += 1
        if ruled:
            for row in range(rows + 1):
                page.draw_line((x, y + 12 * row), (x + width * columns, y + 12 * row))
            for column in range(columns + 1):
                page.draw_line((x + width * column, y), (x + width * column, y + 12 * rows))


def texts_of(block: Block) -> list[str]:
    """All that a block says."""
    return [block.text, *(cell.text for cell in block.table.cells)] if block.table is not None else [block.text]


def read(texts: list[Text], tables: list[Rows]) -> tuple[str, PageContent]:
    """The text of a page as MuPDF has it, and the page as it is read."""
    with pymupdf.open() as document:
        page = document.new_page()
        draw(page, texts, tables)
        survey = survey_page(page)
        return page.get_text("text"), page_content(survey, surroundings_of([survey]))


@given(TEXTS, TABLES)
@settings(max_examples=40, deadline=None, derandomize=True)
@example(*PROSE_INTO_A_TABLE)
@example(*LARGE_INTO_A_TABLE)
def test_every_word_comes_out_once(texts: list[Text], tables: list[Rows]) -> None:
    there, content = read(texts, tables)
    said = " ".join(text for block in content.blocks for text in texts_of(block))
    assert said.count("q") == there.count("q")
    assert len(re.findall(r"\d", said)) == len(re.findall(r"\d", there))


def test_a_line_that_runs_into_a_table_keeps_what_stands_before_it() -> None:
    _, content = read(*PROSE_INTO_A_TABLE)
    (table,) = [block for block in content.blocks if block.table is not None]
    (line,) = [block for block in content.blocks if block.table is None]
    held = " ".join(texts_of(table))
    assert line.text.startswith("q1000 q1001 q1002")
    assert "q1008" in held
    assert line.bbox[2] <= table.bbox[0] + 30


def test_a_word_that_is_spelt_otherwise_at_a_border_is_not_lost() -> None:
    """Lowered figures are signs of their own in a run, and digits in words; what cannot be told apart stays whole."""
    said = ["emission", "of", "CO₂", "and", "gases"]
    words = [(20.0 + 40 * n, 100.0, 55.0 + 40 * n, 110.0, word, 0, 0, n) for n, word in enumerate([*said[:2], "CO2", *said[3:]])]
    table = (170.0, 90.0, 400.0, 200.0)

    def left(*spelt: str) -> list[str]:
        run = Fragment(20.0, 100.0, 215.0, 110.0, " ".join(spelt), 108.0, TextStyle(size_pt=10.0, font="Serif"), False, 0, False, 20)
        return [found.text for found in outside_tables([run], [table], frozenset(words[4:]), lambda: words)]

    assert left(*said) == ["emission of CO2 and"]
    assert left("emis\u00adsion", *said[1:]) == ["emission of CO2 and"]
    assert left("emission", "of", "carbon", "and", "gases") == ["emission of carbon and gases"]
