"""Running heads, page numbers and what only looks like them."""

import pytest

from schemas.content import Block, BlockType
from streams.assemble.text.page_numbers import is_page_number, roman_number
from tests.unit.assemble.made_documents import block, build, heading, of_type, page, paragraph, texts, whole_page

LETTERS = "abcdefghijklmnopqrstuvwxyz"
TEXT = "A sentence of the body that is over."


def body(number: int) -> Block:
    """A paragraph that is different on every page."""
    return paragraph(f"{TEXT} Here is number {LETTERS[number]}.", 120 + number * 11)


def test_heads_and_page_numbers_of_a_book_are_kept_apart_from_its_text():
    document = build(*(page(n, block("The Book", 30), body(n), block(f"- {n + 8} -", 810)) for n in range(1, 5)))
    assert texts(document, BlockType.PAGE_HEADER) == ["The Book"] * 4
    assert texts(document, BlockType.PAGE_FOOTER) == [f"- {n + 8} -" for n in range(1, 5)]
    assert len(texts(document)) == 4


def test_odd_and_even_sides_and_heads_that_change_with_the_chapter():
    heads = ["Chapter One", "A Book"] * 3 + ["Chapter Two", "A Book"] * 3 + ["Index"]
    document = build(*(page(n, block(head, 30), body(n)) for n, head in enumerate(heads, 1)))
    assert texts(document, BlockType.PAGE_HEADER) == heads


def test_roman_numbers_and_a_chapters_own_count():
    front = [page(n, body(n), block("i" * n, 810)) for n in (1, 2, 3)]
    appendix = [page(n, body(n), block(f"A-{n - 3}", 810)) for n in (4, 5, 6)]
    document = build(*front, *appendix)
    assert texts(document, BlockType.PAGE_FOOTER) == ["i", "ii", "iii", "A-1", "A-2", "A-3"]


def test_the_foot_of_a_preface_is_the_one_of_the_chapters():
    feet = [f"© Copyright Some Firm 2014. All rights reserved. {n}" for n in ("iii", "xi", "1", "5")]
    document = build(*(page(n, body(n), block(foot, 810)) for n, foot in enumerate(feet, 1)))
    assert texts(document, BlockType.PAGE_FOOTER) == feet


@pytest.mark.parametrize("form", ["{} / 40", "Seite {} von 40", "第{}页 共40页", "Page {} of 40", "Sample Agreement - page {}"])
def test_forms_of_page_numbers(form):
    document = build(*(page(n, body(n), block(form.format(n), 812)) for n in (1, 2, 3)))
    assert len(of_type(document, BlockType.PAGE_FOOTER)) == 3


@pytest.mark.parametrize(("typeset", "recognized"), [("- {} -", "-{}-"), ("{} / 99", "{}/99"), ("Page {} of 40", "Page{}of 40")])
def test_page_numbers_that_recognition_reads_without_their_spaces(typeset, recognized):
    document = build(*(page(n, body(n), block((recognized if n == 2 else typeset).format(n), 812)) for n in (1, 2, 3)))
    assert len(of_type(document, BlockType.PAGE_FOOTER)) == 3


def test_the_same_words_inside_the_text_are_text():
    clause = "This clause is provided for demonstration purposes only."
    document = build(*(page(n, heading(f"{'ABC'[n - 1]} Part", 60), paragraph(clause, 90), body(n)) for n in (1, 2, 3)))
    assert texts(document).count(clause) == 3


def test_the_same_page_printed_several_times_is_content():
    document = build(*(page(n, paragraph("This page can be read four times.", 60)) for n in range(1, 5)))
    assert len(texts(document)) == 4


def test_titles_that_count_are_titles():
    document = build(*(page(n, heading(f"Question {n}", 40, 20), body(n)) for n in range(1, 6)))
    assert len(of_type(document, BlockType.HEADING)) == 5


def test_a_title_on_every_slide_of_a_topic_stays_once():
    slides = [page(n, heading("Results", 40, 24), body(n)) for n in range(1, 5)]
    others = [page(n, heading(f"{'ABCDEFGHIJ'[n - 5]} other topic", 40, 24), body(n)) for n in range(5, 14)]
    document = build(*slides, *others)
    assert texts(document, BlockType.HEADING).count("Results") == 1
    assert texts(document, BlockType.PAGE_HEADER) == ["Results"] * 3


def test_a_document_of_two_pages_needs_the_very_edge():
    edge = build(*(page(n, block("ACME", 30), body(n), block(f"{n}", 815)) for n in (1, 2)))
    assert len(of_type(edge, BlockType.PAGE_HEADER)) == 2
    assert len(of_type(edge, BlockType.PAGE_FOOTER)) == 2
    inside = build(*(page(n, block("Dear Sirs,", 110), body(n + 3)) for n in (1, 2)))
    assert of_type(inside, BlockType.PAGE_HEADER) == []


def test_one_page_alone_only_when_it_says_so():
    assert texts(build(page(1, body(1), block("Page 1 of 1", 815))), BlockType.PAGE_FOOTER) == ["Page 1 of 1"]
    assert texts(build(page(1, body(1), block("7", 815))), BlockType.PAGE_FOOTER) == []


def test_figures_captions_and_numbers_in_columns_are_not_page_numbers():
    plates = build(*(page(n, body(n), block(f"Figure {n}", 790, BlockType.CAPTION)) for n in range(1, 6)))
    assert len(of_type(plates, BlockType.CAPTION)) == 5
    values = build(*(page(n, body(n), block(str(n * n * 10), 780)) for n in range(1, 6)))
    assert of_type(values, BlockType.PAGE_FOOTER) == []


def test_heads_read_with_errors_and_with_the_number_on_either_side():
    heads = [
        "THE SIEGE OF VICKSBURG. 49",
        "50 THE SIEGE OF VICKSBUEG.",
        "THE SIEGE OF VICKSBURG. 51",
        "52 THE SIEGE OF VICKSBURG.",
        "THE SIEGE OP VICKSBURG. 53",
    ]
    document = build(*(page(n, block(head, 36 + n), body(n)) for n, head in enumerate(heads, 1)))
    assert texts(document, BlockType.PAGE_HEADER) == heads


def test_the_heading_that_a_chapters_head_repeats_stays():
    first = page(1, heading("Methodology", 60, 18), body(1))
    document = build(first, *(page(n, block("Methodology", 30), body(n)) for n in range(2, 6)))
    assert texts(document, BlockType.HEADING) == ["Methodology"]
    assert len(of_type(document, BlockType.PAGE_HEADER)) == 4


def test_a_heading_that_comes_back_at_any_height_is_text():
    pages = [
        page(n, *([heading("Related Provisions:", 40 + 23 * (n % 9), 10)] if n % 2 else []), body(n % 20), body((n + 7) % 20)) for n in range(1, 60)
    ]
    assert len(of_type(build(*pages), BlockType.HEADING)) == 30


def test_lines_that_happen_to_begin_every_page_are_text():
    pages = [page(n, block(f"Line {LETTERS[n % 26] * (1 + n // 26)} begins the page.", 30), body(n % 20)) for n in range(1, 60)]
    assert of_type(build(*pages), BlockType.PAGE_HEADER) == []


def test_two_lines_of_a_head_taken_as_one():
    pages = [page(n, block("Application for a Certificate", 24), block("Initial Issue", 37), body(n)) for n in (1, 2, 3)]
    merged = page(4, block("Application for a Certificate Initial Issue", 24, line_count=2), body(4))
    assert len(of_type(build(*pages, merged), BlockType.PAGE_HEADER)) == 7


def test_a_letterhead_of_picture_and_lines():
    logo = Block(type=BlockType.FIGURE, bbox=(50.0, 20.0, 120.0, 60.0))
    made = [page(n, logo, block("Maxwell Inc.", 24), block("5966 La Place Court", 40), body(n), block("No warranty. " * 9, 780)) for n in (1, 2, 3)]
    document = build(*made)
    assert len(of_type(document, BlockType.PAGE_HEADER)) == 9
    assert len(of_type(document, BlockType.PAGE_FOOTER)) == 3


def test_text_in_the_margin_is_not_in_the_body():
    stamp = Block(type=BlockType.PARAGRAPH, text="arXiv:2004.04906v3", bbox=(10.0, 260.0, 36.0, 610.0), rotation=90)
    document = build(page(1, *(paragraph(f"{TEXT} {TEXT}", 60 + 40 * n) for n in range(6)), stamp))
    assert texts(document, BlockType.PAGE_HEADER) == [stamp.text]


def test_the_caption_of_a_turned_table_in_the_margin_is_text():
    """It stood in no rendering: the table lies at the edge of its page, and its caption beyond it."""
    caption = Block(type=BlockType.CAPTION, text="Table 1", bbox=(10.0, 560.0, 20.0, 610.0), rotation=90)
    document = build(page(1, *(paragraph(f"{TEXT} {TEXT}", 60 + 40 * n) for n in range(6)), caption))
    assert texts(document, BlockType.CAPTION) == [caption.text]


def test_what_a_model_calls_a_head_in_the_middle_of_a_page_is_text():
    document = build(page(1, body(1), block("not a head", 400, BlockType.PAGE_HEADER)))
    assert texts(document)[1] == "not a head"


def test_furniture_has_no_heading_path_and_is_no_heading():
    document = build(*(page(n, heading("ACME", 24, 9), heading("Part", 60), body(n), block(str(n), 812)) for n in (1, 2, 3)))
    assert all(b.heading_path == () for b in document.blocks if b.type in (BlockType.PAGE_HEADER, BlockType.PAGE_FOOTER))
    assert all("ACME" not in b.heading_path for b in document.blocks)


def test_a_large_table_is_no_furniture_even_if_it_repeats():
    rows = [["a", "b"]] * 12
    document = build(*(page(n, body(n), whole_page(rows)) for n in (1, 2, 3)), join_tables=False)
    assert len(of_type(document, BlockType.TABLE)) == 3


@pytest.mark.parametrize(("text", "expected"), [("xiv", 14), ("- iv -", 4), ("mix", None), ("civil", None), ("", None), ("xlii", 42), ("the", None)])
def test_roman_numbers(text, expected):
    assert roman_number(text) == expected


@pytest.mark.parametrize("text", ["3", "- 3 -", "page 3", "3 / 17", "seite 3 von 17", "第3页", "a-5", "iv"])
def test_what_is_nothing_but_a_page_number(text):
    assert is_page_number(text)


@pytest.mark.parametrize("text", ["chapter 3", "3 apples", "", "10.5 kg"])
def test_what_is_more_than_a_page_number(text):
    assert not is_page_number(text)


def test_two_neighbouring_pages_with_their_bare_numbers_are_enough():
    made = [page(1, paragraph("Text of the first page.", 100)), *(page(n, paragraph(f"Text {n}.", 100), block(f"- {n} -", 810)) for n in (2, 3))]
    assert texts(build(*made), BlockType.PAGE_FOOTER) == ["- 2 -", "- 3 -"]
    others = [page(1, paragraph("Text.", 100)), *(page(n, paragraph(f"Text {n}.", 100), block(f"- {n * 2} -", 810)) for n in (2, 3))]
    assert texts(build(*others), BlockType.PAGE_FOOTER) == []


LETTER = "the harbour commission thanks you for your gift, which will be used for the repair of the north quay before the winter storms."


def test_the_body_of_a_letter_to_many_people_is_no_running_head():
    names = ["Ada", "Bert", "Carla", "Dora"]
    closing = block("Yours sincerely, The Treasurer", 170)
    document = build(*(page(n, block(f"Dear {name},", 100), paragraph(LETTER, 120), closing) for n, name in enumerate(names, 1)))
    assert texts(document).count(LETTER) == 4


def test_prose_that_counts_is_prose_and_the_head_above_it_is_a_head():
    document = build(*(page(n, block("Confidential", 30), paragraph(f"Section {n} begins and {LETTER}", 110), body(n)) for n in range(1, 5)))
    assert texts(document, BlockType.PAGE_HEADER) == ["Confidential"] * 4
    assert sum("begins and" in text for text in texts(document)) == 4


@pytest.mark.parametrize("form", ["Number: 100{}", "Invoice No. 7{}", "No. {}", "Certificate #{}"])
def test_numbers_with_a_label_are_content(form):
    document = build(*(page(n, block(form.format(n), 100), body(n)) for n in range(1, 6)))
    assert sum(form.format(n) in texts(document) for n in range(1, 6)) == 5


def test_a_journals_head_with_the_number_of_its_issue_is_a_head():
    document = build(*(page(n, block(f"Gazette / Vol. 85, No. 152 / Thursday / Rules {47700 + n}", 34), body(n)) for n in range(1, 6)))
    assert len(texts(document, BlockType.PAGE_HEADER)) == 5


def test_the_title_of_a_deck_that_stands_on_every_slide_stays_once():
    document = build(*(page(n, heading("Results of the Year", 40, 24), body(n)) for n in range(1, 7)))
    assert texts(document, BlockType.HEADING) == ["Results of the Year"]


def test_rows_of_totals_at_the_foot_of_pages_are_content():
    rows = ["Totals 132 187 677 936", "Totals 8 14 1 90", "Totals 71 3 22 605", "Totals 4 12 44 7"]
    document = build(*(page(n, body(n), block(text, 760)) for n, text in enumerate(rows, start=1)))
    assert not texts(document, BlockType.PAGE_FOOTER)
    assert all(any(row in text for text in texts(document)) for row in rows)


def test_the_unit_below_the_caption_of_every_page_s_table_is_text():
    pages = [
        page(n, block("The Survey", 20), block(f"Table {n}. Numbers of {LETTERS[n]}", 40, BlockType.CAPTION), block("[In thousands]", 55), body(n))
        for n in range(1, 5)
    ]
    document = build(*pages)
    assert texts(document, BlockType.PAGE_HEADER) == ["The Survey"] * 4
    assert texts(document).count("[In thousands]") == 4
