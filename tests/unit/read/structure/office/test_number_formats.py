"""Numbers as cells show them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.structure.office.number_formats import is_date, shown


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (1234.5, "", "1234.5"), (3.0, "General", "3"), (1e20, "General", "1E+20"), (0.1 + 0.2, "General", "0.3"),
        (1234.567, "#,##0.00", "1,234.57"), (0.5, "0%", "50%"), (0.1234, "0.0%", "12.3%"),
        (0.005, "0%", "1%"), (2.5, "0", "3"), (1.005, "0.00", "1.01"), (5e-324, "0.00", "0.00"), (1.7e308, "0%", "17" + "0" * 309 + "%"),
        (5, "000", "005"), (1234567, "#,##0,", "1,235"),
        (-2, "0.00_);(0.00)", "(2.00)"), (-2, "0.00", "-2.00"), (0, '0;-0;"none"', "none"), (-0.001, "0.00", "0.00"),
        (12, '0" kg"', "12 kg"), (9.5, "[$€-407] #,##0.00", "€ 9.50"), (1.5, "[Red]0.0", "1.5"), (12345, "0.00E+00", "1.23E+4"),
        (1.5, "# ?/?", "1.5"), (2.50, "0.##", "2.5"), (2.0, "0.##", "2"), (7, '"No. "0', "No. 7"), (1, "\\x0", "x1"),
        (45352, "yyyy-mm-dd", "2024-03-01"), (45352.5, "d mmm yyyy h:mm", "1 Mar 2024 12:00"), (45352.75, "h:mm AM/PM", "6:00 PM"),
        (1.5, "[h]:mm", "36:00"), (0.5, "mm:ss", "00:00"), (45352, "dddd", "Friday"), (1, "yyyy-mm-dd", "1900-01-01"), (61, "d/m/yy", "1/3/00"),
        (-1, "yyyy-mm-dd", "-1"), (1e9, "yyyy", "1000000000"), (math.inf, "0", "inf"),
    ],
)  # fmt: skip
def test_formats(value: float, code: str, text: str) -> None:
    assert shown(value, code) == text


def test_the_other_calendar() -> None:
    assert shown(0, "yyyy-mm-dd", from_1904=True) == "1904-01-01"


def test_what_shows_a_date() -> None:
    assert [is_date(code) for code in ("yyyy", "h:mm", "0.00", '"day"0', "General")] == [True, True, False, False, False]


@given(st.floats(allow_nan=True, allow_infinity=True), st.text(alphabet='0#?,.%E+-;[]"\\_*/ymdhs@A Pp$€GeneralRed', max_size=20))
def test_no_format_fails(value: float, code: str) -> None:
    assert isinstance(shown(value, code), str)
