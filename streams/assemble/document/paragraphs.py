"""Joins paragraphs that a column, a page or blank pages cut, and sentences whose lines were read apart. Figures, tables, captions and footnotes
between do not cut a sentence.

A join needs a sentence that is not over, a beginning that goes on and, over a page break, a page that is not left half empty; where letters have
no case or a name follows, the shape of the lines decides (the last line is full, the first not indented). A hyphen at the seam stays or goes as
`text.hyphens` says.
"""

import re
from functools import cached_property

from schemas.content import FURNITURE, BlockType
from schemas.geometry import overlap_x
from schemas.text import Words, cut_word, words_of
from streams.assemble.document.draft import Draft, Piece, Sheet, follows, is_blank
from streams.assemble.text.hyphens import seam
from streams.assemble.text.wording import closes_bracket, ends_sentence, starts_lower, starts_within

FLOATS = frozenset(
    {BlockType.FIGURE, BlockType.TABLE, BlockType.CAPTION, BlockType.FOOTNOTE, BlockType.ANNOTATION, BlockType.PAGE_HEADER, BlockType.PAGE_FOOTER}
)
"""What may stand between two parts of a paragraph."""
MARKER = re.compile(r"\s*(?:[•●○▪■□◦‣–—*-]\s|[(\[]?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)\]]\s|\[\d{1,4}\])", re.IGNORECASE)
GOES_ON = frozenset({"cross_text", "append_text"})
"""Words of models for a text that goes on where the one before stopped."""
SIZE_TOLERANCE = 0.08
"""Share by which the type size of one text may vary between two readings of it."""
LONG_ENOUGH = 60
"""Characters a one-line paragraph must have before its missing full stop says anything: labels and addresses are shorter."""
FULL_LINE = 0.85
"""Share of its column from which a single line is a full one."""
CLOSE_BELOW = 0.7
"""White space between two lines of one paragraph over their size of type, at most."""
FILLED = 0.5
"""Share of a page's height that what is on it reaches down to, at least, where its text goes on overleaf. Of 121 joins on real pages, those of texts
that went on reached .80 and more, all others .42 at most.
"""
MAX_PASSED = 12
"""Pieces that may stand between two parts of a sentence: a full-page table with its notes."""
EDGE = 0.1
"""Share of the page's height at its edges in which a line with a number may turn out to be a head or foot."""
LONGEST_HEAD = 100
"""Characters of such a line, at most."""
END_KEPT = 160
"""Characters of a paragraph's end that a seam looks at."""


class DocumentWords:
    """The words of a document, gathered once and only when a hyphen asks for them."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    @cached_property
    def _words(self) -> frozenset[str]:
        return words_of(text for sheet in self._draft.sheets for piece in sheet.pieces for text in piece.texts)

    def __contains__(self, word: str) -> bool:
        return word in self._words


class OpenParagraph:
    """The paragraph that may go on, and what was passed over since: lines at page edges, small print, tables."""

    def __init__(self, piece: Piece, sheet: Sheet) -> None:
        self.piece = piece
        self.last = piece
        self.sheet = sheet
        self.edge_lines: list[tuple[Piece, BlockType]] = []
        self.passed = 0
        self.end = piece.text[-END_KEPT:]

    def take(self, piece: Piece, sheet: Sheet, words: Words) -> None:
        """Appends the piece. What was passed over stood between two parts of a sentence: it is furniture."""
        self.piece.swallow(piece, *seam(self.end, piece.text, words))
        for other, kind in self.edge_lines:
            other.type = kind
        self.edge_lines.clear()
        self.passed = 0
        self.last, self.sheet, self.end = piece, sheet, piece.text[-END_KEPT:]


def join_paragraphs(draft: Draft) -> None:
    """Makes every paragraph of the draft whole."""
    words = DocumentWords(draft)
    current: OpenParagraph | None = None
    before: Sheet | None = None
    for sheet in draft.sheets:
        if before is None or not follows(before, sheet):
            current = None
        before = sheet
        if sheet.by_structure or is_blank(sheet):
            continue
        for piece in sheet.pieces:
            if piece.absorbed or piece.type in FLOATS or piece.block.rotation or _is_empty_field(piece):
                if current is not None and piece.grid is not None:
                    current.passed += 1
                continue
            current = _next(current, piece, sheet, words)


def _is_empty_field(piece: Piece) -> bool:
    """Whether a piece is a form field that nobody filled in: it has no place in the text."""
    return piece.block.field is not None and not piece.block.field.value


def _next(current: OpenParagraph | None, piece: Piece, sheet: Sheet, words: Words) -> OpenParagraph | None:
    """The open paragraph after a piece: the same with the piece in it, the same with the piece passed over, or the piece itself."""
    kind = _edge_line(piece, sheet)
    if current is not None and _continues(current, piece, sheet, sure=kind is not None or current.passed > 0):
        current.take(piece, sheet, words)
        return current
    may_pass = current is not None and not ends_sentence(current.end) and current.passed < MAX_PASSED
    if current is not None and may_pass and (kind is not None or _is_small_print(current, piece)):
        current.passed += 1
        if kind is not None:
            current.edge_lines.append((piece, kind))
        return current
    if piece.type not in (BlockType.PARAGRAPH, BlockType.LIST_ITEM):
        return None
    return OpenParagraph(piece, sheet)


def _is_small_print(current: OpenParagraph, piece: Piece) -> bool:
    """Whether a piece is set smaller than the open paragraph: the notes of a table that stands between."""
    sizes = current.last.size_pt, piece.size_pt
    return piece.type is not BlockType.HEADING and 0 < sizes[1] < sizes[0] * (1 - SIZE_TOLERANCE)


def _continues(current: OpenParagraph, piece: Piece, sheet: Sheet, *, sure: bool) -> bool:
    """Whether a piece goes on where the open paragraph stopped. `sure`: only if the words themselves say so, as something stands between."""
    if piece.type is not BlockType.PARAGRAPH or not piece.text or not current.end:
        return False
    if not _is_elsewhere(current, piece, sheet) and not _is_next_line(current, piece):
        return False
    if not _same_style(current.last, piece):
        return False
    end, text = current.end, piece.text
    hyphenated = cut_word(end, text) is not None
    if hyphenated and text[0].islower():
        return True
    if closes_bracket(end, text):
        return True
    if ends_sentence(end) or MARKER.match(text):
        return False
    if GOES_ON.intersection(piece.block.tags):  # no word speaks against the model's vote
        return True
    if sheet is not current.sheet and not _is_filled(current.sheet):
        return False
    if starts_lower(text) or starts_within(text):
        return True
    if piece.block.indented:
        return False
    return hyphenated or (not sure and _ends_full(current.last))


def _is_filled(sheet: Sheet) -> bool:
    """Whether a page has anything but its foot in its lower half: one that ends above it ends there on purpose."""
    middle = FILLED * sheet.page.height_pt
    return any(piece.bbox[3] > middle and piece.type not in FURNITURE and _edge_line(piece, sheet) is None for piece in reversed(sheet.pieces))


def _ends_full(piece: Piece) -> bool:
    """Whether the last line reaches the end of its column, as only a line in the midst of a paragraph does."""
    block = piece.block
    if block.ends_short:
        return False
    if block.line_count > 1:
        return True
    column = block.column[1] - block.column[0] if block.column else 0.0
    return len(piece.text) >= LONG_ENOUGH or (column > 0 and block.bbox[2] - block.bbox[0] >= FULL_LINE * column)


def _is_elsewhere(current: OpenParagraph, piece: Piece, sheet: Sheet) -> bool:
    """Whether a break lies between: another page, or the top of another column."""
    if sheet is not current.sheet:
        return True
    above, below = current.last.regions[-1].bbox, piece.bbox
    if below[1] < above[1]:
        return True
    columns = current.last.block.column, piece.block.column
    if columns[0] and columns[1]:
        a, b = (columns[0][0], 0.0, columns[0][1], 1.0), (columns[1][0], 0.0, columns[1][1], 1.0)
        return overlap_x(a, b) < 0.5 * min(a[2] - a[0], b[2] - b[0])
    return False


def _is_next_line(current: OpenParagraph, piece: Piece) -> bool:
    """Whether a piece is the next line of a sentence that was read as two paragraphs: close below a full line, and beginning with a small letter."""
    if not starts_lower(piece.text) or current.last.block.ends_short or current.piece.length < LONG_ENOUGH:
        return False
    above, below, size = current.last.regions[-1].bbox, piece.bbox, piece.size_pt
    return -0.5 * size < below[1] - above[3] < CLOSE_BELOW * size and overlap_x(above, below) > 0.5 * min(above[2] - above[0], below[2] - below[0])


def _same_style(above: Piece, below: Piece) -> bool:
    """Whether two pieces look like one text, as far as their styles are known."""
    a, b = above.block.style, below.block.style
    if a is None or b is None:
        return True
    if abs(a.size_pt - b.size_pt) > SIZE_TOLERANCE * max(a.size_pt, b.size_pt):
        return False
    return a.monospace == b.monospace and (a.bold == b.bold or below.block.line_count > 1)


def _edge_line(piece: Piece, sheet: Sheet) -> BlockType | None:
    """What a piece would be if it turned out to stand between two parts of a sentence: a short line with a number at the page's edge."""
    text = piece.text
    if piece.block.line_count > 1 or not text or len(text) > LONGEST_HEAD or piece.type is BlockType.HEADING:
        return None
    if not (text[0].isdigit() or text[-1].isdigit()):
        return None
    tall = sheet.page.height_pt
    if piece.bbox[3] <= EDGE * tall * 1.5:
        return BlockType.PAGE_HEADER
    return BlockType.PAGE_FOOTER if piece.bbox[1] >= (1 - EDGE) * tall else None
