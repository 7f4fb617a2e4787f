"""Numbers as Office spells them in lists and notes (`numFmt`, ECMA-376 part 1, 17.18.59). Pure and total: what is out of a form's range is digits."""

from streams.read.structure.numerals import LARGEST_ROMAN, roman

_LATIN = "abcdefghijklmnopqrstuvwxyz"
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщэюя"
_HAN = "〇一二三四五六七八九"
_STEMS, _BRANCHES = "甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉戌亥"
_KATAKANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
_IROHA = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン"
_GANADA = "가나다라마바사아자차카타파하"
_HEBREW = "אבגדהוזחטיכלמנסעפצקרשת"
_ARABIC_ALPHA = "أبتثجحخدذرزسشصضطظعغفقكلمنهوي"
_ARABIC_ABJAD = "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ"
_THAI = "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ"
_SIGNS = "*†‡§"

_ALPHABETS: dict[str, str] = {
    "lowerLetter": _LATIN, "upperLetter": _LATIN.upper(), "russianLower": _RUSSIAN, "russianUpper": _RUSSIAN.upper(), "aiueo": _KATAKANA,
    "aiueoFullWidth": _KATAKANA, "iroha": _IROHA, "irohaFullWidth": _IROHA, "ganada": _GANADA, "hebrew2": _HEBREW, "arabicAlpha": _ARABIC_ALPHA,
    "arabicAbjad": _ARABIC_ABJAD, "thaiLetters": _THAI, "ideographTraditional": _STEMS, "ideographZodiac": _BRANCHES, "chicago": _SIGNS,
}  # fmt: skip
"""Forms that count by letters; after the last letter Word doubles it."""
_REPEATING = frozenset({"lowerLetter", "upperLetter", "russianLower", "russianUpper", "chicago", "hebrew2", "arabicAlpha", "arabicAbjad"})
_HAN_FORMS = frozenset({
    "chineseCounting", "chineseCountingThousand", "ideographDigital", "japaneseCounting", "japaneseDigitalTenThousand", "taiwaneseCounting",
    "taiwaneseCountingThousand", "taiwaneseDigital", "koreanDigital", "koreanDigital2",
})  # fmt: skip
_DIGITS: dict[str, int] = {"hindiNumbers": 0x966, "thaiNumbers": 0xE50, "decimalFullWidth": 0xFF10, "decimalFullWidth2": 0xFF10}
_MOST_REPEATS = 8


def spelled(value: int, form: str) -> str:
    """A number in a form of `numFmt`."""
    if form in ("upperRoman", "lowerRoman") and 0 < value <= LARGEST_ROMAN:
        return roman(value) if form == "lowerRoman" else roman(value).upper()
    if form in _ALPHABETS and value > 0:
        return _letter(value, _ALPHABETS[form], repeats=form in _REPEATING)
    if form in _HAN_FORMS and 0 <= value < 100:
        return _han(value)
    if form in _DIGITS:
        return "".join(chr(_DIGITS[form] + int(digit)) if digit.isdigit() else digit for digit in str(value))
    if form == "decimalZero":
        return f"{value:02d}"
    if form == "ordinal":
        return f"{value}{_ordinal_ending(value)}"
    if form == "decimalEnclosedCircle" and 0 < value <= 20:
        return chr(0x2460 + value - 1)
    return "" if form in ("none", "bullet") else str(value)


def _letter(value: int, alphabet: str, *, repeats: bool) -> str:
    times, index = divmod(value - 1, len(alphabet))
    if times and (not repeats or times >= _MOST_REPEATS):
        return str(value)
    return alphabet[index] * (times + 1)


def _han(value: int) -> str:
    tens, ones = divmod(value, 10)
    if tens == 0:
        return _HAN[ones]
    return ("" if tens == 1 else _HAN[tens]) + "十" + (_HAN[ones] if ones else "")


def _ordinal_ending(value: int) -> str:
    if value % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
