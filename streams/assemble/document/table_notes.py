"""Binds the marks in the cells of tables to their notes: those that stand under the table, and the footnotes of its pages.

What stands under a table becomes a note only where both say so: it begins with a mark, and a cell has that mark. Several cells may refer to one note.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from schemas.content import BlockType
from schemas.geometry import overlap_x
from streams.assemble.document.draft import Draft, Piece, Sheet
from streams.assemble.render.table_cells import row_starts
from streams.assemble.text.note_marks import CellMark, NoteMark, cell_marks, own_mark

MAX_NOTES = 200
"""Of one page, and under one table."""
MAX_MARKS = 2_000
"""Of one table: more cells with a sign say something else by it."""
MAX_OTHERS = 3
"""Lines under a table that are no notes, before the notes are at an end: where the numbers are from, what is rounded."""
REACH_PT = 48.0
"""How far below the table, or the note before, a note begins at most: three lines."""
_TEXT = frozenset({BlockType.PARAGRAPH, BlockType.LIST_ITEM, BlockType.FOOTNOTE})
_Notes = dict[str, list[tuple[NoteMark, Piece]]]
"""By key: a table of many pages asks for thousands of marks."""


@dataclass(slots=True)
class _Around:
    """The notes that the cells of a table may refer to: those under each of its parts by page, and the footnotes of these pages."""

    under: dict[int, _Notes] = field(default_factory=dict)
    foot: dict[int, _Notes] = field(default_factory=dict)

    def note_of(self, mark: CellMark, page: int) -> Piece | None:
        """The note of a mark on a page: the nearest that fits; notes may stand below the last part of a table alone."""
        last = next(reversed(self.under.values()), {})
        for notes in (self.under.get(page, {}), self.foot.get(page, {}), last):
            for own, note in notes.get(mark.key, ()):
                if mark.fits(own):
                    return note
        return None

    def __bool__(self) -> bool:
        """Whether there is any note."""
        return any(self.under.values()) or any(self.foot.values())


def link_table_notes(draft: Draft) -> set[int]:
    """Gives tables the notes that their cells refer to, and makes notes of what stands under them. The `id` of each piece that is such a note."""
    places = {id(piece): (sheet, place) for sheet in draft.sheets for place, piece in enumerate(sheet.pieces) if piece.type is BlockType.TABLE}
    claimed: set[int] = set()
    for piece in list(draft.pieces()):
        if piece.table is None:
            continue
        around = _Around()
        for part in (piece, *piece.fragments):
            if id(part) in places:
                sheet, place = places[id(part)]
                _add(around.under.setdefault(part.page, {}), islice(_notes_under(sheet, place), MAX_NOTES))
                if part.page not in around.foot:
                    _add(around.foot.setdefault(part.page, {}), _footnotes(sheet))
        if around:
            claimed |= _link(piece, around)
    return claimed


def _link(piece: Piece, around: _Around) -> set[int]:
    """Links the marks of a table's cells. Offsets are those in its text."""
    assert piece.table is not None
    pages = {cell.row: cell.page for cell in piece.table.cells} if piece.fragments else {}
    found: list[tuple[int, int, Piece]] = []
    asked = 0
    for number, (start, row) in enumerate(zip(row_starts(piece.table.rows), piece.table.rows, strict=True)):
        offset = start
        for text in row:
            for mark in cell_marks(text) if text else ():
                asked += 1
                note = around.note_of(mark, pages.get(number, piece.page))
                if note is not None:
                    found.append((offset + mark.offset, mark.length, note))
            offset += len(text) + 1
        if asked > MAX_MARKS:
            return set()
    piece.notes = found
    for _, _, note in found:
        note.type = BlockType.FOOTNOTE
    return {id(note) for _, _, note in found}


def _notes_under(sheet: Sheet, place: int) -> Iterator[tuple[NoteMark, Piece]]:
    """What stands right under a table and begins with a mark."""
    table = sheet.pieces[place]
    end, others = table.bbox[3], 0
    for piece in sheet.pieces[place + 1 :]:
        if piece.absorbed or not piece.in_body or piece.type is BlockType.CAPTION:
            continue
        if piece.type not in _TEXT or others > MAX_OTHERS or len(piece.regions) > 1:
            return
        if not sheet.by_structure and (piece.bbox[1] > end + REACH_PT or piece.bbox[3] < end or overlap_x(piece.bbox, table.bbox) <= 0):
            return
        end = max(end, piece.bbox[3])
        mark = _mark_of(piece)
        if mark is not None:
            yield mark, piece
        else:
            others += 1


def _mark_of(piece: Piece) -> NoteMark | None:
    """The mark that a note begins with. The item of a list, "1.", is none by its number alone."""
    mark = own_mark(piece.text)
    if mark is None or piece.type is BlockType.FOOTNOTE:
        return mark
    return None if piece.text.lstrip()[len(mark.key) :].startswith(".") else mark


def _footnotes(sheet: Sheet) -> Iterator[tuple[NoteMark, Piece]]:
    notes = (piece for piece in sheet.pieces if piece.type is BlockType.FOOTNOTE and not piece.absorbed)
    return ((mark, piece) for piece in islice(notes, MAX_NOTES) if (mark := own_mark(piece.text)) is not None)


def _add(notes: _Notes, found: Iterable[tuple[NoteMark, Piece]]) -> None:
    for mark, piece in found:
        notes.setdefault(mark.key, []).append((mark, piece))
