"""Finds the blocks that a document's outline (its bookmarks) names: their level is what the author said."""

from collections import defaultdict
from collections.abc import Sequence

from rapidfuzz import fuzz

from schemas.content import BlockType
from schemas.document import OutlineEntry
from streams.assemble.document.draft import Draft, Piece
from streams.assemble.text.wording import fold, glue

LONGEST_HEADING = 300
"""A longer text is a paragraph in heavy type."""
ALIKE = 90.0
"""Edit similarity in percent above which an entry names a heading: bookmarks are often typed anew."""
MAX_LINES = 4
"""Headings of one title: lines set so far apart that each was taken for one."""
MAX_ENTRIES_PER_PAGE = 64
"""Bookmarks compared with the blocks of one page: a real page has a dozen."""
NAMED = frozenset({BlockType.HEADING, BlockType.PARAGRAPH, BlockType.LIST_ITEM})


def match_outline(draft: Draft) -> dict[int, int]:
    """Levels from the outline, by piece. A short paragraph that an entry names word for word becomes a heading."""
    by_page: dict[int, list[OutlineEntry]] = defaultdict(list)
    for entry in draft.opened.outline:
        if entry.page is not None and len(by_page[entry.page]) < MAX_ENTRIES_PER_PAGE:
            by_page[entry.page].append(entry)
    levels: dict[int, int] = {}
    for sheet in draft.sheets:
        entries = by_page.get(sheet.page.page)
        if not entries:
            continue
        candidates = [piece for piece in sheet.body() if piece.type in NAMED and len(piece.text) <= LONGEST_HEADING]
        for entry in entries:
            piece = _in_several(entry, candidates, levels) or _named_by(entry, candidates, levels)
            if piece is not None:
                piece.type = BlockType.HEADING
                levels[id(piece)] = max(1, entry.level)
    return levels


def _in_several(entry: OutlineEntry, candidates: Sequence[Piece], taken: dict[int, int]) -> Piece | None:
    """The heading that an entry names whose lines were read as headings of their own: the first line, which takes the others."""
    title = _key(entry.title)
    for start, first in enumerate(candidates):
        key = _key(first.text)
        if first.type is not BlockType.HEADING or id(first) in taken or not key or not title.startswith(key) or key == title:
            continue
        for end in range(start + 1, min(len(candidates), start + MAX_LINES)):
            key += _key(candidates[end].text)
            if candidates[end].type is not BlockType.HEADING or id(candidates[end]) in taken or not title.startswith(key):
                break
            if key == title:
                for other in candidates[start + 1 : end + 1]:
                    first.swallow(other, 0, glue(first.text, other.text))
                    taken[id(other)] = entry.level
                return first
    return None


def _key(text: str) -> str:
    return fold(text[:LONGEST_HEADING]).replace(" ", "")


def _named_by(entry: OutlineEntry, candidates: Sequence[Piece], taken: dict[int, int]) -> Piece | None:
    title = _key(entry.title)
    if not title:
        return None
    best, best_score = None, ALIKE
    for piece in candidates:
        if id(piece) in taken:
            continue
        text = _key(piece.text)
        score = 100.0 if text == title else fuzz.ratio(text, title) if piece.type is BlockType.HEADING else 0.0
        if piece.type is BlockType.HEADING and score < ALIKE and (text.endswith(title) or title.endswith(text)) and 2 * len(text) > len(title):
            score = ALIKE + 1.0
        if score > best_score:
            best, best_score = piece, score
    return best
