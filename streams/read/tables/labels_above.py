"""The line of labels above the first rule of a stack, as invoices have it: nothing is drawn above the labels themselves.

Pure. Looks at lines before any table is made: only with its labels may a single row below tell its columns.
"""

from collections.abc import Sequence

from schemas.geometry import BBox
from streams.read.tables.columns import are_set_alike
from streams.read.tables.lines import Line, Word, chunks_of, is_value, is_year, text_lines, words_in

REACH_HEIGHTS = 1.2
"""The labels end this many line heights above the rule at most."""
TALLEST_PT = 40.0
"""Height above the rule that is looked at."""
BESIDE_HEIGHTS = 3.0
"""Text this many line heights beside the labels goes on with them."""
LONGEST_WORDS = 4
"""Words of a label at most."""


def header_above(box: BBox, rows: Sequence[Line], words: Sequence[Word]) -> float:
    """The top of the labels above a stack of rules, or of its box where it has none: texts over those of the first row, each set to the same side
    as that below it. `rows` are the lines of the stack, `words` the page's that are in no table.
    """
    x0, top, x1, _ = box
    near = text_lines(words_in(words, (x0 - 2, top - TALLEST_PT, x1 + 2, top)))
    if not near or not rows or top - near[-1].y1 > REACH_HEIGHTS * near[-1].height:
        return top
    labels, reach = chunks_of(near[-1]), BESIDE_HEIGHTS * near[-1].height
    if not are_set_alike([labels, chunks_of(rows[0])]) or not all(_is_label(" ".join(w[4] for w in own.words)) for own in labels):
        return top
    if len(words_in(words, (x0 - reach, near[-1].y0, x1 + reach, near[-1].y1))) > len(near[-1].words):
        return top
    return near[-1].y0 - 1.0


def _is_label(text: str) -> bool:
    return text.count(" ") < LONGEST_WORDS and (is_year(text) or not is_value(text))
