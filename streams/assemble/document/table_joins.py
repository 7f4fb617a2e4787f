"""Joins tables that page and column breaks cut: finds the fragments that may belong together, asks for a verdict, and keeps the account.

Only the last table of a page and the first of the next are ever a pair, and the last of a column and the first of the next. Chains grow from the
first fragment on, so every fragment is judged against all that is known of the table. Over a page that is missing nothing is joined: a table that
seems to go on behind it is named as perhaps the same. A table whose account does not hold is taken apart again, never published wrong.
"""

from collections import Counter
from functools import cached_property

from schemas.content import BlockType
from schemas.document import FinishedPageStatus, Join
from streams.assemble.document.draft import Draft, Piece, Sheet, is_blank, is_next
from streams.assemble.document.table_rests import Rest, rest_at_end, rests_for
from streams.assemble.document.table_surroundings import Chain, TypeArea, chain_at, may_follow, surroundings, type_area
from streams.assemble.tables.evidence import Decision, Verdict, judge, vouches, with_missing_page
from streams.assemble.tables.grid import grid_of
from streams.assemble.tables.joined_table import JoinedTable, TableNotWhole

NO_PAIR = frozenset({"veto:text_between", "veto:heading_between"})
"""Where these stand between two tables, the tables were never a candidate, and the document says nothing about them."""
ENOUGH_PAGES = 3
"""Pages from which on running heads are proven by repetition (`furniture`): those are no rows."""
SIDEWAYS = "veto:continued_sideways"


class KnownTexts:
    """How often the cells of a document hold a whole text, gathered once and only when somebody asks."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    @cached_property
    def _texts(self) -> Counter[str]:
        tables = (piece.block.table for sheet in self._draft.sheets for piece in sheet.pieces)
        return Counter("".join(cell.text.split()) for table in tables if table for cell in table.cells if cell.text)

    def count(self, text: str) -> int:
        """How many cells of the document, as it was read, say just this."""
        return self._texts["".join(text.split())]


def join_tables(draft: Draft) -> None:
    """Makes every table of the draft whole, as far as the evidence goes and the options allow."""
    area, known = type_area(draft), KnownTexts(draft)
    joining, heads = draft.opened.options.join_tables, len(draft.sheets) < ENOUGH_PAGES
    chain: Chain | None = None
    before: Sheet | None = None
    for sheet in draft.sheets:
        previous = before if before is not None and is_next(before, sheet) else None
        before, chain = sheet, chain if previous is not None else None
        if sheet.page.status is FinishedPageStatus.FAILED:
            if chain is not None:
                chain.interrupted = True
            continue
        if sheet.by_structure:
            chain = None
        if sheet.by_structure or is_blank(sheet):
            continue
        is_taken = chain is not None and joining and _take_rest(chain, sheet, area, known, heads=heads)
        tables = [index for index, piece in enumerate(sheet.pieces) if piece.in_body and piece.grid is not None]
        if not tables and not is_taken:
            chain = None
        for index in tables:
            if chain is not None and joining and may_follow(chain, sheet, index) and _try_join(chain, sheet, index, area, known):
                chain.sheet, chain.end = sheet, index
            elif index == tables[0] and joining and (begun := _begun_on(previous, sheet, index, area, known)):
                chain = begun
            else:
                table = sheet.pieces[index].table
                chain = chain_at(sheet, index, table) if table else None
        if chain is not None and joining and chain.sheet is sheet:  # in the next column
            _take_rest(chain, sheet, area, known, heads=heads)
    _settle(draft)


def _take_rest(chain: Chain, sheet: Sheet, area: TypeArea, known: KnownTexts, *, heads: bool) -> bool:
    """Gives a chain the few rows at the top of a sheet that are its end, if there are such."""
    for rest in rests_for(chain, sheet, heads=heads):
        sheet.pieces.insert(rest.place, rest.piece)
        if _try_join(chain, sheet, rest.place, area, known, rest):
            for piece in rest.covered:
                piece.absorbed = True
            chain.sheet, chain.end = sheet, rest.place
            return True
        del sheet.pieces[rest.place]
    return False


def _begun_on(before: Sheet | None, sheet: Sheet, index: int, area: TypeArea, known: KnownTexts) -> Chain | None:
    """The chain of the table at `index` with doubtful rows at the foot of the sheet before as its beginning; None where they are not."""
    rest, piece = rest_at_end(before) if before is not None else None, sheet.pieces[index]
    if before is None or rest is None or rest.piece.table is None or piece.grid is None:
        return None
    before.pieces.insert(rest.place, rest.piece)
    chain = chain_at(before, rest.place, rest.piece.table)
    around, _ = surroundings(chain, sheet, index, area)
    if vouches(judge(chain.table, piece.grid, around, known.count)) and _try_join(chain, sheet, index, area, known):
        for covered in rest.covered:
            covered.absorbed = True
        chain.sheet, chain.end = sheet, index
        return chain
    del before.pieces[rest.place]
    return None


def _try_join(chain: Chain, sheet: Sheet, index: int, area: TypeArea, known: KnownTexts, rest: Rest | None = None) -> bool:
    """Judges the pair and joins it if the verdict says so. Verdicts are recorded on the table above the break; of a rest only that it is one."""
    piece = sheet.pieces[index]
    if piece.grid is None:
        return False
    around, passed = surroundings(chain, sheet, index, area)
    verdict = judge(chain.table, piece.grid, around, known.count)
    if chain.interrupted:
        verdict = with_missing_page(verdict)
    is_joined = verdict.decision is Decision.JOINED and (rest is None or not rest.is_lone or verdict.merge_first)
    if is_joined or not (rest or NO_PAIR.intersection(verdict.reasons)):
        chain.table.joins.append(
            Join(
                from_page=chain.sheet.page.page,
                to_page=sheet.page.page,
                score=verdict.score,
                decision=verdict.decision.value,
                reasons=verdict.reasons,
            )
        )
    if SIDEWAYS in verdict.reasons:
        piece.sideways_of = chain.piece
    if is_joined:
        _join(chain, piece, verdict, passed)
    return is_joined


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
