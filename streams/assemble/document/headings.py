"""Gives headings their levels over the whole document, and every block the path of headings above it.

Sources, in this order: the outline (bookmarks), or where there is none the contents pages; the numbering (Part, Chapter, 1, 1.1, 1.1.1); and
clusters of type size and weight.
Each later source is laid against the earlier one where both speak about the same headings, so that levels fit together. None is left out on the
way down, whatever the sources say.
"""

import math
from collections.abc import Sequence

from schemas.content import BlockType
from streams.assemble.document.contents import match_contents
from streams.assemble.document.draft import DEEPEST_LEVEL, SAME_SIZE_PT, Draft
from streams.assemble.document.heading_levels import Heading, LevelScheme, look_of
from streams.assemble.document.outline import LONGEST_HEADING, match_outline
from streams.assemble.text.numbering import number_class

SLIDES = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
"""In such a document no page stands under the heading of another."""
TITLE_PAGES = 3
"""A cover picture may come first; later than this nothing is the title of all."""


def level_headings(draft: Draft) -> None:
    """Sets the level of every heading; blocks that the outline names become headings."""
    bookmarked = match_outline(draft)
    by_outline = bookmarked or match_contents(draft)
    headings = []
    for piece in draft.pieces():
        if piece.type is BlockType.HEADING and piece.level is not None:
            continue  # the file itself says what it is
        if piece.type is BlockType.HEADING and id(piece) not in by_outline and len(piece.text) > LONGEST_HEADING:
            piece.type = BlockType.PARAGRAPH
        if piece.type is BlockType.HEADING:
            headings.append(Heading(piece, number_class(piece.text), by_outline.get(id(piece)), look_of(piece)))
    levels = LevelScheme(headings)
    for heading in headings:
        heading.piece.level = min(DEEPEST_LEVEL, max(1, levels.level_of(heading)))
    if not bookmarked:
        _single_out_title(headings)
    _close_jumps(headings)


def set_heading_paths(draft: Draft) -> None:
    """Gives every block of the body the headings above it, from the top down. Furniture stands under no heading."""
    stack: list[tuple[int, str]] = []
    path: tuple[str, ...] = ()
    for sheet in draft.sheets:
        if draft.opened.media_type == SLIDES:
            stack, path = [], ()
        for piece in sheet.body():
            if piece.type is BlockType.HEADING:
                level = piece.level or 1
                while stack and stack[-1][0] >= level:
                    stack.pop()
                piece.heading_path = tuple(text for _, text in stack)
                stack.append((level, piece.text))
                path = tuple(text for _, text in stack)
            else:
                piece.heading_path = path


def set_title(draft: Draft) -> None:
    """Fills in the document's title where its metadata has none: the weightiest heading in the upper half of an early page."""
    if draft.metadata.get("title", "").strip():
        return
    for sheet in draft.sheets[:TITLE_PAGES]:
        lowest = math.inf if sheet.by_structure else sheet.page.height_pt / 2
        upper = [p for p in sheet.body() if p.type is BlockType.HEADING and p.text and p.bbox[1] < lowest]
        if upper:
            draft.metadata["title"] = min(upper, key=lambda p: (p.level or 1, -p.size_pt)).text
            return


def _single_out_title(headings: Sequence[Heading]) -> None:
    """A title that is larger than any other heading stands alone at level 1, and the rest begins at level 2."""
    if len(headings) < 3:
        return
    first = headings[0].piece
    group = [h.piece for h in headings if h.piece.size_pt > first.size_pt - SAME_SIZE_PT]
    rest = [h.piece for h in headings if h.piece.size_pt <= first.size_pt - SAME_SIZE_PT]
    if headings[0].number is not None or not first.size_pt or not rest or any(p.page != first.page for p in group):
        return
    shift = max(0, 2 - min(p.level or 1 for p in rest))
    for piece in group:
        piece.level = 1
    for piece in rest:
        piece.level = min(DEEPEST_LEVEL, (piece.level or 1) + shift)


def _close_jumps(headings: Sequence[Heading]) -> None:
    """Sets each heading one level below the one that it stands under, where it is deeper: a level that nothing has is none. What stands under the
    same heading on the same level stays so.
    """
    above: list[tuple[int, int]] = []
    for piece in (heading.piece for heading in headings if heading.piece.in_body):
        level = piece.level or 1
        while above and above[-1][0] >= level:
            above.pop()
        piece.level = above[-1][1] + 1 if above else level
        above.append((level, piece.level))
