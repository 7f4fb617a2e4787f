"""Whether a page break cut a row in two: the last row above it and the first below it, judged cell by cell.

Merging two whole rows loses data, leaving two halves only looks bad; so every rule here needs positive evidence, and two rows that each
hold all that a row of this table always holds are never merged.
"""

from collections.abc import Callable, Sequence

from streams.assemble.tables.column_profile import ColumnProfile
from streams.assemble.text.continuation import begins_with_total, is_carried
from streams.assemble.text.wording import ends_sentence, is_caseless, is_nothing, is_numeric, starts_lower, starts_within

MOSTLY_CAPITAL = 0.1
"""Share of rows that may begin with a small letter before that says nothing about a cut."""


def is_cut(upper: Sequence[str], lower: Sequence[str], profile: ColumnProfile, full_cells: frozenset[int], known_texts: Callable[[str], int]) -> bool:
    """Whether `lower` is the rest of `upper`.

    `profile` is of the table's other rows, above and below. `full_cells` are the columns of the upper row whose last line fills its cell.
    `known_texts` counts the cells of the document, these two among them, that hold just a text.
    """
    below = [column for column, text in enumerate(lower) if text]
    above = [column for column, text in enumerate(upper) if text]
    if not below or not above or begins_with_total(lower[below[0]]) or is_carried(lower[below[0]]) or is_carried(upper[above[0]]):
        return False
    both = [column for column in below if upper[column]]
    lacks_below, lacks_above = _lacks_key(lower, profile), _lacks_key(upper, profile)
    if lacks_below != lacks_above:
        return _are_halves(upper, lower, both, profile)
    always = profile.always_filled()
    if lacks_below or (len(always) > 1 and all(lower[column] for column in always)):
        return False
    if below != both:  # something begins below that did not begin above: a row of its own
        return False
    if len(below) == 1 and above == below and _runs_on_without_case(upper[below[0]], lower[below[0]], below[0] in full_cells, known_texts):
        return True
    if _goes_on_below_key(upper, lower, both, always):
        return True
    runs_on = all(_runs_on(upper[column], lower[column]) for column in both)
    return runs_on and (below[0] != 0 or profile.lower_first <= profile.rows * MOSTLY_CAPITAL)


def _lacks_key(row: Sequence[str], profile: ColumnProfile) -> bool:
    """Whether the row lacks what identifies a row: the first column that every other row fills."""
    always = profile.always_filled()
    return bool(always) and not row[always[0]]


def _are_halves(upper: Sequence[str], lower: Sequence[str], both: Sequence[int], profile: ColumnProfile) -> bool:
    """One part has the key and the other lacks it: whether they complete each other and nothing speaks against it."""
    always = profile.always_filled()
    if any(not upper[column] and not lower[column] for column in always):
        return False
    if lower[always[0]] and all(lower[column] for column in always):  # a whole row below a sparse one
        return False
    if any(_two_amounts(upper[column], lower[column]) for column in both):
        return any(_runs_on(upper[column], lower[column]) for column in both)
    missing = sum(1 for column in always if not lower[column] or not upper[column])
    if missing * 2 >= len(always):
        return True
    if not lower[always[0]] and missing > 1 and all(upper[column] for column, text in enumerate(lower) if text):
        return True  # without its key and more, and with nothing of its own: no row of this table is like that
    return bool(both) and all(_runs_on(upper[column], lower[column]) for column in both)


def _goes_on_below_key(upper: Sequence[str], lower: Sequence[str], both: Sequence[int], always: Sequence[int]) -> bool:
    """Whether the texts beside a key of two lines, of which the lower part has one as well, all plainly run on, and it lacks what every row has."""
    beside = [column for column in both if column != always[0]] if always else []
    lacks = any(not lower[column] for column in always)
    is_word = not is_numeric(lower[always[0]]) and not is_numeric(upper[always[0]]) if always else False
    return bool(beside) and lacks and is_word and all(_runs_on(upper[column], lower[column]) for column in beside)


def _two_amounts(upper: str, lower: str) -> bool:
    """Whether a cell holds a whole number above and another one below, which no break makes of one."""
    return is_numeric(upper) and is_numeric(lower) and upper[-1] not in "-‐,./"


def _runs_on(upper: str, lower: str) -> bool:
    """Whether a cell's text plainly goes on: a hyphen or a cut number above, or no end above and a small letter below."""
    if is_nothing(upper) or is_nothing(lower) or (is_numeric(upper) and lower[0].isalpha()):
        return False
    if upper[-1] in "-‐/" and lower[0].isalnum():
        return True
    if upper[-1] in ".," and upper[-2:-1].isdigit() and lower[0].isdigit():
        return True
    return (starts_lower(lower) or starts_within(lower)) and not ends_sentence(upper)


def _runs_on_without_case(upper: str, lower: str, is_full: bool, known_texts: Callable[[str], int]) -> bool:
    """The same for scripts that have no capitals: the document knows the whole text, or the line above is full and no sentence ends there.

    A text that stands in another cell of its own is whole: like tables of a report name their rows alike.
    """
    if not is_caseless(lower) or not is_caseless(upper) or ends_sentence(upper):
        return False
    if known_texts(upper + lower):
        return True
    return is_full and not lower[0].isdigit() and known_texts(upper) < 2 and known_texts(lower) < 2
