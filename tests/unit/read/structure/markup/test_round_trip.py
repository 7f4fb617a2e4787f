"""What this program writes as HTML or Markdown, read again, is the same document.

Markdown says less than a document holds: captions, notes and form fields are paragraphs in it, spans of cells are HTML.
"""

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.content import BlobReference, Block, BlockType, Cell, FormField, Link, PageContent, Source, Span, Table
from schemas.document import Document, FinishedPageStatus
from schemas.events import DocumentOpened, DocumentOptions, Format
from schemas.identity import Submission
from schemas.text import LINE_BREAK
from streams.assemble.document.build import build_document
from streams.assemble.document.pages import PageInput
from streams.assemble.render import render
from streams.read.structure.logical_page import UNPLACED, LogicalPage
from streams.read.structure.markup.html import read_html
from streams.read.structure.markup.inline_text import normalised
from streams.read.structure.markup.markdown import read_markdown
from streams.read.structure.text.encodings import Decoded

LETTERS = "abcdefgXYZ0123456789éßжйא中文字"
SIGNS = "#*_`~[]()<>&|\\!+-=.,:;'\"$%@^{}/?"
WORD = st.text(alphabet=LETTERS + SIGNS, min_size=1, max_size=8)
SENTENCE = st.lists(WORD, min_size=1, max_size=6).map(" ".join).filter(lambda text: normalised(text) == text)
"""Text as readers give it: rows of dots that lead to a number are gone from it."""
PLAIN = st.text(alphabet="abcdefgXYZéß", min_size=1, max_size=8)
"""Words of items: a sign at the beginning of an item may be a marker of its own."""


def paragraph(text: str) -> Block:
    return Block(type=BlockType.PARAGRAPH, bbox=UNPLACED, text=text)


PARAGRAPHS = st.one_of(SENTENCE, st.lists(SENTENCE, min_size=2, max_size=3).map(LINE_BREAK.join)).map(paragraph)
LITERALS = WORD.filter(lambda text: normalised(text) == text and any(map(str.isalnum, text)) and not text.startswith("-"))


@st.composite
def literal(draw: st.DrawFn) -> Block:
    """A paragraph with code or a formula in its midst."""
    before, is_code = draw(PLAIN), draw(st.booleans())
    shown = draw(LITERALS) if is_code else draw(st.sampled_from([r"\frac{a}{b}", "x_{1}", "a*b*c", r"\{z\}"]))
    span = Span(offset=len(before) + 1, length=len(shown), code=is_code, math=not is_code)
    return Block(type=BlockType.PARAGRAPH, bbox=UNPLACED, text=f"{before} {shown} {draw(PLAIN)}", spans=(span,))


@st.composite
def linked(draw: st.DrawFn) -> Block:
    """A paragraph with a link in its midst."""
    label = "to " + draw(st.lists(PLAIN, min_size=1, max_size=3).map(" ".join))
    link = Link(text=label, target=f"https://{draw(st.sampled_from(['x', 'y']))}.org/a?b=c&d=e")
    return Block(type=BlockType.PARAGRAPH, bbox=UNPLACED, text=f"{draw(PLAIN)} {label} then {draw(PLAIN)}", links=(link,))


HEADINGS = st.builds(lambda text, level: Block(type=BlockType.HEADING, bbox=UNPLACED, text=text, level=level), SENTENCE, st.integers(1, 6))
CODE = st.lists(st.text(alphabet=LETTERS + SIGNS + " ", max_size=12), min_size=1, max_size=4).map("\n".join)
CODES = CODE.filter(lambda text: text.strip()).map(lambda text: text.strip("\n").rstrip()).filter(bool).map(
    lambda text: Block(type=BlockType.CODE, bbox=UNPLACED, text=text)
)  # fmt: skip
FORMULAS = st.sampled_from([r"\frac{a}{b}", r"x_{1} \leq y^{2}", r"\sum_{i=1}^{n} a_{i}"]).map(
    lambda text: Block(type=BlockType.EQUATION, bbox=UNPLACED, text=text)
)


@st.composite
def lists(draw: st.DrawFn) -> list[Block]:
    """A list whose items go at most one level deeper than the item before; what is deeper again is of any kind."""
    found: list[Block] = []
    kinds: dict[int, bool] = {}
    numbers: dict[int, int] = {}
    depth = 0
    for number in range(draw(st.integers(1, 6))):
        depth = draw(st.integers(0, depth + 1)) if number else 0
        for deeper in [level for level in kinds if level > depth]:
            del kinds[deeper], numbers[deeper]
        if depth not in kinds:
            kinds[depth] = draw(st.booleans())
            numbers[depth] = draw(st.integers(1, 20))
        marker = f"{numbers[depth]}. " if kinds[depth] else "• "
        numbers[depth] += 1
        found.append(Block(type=BlockType.LIST_ITEM, bbox=UNPLACED, text=marker + draw(PLAIN), list_depth=depth))
    return found


@st.composite
def tables(draw: st.DrawFn, spans: bool) -> Block:
    """A table of at least two columns that has a text in each of its corners; with spans, some cells swallow their neighbours."""
    rows, columns = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    heads = draw(st.integers(0, 1))
    taken: set[tuple[int, int]] = set()
    cells = []
    for row in range(rows):
        for column in range(columns):
            if (row, column) in taken:
                continue
            across = draw(st.integers(1, 2)) if spans and column + 1 < columns and row > 0 and (row, column + 1) not in taken else 1
            taken |= {(row, c) for c in range(column, column + across)}
            cells.append(Cell(row=row, column=column, text=draw(SENTENCE), column_span=across))
    return Block(type=BlockType.TABLE, bbox=UNPLACED, table=Table(rows=rows, columns=columns, cells=tuple(cells), header_rows=heads))


ONE = st.one_of(PARAGRAPHS, linked(), literal(), HEADINGS, CODES, FORMULAS)
FIGURES = PLAIN.map(lambda text: Block(type=BlockType.FIGURE, bbox=UNPLACED, text=text))
HTML_ONLY = st.one_of(
    FIGURES,
    SENTENCE.map(lambda text: Block(type=BlockType.FOOTNOTE, bbox=UNPLACED, text=text)),
    SENTENCE.map(lambda text: Block(type=BlockType.ANNOTATION, bbox=UNPLACED, text=text)),
    st.builds(
        lambda name, value: Block(type=BlockType.FORM_FIELD, bbox=UNPLACED, text=value, field=FormField(name=name, value=value, label=name)),
        PLAIN,
        PLAIN,
    ).filter(lambda block: block.text.casefold() != "off"),
)


def separated(parts: list[list[Block]]) -> list[Block]:
    """All parts in order; lists apart from each other by a paragraph, as two lists next to each other are one."""
    found: list[Block] = []
    for part in parts:
        if found and found[-1].type is BlockType.LIST_ITEM and part[0].type is BlockType.LIST_ITEM:
            found.append(paragraph("between"))
        place = len(found)
        found += [replace(block, caption_of=block.caption_of + place) if block.caption_of else block for block in part]
    return found


def captioned(shown: st.SearchStrategy[Block]) -> st.SearchStrategy[list[Block]]:
    """A figure or table with its caption, which is above a table and below a figure."""

    def pair(block: Block, text: str) -> list[Block]:
        caption = Block(type=BlockType.CAPTION, bbox=UNPLACED, text=text, caption_of=1)
        return [block, caption] if block.type is BlockType.FIGURE else [replace(caption, caption_of=2), block]

    return st.builds(pair, shown, SENTENCE)


def documents(*single: st.SearchStrategy[Block], spans: bool, captions: bool = False) -> st.SearchStrategy[list[Block]]:
    one = st.one_of(*single, tables(spans)).map(lambda block: [block])
    more = [captioned(st.one_of(FIGURES, tables(spans)))] if captions else []
    return st.lists(st.one_of(one, lists(), *more), min_size=1, max_size=6).map(separated)


def document_of(blocks: list[Block]) -> Document:
    page = PageInput(
        page=1, status=FinishedPageStatus.EXTRACTED, text_layer_confidence=1.0, confidence=1.0, reasons=(), width_pt=0.0, height_pt=0.0, rotation=0,
        content=PageContent(page=1, width_pt=0.0, height_pt=0.0, rotation=0, source=Source.STRUCTURE, blocks=tuple(blocks)), logical=True,
    )  # fmt: skip
    opened = DocumentOpened(
        document_id="d", submission=Submission(topic="t", partition=0, offset=1, appended_ms=1), filename="d.html", content_sha256="00",
        document=BlobReference(name="a", size_bytes=1, sha256="00"), media_type="text/html", page_count=1, pages=(1,), options=DocumentOptions(),
        metadata={}, outline=(),
    )  # fmt: skip
    return build_document(opened, [page], 1)


def unmarked(blocks: list[Block]) -> Document:
    """A document of some blocks, none of which is a footnote that another one's text refers to: a linked mark is written as a mark."""
    document = document_of(blocks)
    assume(not any(block.notes for block in document.blocks))
    return document


def told(blocks: tuple[Block, ...]) -> list[Block]:
    """Blocks by what a rendering says of them."""
    return [replace(block, line_count=1, table=_regular(block.table) if block.table else None) for block in blocks]


def _regular(table: Table) -> Table:
    return replace(table, cells=tuple(sorted(table.cells, key=lambda cell: (cell.row, cell.column))))


def one_page(pages: tuple[LogicalPage, ...]) -> tuple[Block, ...]:
    (page,) = pages
    return page.blocks


@settings(max_examples=300, deadline=None)
@given(documents(ONE, HTML_ONLY, spans=True, captions=True))
def test_html_that_was_written_here_is_read_as_the_same_blocks(blocks: list[Block]) -> None:
    markup = render(unmarked(blocks), Format.HTML)
    assert told(one_page(tuple(read_html(Decoded(text=markup, encoding="utf-8")).pages))) == told(tuple(blocks))


@settings(max_examples=300, deadline=None)
@given(documents(ONE, FIGURES, spans=False))
def test_markdown_that_was_written_here_is_read_as_the_same_blocks(blocks: list[Block]) -> None:
    text = render(unmarked(blocks), Format.MARKDOWN)
    assert told(one_page(tuple(read_markdown(Decoded(text=text, encoding="utf-8")).pages))) == told(tuple(blocks))
