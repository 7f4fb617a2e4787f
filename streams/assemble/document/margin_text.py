"""Text beside the text: turned lines in the outer margins of pages, as a repository's stamp, which repeat nowhere and are furniture all the same."""

from schemas.content import Block, BlockType
from schemas.geometry import height
from streams.assemble.document.draft import Draft

MARGIN = 0.15
"""The share of a page's width at each side in which turned text can be a stamp."""
MOSTLY_UPRIGHT = 10
"""Upright characters for each turned one, where the page is text and the turned line no label of a figure."""


def mark_margins(draft: Draft) -> None:
    """Turned text in the outer margin of a page of upright text (a repository's stamp) is not part of the text."""
    for sheet in draft.sheets:
        if sheet.by_structure:
            continue
        turned = [p for p in sheet.body() if _is_turned_line(p.block)]
        if not turned:
            continue
        upright = [p for p in sheet.body() if p.block.rotation == 0]
        if sum(len(p.text) for p in upright) < MOSTLY_UPRIGHT * sum(len(p.text) for p in turned):
            continue
        left, right = min(p.bbox[0] for p in upright), max(p.bbox[2] for p in upright)
        margin = MARGIN * sheet.page.width_pt
        for piece in turned:
            x0, _, x1, _ = piece.bbox
            if (x1 <= left and x1 <= margin) or (x0 >= right and x0 >= sheet.page.width_pt - margin):
                piece.type = BlockType.PAGE_HEADER


def _is_turned_line(block: Block) -> bool:
    is_line = height(block.bbox) > block.bbox[2] - block.bbox[0]
    return is_line and block.rotation in (90, 270) and block.type not in (BlockType.TABLE, BlockType.CAPTION)
