"""Sentences over columns, pages and blank pages; hyphens at the seam."""

import pytest

from schemas.content import Block, BlockType, FormField, TextStyle
from schemas.text import hyphen_goes, words_of
from streams.assemble.text.hyphens import join_cells, seam
from tests.unit.assemble.made_documents import blank, block, build, failed, heading, of_type, page, paragraph, table, texts

SMALL = TextStyle(size_pt=8.0, font="Serif")


def joined(*pages) -> list[str]:
    return texts(build(*pages))


def test_a_sentence_over_a_page_break_is_one_block_with_two_boxes():
    document = build(page(1, paragraph("The study revealed that", 700)), page(2, paragraph("the determinants differ.", 60)))
    (whole,) = of_type(document, BlockType.PARAGRAPH)
    assert whole.text == "The study revealed that the determinants differ."
    assert [r.page for r in whole.regions] == [1, 2]


def test_over_blank_pages_and_one_that_says_it_is_blank():
    note = block("This page is intentionally left blank", 400)
    made = page(1, paragraph("image classification [11,", 700)), blank(2), page(3, note), page(4, paragraph("37], layout detection.", 60))
    assert "image classification [11, 37], layout detection." in joined(*made)


def test_figures_tables_captions_and_footnotes_between_do_not_cut():
    first = page(1, paragraph("The values shown are those", 600), block("1 A note.", 760, BlockType.FOOTNOTE, style=SMALL))
    figure = Block(type=BlockType.FIGURE, bbox=(50.0, 60.0, 545.0, 200.0))
    second = page(
        2, figure, block("Figure 1", 210, BlockType.CAPTION), table([["a", "b"], ["c", "d"]], 230, 300), paragraph("of the year before.", 320)
    )
    document = build(first, second)
    assert texts(document) == ["The values shown are those of the year before."]
    assert [b.type.value for b in document.blocks] == ["paragraph", "footnote", "figure", "caption", "table"]


def test_over_columns_of_one_page():
    left = paragraph("It ends at the foot of the", 700, bbox=(50.0, 600.0, 290.0, 780.0), column=(50.0, 290.0))
    right = paragraph("column and goes on here.", 60, bbox=(305.0, 60.0, 545.0, 90.0), column=(305.0, 545.0))
    assert joined(page(1, left, right)) == ["It ends at the foot of the column and goes on here."]


def test_names_and_scripts_without_capitals_go_by_the_shape_of_the_lines():
    assert joined(page(1, paragraph("the chair was taken by Professor", 700)), page(2, paragraph("Smith, who was late.", 60))) == [
        "the chair was taken by Professor Smith, who was late."
    ]
    assert joined(page(1, paragraph("本公司董事会保证季度报告内容的真实", 700)), page(2, paragraph("准确和完整。", 60))) == [
        "本公司董事会保证季度报告内容的真实准确和完整。"
    ]


def test_an_empty_field_and_the_foot_of_the_page_do_not_cut_a_name_in_two():
    field = Block(type=BlockType.FORM_FIELD, bbox=(12.0, 12.0, 92.0, 32.0), field=FormField(name="mark", value=""))
    foot = block("Printed on 5 August, sheet 7", 810)
    ends = paragraph("the ferry took off from Soekarno-", 700)
    assert joined(page(1, ends, field), page(2, paragraph("Hatta at night.", 60))) == ["the ferry took off from Soekarno-Hatta at night."]
    assert joined(page(1, ends, foot), page(2, paragraph("Hatta at night.", 60)))[0] == "the ferry took off from Soekarno-Hatta at night."
    filled = Block(type=BlockType.FORM_FIELD, bbox=(50.0, 720.0, 92.0, 732.0), text="Ann", field=FormField(name="name", value="Ann"))
    assert len(of_type(build(page(1, ends, filled), page(2, paragraph("Hatta at night.", 60))), BlockType.PARAGRAPH)) == 2


@pytest.mark.parametrize(
    ("above", "below", "end"),
    [
        ("وأظهرت الدراسة التي أجريت في المدينة أن", "النتائج تختلف من سنة إلى أخرى.", "انتهت الدراسة."),
        ("המחקר שנערך בעיר הראה כי", "התוצאות שונות משנה לשנה.", "המחקר הסתיים."),
    ],
)
def test_a_sentence_in_a_script_from_right_to_left_goes_on_over_the_break(above: str, below: str, end: str):
    document = build(page(1, paragraph(above, 700)), page(2, paragraph(below, 60)))
    (whole,) = of_type(document, BlockType.PARAGRAPH)
    assert whole.text == f"{above} {below}"
    assert [r.page for r in whole.regions] == [1, 2]
    assert joined(page(1, paragraph(end, 700)), page(2, paragraph(below, 60))) == [end, below]


@pytest.mark.parametrize(
    ("above", "below"),
    [
        (paragraph("The sentence is over.", 700), paragraph("A new one begins.", 60)),
        (paragraph("It is over (1999).", 700), paragraph("and goes oddly on.", 60)),
        (paragraph("A line that ends short", 700, ends_short=True), paragraph("Another paragraph.", 60)),
        (paragraph("A full line without an end", 700), paragraph("Indented anew.", 60, indented=True)),
        (paragraph("these are the items", 700), paragraph("(a) the first of them", 60)),
        (paragraph("set in one size", 700), paragraph("set in another.", 60, style=SMALL)),
        (block("单位：元", 700, bbox=(480.0, 700.0, 545.0, 712.0)), paragraph("法定代表人：苏江华", 60)),
        (block("Short label", 700, bbox=(50.0, 700.0, 110.0, 712.0)), block("Other label", 60)),
    ],
)
def test_what_stays_apart(above, below):
    assert len(joined(page(1, above), page(2, below))) == 2


@pytest.mark.parametrize("follows", ["This is page three", "fine-tuned parameters"])
def test_a_page_that_is_left_half_empty_ends_its_text(follows: str):
    label = block("This is page two", 60, bbox=(50.0, 60.0, 130.0, 72.0), column=(50.0, 130.0))
    begins, foot = block(follows, 60), block("2", 810)
    assert joined(page(1, label, foot), page(2, begins)) == ["This is page two", "2", follows]
    figure = Block(type=BlockType.FIGURE, bbox=(50.0, 90.0, 545.0, 700.0))
    assert joined(page(1, label, figure), page(2, begins))[0] == f"This is page two {follows}"


def test_a_word_that_is_cut_goes_on_after_any_page():
    assert joined(page(1, paragraph("they were exam-", 60)), page(2, paragraph("ined.", 60))) == ["they were examined."]


def test_a_heading_or_a_page_that_is_missing_cuts():
    above, below = paragraph("It goes on", 700), paragraph("and on.", 60)
    assert len(joined(page(1, above), page(2, heading("2 More", 40), below))) == 2
    assert len(joined(page(1, above), failed(2), page(3, below))) == 2
    assert len(joined(page(1, above), page(3, below))) == 2


def test_a_head_that_nothing_proves_is_known_by_the_sentence_around_it():
    document = build(page(1, paragraph("and scene text", 700)), page(2, block("2 Z. Shen et al.", 50), paragraph("detection [4].", 90)))
    assert texts(document) == ["and scene text detection [4]."]
    assert texts(document, BlockType.PAGE_HEADER) == ["2 Z. Shen et al."]


def test_notes_below_a_full_page_table_are_passed_over():
    made = page(1, paragraph("Although the", 700)), page(2, table([["a", "b"]] * 3, 60, 700), block("NOTE: small print.", 720, style=SMALL))
    document = build(*made, page(3, paragraph("odds have fallen.", 60)))
    assert "Although the odds have fallen." in texts(document)


def test_a_paragraph_over_many_pages_costs_what_it_holds():
    document = build(*(page(n, paragraph("and so it went on", 700)) for n in range(1, 120)))
    assert len(texts(document)) == 1
    assert len(of_type(document, BlockType.PARAGRAPH)[0].regions) == 119


@pytest.mark.parametrize(
    ("left", "right", "known", "whole"),
    [
        ("which is rea-", "sonable", "", "which is reasonable"),
        ("Soekarno-", "Hatta airport", "", "Soekarno-Hatta airport"),
        ("the state-of-the-", "art", "", "the state-of-the-art"),
        ("a well-", "known fact", "well known", "a well-known fact"),
        ("a well-", "known fact", "well-known", "a well-known fact"),
        ("ein finanzi-", "eller Schaden", "", "ein finanzieller Schaden"),
        ("kurz-", "und langfristig", "", "kurz- und langfristig"),
        ("in co-", "operation", "cooperation co operation", "in cooperation"),
        ("pages 3-", "5", "", "pages 3- 5"),
        ("before –", "after", "", "before – after"),
        ("and/", "or", "", "and/or"),
        ("(a)–", "(c)", "", "(a)–(c)"),
        ("第一季", "度报告", "", "第一季度报告"),
    ],
)
def test_hyphens_at_a_seam(left, right, known, whole):
    cut, between = seam(left, right, words_of([known]))
    assert left[: len(left) - cut] + between + right == whole


def test_the_words_of_the_document_decide_over_a_break():
    made = page(1, paragraph("A well-known word.", 60), paragraph("This is a well-", 700)), page(2, paragraph("known word.", 60))
    assert joined(*made)[1] == "This is a well-known word."
    assert hyphen_goes("multi", "lingual", frozenset({"multilingual"}))


@pytest.mark.parametrize(
    ("upper", "lower", "whole"),
    [
        ("", "b", "b"),
        ("a", "", "a"),
        ("KNUST and", "others", "KNUST and others"),
        ("G-", "14", "G-14"),
        ("equip-", "ment", "equipment"),
        ("受益计", "划", "受益计划"),
    ],
)
def test_cells_that_a_break_cut(upper, lower, whole):
    assert join_cells(upper, lower) == whole


def test_a_sentence_whose_next_line_was_read_apart_is_one():
    above = block("The land has been drained and laid dry as it was observed before, and the soil", 100, line_count=1)
    below = block("may embrace every variety of texture. It ends here.", 114)
    assert joined(page(1, above, below)) == [f"{above.text} {below.text}"]
    short = block(above.text, 100, ends_short=True)
    far = block(below.text, 130)
    capital = block("May it embrace every variety.", 114)
    ended = block("The land has been drained and laid dry as it was observed before in the soil.", 100)
    beside = block(below.text, 114, bbox=(500.0, 114.0, 900.0, 126.0))
    for apart in ([short, below], [above, far], [above, capital], [ended, below], [above, beside], [block("Kinds of soil", 100), below]):
        assert joined(page(1, *apart)) == [one.text for one in apart]
