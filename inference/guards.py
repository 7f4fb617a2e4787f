"""What can be wrong with a model's answer, found without knowing the truth. Pure functions of the answer and of how much ink the page has.

Each problem is one machine-readable word of `Problem`. Model output is data: a page that asks for something is a page with a sentence on it.
"""

import re
from enum import Enum

from inference.layout import block_weight
from inference.pictures import is_picture_page
from schemas.content import PageContent


class Problem(str, Enum):
    """What a guard found; the words stand in `RecognizedPage.problems`."""

    EMPTY_ON_INK = "empty_on_ink"
    REPEATED_TEXT = "repeated_text"
    MORE_TEXT_THAN_INK = "more_text_than_ink"
    LOW_CONFIDENCE = "low_confidence"
    PART_UNREAD = "part_unread"
    SCRIPT_DOUBTFUL = "script_doubtful"
    SCRIPT_UNSUPPORTED = "script_unsupported"
    TRUNCATED = "truncated"
    DAMAGED_MARKUP = "damaged_markup"
    PAGES_MISSING = "pages_missing"
    PAGES_ADDED = "pages_added"
    ENGINES_DISAGREE = "engines_disagree"
    FIRST_ENGINE_FAILED = "first_engine_failed"
    """The reading is the second engine's, as the first gave none: it ended, or ran out of time."""


NOT_TO_BE_TRUSTED = frozenset({Problem.REPEATED_TEXT, Problem.MORE_TEXT_THAN_INK, Problem.TRUNCATED, Problem.PAGES_MISSING, Problem.PAGES_ADDED})
"""Problems of text that is not on the page, or not all of it, or of nobody knows which page: the page fails rather than say it."""

INKED = 0.002
"""Share of ink from which a page is not blank: a line of 60 characters on an A4 page has about this much. A picture has ink and no text, so
emptiness is noted and not a failure."""
LOW = 0.6
"""Mean confidence under which a page is noted as read poorly."""
DOUBTFUL_LINES = 8
"""So many blocks are needed to speak of a script: three bad lines are a stamp or a signature."""
DOUBTFUL = 0.75
"""Mean confidence under which most of a page is probably in a script the model does not know: Hebrew read by a Latin and Chinese model
gave 0.66, Korean 0.4, worn typescript in a known script 0.9."""
UNSUPPORTED = 0.5
"""Mean confidence under which nothing of it can be right, given that no block reads well either."""
READS_WELL = 0.8
"""Confidence of a block that is in a script the model knows."""
UNREAD_SHARE = 0.07
"""Share of a page in blocks of less confidence than `UNREAD`: one paragraph in another script on a page that reads well otherwise."""
UNREAD = 0.5

MIN_INK_PT2 = 0.12
"""Ink of one character in square points at least: 4 pt print, lightly inked."""
MIN_TEXT_CHARS = 400
"""Less text than this is not weighed against ink: a blot more or less decides."""

LOOP_REPEATS = 6
LOOP_TOKENS = 90
"""A run of so many words that repeats one phrase so often is a loop. Tables repeat numbers and short words: a phrase must hold letters, and
a single word repeated counts from twice the length."""
MAX_PHRASE = 40
"""Words of the phrase of a loop, at most."""
MAX_TOKENS = 60_000
"""Words looked at: more than any page holds."""

_LETTERS = re.compile(r"[^\W\d_]{2}")


def check(content: PageContent, confidence: float, ink: float) -> tuple[Problem, ...]:
    """The problems of a page's answer. `confidence` 0..1 is the engine's own, `ink` the share 0..1 of the page that is not paper."""
    text = page_text(content)
    characters = sum(not c.isspace() for c in text)
    if not characters:
        return (Problem.EMPTY_ON_INK,) if ink >= INKED and not is_picture_page(content) else ()
    problems: list[Problem] = []
    if characters >= MIN_TEXT_CHARS and characters * MIN_INK_PT2 > ink * content.width_pt * content.height_pt:
        problems.append(Problem.MORE_TEXT_THAN_INK)
    if is_loop(text):
        problems.append(Problem.REPEATED_TEXT)
    script = _script_problem(content, confidence)
    if script is not None:
        problems.append(script)
    elif confidence < LOW:
        problems.append(Problem.LOW_CONFIDENCE)
    elif unread_share(content) >= UNREAD_SHARE:
        problems.append(Problem.PART_UNREAD)
    return tuple(problems)


def page_text(content: PageContent) -> str:
    """All text of a page, blocks and cells on lines of their own."""
    parts = []
    for block in content.blocks:
        parts.append(block.text)
        if block.table is not None:
            parts += [cell.text for cell in block.table.cells]
    return "\n".join(part for part in parts if part)


def is_loop(text: str) -> bool:
    """Whether a phrase of 1 to 40 words is repeated over and over somewhere in a text."""
    words = text.lower().split()[:MAX_TOKENS]
    if len(words) < LOOP_TOKENS:
        return False
    return any(_repeats(words, period) for period in range(1, MAX_PHRASE + 1))


def _repeats(words: list[str], period: int) -> bool:
    needed = max(LOOP_REPEATS * period, LOOP_TOKENS) * (2 if period == 1 else 1)
    run = 0
    for index in range(period, len(words)):
        run = run + 1 if words[index] == words[index - period] else 0
        if run >= needed - period and _LETTERS.search(" ".join(words[index - period + 1 : index + 1])):
            return True
    return False


def unread_share(content: PageContent) -> float:
    """The share of a page that is in blocks which nobody could read."""
    total = sum(block_weight(block) for block in content.blocks)
    return sum(block_weight(block) for block in content.blocks if block.confidence < UNREAD) / total if total else 0.0


def _script_problem(content: PageContent, confidence: float) -> Problem | None:
    lines = sum(max(1, block.line_count) for block in content.blocks)
    if lines < DOUBTFUL_LINES or confidence >= DOUBTFUL:
        return None
    if confidence < UNSUPPORTED and not any(block.confidence >= READS_WELL and len(block.text) > 3 for block in content.blocks):
        return Problem.SCRIPT_UNSUPPORTED
    return Problem.SCRIPT_DOUBTFUL
