"""Joins listings of code and footnotes that a page cut, over blank pages too, never over a page that is missing.

A listing goes on where the last block of a page's text and the first of the next are code in one type; its lines are kept. A footnote goes on where a
page's last one is not over and the next page's first one has no mark of its own and goes on in words.
"""

import re

from schemas.content import BlockType
from schemas.text import Words
from streams.assemble.document.draft import SAME_SIZE_PT, Draft, Piece, Sheet, follows, is_blank
from streams.assemble.document.paragraphs import DocumentWords
from streams.assemble.text.hyphens import seam
from streams.assemble.text.wording import ends_sentence, is_caseless, starts_lower

_NOTE_MARK = re.compile(r"\s*(?:[(\[]?(?:\d{1,3}|[a-z])[.)\]]?\s|[(\[]?\d{1,3}[.)\]]?(?=[^\W\d_])|[*†‡§¶#※⁰¹²³⁴⁵⁶⁷⁸⁹①-⑳])", re.IGNORECASE)
_BESIDE = frozenset({BlockType.FOOTNOTE, BlockType.ANNOTATION, BlockType.PAGE_HEADER, BlockType.PAGE_FOOTER})
"""What may stand between the end of a listing and the end of its page."""
LOWEST = 0.5
"""Share of the page's height above which a listing that ends there ends for good."""


def join_cut_blocks(draft: Draft) -> None:
    """Makes listings and footnotes whole."""
    words = DocumentWords(draft)
    before: Sheet | None = None
    listing: Piece | None = None
    note: Piece | None = None
    for sheet in draft.sheets:
        if before is None or not follows(before, sheet):
            listing = note = None
        before = sheet
        if sheet.by_structure or is_blank(sheet):
            continue
        text = [piece for piece in sheet.pieces if not piece.absorbed and piece.type not in _BESIDE]
        notes = [piece for piece in sheet.pieces if not piece.absorbed and piece.type is BlockType.FOOTNOTE]
        code = text[0] if text and text[0].type is BlockType.CODE else None
        went_on = listing is not None and code is not None and _same_code(listing, code)
        if listing is not None and code is not None and went_on:
            listing.swallow(code, 0, "\n")
        listing = _open_listing(sheet, text, listing if went_on and len(text) == 1 else None)
        if notes and note is not None and _note_goes_on(note, notes[0]):
            _join_note(note, notes[0], words)
            note = notes[-1] if len(notes) > 1 else note
        else:
            note = notes[-1] if notes else None


def _open_listing(sheet: Sheet, text: list[Piece], whole_page: Piece | None) -> Piece | None:
    """The listing that may go on behind a sheet: its last block, or the one of which the sheet is all a part."""
    last = text[-1] if text else None
    if last is None or last.type is not BlockType.CODE or last.bbox[3] < LOWEST * sheet.page.height_pt:
        return None
    return whole_page or (None if last.absorbed else last)


def _same_code(above: Piece, below: Piece) -> bool:
    return above.size_pt == 0.0 or below.size_pt == 0.0 or abs(above.size_pt - below.size_pt) <= SAME_SIZE_PT


def _note_goes_on(above: Piece, below: Piece) -> bool:
    """Whether the words say so: no end above, no mark below, a small letter or a script without capitals."""
    if ends_sentence(above.text) or _NOTE_MARK.match(below.text) or not below.text:
        return False
    return starts_lower(below.text) or is_caseless(below.text)


def _join_note(above: Piece, below: Piece, words: Words) -> None:
    above.swallow(below, *seam(above.text, below.text, words))
