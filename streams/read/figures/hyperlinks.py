"""Hyperlinks given to the blocks that they lie on, each whole: a file has an area for every line that a link runs over. Pure functions of blocks.

An address that was cut at a line's end gets no space there: where a link leads tells how it is spelt, as no rule on its text can.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence

from msgspec.structs import replace

from schemas.content import Block, Link, Span
from schemas.geometry import area, center, contains_point
from streams.read.figures.elements import Hyperlink

_BETWEEN = re.compile(r"\s*|\.,?\s*")
"""What may stand between two parts of one link: the end of a line, and the sign of an abbreviation, which is left out of what links show."""
_ADDRESS = re.compile(r"https?:|ftp:|www\.|[^\s/]+[/@]")
"""How the text of an address begins, or a part of one."""
CLOSE = 0.6
"""Of a line's height: areas of one link are a space apart at most, buttons beside each other are further."""
_SPACE = re.compile(r"\s+")


def with_links(blocks: Sequence[Block], links: Sequence[tuple[Hyperlink, str]]) -> list[Block]:
    """Gives each link, a pair of its area and the text under it, to the smallest block that it lies on."""
    linked: dict[int, list[tuple[Hyperlink, str]]] = {}
    for link, text in links:
        x, y = center(link.bbox)
        on = [index for index, block in enumerate(blocks) if contains_point(block.bbox, x, y)]
        if on:
            linked.setdefault(min(on, key=lambda index: area(blocks[index].bbox)), []).append((link, text))
    return [_linked(block, linked[index]) if index in linked else block for index, block in enumerate(blocks)]


def _linked(block: Block, links: Sequence[tuple[Hyperlink, str]]) -> Block:
    """A block with its links, the parts of one joined. Its text loses the spaces within addresses."""
    found: list[tuple[Link, int]] = []
    last: Hyperlink | None = None
    within: Hyperlink | None = None  # the last one, where it stands in a table, whose text is in its cells
    end = 0
    for link, text in links:
        start = block.text.find(text, end) if text else -1
        if start < 0:
            whole = text
            if within is not None and text and _goes_on(within, link):
                joined = f"{found[-1][0].text} {text}"
                if _is_in_one_cell(block, joined, within, link):
                    found.pop()
                    whole = joined
            found.append((Link(text=whole, target=link.target), start))
            last, within = None, link
            continue
        within = None
        first = start
        if last is not None and _goes_on(last, link) and _BETWEEN.fullmatch(block.text, end, start):
            first = found.pop()[1]
        end, last = start + len(text), link
        found.append((Link(text=block.text[first:end], target=link.target), first))
    shown = [replace(link, text=_SPACE.sub("", link.text)) if at >= 0 and _is_address(link) else link for link, at in found]
    cuts = [
        (at + gap.start(), at + gap.end())
        for (link, at), bare in zip(found, shown, strict=True)
        if bare is not link
        for gap in _SPACE.finditer(link.text)
    ]
    return replace(block, text=_without(block.text, cuts), links=tuple(shown), spans=_moved(block.spans, cuts) if cuts else block.spans)


def _is_in_one_cell(block: Block, text: str, link: Hyperlink, after: Hyperlink) -> bool:
    """Whether two areas lie in one cell of a table, which has the text of both."""
    boxes = (cell.bbox for cell in (block.table.cells if block.table is not None else ()) if text in cell.text)
    return any(all(contains_point(box, *center(one.bbox)) for one in (link, after)) for box in boxes if box is not None)


def _goes_on(link: Hyperlink, after: Hyperlink) -> bool:
    """Whether the area of a link goes on with the one before it: to the same place, on another line or close behind it."""
    (x0, y0, x1, y1), (left, top, right, bottom) = link.bbox, after.bbox
    apart = max(left - x1, x0 - right)
    return link.target == after.target and (min(y1, bottom) <= max(y0, top) + 0.5 * (y1 - y0) or apart < CLOSE * (y1 - y0))


def _is_address(link: Link) -> bool:
    """Whether a link shows its own target, or a part of it."""
    bare = _SPACE.sub("", link.text)
    said = bare.strip("()[]<>.,;").lower()
    return bare != link.text and _ADDRESS.match(said) is not None and said in link.target.lower()


def _without(text: str, cuts: Sequence[tuple[int, int]]) -> str:
    """A text without some parts of it, which are in order."""
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    return "".join(text[start:end] for start, end in zip(starts, ends, strict=True))


def _moved(spans: Sequence[Span], cuts: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    """The spans of a text where they stand without those parts; none is left of one within a part."""
    starts = [start for start, _ in cuts]
    gone = [0]
    for start, end in cuts:
        gone.append(gone[-1] + end - start)

    def place(offset: int) -> int:
        count = bisect_left(starts, offset)
        inside = max(0, cuts[count - 1][1] - offset) if count else 0
        return offset - gone[count] + inside

    moved = (replace(span, offset=place(span.offset), length=place(span.offset + span.length) - place(span.offset)) for span in spans)
    return tuple(span for span in moved if span.length)
