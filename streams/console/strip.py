"""The pages of one document as two short strings, a character a page: what became of each, and how far its text is trusted.

Pure. An event about a page that was not asked for, and one that is older than what is known, changes nothing.
"""

import math
from enum import Enum

CONFIDENCE_STEPS = 10
"""Confidence is shown as one digit: colour tells no finer."""
MAX_PAGES = 100_000
"""Of a strip: five times what the settings let a document have; a record that claims more gets no strip."""


class Mark(str, Enum):
    """What became of a page, as one character."""

    WAITING = "."
    EXTRACTED = "e"
    BLANK = "b"
    RECOGNIZING = "q"
    RECOGNIZED = "r"
    FAILED = "f"


SETTLED = frozenset({Mark.EXTRACTED, Mark.BLANK, Mark.RECOGNIZED, Mark.FAILED})
_RANK = {Mark.WAITING: 0, Mark.RECOGNIZING: 1, Mark.EXTRACTED: 1, Mark.BLANK: 1, Mark.RECOGNIZED: 2, Mark.FAILED: 2}
"""Reading a page again after a crash says nothing new about a page that a model has answered."""


class Strip:
    """The pages that a submission asked for, in their order."""

    def __init__(self, pages: tuple[int, ...]) -> None:
        pages = pages[:MAX_PAGES]
        self._places = None if pages == tuple(range(1, len(pages) + 1)) else {page: place for place, page in enumerate(pages)}
        self._marks = bytearray(b"." * len(pages))
        self._trust = bytearray(b" " * len(pages))
        self.settled = 0
        """Pages that are done."""
        self.numbers = pages if self._places is not None else ()
        """The page numbers, where they are not simply 1, 2, 3 …"""

    def set(self, page: int, mark: Mark, confidence: float | None) -> bool:
        """Marks a page; confidence 0..1, None for unknown. Returns whether that settled a page that was not."""
        place = page - 1 if self._places is None else self._places.get(page, -1)
        if not 0 <= place < len(self._marks):
            return False
        known = Mark(chr(self._marks[place]))
        if _RANK[mark] < _RANK[known] or (known in SETTLED and mark not in SETTLED):
            return False
        self._marks[place] = ord(mark.value)
        self._trust[place] = ord(" ") if confidence is None else ord(digit_of(confidence))
        newly = mark in SETTLED and known not in SETTLED
        self.settled += newly
        return newly

    @property
    def marks(self) -> str:
        """A `Mark` for each page."""
        return self._marks.decode("ascii")

    @property
    def trust(self) -> str:
        """A digit for each page, a space where nothing is known."""
        return self._trust.decode("ascii")


def digit_of(confidence: float) -> str:
    """A confidence 0..1 as a digit; what is no number or out of range counts as the nearest."""
    clear = 0.0 if math.isnan(confidence) else min(max(confidence, 0.0), 1.0)
    return str(min(CONFIDENCE_STEPS - 1, int(clear * CONFIDENCE_STEPS)))
