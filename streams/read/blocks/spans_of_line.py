"""What stands for a line of several spans: whose style, size and baseline it has, and between which heights it stands. Pure functions of spans."""

from collections.abc import Mapping, Sequence
from typing import Any

TALL_LINE, DESCENT, LARGEST = 1.45, 0.3, 1.5
"""Height of a line over its type's size from which a font in it claims more room than it needs; how far common type reaches below its line; and the
largest size of a sign in it that is believed, over that of the line: recognition makes a dash as large as it is long.
"""


def main_span(fonts: Mapping[str, Sequence[tuple[float, int, int]]]) -> int:
    """The number of the span that stands for a line: of the font of most letters, the one of the middle size by letters.

    `fonts`: (size, number, letters) of the spans of each. Not the longest span: where MuPDF makes up the spaces each word is one, and the longest
    may be a program's name; and in recognized text each word has a size of its own.
    """
    spans = max(fonts.values(), key=lambda found: sum(letters for _, _, letters in found)) if len(fonts) > 1 else next(iter(fonts.values()))
    if len(spans) == 1:
        return spans[0][1]
    left = sum(letters for _, _, letters in spans) / 2
    for _, number, letters in sorted(spans):
        left -= letters
        if left <= 0:
            return number
    return spans[0][1]


def extent_of(spans: Sequence[Mapping[str, Any]], main: Mapping[str, Any]) -> tuple[float, float]:
    """(top, bottom) of a line as the font of most of its text gives them. Fonts of formulas claim the height of their tallest brace for each sign
    and would reach into the line below; of other spans only what common type needs counts, so that indexes and exponents stay inside.
    """
    _, top, _, bottom = main["bbox"]
    for span in spans:
        baseline, size = span["origin"][1], min(span["size"], LARGEST * main["size"])
        top = min(top, max(span["bbox"][1], baseline - size))
        bottom = max(bottom, min(span["bbox"][3], baseline + DESCENT * size))
    return top, bottom
