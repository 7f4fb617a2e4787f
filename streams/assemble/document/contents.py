"""Finds contents pages by what they are, a list of titles whose page numbers rise, and takes from them which lines are headings and at which level.

Used where a document has no outline: what its author listed is an outline in print. A title of the list stands for the first line of the text behind
the list that says the same. Entries themselves are never headings.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from schemas.content import BlockType
from streams.assemble.document.draft import SAME_SIZE_PT, Draft, Piece
from streams.assemble.text.contents import Entry, contents_entry, is_contents_title, title_key
from streams.assemble.text.numbering import number_class

MIN_ENTRIES = 4
"""Fewer titles are no list to go by."""
MAX_ENTRIES = 5_000
"""A thousand-page manual lists some two thousand sections."""
RISING = 0.9
"""Share of the page numbers that must not fall: front matter in roman numbers begins anew."""
MAX_MISSES = 3
"""Lines within a list that are no entries: a title without a number, a title of two lines, a head that was not known as such."""
INDENT_PT = 4.0
"""Entries that begin at least this far further in are one level down."""
FOUND = 0.5
"""Share of the titles that the text must hold for the list to be believed."""
LONGEST_HEADING = 300
NAMED = frozenset({BlockType.HEADING, BlockType.PARAGRAPH, BlockType.LIST_ITEM})


@dataclass(slots=True)
class Listed:
    """An entry with the piece that it was read from."""

    entry: Entry
    piece: Piece


def match_contents(draft: Draft) -> dict[int, int]:
    """Levels from the contents pages of a document, by piece. Entries that were taken for headings become text; a short line of the text that an
    entry names word for word becomes a heading.
    """
    if any(sheet.by_structure for sheet in draft.sheets):
        return {}  # the file itself says what is a heading
    listed = list(_entries(draft))
    if len(listed) < MIN_ENTRIES or not _rises([one.entry.page for one in listed]):
        return {}
    for one in listed:
        if one.piece.type is BlockType.HEADING and one.piece.level is None:
            one.piece.type = BlockType.PARAGRAPH
    levels = _levels(listed)
    found = _named(draft, listed, levels)
    if len(found) < FOUND * len(listed):
        return {}
    for piece, _ in found:
        piece.type = BlockType.HEADING
    return {id(piece): level for piece, level in found}


def _entries(draft: Draft) -> Iterator[Listed]:
    """The entries behind the title of the first contents list, over its pages."""
    pieces = iter(piece for piece in draft.pieces() if piece.in_body)
    if not any(is_contents_title(piece.text) for piece in pieces):  # stops behind the title
        return
    misses = count = 0
    for piece in pieces:
        entry = contents_entry(piece.text) if piece.grid is None else None
        if entry is not None:
            misses, count = 0, count + 1
            yield Listed(entry, piece)
        else:
            misses += 1
        if misses > MAX_MISSES or count >= MAX_ENTRIES:
            return


def _rises(pages: Sequence[int]) -> bool:
    return sum(1 for a, b in pairwise(pages) if b >= a) >= RISING * (len(pages) - 1)


def _levels(listed: Sequence[Listed]) -> list[int]:
    """Levels from 1: by indent where entries are indented, else by their numbers, else by how they are set."""
    indents = _ranks([one.piece.bbox[0] for one in listed], INDENT_PT)
    if max(indents) > 1:
        return indents
    numbers = [number_class(one.entry.title) for one in listed]
    kinds = sorted({number.order for number in numbers if number is not None})
    if kinds:
        return [1 if number is None else kinds.index(number.order) + number.depth for number in numbers]
    sizes = _ranks([-one.piece.size_pt for one in listed], SAME_SIZE_PT)
    bold = {bool(one.piece.block.style and one.piece.block.style.bold) for one in listed}
    if max(sizes) > 1 or len(bold) == 1:
        return sizes
    return [1 if one.piece.block.style and one.piece.block.style.bold else 2 for one in listed]


def _ranks(values: Sequence[float], apart: float) -> list[int]:
    """The rank from 1 of each value; values less than `apart` from the next smaller one share its rank."""
    ranks: dict[float, int] = {}
    rank, last = 0, float("-inf")
    for value in sorted(set(values)):
        if value - last >= apart:
            rank += 1
        ranks[value], last = rank, value
    return [ranks[value] for value in values]


def _named(draft: Draft, listed: Sequence[Listed], levels: Sequence[int]) -> list[tuple[Piece, int]]:
    """The lines of the text that the entries name, with the level of their entry, in order. A title that comes more than once is taken in turn."""
    own = {id(one.piece) for one in listed}
    waiting = Counter(one.entry.key for one in listed)
    level_of: dict[str, list[int]] = {}
    for one, level in zip(listed, levels, strict=True):
        level_of.setdefault(one.entry.key, []).append(level)
    found = []
    is_behind = False
    for piece in draft.pieces():
        is_behind = is_behind or id(piece) in own
        if not is_behind or id(piece) in own or piece.type not in NAMED or not piece.in_body or len(piece.text) > LONGEST_HEADING:
            continue
        key = title_key(piece.text)
        if waiting[key] > 0:
            waiting[key] -= 1
            found.append((piece, level_of[key].pop(0)))
    return found
