"""Roman numerals, for the markers that readers write out. Pure."""

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"),
    (1, "i"),
)  # fmt: skip
LARGEST_ROMAN = 3_999
"""What the letters up to a thousand can say."""


def roman(number: int) -> str:
    """A number from 1 to `LARGEST_ROMAN` in small letters."""
    shown = ""
    for worth, letters in _ROMAN:
        shown += letters * (number // worth)
        number %= worth
    return shown
