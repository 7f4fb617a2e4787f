"""Joins headings that were read line by line: a title of two lines whose second stands close below the first and is set as it is.

In type larger than the text's, closeness says it; else only a small letter does, since labels of forms stand close below each other too.
"""

from schemas.content import BlockType, TextStyle
from streams.assemble.document.draft import Draft, Piece
from streams.assemble.document.outline import LONGEST_HEADING
from streams.assemble.document.paragraphs import MARKER
from streams.assemble.text.numbering import number_class
from streams.assemble.text.wording import fold, glue, starts_lower

LARGE = 1.25
"""Size of type over the body's from which lines of it that stand close are one heading: a subtitle is set smaller, the next section far below."""
CLOSE = 0.9
"""White space between two lines of a heading over their size of type, at most; before the next heading there is more than a line."""
LINED_UP = 0.7
"""Sizes of type by which the beginnings, middles or ends of such lines may differ."""
SAME_SIZE = 0.03
MAX_LINES = 5


def join_cut_headings(draft: Draft) -> None:
    """Makes headings whole that stand on one page. What the outline names alone stays alone."""
    named = {fold(entry.title) for entry in draft.opened.outline}
    for sheet in draft.sheets:
        if sheet.by_structure:
            continue
        before: Piece | None = None
        for piece in sheet.pieces:
            if before is not None and _goes_on(before, piece, draft.body_size_pt) and not {fold(before.text), fold(piece.text)} & named:
                before.swallow(piece, 0, glue(before.text, piece.text))
            else:
                before = piece if piece.type is BlockType.HEADING else None


def _goes_on(above: Piece, below: Piece, body_size_pt: float) -> bool:
    if below.type is not BlockType.HEADING or not below.text or above.block.rotation or below.block.rotation or len(above.regions) >= MAX_LINES:
        return False
    if len(above.text) + len(below.text) > LONGEST_HEADING or number_class(below.text) is not None or MARKER.match(below.text):
        return False
    size = below.size_pt
    if not size or not _same_look(above.block.style, below.block.style) or not _is_close(above, below, size):
        return False
    return starts_lower(below.text) or (body_size_pt > 0 and size >= LARGE * body_size_pt)


def _same_look(one: TextStyle | None, other: TextStyle | None) -> bool:
    if one is None or other is None or one.font != other.font or one.bold != other.bold:
        return False
    return abs(one.size_pt - other.size_pt) <= SAME_SIZE * other.size_pt


def _is_close(above: Piece, below: Piece, size: float) -> bool:
    """Whether a line stands right below the last one, lined up with it at the left, in the middle or at the right."""
    upper, lower = above.regions[-1].bbox, below.bbox
    if not -0.5 * size < lower[1] - upper[3] < CLOSE * size:
        return False
    apart = lower[0] - upper[0], lower[2] - upper[2]
    return min(abs(apart[0]), abs(apart[1]), abs(sum(apart)) / 2) < LINED_UP * size
