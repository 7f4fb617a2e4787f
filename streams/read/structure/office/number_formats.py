"""Number formats of workbooks (ECMA-376 part 1, 18.8.31): a stored number as its cell shows it.

Pure and total: what a format says in a way that no rule here knows is shown as a plain number, never as an error. Dates in a format that
depends on the reader's country come out as ISO 8601; names of months and days are English.
"""

import math
import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from msgspec import Struct

BUILT_IN: dict[int, str] = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
    18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd hh:mm", 27: "yyyy-mm-dd", 30: "yyyy-mm-dd", 31: "yyyy-mm-dd",
    36: "yyyy-mm-dd", 37: "#,##0_);(#,##0)", 38: "#,##0_);(#,##0)", 39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);(#,##0.00)", 45: "mm:ss",
    46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@", 50: "yyyy-mm-dd", 57: "yyyy-mm-dd",
}  # fmt: skip
"""Formats that files name by number only (18.8.30)."""
GENERAL_DIGITS = 11
"""Significant digits of a number in no format."""
LONGEST_FORMAT = 255
MAX_DECIMALS = 30
_EXACT = Context(prec=800)
"""Digits of the longest number that a cell can hold, with room for percents and decimals: from 1.8e308 down to 5e-324."""
LAST_DAY = 2_958_466
"""Of the calendar of workbooks: the end of the year 9999."""

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<width>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]|(?P<half>AM/PM|A/P)'
    r"|(?P<date>y+|m+|d+|h+|s+(?:\.0+)?|e+|b+)|(?P<general>General)|(?P<number>[0#?,.]+(?:E[+-][0#?]+)?|%|/)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


class _Token(Struct, frozen=True):
    kind: str
    text: str


def shown(value: float, code: str, *, from_1904: bool = False) -> str:
    """A number as a cell of this format shows it; `General` and `""` are no format. `from_1904`: days count from 1904."""
    if code in ("", "General", "@") or len(code) > LONGEST_FORMAT or not math.isfinite(value):
        return general(value)
    sections = _sections(code)
    negative = value < 0 and len(sections) > 1
    section = sections[1] if negative else sections[2] if value == 0 and len(sections) > 2 else sections[0]
    if any(token.kind in ("date", "half", "elapsed") for token in section):
        return _date(value, section, from_1904=from_1904)
    return _number(-value if negative else value, section)


def is_date(code: str) -> bool:
    """Whether a format shows days or hours."""
    return len(code) <= LONGEST_FORMAT and any(token.kind in ("date", "half", "elapsed") for token in _sections(code)[0])


def general(value: float) -> str:
    """A number without a format: whole ones without a point, others to eleven digits."""
    if abs(value) < 1e15 and value == int(value):
        return str(int(value))
    return f"{value:.{GENERAL_DIGITS}g}".replace("e", "E")


@lru_cache(maxsize=512)
def _sections(code: str) -> tuple[tuple[_Token, ...], ...]:
    sections: list[list[_Token]] = [[]]
    for match in _TOKEN.finditer(code):
        kind, text = match.lastgroup or "", match.group(match.lastgroup or 0)
        if kind == "other" and text == ";":
            sections.append([])
        elif kind == "bracket":
            sections[-1] += _bracket(text)
        elif kind in ("quoted", "escaped", "other"):
            sections[-1].append(_Token("literal", text))
        elif kind == "width":
            sections[-1].append(_Token("literal", " "))
        elif kind != "fill":
            sections[-1].append(_Token(kind, text))
    return tuple(tuple(section) for section in sections[:4])


def _bracket(text: str) -> list[_Token]:
    """`[$€-407]` is a sign of currency, `[h]` hours that do not end at 24; colours, conditions and languages show nothing."""
    if text.startswith("$"):
        return [_Token("literal", text[1:].partition("-")[0])]
    return [_Token("elapsed", text.lower())] if re.fullmatch(r"h+|m+|s+", text, re.IGNORECASE) else []


def _number(value: float, section: tuple[_Token, ...]) -> str:
    pattern = "".join(token.text for token in section if token.kind == "number" and token.text not in ("%", "/"))
    if any(token.text == "/" for token in section if token.kind == "number"):
        return general(value)  # fractions: the decimal says the same
    percents = sum(token.text == "%" for token in section if token.kind == "number")
    text = _digits(abs(Decimal(repr(value))).scaleb(2 * percents, _EXACT), pattern) if pattern else ""
    sign = "-" if value < 0 and text.strip("0.,") else ""
    parts: list[str] = []
    placed = False
    for token in section:
        if token.kind == "number" and token.text == "%":
            parts.append("%")
        elif token.kind == "number":
            parts.append("" if placed else text)
            placed = True
        elif token.kind == "general":
            parts.append(general(abs(value)))
        else:
            parts.append(token.text)
    return " ".join((sign + "".join(parts)).split())


def _digits(value: Decimal, pattern: str) -> str:
    """The digits of a number that is not negative, by the places that a format gives it; halves are rounded up, as spreadsheets do."""
    mantissa, exponent, power = pattern.upper().partition("E")
    whole, _, decimals = mantissa.partition(".")
    value = value.scaleb(-3 * (len(whole) - len(whole.rstrip(","))), _EXACT)
    places = min(sum(c in "0#?" for c in decimals), MAX_DECIMALS)
    if exponent:
        digits, _, shown_power = f"{value:.{places}E}".partition("E")
        sign = "-" if int(shown_power) < 0 else "+" if "+" in power else ""
        return f"{digits}E{sign}{abs(int(shown_power))}"
    rounded = value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP, context=_EXACT)
    text = f"{rounded:,f}" if "," in whole.rstrip(",") else f"{rounded:f}"
    optional = len(decimals) - len(decimals.rstrip("#?"))
    while optional > 0 and "." in text and text.endswith("0"):
        text, optional = text[:-1], optional - 1
    head, point, tail = text.rstrip(".").partition(".")
    return f"{head if ',' in head else head.zfill(sum(c == '0' for c in whole))}{point}{tail}"


def _date(value: float, section: tuple[_Token, ...], *, from_1904: bool) -> str:
    moment = moment_of(value, from_1904=from_1904)
    if moment is None:
        return general(value)
    half = any(token.kind == "half" for token in section)
    parts: list[str] = []
    for index, token in enumerate(section):
        if token.kind == "date":
            parts.append(_date_part(token.text.lower(), moment, minutes=_is_minutes(section, index), half=half))
        elif token.kind == "elapsed":
            seconds = round(value * 86_400)
            divisor = {"h": 3600, "m": 60, "s": 1}[token.text[0]]
            parts.append(str(seconds // divisor).zfill(len(token.text)))
        elif token.kind == "half":
            parts.append("AM" if moment.hour < 12 else "PM")
        elif token.kind in ("literal", "number"):
            parts.append(token.text)
    return " ".join("".join(parts).split())


def moment_of(value: float, *, from_1904: bool) -> datetime | None:
    """The day and time of a serial number; None outside of the calendar. The first one counts a 29 February 1900 that never was."""
    days = value + 1462 if from_1904 else value
    if not 0 <= days < LAST_DAY:
        return None
    if days < 60 and not from_1904:
        days += 1
    return datetime(1899, 12, 30) + timedelta(seconds=round(days * 86_400, 3))


def _is_minutes(section: tuple[_Token, ...], index: int) -> bool:
    """Whether an `m` means minutes: it follows hours or comes before seconds (18.8.31)."""
    before = next((t for t in reversed(section[:index]) if t.kind in ("date", "elapsed")), None)
    after = next((t for t in section[index + 1 :] if t.kind in ("date", "elapsed")), None)
    return (before is not None and before.text[0].lower() == "h") or (after is not None and after.text[0].lower() == "s")


def _date_part(code: str, moment: datetime, *, minutes: bool, half: bool) -> str:
    length = len(code)
    match code[0]:
        case "y" | "e" | "b":
            return f"{moment.year:04d}" if length > 2 or code[0] == "e" else f"{moment.year % 100:02d}"
        case "m" if minutes:
            return str(moment.minute).zfill(min(length, 2))
        case "m":
            name = _MONTHS[moment.month - 1]
            return str(moment.month).zfill(length) if length <= 2 else name[:3] if length == 3 else name[:1] if length == 5 else name
        case "d":
            name = _DAYS[moment.weekday()]
            return str(moment.day).zfill(length) if length <= 2 else name[:3] if length == 3 else name
        case "h":
            hour = (moment.hour % 12 or 12) if half else moment.hour
            return str(hour).zfill(min(length, 2))
    whole, _, fraction = code.partition(".")
    seconds = str(moment.second).zfill(min(len(whole), 2))
    return seconds + (f".{moment.microsecond:06d}"[: len(fraction) + 1] if fraction else "")
