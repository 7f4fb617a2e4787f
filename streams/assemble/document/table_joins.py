"""Joins tables that page breaks cut: finds the pairs of fragments that may belong together, asks for a verdict, and keeps the account.

Only the last table of a page and the first of the next are ever a pair. Chains grow from the first fragment on, so every fragment is judged
against all that is known of the table. A table whose account does not hold is taken apart again, never published wrong.
"""

from functools import cached_property

from schemas.content import BlockType
from schemas.document import Join
from streams.assemble.document.draft import Draft, Piece, Sheet, follows, is_blank
from streams.assemble.document.table_surroundings import Chain, TypeArea, chain_at, surroundings, type_area
from streams.assemble.tables.evidence import Decision, Verdict, judge
from streams.assemble.tables.grid import grid_of
from streams.assemble.tables.joined_table import JoinedTable, TableNotWhole

NO_PAIR = frozenset({"veto:text_between", "veto:heading_between"})
"""Where these stand between two tables, the tables were never a candidate, and the document says nothing about them."""


class KnownTexts:
    """Which whole texts the cells of a document hold, gathered once and only when somebody asks."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    @cached_property
    def _texts(self) -> frozenset[str]:
        tables = (piece.block.table for sheet in self._draft.sheets for piece in sheet.pieces)
        return frozenset("".join(cell.text.split()) for table in tables if table for cell in table.cells if cell.text)

    def holds(self, text: str) -> bool:
        """Whether some cell of the document, as it was read, says just this."""
        return "".join(text.split()) in self._texts


def join_tables(draft: Draft) -> None:
    """Makes every table of the draft whole, as far as the evidence goes and the options allow."""
    area, known = type_area(draft), KnownTexts(draft)
    chain: Chain | None = None
    before: Sheet | None = None
    for sheet in draft.sheets:
        if before is None or not follows(before, sheet):
            chain = None
        before = sheet
        if is_blank(sheet):
            continue
        tables = [index for index, piece in enumerate(sheet.pieces) if piece.in_body and piece.grid is not None]
        if chain is not None and tables and draft.opened.options.join_tables and _try_join(chain, sheet, tables[0], area, known):
            chain.sheet, chain.end = sheet, tables[0]
            tables = tables[1:]
        else:
            chain = None
        if tables:
            last = sheet.pieces[tables[-1]]
            chain = chain_at(sheet, tables[-1], last.table) if last.table else None
    _settle(draft)


def _try_join(chain: Chain, sheet: Sheet, index: int, area: TypeArea, known: KnownTexts) -> bool:
    """Judges the pair and joins it if the verdict says so. Verdicts are recorded on the table above the break."""
    piece = sheet.pieces[index]
    if piece.grid is None:
        return False
    around, passed = surroundings(chain, sheet, index, area)
    verdict = judge(chain.table, piece.grid, around, known.holds)
    if not NO_PAIR.intersection(verdict.reasons):
        chain.table.joins.append(
            Join(
                from_page=chain.sheet.page.page,
                to_page=sheet.page.page,
                score=verdict.score,
                decision=verdict.decision.value,
                reasons=verdict.reasons,
            )
        )
    if verdict.decision is not Decision.JOINED:
        return False
    _join(chain, piece, verdict, passed)
    return True


def _join(chain: Chain, piece: Piece, verdict: Verdict, passed: list[Piece]) -> None:
    if verdict.upper_bounds:
        chain.table.widen(verdict.upper_bounds, verdict.grid.columns)
    if verdict.header.header_rows > chain.table.header_rows:
        chain.table.learn_header(verdict.header.header_rows)
    chain.table.append(verdict.grid, verdict.header.repeated, verdict.merge_first)
    chain.piece.regions.extend(piece.regions)
    chain.piece.confidence = min(chain.piece.confidence, piece.confidence)
    chain.piece.fragments.append(piece)
    piece.absorbed = True
    for other in passed:  # they only said that the table goes on
        other.type = BlockType.PAGE_HEADER if other.page == piece.page else BlockType.PAGE_FOOTER


def _settle(draft: Draft) -> None:
    """Checks the account of every table; one that does not hold is taken apart into its fragments, with a warning."""
    for piece in draft.pieces():
        if piece.table is not None:
            try:
                piece.table.check()
            except TableNotWhole as bug:
                _take_apart(draft, piece, str(bug))


def _take_apart(draft: Draft, head: Piece, why: str) -> None:
    del head.regions[1:]
    for piece in (head, *head.fragments):
        piece.absorbed = False
        piece.grid = grid_of(piece.block.table, piece.page) if piece.block.table else None
        piece.table = JoinedTable(piece.grid) if piece.grid else None
    head.fragments.clear()
    draft.warnings.append(f"the parts of the table that begins on page {head.page} are left apart: joining them lost count ({why}); report it")
