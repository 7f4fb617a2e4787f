"""Makes a whole document of its pages: the order of all work stands in one tuple.

Pure and deterministic: equal pages give an equal document, byte for byte, in whatever order they come. Nothing here knows of Kafka, clocks
or files. The work grows with the pages, never with their square.
"""

from collections.abc import Callable, Sequence

from schemas.document import Document
from schemas.events import DocumentOpened
from streams.assemble.document.cut_blocks import join_cut_blocks
from streams.assemble.document.cut_headings import join_cut_headings
from streams.assemble.document.draft import Draft, start_draft
from streams.assemble.document.furniture import mark_furniture
from streams.assemble.document.headings import level_headings, set_heading_paths, set_title
from streams.assemble.document.notes import link_notes
from streams.assemble.document.pages import PageInput
from streams.assemble.document.paragraphs import join_paragraphs
from streams.assemble.document.published import published_document
from streams.assemble.document.table_joins import join_tables
from streams.assemble.document.table_order import order_table_columns

PROCESSORS: tuple[Callable[[Draft], None], ...] = (
    mark_furniture,  # first: what is printed on every page stands between everything else
    join_cut_headings,
    level_headings,  # before the joins: a line that the outline names cuts a paragraph
    join_tables,
    order_table_columns,
    join_paragraphs,
    join_cut_blocks,
    link_notes,  # after the joins: offsets are those of whole texts
    set_heading_paths,
    set_title,
)
"""What is done to a draft, in this order."""


def build_document(opened: DocumentOpened, pages: Sequence[PageInput], revision: int) -> Document:
    """The finished document of a submission.

    `pages` holds exactly the pages that were asked for, in any order. Raises ValueError where one is missing, foreign or there twice: that
    is a bug of the caller.
    """
    numbers = sorted(page.page for page in pages)
    if numbers != list(opened.pages):
        wrong = sorted(set(numbers) ^ set(opened.pages)) or sorted(n for n in set(numbers) if numbers.count(n) > 1)
        raise ValueError(f"{len(pages)} pages for {len(opened.pages)} asked for; not one for each: page {wrong[0] if wrong else '?'}")
    draft = start_draft(opened, pages)
    for process in PROCESSORS:
        process(draft)
    return published_document(draft, revision)
