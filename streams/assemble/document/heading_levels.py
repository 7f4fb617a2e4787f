"""Lays three scales of heading levels over each other: the outline, the schemes of numbering, and the looks (type size and weight).

A scheme takes its level from headings that the outline names, else from its place among the schemes of the document. A look takes its
level from numbered and outlined headings that look the same. What is left goes by its rank among the looks.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from streams.assemble.document.draft import SAME_SIZE_PT, Piece
from streams.assemble.text.numbering import NumberClass

BESIDE = frozenset({"appendix", "letter"})
"""Schemes that stand beside another one where they look the same, not below it. Letters do so beside figures; after Roman numbers they are deeper."""

Look = tuple[float, bool, int]
"""How a heading looks: size in points (0 where unknown), bold, and the level that an engine gave it where it gave no size."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with all that speaks about its level."""

    piece: Piece
    number: NumberClass | None
    outline_level: int | None
    look: Look


def look_of(piece: Piece) -> Look:
    """How a heading looks."""
    style = piece.block.style
    if style is not None and style.size_pt > 0:
        return round(style.size_pt * 2) / 2, style.bold, 0
    return 0.0, False, piece.block.level or 1


class LevelScheme:
    """The levels of one document's headings."""

    def __init__(self, headings: Sequence[Heading]) -> None:
        self._ranks = rank_looks(heading.look for heading in headings)
        self._weightier: list[int] = []
        self._bases = self._scheme_bases(headings)
        votes: dict[Look, Counter[int]] = defaultdict(Counter)
        for heading in headings:
            level = self._told(heading)
            if level is not None:
                votes[heading.look][level] += 1
        self._of_look = {look: most(counts) for look, counts in votes.items()}

    def level_of(self, heading: Heading) -> int:
        """The level from 1, not yet bounded."""
        return self._told(heading) or self._level_of_look(heading.look)

    def _told(self, heading: Heading) -> int | None:
        if heading.outline_level is not None or heading.number is None:
            return heading.outline_level
        return self._bases[heading.number.kind] + heading.number.depth - 1

    def _scheme_bases(self, headings: Sequence[Heading]) -> dict[str, int]:
        """The level of the first depth of each scheme."""
        looks: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
        outlined: dict[str, Counter[int]] = defaultdict(Counter)
        plain: Counter[int] = Counter()
        for heading in headings:
            rank, number = self._ranks[heading.look], heading.number
            if number is None:
                plain[rank] += heading.outline_level is None
                continue
            looks[(number.kind, number.order)][rank] += 1
            if heading.outline_level is not None:
                outlined[number.kind][max(1, heading.outline_level - number.depth + 1)] += 1
        schemes = sorted((min(counts), order, kind) for (kind, order), counts in looks.items())
        if schemes:
            self._weightier = sorted(rank for rank, count in plain.items() if count > 1 and rank < schemes[0][0])
        bases: dict[str, int] = {}
        level, last_rank = len(self._weightier), None
        for rank, _, kind in schemes:
            beside = kind in BESIDE and rank == last_rank and not (kind == "letter" and "roman" in bases)
            bases[kind] = most(outlined[kind]) if kind in outlined else level if beside else level + 1
            level, last_rank = max(level, bases[kind]), rank
        return bases

    def _level_of_look(self, look: Look) -> int:
        if look in self._of_look:
            return self._of_look[look]
        rank = self._ranks[look]
        if not self._of_look:
            return rank
        above = [level for other, level in self._of_look.items() if self._ranks[other] < rank]
        if above:
            return max(above) + 1
        return min(1 + sum(1 for other in self._weightier if other < rank), max(1, min(self._of_look.values())))


def rank_looks(looks: Iterable[Look]) -> dict[Look, int]:
    """Ranks from 1: larger before smaller, bold before light; a level that an engine gave is its own rank."""
    ranks: dict[Look, int] = {}
    rank, last = 0, None
    for look in sorted(set(looks), key=lambda x: (-x[0], not x[1], x[2])):
        if look[0] == 0.0:
            ranks[look] = look[2]
            continue
        if last is None or last[0] - look[0] > SAME_SIZE_PT or last[1] != look[1]:
            rank, last = rank + 1, look
        ranks[look] = rank
    return ranks


def most(counts: Counter[int]) -> int:
    """The most frequent value, the smaller one on a tie."""
    return min(counts, key=lambda value: (-counts[value], value))
