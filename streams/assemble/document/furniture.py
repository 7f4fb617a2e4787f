"""Finds what is printed on every page and belongs to none: running heads and feet, page numbers, letterheads, margin text.

Furniture is proven by repetition, never by a label: the same words (or the same words around a page number) at about the same place of three
pages or more, odd and even sides and chapters apart. A document of two pages must agree at the very edge. Where a page would keep nothing
else, the repeated text is the content. What is found is typed `page_header` or `page_footer` and stays in the document as such.

Cost: every page gives a bounded number of candidates, which are sorted into groups by their text once.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from rapidfuzz import fuzz

from schemas.content import FURNITURE, BlockType
from streams.assemble.document.draft import SAME_SIZE_PT, Draft, Piece, Sheet
from streams.assemble.document.lone_pages import mark_lone_pages
from streams.assemble.document.margin_text import mark_margins
from streams.assemble.document.page_edges import EXTREME, TOLERANCE_PT, Candidate, Edge, edge_candidates
from streams.assemble.text.page_numbers import is_page_number, numbered_pages

ENOUGH_PAGES = 3
"""Pages that must agree in a document that has so many: what two of them share may be chance."""
ALIKE = 85.0
"""Edit similarity in percent of a line and its reading with errors."""
MAX_LIKE = 8
"""Proven lines that others are compared with: a book has few heads, and every page must cost the same."""
SHORTEST_LIKE = 8
"""Characters a line must have before its likeness to another says anything."""
FEW_PAGES = 6
"""In a document this short a side's head may stand on two pages only."""
MAX_GAP = 3
"""Content pages without the text inside a run: even sides have it only on every second page, and a full-page figure may hide it."""
CONSTANT = 0.6
"""The share of a text's occurrences near an edge that its one place must hold."""
PROSE_LINES, PROSE_WORDS = 2, 12
"""From so many lines and words on, most of them in small letters, a block is prose."""
_LABELLED = re.compile(r"(?:[:#№]|\b(?:no|nr|n°)\.?)\s*(\d+)", re.IGNORECASE)
"""A number with a label that changes counts what the pages are about: invoices, certificates. A page number has none, or the word for a page."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
ROW_NUMBERS = 3
"""So many numbers in a line, other ones on each page, are a row of totals; of a date and a page number the date is the same."""
LARGER = 1.1
"""Type size over that of most text from which a line is set larger: a heading, not a running head."""


def mark_furniture(draft: Draft) -> None:
    """Types the furniture of the document."""
    _distrust_labels(draft)
    sheets = [sheet for sheet in draft.sheets if sheet.pieces and not sheet.by_structure]
    candidates = [
        c for place, sheet in enumerate(sheets) for c in edge_candidates(sheet, place) if c.extreme or not _is_prose(c.piece, draft.body_size_pt)
    ]
    numbered = _numbered(candidates, len(sheets), draft.body_size_pt)
    proven = {id(c): c for c in numbered}
    proven |= {id(c): c for c in _repeated(candidates, len(sheets), draft.body_size_pt)}
    proven |= {id(c): c for c in _in_slots(candidates, proven)}
    proven |= {id(c): c for c in _like_proven(candidates, list(proven.values()))}
    proven = _outermost(candidates, proven, draft.body_size_pt)
    for key in _content_of(sheets, list(proven.values()), numbered):
        del proven[key]
    titles = _titles(sheets, list(proven.values()), draft.body_size_pt)
    for key, candidate in proven.items():
        if key not in titles:
            candidate.piece.type = BlockType.PAGE_HEADER if candidate.edge is Edge.TOP else BlockType.PAGE_FOOTER
    if len(sheets) < ENOUGH_PAGES:
        mark_lone_pages(sheets, draft.body_size_pt)
    mark_margins(draft)


def _distrust_labels(draft: Draft) -> None:
    """What a model calls furniture is furniture only at the edge of the page."""
    for sheet in draft.sheets:
        if sheet.by_structure:
            continue
        depth = EXTREME * 2 * sheet.page.height_pt
        for piece in sheet.pieces:
            if piece.type in FURNITURE and depth < piece.bbox[1] and piece.bbox[3] < sheet.page.height_pt - depth:
                piece.type = BlockType.PARAGRAPH


def _numbered(candidates: Sequence[Candidate], pages: int, body_size: float) -> list[Candidate]:
    """Candidates that hold the number of their page: number minus page is the same on all of them."""
    least = ENOUGH_PAGES if pages >= ENOUGH_PAGES else 2
    groups: dict[tuple[object, ...], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        if candidate.rank > 2 or (pages < ENOUGH_PAGES and not candidate.extreme):
            continue
        if _is_larger(candidate.piece, body_size) and not is_page_number(candidate.text):
            continue
        for key in numbered_pages(candidate.text, candidate.piece.page):
            groups[(candidate.edge, *key)].append(candidate)
    groups = {key: group for key, group in groups.items() if not _count_by_label(group)}
    counting = [g for g in groups.values() if (len({c.place for c in g}) >= least and (least < ENOUGH_PAGES or _is_run(g))) or _are_bare_numbers(g)]
    found = {id(c): c for group in counting for c in group}
    if pages == 1:  # nothing can repeat: only what says of itself that it is page 1 of 1
        found |= {id(c): c for c in candidates if c.extreme and c.rank == 0 and is_page_number(c.text, alone=True)}
    return list(found.values())


def _are_bare_numbers(group: Sequence[Candidate]) -> bool:
    """Whether two neighbouring pages or more have just their number at the very edge, as where the other pages' numbers were read into something."""
    bare = all(c.rank == 0 and c.extreme and c.piece.block.line_count == 1 and is_page_number(c.text) for c in group)
    places = sorted({c.place for c in group})
    return bare and any(b == a + 1 for a, b in pairwise(places))


def _repeated(candidates: Sequence[Candidate], pages: int, body_size: float) -> list[Candidate]:
    groups: dict[tuple[Edge, str], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        if candidate.key:
            exact = candidate.piece.grid is not None or candidate.piece.type is BlockType.FIGURE
            groups[(candidate.edge, candidate.text if exact else candidate.key)].append(candidate)
    found: list[Candidate] = []
    for group in groups.values():
        in_long = pages >= ENOUGH_PAGES and _is_run(group) and not _counts_something(group, body_size)
        if in_long or (pages < FEW_PAGES and _is_pair(group, body_size)):
            found.extend(_alike_in_form(group))
    return found


def _alike_in_form(group: Sequence[Candidate]) -> list[Candidate]:
    """The members that look like most of the group: the heading that a chapter's head repeats is larger, or stands lower."""
    size = median(c.piece.size_pt for c in group)
    offset = median(c.offset for c in group)
    return [c for c in group if abs(c.piece.size_pt - size) <= SAME_SIZE_PT and (c.extreme or c.offset <= offset + 2 * TOLERANCE_PT)]


def _is_run(group: Sequence[Candidate]) -> bool:
    """Whether the text has its one place (or two, on pages of two sizes), and stands there on enough pages that lie near each other.

    Words that are printed at the edge only because a page happens to end there stand at any height.
    """
    if len(group) < ENOUGH_PAGES:
        return False
    steps: dict[int, list[Candidate]] = defaultdict(list)
    for candidate in group:
        steps[round(candidate.offset / TOLERANCE_PT)].append(candidate)
    places = sorted(((len(steps[step]) + len(steps.get(step + 1, ())), step) for step in steps), key=lambda x: (-x[0], x[1]))
    first = places[0][1]
    elsewhere = [count for count, step in places if abs(step - first) > 1]
    if places[0][0] + max(elsewhere, default=0) < CONSTANT * len(group):
        return False
    return _has_run([*steps[first], *steps.get(first + 1, ())])


def _has_run(cluster: Sequence[Candidate]) -> bool:
    length, last = 0, -MAX_GAP * 2
    for place in sorted({c.place for c in cluster}):
        length = length + 1 if place - last <= MAX_GAP else 1
        if length >= ENOUGH_PAGES:
            return True
        last = place
    return False


def _is_pair(group: Sequence[Candidate], body_size: float) -> bool:
    """What two pages of a short document must have in common: one line, no larger than the text, the same to the point at the very edge."""
    if len(group) < 2 or len({c.place for c in group}) != len(group) or len({c.text for c in group}) != 1:
        return False
    offsets = [c.offset for c in group]
    alone = all(
        c.extreme and c.rank == 0 and c.piece.grid is None and c.piece.block.line_count == 1 and not _is_larger(c.piece, body_size) for c in group
    )
    return alone and max(offsets) - min(offsets) <= TOLERANCE_PT / 4


def _counts_something(group: Sequence[Candidate], body_size: float) -> bool:
    """Whether the lines differ in numbers that say something: titles of pages ("Question 1", "Question 2"), numbers with a label or without
    a word.
    """
    texts = {c.text for c in group}
    if len(texts) == 1 or len(texts) * 2 <= len(group):
        return False
    numbers = [_NUMBER.findall(c.text) for c in group]
    if len({tuple(row[:-1]) for row in numbers}) > len(group) / 2 and min(map(len, numbers)) >= ROW_NUMBERS:
        return True
    return not any(c.isalpha() for c in group[0].key) or any(_is_larger(c.piece, body_size) for c in group) or _count_by_label(group)


def _count_by_label(group: Sequence[Candidate]) -> bool:
    """Whether the lines differ in numbers with a label; the "No. 152" of a journal is the same on all its pages."""
    return len({tuple(_LABELLED.findall(c.text)) for c in group}) > 1


def _in_slots(candidates: Sequence[Candidate], proven: dict[int, Candidate]) -> list[Candidate]:
    """One-line blocks in an outermost place that is furniture on other pages: heads that change with the chapter.

    A place is known by edge, offset and type size. It is furniture where half of it and three pages are proven, or where three pages have it
    and most of its texts stand there more than once.
    """
    slots: dict[tuple[Edge, int, float], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        piece = candidate.piece
        if candidate.rank == 0 and candidate.extreme and piece.size_pt and piece.block.line_count == 1 and piece.grid is None:
            slots[(candidate.edge, round(candidate.offset / TOLERANCE_PT * 2), round(piece.size_pt * 2) / 2)].append(candidate)
    found: list[Candidate] = []
    for group in slots.values():
        if not _has_run(group):
            continue
        places = {c.place for c in group}
        known = {c.place for c in group if id(c) in proven}
        texts = Counter(c.key if any(map(str.isalpha, c.key)) else c.text for c in group)
        mostly_known = len(known) >= ENOUGH_PAGES and len(known) * 2 >= len(places)
        # One text alone would have been proven by now, were it furniture.
        if mostly_known or (len(texts) > 1 and sum(count for count in texts.values() if count > 1) * 2 > len(group)):
            found.extend(c for c in group if c.place not in known)
    return found


def _like_proven(candidates: Sequence[Candidate], proven: Sequence[Candidate]) -> list[Candidate]:
    """Lines at the edge that say what is proven on other pages, read with errors or with two lines taken as one."""
    counts = {edge: Counter(c.key for c in proven if c.edge is edge and c.piece.text) for edge in Edge}
    common = {edge: [key for key, _ in counts[edge].most_common(MAX_LIKE) if len(key) >= SHORTEST_LIKE] for edge in Edge}
    largest = {edge: max((c.piece.size_pt for c in proven if c.edge is edge), default=0.0) for edge in Edge}
    known, by_page = {id(c) for c in proven}, defaultdict(list)
    for c in proven:
        by_page[(c.place, c.edge)].append(c)
    together = {edge: {text for (_, of), group in by_page.items() if of is edge for text in _joined(group)} for edge in Edge}
    return [
        c
        for c in candidates
        if id(c) not in known
        and c.extreme
        and c.piece.text
        and not (c.piece.type is BlockType.HEADING and c.piece.size_pt > largest[c.edge] + SAME_SIZE_PT)
        and (c.key in together[c.edge] or any(fuzz.ratio(c.key, key) >= ALIKE for key in common[c.edge]))
    ]


def _joined(group: Sequence[Candidate]) -> Iterable[str]:
    """Two or more lines of one edge that follow each other, as one text."""
    lines = [c.key for c in sorted(group, key=lambda c: (c.piece.bbox[1], c.piece.bbox[0]))]
    return ("".join(lines[i:j]) for i in range(len(lines)) for j in range(i + 2, len(lines) + 1))


def _is_prose(piece: Piece, body_size: float) -> bool:
    """Whether a block is text of the document by its looks: several lines in the size of most text that say a sentence. Letters to many people
    say the same on every page; a head of several lines is smaller, or no sentence.
    """
    if piece.block.line_count < PROSE_LINES or piece.grid is not None or not piece.size_pt or piece.size_pt < body_size - SAME_SIZE_PT:
        return False
    words = piece.text.split()
    return len(words) >= PROSE_WORDS and sum(word[0].islower() for word in words) * 2 > len(words)


def _outermost(candidates: Sequence[Candidate], proven: dict[int, Candidate], body_size: float) -> dict[int, Candidate]:
    """Without what stands inside the text: a heading, a table, several lines, or a line of text in its usual size, that are no furniture, are
    nearer to the edge.
    """
    text: dict[tuple[int, Edge], int] = {}
    for c in candidates:
        is_line = not c.extreme and 0 < body_size - SAME_SIZE_PT <= c.piece.size_pt and any(map(str.isalpha, c.text))
        is_text = is_line or c.piece.block.line_count > 1 or c.piece.grid is not None or c.piece.type is BlockType.HEADING
        if is_text and id(c) not in proven:
            text[(c.place, c.edge)] = min(c.rank, text.get((c.place, c.edge), c.rank))
    return {key: c for key, c in proven.items() if c.rank <= text.get((c.place, c.edge), c.rank)}


def _content_of(sheets: Sequence[Sheet], proven: Sequence[Candidate], numbered: Sequence[Candidate]) -> set[int]:
    """The proven candidates without which most of their pages would hold nothing: the same page printed several times."""
    numbers_only = {id(c) for c in numbered}
    by_place: dict[int, list[Candidate]] = defaultdict(list)
    for candidate in proven:
        by_place[candidate.place].append(candidate)
    emptied = {place for place, group in by_place.items() if sum(1 for _ in sheets[place].body()) == len(group)}
    kept: set[int] = set()
    groups: dict[tuple[Edge, str], list[Candidate]] = defaultdict(list)
    for candidate in proven:
        if id(candidate) not in numbers_only:
            groups[(candidate.edge, candidate.key)].append(candidate)
    for group in groups.values():
        if sum(c.place in emptied for c in group) * 2 > len(group):
            kept.update(id(c) for c in group)
    return kept


def _titles(sheets: Sequence[Sheet], furniture: Sequence[Candidate], body_size: float) -> set[int]:
    """First occurrences that stay in the body: a title printed again above every page of a table, or on every slide of a topic."""
    marked = {id(c.piece) for c in furniture}
    first_body = {place: next((p for p in sheet.body() if id(p) not in marked), None) for place, sheet in enumerate(sheets)}
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in furniture:
        if candidate.edge is Edge.TOP and candidate.piece.grid is None and candidate.piece.text:
            groups[candidate.text].append(candidate)
    titles = set()
    for group in groups.values():
        places = sorted({c.place for c in group})
        in_a_row = places[-1] - places[0] + 1 == len(places)
        above_tables = all((p := first_body[place]) is not None and p.grid is not None for place in places)
        is_large = all(c.piece.size_pt >= body_size * LARGER * LARGER for c in group) and body_size > 0
        of_a_part = len(places) * 2 < len(sheets) and is_large
        of_all = is_large and any(c.piece.type is BlockType.HEADING for c in group)
        if len(places) == len(group) and ((in_a_row and (above_tables or of_a_part)) or of_all):
            titles.add(id(min(group, key=lambda c: c.place)))
    return titles


def _is_larger(piece: Piece, body_size: float) -> bool:
    return body_size > 0 and piece.size_pt > body_size * LARGER
