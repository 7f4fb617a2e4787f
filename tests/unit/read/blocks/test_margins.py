"""Numbers of lines in the margin, and watermarks."""

from time import process_time
from typing import Any

import pymupdf
import pytest

from schemas.content import BlockType, PageContent
from streams.read.blocks.lines import fragments_of
from streams.read.blocks.margins import MAX_FRAGMENTS, find_furniture
from tests.unit.read.pages import made, prose, read, texts, wrap, write

LINES = wrap(prose(2200), 400)


def numbered(page: pymupdf.Page, *, each: int, x: float, right: bool = False) -> None:
    """Lines of prose, each or each fifth with its number at `x`."""
    for place, line in enumerate(LINES, start=1):
        page.insert_text((90, 62 + 18 * place), line, fontsize=10)
        if place % each == 0:
            left = x - pymupdf.get_text_length(str(place), fontsize=8) if right else x
            page.insert_text((left, 62 + 18 * place), str(place), fontsize=8)


def body(content: PageContent) -> str:
    return " ".join(texts(content, BlockType.PARAGRAPH))


@pytest.mark.parametrize(("each", "x", "right"), [(1, 60.0, False), (1, 75.0, True), (5, 510.0, False), (5, 60.0, False)])
def test_numbers_of_lines_are_furniture(each: int, x: float, right: bool) -> None:
    content = read(made(lambda page: numbered(page, each=each, x=x, right=right)))
    assert body(content) == " ".join(LINES)
    assert texts(content, BlockType.PAGE_HEADER) == [" ".join(str(n) for n in range(each, len(LINES) + 1, each))]


def test_a_numbered_list_keeps_its_numbers() -> None:
    def draw(page: pymupdf.Page) -> None:
        for place in range(1, 13):
            page.insert_text((60, 80 + 16 * place), str(place), fontsize=10)
            page.insert_text(
                (90, 80 + 16 * place), f"Goods of kind {place} that arrive at the harbour after the ferry has left the quay", fontsize=10
            )

    content = read(made(draw))
    assert not texts(content, BlockType.PAGE_HEADER)
    said = " ".join(block.text for block in content.blocks) + " ".join(c.text for b in content.blocks if b.table for c in b.table.cells)
    assert all(str(place) in said.split() for place in range(1, 13))


def test_a_column_of_numbers_in_a_table_stays() -> None:
    def draw(page: pymupdf.Page) -> None:
        for place in range(1, 13):
            for x, text in ((72, str(place)), (120, f"item {place}"), (260, f"{place * 7}.50"), (400, "yes")):
                page.insert_text((x, 80 + 16 * place), text, fontsize=10)

    assert not texts(read(made(draw)), BlockType.PAGE_HEADER)


CHINESE = "本年度北方河谷的收成比去年晚了两周粮价上涨了四分之一无人预料"


@pytest.mark.parametrize("is_prose", [True, False])
def test_in_scripts_without_small_letters_lines_of_prose_are_whole_and_rows_of_tables_are_not(is_prose: bool) -> None:
    def draw(page: pymupdf.Page) -> None:
        for place in range(1, 13):
            y = 80 + 18 * place
            page.insert_text((60, y), str(place), fontsize=9)
            if is_prose:
                page.insert_text((90, y), CHINESE[place:] + CHINESE[:place], fontsize=12, fontname="china-s")
            else:
                page.insert_text((90, y), CHINESE[: 14 + place % 3], fontsize=12, fontname="china-s")
                page.insert_text((330, y), CHINESE[place : place + 4], fontsize=12, fontname="china-s")

    assert bool(texts(read(made(draw)), BlockType.PAGE_HEADER)) is is_prose


GREY = (0.86, 0.86, 0.86)


def slanted(page: pymupdf.Page) -> None:
    """Across the page, from the lower left."""
    page.insert_text((150, 600), "CONFIDENTIAL", fontsize=60, color=GREY, morph=(pymupdf.Point(150, 600), pymupdf.Matrix(45)))


def behind(page: pymupdf.Page) -> None:
    """Level, in the middle of the text."""
    page.insert_text((100, 250), "CONFIDENTIAL", fontsize=60, color=GREY)


@pytest.mark.parametrize("mark", [slanted, behind])
def test_a_watermark_cuts_no_paragraph(mark: object) -> None:
    lines = wrap(prose(2500), 450)

    def draw(page: pymupdf.Page) -> None:
        mark(page)  # type: ignore[operator]
        write(page, 72, 90, lines)

    content = read(made(draw))
    assert body(content) == " ".join(lines)
    assert texts(content, BlockType.PAGE_HEADER) == ["CONFIDENTIAL"]


def test_a_large_grey_heading_above_the_text_is_a_heading() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((72, 90), "The northern shed", fontsize=28, color=(0.7, 0.7, 0.7))
        write(page, 72, 130, wrap(prose(1200), 450))

    assert "The northern shed" in texts(read(made(draw)), BlockType.HEADING)


def test_raised_digits_behind_a_number_are_told_from_it() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((72, 100), "It was so in the year 2020", fontsize=10)
        x = 72 + pymupdf.get_text_length("It was so in the year 2020", fontsize=10)
        page.insert_text((x, 96.5), "3", fontsize=6)
        page.insert_text((x + 4, 100), " and a word", fontsize=10)
        x += 4 + pymupdf.get_text_length(" and a word", fontsize=10)
        page.insert_text((x, 96.5), "4", fontsize=6)

    assert body(read(made(draw))) == "It was so in the year 2020³ and a word⁴"


@pytest.mark.parametrize("x", [20, 510])
def test_a_running_head_beside_the_text_is_in_none_of_its_lines(x: int) -> None:
    lines = wrap(prose(2500), 380)

    def draw(page: pymupdf.Page) -> None:
        write(page, 110, 90, lines)
        for place, said in ((0, "QR"), (1, "29,2"), (5, "164")):
            page.insert_text((x, 90 + 13 * place), said, fontsize=10)

    content = read(made(draw))
    assert body(content) == " ".join(lines)
    assert texts(content, BlockType.PAGE_HEADER) == ["QR 29,2 164"]


@pytest.mark.parametrize(("heads", "moved"), [(("164",), 0), (("Of mills", "and sheds"), 0), (("1", "of", "2"), 0), (("Of mills", "12"), 200)])
def test_notes_beside_the_text_are_no_running_heads(heads: tuple[str, ...], moved: int) -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 110, 90, wrap(prose(2500), 380))
        for place, said in enumerate(heads):
            page.insert_text((20, 90 + moved + 13 * place), said, fontsize=10)

    assert texts(read(made(draw)), BlockType.PAGE_HEADER) == []


def test_a_large_initial_belongs_to_its_paragraph() -> None:
    lines = wrap(prose(1200)[1:], 400)

    def draw(page: pymupdf.Page) -> None:
        page.insert_text((72, 112), "T", fontsize=48)
        for place, line in enumerate(lines):
            page.insert_text((108 if place < 3 else 72, 85 + 13 * place), line, fontsize=10)

    assert body(read(made(draw))) == "T" + " ".join(lines)


def printed(x: float, y: float, text: str, size: float = 8.0, colour: int = 0) -> dict[str, Any]:
    """A line of MuPDF's dictionary."""
    span = {"text": text, "size": size, "font": "Helvetica", "flags": 0, "char_flags": 16, "color": colour, "alpha": 255, "origin": (x, y + size)}
    box = (x, y, x + 9, y + size)
    return {"spans": [span | {"bbox": box}], "dir": (1.0, 0.0), "wmode": 0, "bbox": box}


def test_a_page_of_nothing_but_counting_numbers_costs_no_seconds() -> None:
    rows = MAX_FRAGMENTS // 20
    counted = [printed(20 + 25 * c, 10 + 2.6 * row, str((row % 3 + 1) * 5 + (row // 3 % 7) * 100)) for c in range(20) for row in range(rows)]
    fragments = fragments_of({"blocks": [{"type": 0, "lines": counted}]})
    assert len(fragments) == MAX_FRAGMENTS
    began = process_time()
    assert not find_furniture(fragments).taken
    assert process_time() - began < 2.0, "normally 0.3 s; 4 s where each run looks at all fragments one by one"


def test_a_page_full_of_large_faint_words_costs_no_seconds() -> None:
    body_text = [printed(20 + 9 * (n % 60), 10 + 15 * (n // 60), f"words of the text {n}") for n in range(MAX_FRAGMENTS // 2)]
    faint = [printed(900 + 20 * (n % 60), 10 + 25 * (n // 60), f"D{n}", 20.0, 0xDDDDDD) for n in range(MAX_FRAGMENTS // 2)]
    fragments = fragments_of({"blocks": [{"type": 0, "lines": [*body_text, *faint]}]})
    assert len(fragments) == MAX_FRAGMENTS
    began = process_time()
    assert not find_furniture(fragments).taken
    assert process_time() - began < 2.0, "normally 0.1 s; 8 s where each is held against all others one by one"
