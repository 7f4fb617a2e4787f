"""Pages by number: what a producer asks for, the ranges that readers get, the windows that a model gets. Pure, over values.

Ranges and windows with `window_pages` W > 1 follow DESIGN.md: neighbours share their boundary page, and a range is a multiple of W-1 pages
plus the shared one, so that no window needs a page that its reader does not have.
"""

from collections.abc import Iterable, Sequence

from schemas.errors import Code, PageloomError
from schemas.events import PageImage

MAX_TEXT = 1000
"""Characters of a page selection: some 150 ranges. Longer lists belong into several documents."""
MAX_DIGITS = 7
"""Of a page number: far beyond any page limit, and quick to compare."""

ALLOWED = "numbers and ranges from 1 on, ascending within a range, like 1-20,25"

Range = tuple[int, int]
"""First and last page, both counted."""


def parse_ranges(text: str) -> tuple[Range, ...]:
    """The ranges of a selection like `1-20,25`, as they stand. Raises INVALID_OPTIONS for anything else."""
    if len(text) > MAX_TEXT:
        raise PageloomError(Code.INVALID_OPTIONS, f"option pages has {len(text)} characters; allowed are at most {MAX_TEXT}")
    ranges = []
    for part in text.split(","):
        first, dash, last = (piece.strip() for piece in part.partition("-"))
        if not _is_number(first) or (dash and not _is_number(last)) or (dash and int(last) < int(first)):
            raise PageloomError(Code.INVALID_OPTIONS, f"option pages has a part of {len(part)} characters that is none; allowed are {ALLOWED}")
        ranges.append((int(first), int(last) if dash else int(first)))
    return tuple(ranges)


def select_pages(text: str | None, page_count: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The pages that a selection asks for, ascending, none twice, and a warning about those that the document lacks.

    None asks for all. Raises NO_SUCH_PAGES where the document has none of them.
    """
    if text is None:
        return tuple(range(1, page_count + 1)), ()
    ranges = parse_ranges(text)
    pages: set[int] = set()
    for first, last in ranges:
        pages.update(range(first, min(last, page_count) + 1))
    if not pages:
        raise PageloomError(Code.NO_SUCH_PAGES, f"pages {text} were asked for; the document has {page_count}")
    beyond = max(last for _, last in ranges)
    warnings = (f"pages up to {beyond} were asked for; the document has {page_count}",) if beyond > page_count else ()
    return tuple(sorted(pages)), warnings


def plan_ranges(pages: Sequence[int], range_pages: int, window_pages: int = 1) -> tuple[Range, ...]:
    """Units of work for readers: runs of consecutive pages of at most `range_pages` (at least one window) that cover `pages`."""
    if window_pages > 1:
        step = window_pages - 1
        length = max(1, (range_pages - 1) // step) * step + 1
        return tuple(piece for run in runs(pages) for piece in _split(run, length, 1))
    return tuple(piece for run in runs(pages) for piece in _split(run, max(1, range_pages), 0))


def plan_windows(images: Sequence[PageImage], window_pages: int = 1) -> tuple[tuple[PageImage, ...], ...]:
    """Windows over low-confidence pages: consecutive ones together, at most `window_pages`, neighbours sharing their boundary page."""
    by_page = {image.page: image for image in images}
    pieces = [piece for run in runs(sorted(by_page)) for piece in _split(run, max(1, window_pages), 1 if window_pages > 1 else 0)]
    return tuple(tuple(by_page[page] for page in range(first, last + 1)) for first, last in pieces)


def runs(pages: Iterable[int]) -> tuple[Range, ...]:
    """Ascending page numbers as ranges without gaps."""
    found: list[Range] = []
    for page in pages:
        if found and page == found[-1][1] + 1:
            found[-1] = (found[-1][0], page)
        else:
            found.append((page, page))
    return tuple(found)


def _split(run: Range, length: int, shared: int) -> list[Range]:
    """A run in pieces of at most `length` pages, each starting with the last `shared` pages of the one before."""
    first, end = run
    pieces = []
    while True:
        last = min(first + length - 1, end)
        pieces.append((first, last))
        if last == end:
            return pieces
        first = last + 1 - shared


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS and int(text) >= 1
