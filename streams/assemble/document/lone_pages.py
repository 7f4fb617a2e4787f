"""Furniture of documents too short for repetition to prove any: a page number, running head or stamp at the edge of one or two pages.

A line is furniture where its place and its words both say so: the outermost row of the page, one line high, no larger than the text, and a page's
number, words spread over the whole width around a number, or the words of publishers' stamps (an address of the web alone, "Downloaded from",
"Volume 8 | Issue 3", "Revision: 2.4"). What a letter or an invoice begins and ends with is left: it has no such words.
"""

import re
from collections.abc import Sequence

from schemas.content import BlockType
from streams.assemble.document.draft import Piece, Sheet
from streams.assemble.text.page_numbers import is_page_number
from streams.assemble.text.wording import fold

EDGE = 0.11
"""Share of the page's height at each edge in which a head or foot stands."""
FOOT = 0.13
"""The same for a foot that shows by its form alone."""
MOST_ROWS = 3
"""Rows at an edge, at most: a stamp, a head and its number."""
LARGER = 1.06
"""Type size over that of the text from which on a line is a heading."""
LARGEST = 1.3
"""The same where place and words leave no doubt: fine print outweighs the text of a title page."""
LONGEST = 160
"""Characters of a row; longer ones are text."""
MOST_OF_PAGE = 0.3
"""Share of a page's characters that may be furniture; with more of them the page is a label or a form."""
ENOUGH_TEXT = 200
"""Characters of a page of a paragraph and a number below it; with fewer, both may be a label."""
SPREAD = 0.62
"""Width of a row over its characters and type size from which on it has wide spaces within: words have 0.5."""
MIDDLE = 0.04
"""How far from the page's middle a centred number stands, as a share of its width."""

_STAMP = re.compile(
    r"^\W*(?:(?:https?://|www\.)\S+\W*$|download(?:ed)?\b|this (?:content|article|version) (?:was )?downloaded|printed (?:on|from|by)\b|"
    r"digiti[sz]ed by|heruntergeladen|téléchargé|descargado|скачано|retrieved (?:on|from)\b)"
    r"|\bwww\.\S+.*\b(?:volume|vol\.?|issue|no\.)\s*\d|\bvol(?:ume|\.)\s*\d+.*\b(?:issue|no\.?|pp?\.)\s*\d|\bissn\b[\s:]*\d{4}|"
    r"^\W*(?:confidential|internal use only|all rights reserved|(?:©|\(c\)|copyright)[^.;]{0,60}?\b(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_CITED = re.compile(r"\b\d{1,4}\s*\((?:19|20)\d\d\)\s*\d+\s*[–-]\s*\d+\W*(?:\d+\W*)?$")
"""The volume, year and pages of a journal at the end of a line: a head says what its page is from, a foot may be the last of its references."""
_EDGE_NUMBER = re.compile(
    r"^\W*(?:(?:page|seite|página|pagina|стр\.?) \d|(?!(?:19|20)\d\d\b)\d{1,4}\s+\D)|\D\s+(?!(?:19|20)\d\d\b)\d{1,4}\W*$", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_KINDS = (BlockType.PARAGRAPH, BlockType.HEADING, BlockType.FOOTNOTE, BlockType.LIST_ITEM)


def mark_lone_pages(sheets: Sequence[Sheet], body_size_pt: float) -> None:
    """Types the furniture at the edges of each sheet by itself."""
    for sheet in sheets:
        pieces = [p for p in sheet.body() if p.block.rotation == 0 and p.type not in (BlockType.FIGURE, BlockType.FORM_FIELD, BlockType.ANNOTATION)]
        said = sum(map(_size_of, pieces))
        if len(pieces) < (2 if said > ENOUGH_TEXT else 3) and not any(p.grid for p in pieces):
            continue
        budget = MOST_OF_PAGE * said
        for top in (True, False):
            for row in _edge_rows(pieces, top=top):
                said = sum(len(p.text) for p in row)
                if said > budget or not _is_furniture(row, sheet, body_size_pt, top=top):
                    break
                budget -= said
                for piece in row:
                    piece.type = BlockType.PAGE_HEADER if top else BlockType.PAGE_FOOTER


def _size_of(piece: Piece) -> int:
    """Characters of a piece, of a table those of its cells."""
    return sum(len(cell.text) for cell in piece.grid.cells) if piece.grid is not None else len(piece.text)


def _edge_rows(pieces: Sequence[Piece], *, top: bool) -> list[list[Piece]]:
    """The outermost rows of an edge, from the edge inwards."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda p: (p.bbox[1], p.bbox[0]) if top else (-p.bbox[3], p.bbox[0])):
        middle = (piece.bbox[1] + piece.bbox[3]) / 2
        if rows and rows[-1][0].bbox[1] <= middle <= rows[-1][0].bbox[3]:
            rows[-1].append(piece)
        elif len(rows) == MOST_ROWS:
            break
        else:
            rows.append([piece])
    return rows


def _is_furniture(row: Sequence[Piece], sheet: Sheet, body_size_pt: float, *, top: bool) -> bool:
    if any(p.type not in _KINDS or p.block.line_count > 1 or p.grid is not None or not p.text for p in row):
        return False
    if body_size_pt and any(p.size_pt > LARGEST * body_size_pt for p in row):
        return False
    text = " ".join(p.text for p in sorted(row, key=lambda p: p.bbox[0]))
    if len(text) > LONGEST:
        return False
    tall = max(sheet.page.height_pt, 1.0)
    offset = (max(p.bbox[3] for p in row) if top else tall - min(p.bbox[1] for p in row)) / tall
    if len(row) == 1 and _is_number(text) and (offset <= EDGE or (not top and _is_centred(row[0], sheet))):
        return True
    if offset <= EDGE and (_STAMP.search(text) or (top and _CITED.search(text))):
        return True
    spread = _is_spread(row) and all(p.type is BlockType.PARAGRAPH for p in row)
    if offset <= EDGE and spread and _EDGE_NUMBER.search(text) and not any(p.size_pt > LARGER * body_size_pt > 0 for p in row):
        return True
    return not top and offset <= FOOT and spread and len(row) + _wide_gaps(row) > 2 and _DIGIT.search(text) is not None


def _is_number(text: str) -> bool:
    folded = fold(text)
    return is_page_number(folded) and len(re.sub(r"\D", "", folded)) <= 4


def _is_centred(piece: Piece, sheet: Sheet) -> bool:
    wide = max(sheet.page.width_pt, 1.0)
    return abs((piece.bbox[0] + piece.bbox[2]) / 2 - wide / 2) <= MIDDLE * wide


def _is_spread(row: Sequence[Piece]) -> bool:
    """Whether a row's parts stand far apart, as in a head that is flush on both sides."""
    return len(row) > 1 or _wide_gaps(row) > 0


def _wide_gaps(row: Sequence[Piece]) -> int:
    """About how many wide spaces a line read as one piece has within: its width beyond what its characters take, in shares of the page's column."""
    found = 0
    for piece in row:
        size = piece.size_pt or 10.0
        taken = SPREAD * size * max(len(piece.text), 1)
        width = piece.bbox[2] - piece.bbox[0]
        found += 2 if width > 1.6 * taken and width > 30 * size else int(width > 1.25 * taken)
    return found
