"""Puts the columns of tables in the order in which they are read: those of a right-to-left script begin with the column at the right.

Fragments are read and joined by place, from left to right: one page of a table may hold digits alone. So this comes once tables are whole. What a
file itself gives as a table stands in reading order already.
"""

from streams.assemble.document.draft import Draft
from streams.assemble.text.wording import is_mostly_right_to_left


def order_table_columns(draft: Draft) -> None:
    """Turns every table around that has places on its page and is written from right to left."""
    for sheet in draft.sheets:
        if sheet.by_structure:
            continue
        for piece in sheet.pieces:
            table = None if piece.absorbed else piece.table
            if table is not None and table.cells[0].bbox is not None and is_mostly_right_to_left(map("".join, table.rows)):
                table.turn_around()
