"""Links each footnote with the place in the text that refers to it: on its own page, and for notes at the end of all, before them.

A note is linked with one place of the text, and with every cell of a table that has its mark; a place refers to one note.
Notes without a mark, and marks that are not found, stay as they are.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from schemas.content import BlockType
from streams.assemble.document.draft import Draft, Piece
from streams.assemble.document.table_notes import link_table_notes
from streams.assemble.text.note_marks import NoteMark, find_mark, own_mark

REFERRING = frozenset({BlockType.PARAGRAPH, BlockType.LIST_ITEM, BlockType.HEADING, BlockType.CAPTION})
"""Blocks in which a mark is looked for."""
MAX_NOTES_PER_PAGE = 200
"""A page of notes of a law has some sixty."""
MAX_MISSED = 16
"""Notes at the end that are looked for in all the text before them, each in vain, before the others are left: each costs a look through all."""


@dataclass(slots=True)
class _Cursor:
    """How far the references were found: a place among pieces, and an offset there."""

    piece: int = 0
    offset: int = 0


def link_notes(draft: Draft) -> None:
    """Gives the pieces of the text the notes that they refer to, the tables first."""
    of_tables = link_table_notes(draft)
    by_page: dict[int, list[Piece]] = defaultdict(list)
    notes: dict[int, list[Piece]] = defaultdict(list)
    text: list[Piece] = []
    for piece in draft.pieces():
        if piece.type is BlockType.FOOTNOTE:
            notes[piece.page].append(piece)
        elif piece.type in REFERRING and piece.text:
            text.append(piece)
            for page in dict.fromkeys(region.page for region in piece.regions):
                by_page[page].append(piece)
    if not notes:
        return
    unlinked = [pair for page in sorted(notes) for pair in _unlinked(_left_to_text(notes[page], of_tables), by_page[page])]
    _link_at_end([(note, mark) for note, mark in unlinked if id(note) not in of_tables], text)
    for piece in text:
        piece.notes.sort(key=lambda reference: reference[0])


def _left_to_text(notes: Sequence[Piece], of_tables: set[int]) -> Sequence[Piece]:
    """The notes of a page that its text may refer to: one that a table refers to only where no other note has the same mark."""
    if not of_tables or all(id(note) not in of_tables for note in notes):
        return notes
    marks = [(note, own_mark(note.text)) for note in notes]
    free = {mark.key for note, mark in marks if mark is not None and id(note) not in of_tables}
    return [note for note, mark in marks if mark is not None and (id(note) not in of_tables or mark.key not in free)]


def _unlinked(notes: Sequence[Piece], text: Sequence[Piece]) -> Iterator[tuple[Piece, NoteMark]]:
    """Links the notes of a page with its text; the notes that the page does not refer to."""
    cursor = _Cursor()
    for note in notes[:MAX_NOTES_PER_PAGE]:
        mark = own_mark(note.text)
        if mark is None:
            continue
        if not (_link(note, mark, text, cursor) or _link(note, mark, text, _Cursor())):
            yield note, mark


def _link_at_end(notes: Sequence[tuple[Piece, NoteMark]], text: Sequence[Piece]) -> None:
    """Links numbered notes at the end of a document with the text before them, both in their order. Not those in round brackets: so is counted in
    every text.
    """
    cursor, missed = _Cursor(), 0
    for note, mark in notes:
        if not mark.key.isalnum() or mark.bracket == "()" or missed >= MAX_MISSED:
            continue
        missed += not _link(note, mark, text, cursor)


def _link(note: Piece, mark: NoteMark, text: Sequence[Piece], cursor: _Cursor) -> bool:
    """Links a note with the first place from the cursor on that refers to it, and moves the cursor behind it."""
    offset = cursor.offset
    for place in range(cursor.piece, len(text)):
        piece = text[place]
        piece.make_line()
        found = find_mark(piece.text, mark, offset)
        while found is not None and any(found[0] < at + length and at < found[0] + found[1] for at, length, _ in piece.notes):
            found = find_mark(piece.text, mark, found[0] + found[1])
        if found is not None:
            piece.notes.append((*found, note))
            cursor.piece, cursor.offset = place, found[0] + found[1]
            return True
        offset = 0
    return False
