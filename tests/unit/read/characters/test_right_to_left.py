"""Right-to-left lines put together from where their characters stand."""

from typing import Any

from streams.read.characters.right_to_left import order_lines
from streams.read.page import page_content, surroundings_of, survey_page
from tests.unit.read.made_pages import Sheet
from tests.unit.read.pages import texts


def char(text: str, x0: float, x1: float, baseline: float = 8.0) -> dict[str, Any]:
    return {"c": text, "bbox": (x0, baseline - 8, x1, baseline + 2), "origin": (x0, baseline)}


def line(chars: list[dict[str, Any]], font: str = "F", size: float = 10.0) -> dict[str, Any]:
    box = (min(c["bbox"][0] for c in chars), chars[0]["bbox"][1], max(c["bbox"][2] for c in chars), chars[0]["bbox"][3])
    return {"spans": [{"font": font, "size": size, "chars": chars, "bbox": box}], "bbox": box, "dir": (1.0, 0.0), "wmode": 0}


def read(*lines: dict[str, Any]) -> list[str]:
    raw = {"blocks": [{"lines": list(lines)}]}
    order_lines(raw)
    return ["".join(c["c"] for s in found["spans"] for c in s["chars"]) for found in raw["blocks"][0]["lines"]]


def test_letters_of_a_ligature_come_in_the_order_of_speech() -> None:
    # As MuPDF gives the word for "productivity": the ligature of lam and alef is turned around with the rest.
    assert read(line([char("ا", 30, 33), char("إ", 29.9, 29.9), char("ل", 23, 29.9), char("ن", 19, 23), char("ت", 15, 19)])) == ["الإنت"]


def test_an_alef_of_its_own_stays_behind_its_lam() -> None:
    """Some fonts have lam-alef as two glyphs, the alef without width at the left edge; most as one, where MuPDF has it at the right edge."""
    apart = [char("ل", 23, 29), char("أ", 23, 23), char("ن", 17, 23)]
    assert read(line(apart)) == ["لأن"]
    both = [char("خ", 73, 80), char("ل", 67, 73), char("ا", 67, 67), char("ل", 61, 67)]
    assert read(line([*both, char(" ", 58, 61), *apart])) == ["خلال لأن"]
    one = [char("ب", 73, 80), char("ا", 73, 73), char("ل", 67, 73)]
    assert read(line([*one, char(" ", 58, 67), char("ل", 23, 29), char("ا", 23, 23), char("ل", 17, 23)])) == ["بلا للا"]


def test_vowel_marks_stay_behind_their_letters() -> None:
    assert read(line([char("ي", 20, 24), char("ض", 10, 20), char("ً", 10, 10), char("ا", 7, 10)])) == ["يضًا"]


def test_pointed_letters_of_unknown_width_are_one_letter_each() -> None:
    """As MuPDF gives `/ActualText`: all of a cluster on one spot, turned around, its room to the right of it; some programs say it twice."""
    shin = [char("\u05c1", 30, 30), char("\u05b8", 30, 30), char("ש", 30, 30)]
    again = [char("\u05c1", 28.5, 28.5), char("\u05b8", 28.5, 28.5), char("ש", 28.5, 28.5)]
    assert read(line([*shin, *again, char("ם", 20, 28.5)])) == ["ש\u05b8\u05c1ם"]


def test_pieces_of_a_line_are_joined_and_cells_are_not() -> None:
    """MuPDF cuts a line wherever the pen goes back, and where cells stand apart."""
    number = line([char(c, 10 + 5 * i, 15 + 5 * i) for i, c in enumerate("12")])
    word = line([char("ע", 43, 48), char("מ", 38, 43), char("ו", 33, 38), char("ד", 28, 33), char(" ", 20, 28)])
    far = line([char("א", 120, 125), char("ב", 115, 120)])
    assert read(far, word, number) == ["אב", "עמוד 12"]


def test_spaces_that_are_gaps_are_written() -> None:
    assert read(line([char("א", 30, 35), char("ב", 25, 30), char("ג", 15, 20)])) == ["אב ג"]


def test_lines_without_such_letters_stay_on_pages_that_run_rightwards() -> None:
    words = line([char(c, 5 * i, 5 * i + 5) for i, c in enumerate("plain (text)")])
    assert read(words, line([char("א", 30, 35, 30.0), char("ב", 25, 30, 30.0)])) == ["plain (text)", "אב"]


def test_a_page_with_numbers_and_foreign_words() -> None:
    lines = ["המחיר הוא 1,234.50 לפי Python 3.11 בשנת 2024", "והסעיף הבא עוסק במחיר (כולל מס) ובתנאים"]
    sheet = Sheet()
    stands = ["2024 תנשב Python 3.11 יפל 1,234.50 אוה ריחמה", "םיאנתבו )סמ ללוכ( ריחמב קסוע אבה ףיעסהו"]
    sheet.write([text[::-1] for text in stands])  # `write` turns lines with such letters around
    page = sheet.done()
    survey = survey_page(page)
    assert " ".join(texts(page_content(survey, surroundings_of([survey])))) == " ".join(lines)


def test_a_mark_of_which_the_place_is_far_away_makes_no_letter_as_wide_as_two_columns() -> None:
    """MuPDF leaves a vowel mark without width where the pen was in the cell before."""
    letters = [char("ن", 200, 205), char(" ", 196, 200), char("\u064b", 200, 200), char("م", 30, 36), char("ر", 24, 30)]
    raw = {"blocks": [{"lines": [line(letters)]}]}
    order_lines(raw)
    chars = [c for found in raw["blocks"][0]["lines"] for s in found["spans"] for c in s["chars"]]
    assert "".join(c["c"] for c in chars).split() == ["ن", "م\u064bر"]
    assert max(c["bbox"][2] - c["bbox"][0] for c in chars if not c["c"].isspace()) < 10
