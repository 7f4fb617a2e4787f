"""Faults in single characters and words that are undone: ligatures, accents, spaced type, stacked glyphs."""

from typing import Any

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.content import BlockType
from streams.read.characters.accents import join_accents
from streams.read.characters.ligatures import restore_ligatures
from streams.read.characters.repairs import Faults, faults_of, repair, texts_from_raw
from streams.read.characters.spacing import join_spaced_letters
from streams.read.characters.stacked import join_columns
from streams.read.page import page_content, surroundings_of, survey_page
from streams.read.placed_words import words_from_characters
from tests.unit.read.made_pages import Sheet, glyph_of, lines_of
from tests.unit.read.pages import made, read, texts, write
from tests.unit.read.prose import PROSE

WIDTHS = {"f": 0.306, "i": 0.278, "l": 0.278}
"""Ems, of Computer Modern; its other letters are about half an em wide."""


def raw_line(text: str, widths: dict[str, float] | None = None, *, size: float = 10.0, font: str = "F", gap: float = 0.0) -> dict[str, Any]:
    """A raw dictionary of one line, each character behind the one before."""
    x, chars = 0.0, []
    for letter in text:
        width = {**WIDTHS, **(widths or {})}.get(letter, 0.5) * size
        chars.append({"c": letter, "bbox": (x, 0.0, x + width, size), "origin": (x, 0.8 * size)})
        x += width + (0.0 if letter == " " else gap)
    box = (0.0, 0.0, x, size)
    span = {"font": font, "size": size, "flags": 0, "chars": chars, "bbox": box, "origin": (0.0, 0.8 * size)}
    return {"blocks": [{"type": 0, "lines": [{"spans": [span], "bbox": box, "dir": (1.0, 0.0), "wmode": 0}]}]}


def text_of(raw: dict[str, Any]) -> str:
    return "".join(span["text"] for line in texts_from_raw(raw)["blocks"][0]["lines"] for span in line["spans"])


@pytest.mark.parametrize(
    ("line", "sign", "width", "wanted"),
    [
        ("recent e↵orts on o↵-the-shelf di↵erent \ufb01nd \ufb02ow", "↵", 0.583, "ff"),
        ("the ◊rst \ufb00 de◊ne a speci◊c \ufb02ow con◊rm", "◊", 0.556, "fi"),
        ("the o∞ce for all of it is e∞cient and su∞cient with \ufb00 \ufb01 \ufb02", "∞", 0.833, "ffi"),
        ("recent e\x0borts on o\x0b-the-shelf", "\x0b", 0.583, "ff"),
    ],
)
def test_a_sign_inside_words_is_the_ligature_that_fits(line: str, sign: str, width: float, wanted: str) -> None:
    raw = raw_line(line, {sign: width})
    restore_ligatures(raw)
    assert text_of(raw) == line.replace(sign, wanted)


def test_a_ligature_on_a_page_of_another_direction_is_spelt_out() -> None:
    raw = raw_line("the ◊rst \ufb00 de◊ne a speci◊c \ufb02ow con◊rm שלום", {"◊": 0.556})
    repair(raw, Faults(ligatures=True, right_to_left=True))
    assert "define a specific" in text_of(raw)


@given(
    st.text(alphabet="abfi ↵\ufffd´¨\u0131שו\u05b8لاإ日。", min_size=1, max_size=40),
    st.dictionaries(st.sampled_from("abfi↵שل"), st.floats(-0.5, 2)),
    st.booleans(),
)
def test_all_repairs_at_once_end(line: str, widths: dict[str, float], everywhere: bool) -> None:
    raw = raw_line(line, widths)
    repair(raw, Faults(*[True] * 6), everywhere=everywhere)
    assert texts_from_raw(raw)["blocks"]


@pytest.mark.parametrize("line", ["A→B x→y f→g", "well\uf02dknown", "caf\ufffds and caf\ufffd", "n\ufffdxt", "3×4 a = b", "small\uf761caps"])
def test_signs_that_are_no_ligatures_stay(line: str) -> None:
    raw = raw_line(line, {"→": 1.0, "\ufffd": 0.5})
    restore_ligatures(raw)
    assert text_of(raw) == line


def printed_over(text: str, accent: str, before: bool) -> dict[str, Any]:
    """`text` with `accent` printed on the spot of the letter that it stands before or behind in the file."""
    raw = raw_line(text)
    chars = raw["blocks"][0]["lines"][0]["spans"][0]["chars"]
    place = text.index(accent)
    letter = chars[place + 1 if before else place - 1]
    chars[place]["bbox"] = letter["bbox"]
    return raw


@pytest.mark.parametrize(
    ("text", "accent", "before", "wanted"),
    [
        ("Ili´c", "´", True, "Ilić"),
        ("voil`a", "`", True, "voilà"),
        ("cafe´", "´", False, "café"),
        ("na¨ıve", "¨", True, "naïve"),
        ("Erd˝os", "˝", True, "Erdős"),
        ("x^y", "^", True, "xŷ"),
    ],
)
def test_accents_go_on_the_letter_on_their_spot(text: str, accent: str, before: bool, wanted: str) -> None:
    raw = printed_over(text, accent, before)
    join_accents(raw)
    assert text_of(raw) == wanted


@pytest.mark.parametrize("text", ["it´s", "l´eau", "`quoted'", "a ~ b", "x^2"])
def test_the_same_signs_on_a_spot_of_their_own_stay(text: str) -> None:
    raw = raw_line(text)
    join_accents(raw)
    assert text_of(raw) == text


def test_accented_names_of_a_page() -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 72, 100, ["Written by Milan Basic"])
        page.insert_text((72 + pymupdf.get_text_length("Written by Milan Basi", fontsize=10) + 1.0, 100), "´", fontsize=10)

    (text,) = texts(read(made(draw)))
    assert text == "Written by Milan Basić"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I N T R O D U C T I O N", "INTRODUCTION"),
        ("C o n c l u s i o n", "Conclusion"),
        ("A B C D E F G H", "A B C D E F G H"),  # an alphabet
        ("x y z w q v k", "x y z w q v k"),  # no word
        ("I saw a b c of it", "I saw a b c of it"),
    ],
)
def test_spaced_type_is_words_and_rows_of_letters_are_not(text: str, wanted: str) -> None:
    raw = raw_line(text, {" ": 0.2})
    join_spaced_letters(raw)
    assert text_of(raw) == wanted


def test_wider_gaps_of_spaced_type_are_between_words() -> None:
    raw = raw_line("A N N U A L R E P O R T 2 0 2 4", {" ": 0.2})
    chars = raw["blocks"][0]["lines"][0]["spans"][0]["chars"]
    for place in (11, 23):  # the spaces before the second word and the number
        for char in chars[place + 1 :]:
            x0, y0, x1, y1 = char["bbox"]
            char["bbox"] = (x0 + 3, y0, x1 + 3, y1)
    join_spaced_letters(raw)
    assert text_of(raw) == "ANNUAL REPORT 2024"


def test_a_spaced_heading_of_a_page() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((72, 80), "I N T R O D U C T I O N", fontsize=14)
        write(page, 72, 120, ["Every parcel gets a number and a clerk", "writes it on two labels for the parcel."])

    assert texts(read(made(draw)))[0] == "INTRODUCTION"


def stacked_page(text: str, rows: int, pitch: float, level: str = "", y: float = 60) -> pymupdf.Page:
    """Columns of upright glyphs, each placed by itself, from right to left; `level` is a line that is level, at height `y`."""
    sheet = Sheet()
    sheet.font("F1", text + level, lambda letter: letter)
    for number, letter in enumerate(text):
        across, down = 500 - pitch * (number // rows), 740 - 11.5 * (number % rows)
        sheet.content.append(f"BT /F1 11 Tf 1 0 0 1 {across} {down} Tm <{glyph_of(letter):04x}> Tj ET".encode())
    if level:
        codes = "".join(f"{glyph_of(letter):04x}" for letter in level)
        sheet.content.append(f"BT /F1 11 Tf 1 0 0 1 {500 - 2 * pitch} {y} Tm <{codes}> Tj ET".encode())
    return sheet.done()


@pytest.mark.parametrize("pitch", [11.5, 14.0, 22.0])
def test_vertical_writing_set_glyph_by_glyph_is_prose(pitch: float) -> None:
    """However near its columns stand: with narrow ones MuPDF sees rows across them."""
    survey = survey_page(stacked_page(PROSE["japanese"], 30, pitch))
    content = page_content(survey, surroundings_of([survey]))
    assert texts(content) == [PROSE["japanese"]]
    assert content.blocks[0].type is BlockType.PARAGRAPH


@pytest.mark.parametrize(("level", "y"), [("横書きの脚注です。", 60), ("横書きの題です", 780), ("1234", 60)])
def test_level_lines_stay_level_above_and_below_vertical_writing(level: str, y: float) -> None:
    survey = survey_page(stacked_page(PROSE["japanese"], 30, 14.0, level, y))
    expected = [level, PROSE["japanese"]] if y > 740 else [PROSE["japanese"], level]
    assert texts(page_content(survey, surroundings_of([survey]))) == expected


def test_a_number_set_across_its_column_belongs_to_it_and_no_other_does() -> None:
    def placed(text: str, x: float, y: float) -> dict[str, Any]:
        chars = [
            {"c": sign, "bbox": (x + 6 * n, y, x + 6 * n + 12 / len(text), y + 12), "origin": (x + 6 * n, y + 10)} for n, sign in enumerate(text)
        ]
        box = (x, y, chars[-1]["bbox"][2], y + 12)
        return {"bbox": box, "wmode": 0, "dir": (1.0, 0.0), "spans": [{"font": "F", "size": 12.0, "bbox": box, "chars": chars}]}

    column = [*"昨日の朝は一月", "12", *"日で寒い雨の降る日曜日の朝であった。"]
    lines = [placed(text, 100, 20 + 12.5 * n) for n, text in enumerate(column)]
    page = {"blocks": [{"type": 0, "lines": [*lines, placed("34", 100, 500)]}]}
    join_columns(page)
    (block,) = page["blocks"]
    assert [("".join(c["c"] for s in line["spans"] for c in s["chars"]), line["wmode"]) for line in block["lines"]] == [
        ("".join(column), 1),
        ("34", 0),
    ]


def test_level_lines_are_not_stacked() -> None:
    sheet = Sheet().write(lines_of(PROSE["chinese"]))
    page = sheet.done()
    raw = page.get_text("rawdict")
    before = texts_from_raw(raw)
    join_columns(raw)
    assert texts_from_raw(raw) == before


def test_level_lines_of_two_sizes_set_glyph_by_glyph_are_not_stacked() -> None:
    rows = [
        (raw_line(letter, {letter: 1.0}, size=12.1 - 1.6 * (row % 2)), 240 + 18 * row, 12 * place)
        for row in range(12)
        for place, letter in enumerate("关于红军作战")
    ]
    lines = []
    for raw, y, x in rows:
        (line,) = raw["blocks"][0]["lines"]
        (char,) = line["spans"][0]["chars"]
        x0, y0, x1, y1 = char["bbox"]
        char["bbox"] = line["bbox"] = line["spans"][0]["bbox"] = (x0 + x, y0 + y, x1 + x, y1 + y)
        lines.append(line)
    page = {"blocks": [{"type": 0, "lines": lines}]}
    before = texts_from_raw(page)
    join_columns(page)
    assert texts_from_raw(page) == before


def test_words_for_tables_know_what_their_font_shows() -> None:
    assert [word[4] for word in words_from_characters(raw_line("\uf0fc \uf0a7", font="ABCDEF+Wingdings-Regular"), None)] == ["✓", "▪"]
    assert [word[4] for word in words_from_characters(raw_line("\uf061 n", font="Symbol"), None)] == ["α", "n"]
    assert [word[4] for word in words_from_characters(raw_line("n o", font="Wingdings"), None)] == ["■", "□"]


def test_sound_pages_ask_for_nothing() -> None:
    for language in ("english", "german", "russian", "chinese", "korean", "vietnamese"):
        page = Sheet().write(lines_of(PROSE[language])).done()
        assert faults_of(page.get_text("dict")) == Faults()


def test_spaced_type_with_kerned_pairs_is_words() -> None:
    """A capital draws the next letter so near that MuPDF sees no space between the two."""
    raw = raw_line("Vi n s a u Ve r re", {" ": 0.17})
    chars = raw["blocks"][0]["lines"][0]["spans"][0]["chars"]
    for place, shift in ((1, 1.2), (7, 2.0), (11, 2.0), (12, 1.2), (17, 1.2)):  # within pairs, and around the spaces between words
        for char in chars[place:]:
            x0, y0, x1, y1 = char["bbox"]
            char["bbox"] = (x0 + shift, y0, x1 + shift, y1)
    join_spaced_letters(raw)
    assert text_of(raw) == "Vins au Verre"
