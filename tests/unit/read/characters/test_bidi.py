"""Lines as they stand, put in the order in which they are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.characters.bidi import MIRRORED, is_right_to_left, mirror_votes, reading_order

# Each pair: what stands on the page from left to right (as the Unicode Bidirectional Algorithm lays it out), and what was typed.
RIGHT_TO_LEFT = [
    ('.)3 ףיעס( 12 דומע ואר ,2024 תנשב ח"ש 1,234.50 אוה )מ"עמ ללוכ( ריחמה', 'המחיר (כולל מע"מ) הוא 1,234.50 ש"ח בשנת 2024, ראו עמוד 12 (סעיף 3).'),
    (".]Wikipedia :רוקמ[ 2022 רבוטקואב 24-ב הררחוש (CPython) 3.11 Python הסרגה".replace("(CPython) 3.11 Python", "Python 3.11 (CPython)"),
     "הגרסה Python 3.11 (CPython) שוחררה ב-24 באוקטובר 2022 [מקור: Wikipedia]."),
    ("2024-2020 ىلع 50% مصخ".replace("50%", "%50"), "خصم 50% على 2020-2024"),
    ("30:10 ةعاسلا 12/05/2024".replace("30:10", "10:30"), "12/05/2024 الساعة 10:30"),
    ("١٢٣٤٫٥٠ غلب", "بلغ ١٢٣٤٫٥٠"),
    ("۱۴۰۳/۰۲/۱۵ شرازگ", "گزارش ۱۴۰۳/۰۲/۱۵"),
    ("مويلا -2.5 ةرارحلا", "الحرارة -2.5 اليوم"),
    ("םויה )-2.5( הרוטרפמט", "טמפרטורה (-2.5) היום"),
    ("םויה −7", "−7 היום"),
    ("ןושאר -1", "1- ראשון"),
    ("ךליאו -2020 תנשמ", "משנת 2020- ואילך"),
    ("10 -20 ןיב", "בין 20- 10"),
    ("םיטרפל https://example.org/a-b?x=1 האר", "ראה https://example.org/a-b?x=1 לפרטים"),
    ("הבוט ++C תפש", "שפת C++ טובה"),
    ("ןושאר ףיעס .1", "1. סעיף ראשון"),
]  # fmt: skip


@pytest.mark.parametrize(("stands", "typed"), RIGHT_TO_LEFT, ids=range(len(RIGHT_TO_LEFT)))
def test_right_to_left_lines_are_read_as_typed(stands: str, typed: str) -> None:
    assert is_right_to_left(list(stands), page=True)
    order, _ = reading_order(list(stands), right_to_left=True)
    assert "".join(stands[index] for index in order) == typed


def test_hebrew_inside_a_line_that_runs_rightwards() -> None:
    stands = "The words םלוע םולש and 2 more"
    assert not is_right_to_left(list(stands), page=False)
    order, _ = reading_order(list(stands), right_to_left=False)
    assert "".join(stands[index] for index in order) == "The words שלום עולם and 2 more"


def test_foreign_lines_of_a_right_to_left_page_end_where_their_stop_stands() -> None:
    assert is_right_to_left(list(".]Wikipedia"), page=True)
    assert not is_right_to_left(list("Hello world."), page=True)
    assert not is_right_to_left(list(".5"), page=True)
    assert not is_right_to_left(list(".]Wikipedia"), page=False)


@pytest.mark.parametrize("stands", [")מאוד( בוט"[::-1], "(א) הקספ", ")דואמ( בוט"])
def test_brackets_stand_for_what_they_open_or_close(stands: str) -> None:
    """Whatever a program stores, the one that opens comes first; a page that stores what the eye sees is mirrored as a whole."""
    order, leftwards = reading_order(list(stands), right_to_left=True)
    text = "".join(stands[index] for index in order)
    runs = [leftwards[index] for index in order]
    if mirror_votes(text, runs) > 0:
        text = "".join(sign.translate(MIRRORED) if runs[place] else sign for place, sign in enumerate(text))
    assert text.index("(") < text.index(")")


letters = st.text(alphabet="אבגשלםabcXY0123٤٥ .,()-%/+ןעربي", min_size=1, max_size=40)


@given(letters, st.booleans())
def test_nothing_is_lost_and_plain_runs_keep_their_order(line: str, right_to_left: bool) -> None:
    order, leftwards = reading_order(list(line), right_to_left=right_to_left)
    assert sorted(order) == list(range(len(line)))
    assert len(leftwards) == len(line)
    place = {index: number for number, index in enumerate(order)}
    for index in range(len(line) - 1):
        if line[index : index + 2].isascii() and line[index : index + 2].isalpha():
            assert place[index] + 1 == place[index + 1]  # words of Latin letters are never turned around


@given(st.text(alphabet="אבגשלם ", min_size=1, max_size=30))
def test_pure_hebrew_is_turned_around(line: str) -> None:
    order, _ = reading_order(list(line), right_to_left=True)
    assert "".join(line[index] for index in order) == line[::-1]
