"""Kinds of pages that books of rules miss: gazettes, contents with the page first, items set like paragraphs, run-in heads in small capitals."""

import pymupdf

from schemas.content import BlockType
from tests.unit.read.pages import WORDS, block_with, made, prose, read, texts, wrap, write


def three_columns(page: pymupdf.Page, top: float) -> None:
    for number in range(3):
        lines = wrap(prose(1500, 7 * number), 160, size=9)
        write(page, 45 + 177 * number, top, lines[:45], size=9, leading=1.2)


def test_a_masthead_over_columns_stands_before_them_and_keeps_its_title() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((45, 44), "47698", fontsize=11)
        page.insert_text((45, 70), "Proposed Rules", fontsize=18, fontname="hebo")
        for row, text in enumerate(["Harbour Register", "Vol. 85, No. 152", "Thursday, August 6, 2020"]):
            page.insert_text((399, 66 + 16 * row), text, fontsize=8)
        three_columns(page, 146)

    content = read(made(draw))
    assert texts(content)[:5] == ["47698", "Proposed Rules", "Harbour Register", "Vol. 85, No. 152", "Thursday, August 6, 2020"]
    assert block_with(content, "Proposed Rules").type is BlockType.HEADING


def test_entries_with_their_page_before_the_title_are_one_paragraph_each() -> None:
    entries = [(4, "Stakeholders and what they gain"), (6, "Key indicators"), (8, "A letter of the chairman"), (14, "Our ferries"), (26, "Board")]

    def draw(page: pymupdf.Page) -> None:
        y = 80.0
        for number, title in entries:
            page.insert_text((45, y), str(number), fontsize=9, fontname="hebo")
            page.insert_text((63, y), title, fontsize=9)
            y += 13
            if number == 8:
                page.insert_text((63, y), "to the shareholders", fontsize=9)
                y += 13

    said = [f"{number} {title}" + (" to the shareholders" if number == 8 else "") for number, title in entries]
    assert texts(read(made(draw))) == said


def test_sentences_that_begin_with_a_number_are_no_entries() -> None:
    text = "in all of 1990 ferries and 12 boats " * 12
    content = read(made(lambda page: write(page, 50, 80, wrap(text, 300)) and None))
    assert len(texts(content)) == 1


def test_items_whose_mark_is_indented_go_on_at_the_edge_of_the_column() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = 80.0
        for start in (0, 9):
            page.insert_text((59, y), "\u2022 " + wrap(prose(200, start), 180, size=9)[0], fontsize=9)
            y = write(page, 50, y + 11, wrap(prose(260, start + 4), 190, size=9), size=9, leading=1.22)
        write(page, 59, y, ["The ferry of the northern shed"], size=9)
        write(page, 50, y + 11, wrap(prose(200), 190, size=9), size=9, leading=1.22)

    found = [block.type for block in read(made(draw)).blocks]
    assert found[:2] == [BlockType.LIST_ITEM, BlockType.LIST_ITEM]
    assert BlockType.LIST_ITEM not in found[2:]


def test_an_item_at_the_edge_ends_where_the_text_goes_on_after_it() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = write(page, 50, 80, wrap(prose(300), 300))
        for start in (0, 9):
            lines = wrap(prose(120, start), 270)
            page.insert_text((62, y), "\u2022", fontsize=10)
            y = write(page, 74, y, lines)
        write(page, 50, y, wrap(prose(300, 3), 300))

    types = [block.type for block in read(made(draw)).blocks]
    assert types == [BlockType.PARAGRAPH, BlockType.LIST_ITEM, BlockType.LIST_ITEM, BlockType.PARAGRAPH]


def test_a_head_in_small_capitals_runs_into_its_text() -> None:
    rest = wrap("Won, manager of the harbour office, " + prose(200), 170, size=9)

    def draw(page: pymupdf.Page) -> None:
        y = write(page, 50, 80, wrap(prose(400), 170, size=9), size=9, leading=1.22)
        y += 8
        page.insert_text((50, y), "FOR FURTHER INFORMATION CONTACT:", fontsize=7.3, fontname="hebo")
        x = 50 + pymupdf.get_text_length("FOR FURTHER INFORMATION CONTACT: ", "hebo", 7.3)
        page.insert_text((x, y), "Ian", fontsize=9)
        write(page, 50, y + 11, rest, size=9, leading=1.22)

    content = read(made(draw))
    assert "CONTACT: Ian Won, manager" in block_with(content, "FURTHER").text


def test_a_quotation_in_a_coloured_box_beside_a_portrait_is_text() -> None:
    lines = wrap("Big achievements follow if you dream big, and the company is a proof of what " + " ".join(WORDS), 130, size=12)[:9]

    def draw(page: pymupdf.Page) -> None:
        page.draw_rect((20, 270, 240, 800), fill=(0.9, 1, 0.95), color=None)
        for x in range(40, 200, 20):
            page.draw_circle((x, 420), 9, fill=(0.3, 0.8, 0.5))
            page.draw_circle((x, 660), 9, fill=(0.3, 0.8, 0.5))
            page.draw_bezier((x, 430), (x + 5, 500), (x + 10, 580), (x, 650), color=(0.3, 0.8, 0.5))
        write(page, 45, 460, lines, size=12)
        write(page, 300, 80, wrap(prose(1500), 250))

    content = read(made(draw))
    assert block_with(content, "Big achievements").type is BlockType.PARAGRAPH


def test_fine_print_at_the_edges_does_not_make_headings_of_a_letterhead() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((450, 24), "Harbour, Inc.", fontsize=7.8, fontname="hebo")
        write(page, 450, 34, ["59 Pier Street", "Carlsbad"], size=6.6)
        write(page, 75, 120, wrap(prose(260), 420, size=10.8), size=10.8)
        write(page, 70, 795, wrap(prose(900), 450, size=6), size=6)

    content = read(made(draw))
    assert block_with(content, "Harbour, Inc.").type is BlockType.PARAGRAPH


def test_a_note_whose_mark_is_indented_keeps_its_second_line() -> None:
    first = "* Corresponding author. Harbour Office, Pier 137, beside the northern shed and the old lighthouse of Port Heidelberg, Vic."
    width = pymupdf.get_text_length(first, "helv", 8)

    def draw(page: pymupdf.Page) -> None:
        write(page, 43, 80, wrap(prose(2600), width + 6))
        page.insert_text((49, 640), first, fontsize=8)
        write(page, 43, 650, ["3084, Australia. Tel.: +61 3 9450 8719."], size=8)

    note = block_with(read(made(draw)), "Corresponding")
    assert note.type is BlockType.FOOTNOTE
    assert "Vic. 3084" in note.text


def test_a_running_foot_below_the_notes_is_none_of_them() -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 50, 80, wrap(prose(2600), 480))
        page.insert_text((50, 700), "* " + prose(60), fontsize=8)
        page.insert_text((50, 710), "\u2020 " + prose(50, 4), fontsize=8)
        page.insert_text((50, 795), "22 Harbour Letters / January 14, 2011 / Vol. 60", fontsize=8)

    content = read(made(draw))
    assert len(texts(content, BlockType.FOOTNOTE)) == 2
    assert block_with(content, "Harbour Letters").type is BlockType.PARAGRAPH


def test_a_last_note_close_to_the_foot_of_the_page_is_one() -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 50, 80, wrap(prose(2600), 480))
        write(page, 50, 780, ["* " + prose(60), "\u2020 Harbour Letters 22"], size=8)

    assert len(texts(read(made(draw)), BlockType.FOOTNOTE)) == 2
