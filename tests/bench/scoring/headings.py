"""Headings against a document's own outline (bookmarks): which titles are headings in the output, and at which level.

The outline's levels may start one lower than the document's (a title page above all), so levels count after the one shift of a whole document that
fits best. Titles are matched in order of the outline, by folded text; a heading answers one entry.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from rapidfuzz import fuzz

from tests.bench.scoring.grids import fold
from tests.bench.scoring.outputs import Heading

ALIKE = 90.0
"""Percent of likeness from which a heading is an outline's title: numbering and dashes are often written differently."""
PAGES_APART = 1
"""Outlines often lead to the page before: the place that is to be seen is the end of the space above the heading."""


class HeadingScore(Struct, frozen=True):
    """Entries of the outline, those found as headings, and those of them at the right level."""

    entries: int = 0
    found: int = 0
    level_right: int = 0

    def __add__(self, other: "HeadingScore") -> "HeadingScore":
        return HeadingScore(self.entries + other.entries, self.found + other.found, self.level_right + other.level_right)

    @property
    def recall(self) -> float:
        """Share of entries found; 1 without entries."""
        return self.found / self.entries if self.entries else 1.0

    @property
    def level_accuracy(self) -> float:
        """Share of found ones at the right level; 1 without any."""
        return self.level_right / self.found if self.found else 1.0


def score_headings(outline: Sequence[Heading], found: Iterable[Heading]) -> HeadingScore:
    """The score of one document."""
    free = [(heading, fold(heading.text).lower()) for heading in found]
    shifts: Counter[int] = Counter()
    for entry in outline:
        title = fold(entry.text).lower()
        best, at = 0.0, -1
        for index, (heading, text) in enumerate(free):
            if _near(entry, heading):
                likeness = 100.0 if text == title else fuzz.ratio(text, title, score_cutoff=ALIKE)
                if likeness > best:
                    best, at = likeness, index
        if at >= 0:
            shifts[free.pop(at)[0].level - entry.level] += 1
    return HeadingScore(len(outline), shifts.total(), max(shifts.values(), default=0))


def _near(entry: Heading, heading: Heading) -> bool:
    return entry.page is None or heading.page is None or abs(entry.page - heading.page) <= PAGES_APART
