"""An answer of a document model becomes the contents of the pages that were sent. Pure.

Guarantees: exactly one content for each image, in order; pages that an answer lacks are empty and say so; text holds no control, private or lone
surrogate characters.
"""

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from inference.dialects.dialect import Dialect, PageSize
from inference.types import recognized_content
from schemas.content import Block, BlockType, PageContent
from schemas.events import PageImage

_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2060\ufeff\ufff9-\ufffd\ud800-\udfff\ue000-\uf8ff]")


class ReadPage(Struct, frozen=True, kw_only=True):
    """What an answer says of one page."""

    content: PageContent
    problems: tuple[str, ...]


def pages_of(dialect: Dialect, answer: str, images: Sequence[PageImage], confidence: float) -> list[ReadPage]:
    """The pages of an answer. `confidence` 0..1 is the mean probability of its tokens, given to each block.

    An answer with fewer or more pages than were sent is `pages_missing` or `pages_added` on every page: nothing tells which one is which.
    """
    sizes = [PageSize(image.width_pt, image.height_pt) for image in images]
    parsed = dialect.parse(answer, sizes)
    miscounted = () if len(parsed) == len(images) else ("pages_missing",) if len(parsed) < len(images) else ("pages_added",)
    found = []
    for index, image in enumerate(images):
        blocks = parsed[index].blocks if index < len(parsed) else ()
        problems = parsed[index].problems if index < len(parsed) else ()
        content = recognized_content(image, (_cleaned(block, confidence) for block in blocks))
        found.append(ReadPage(content=content, problems=(*problems, *miscounted)))
    return found


def _cleaned(block: Block, confidence: float) -> Block:
    text = _UNWANTED.sub("", block.text)
    if block.type is not BlockType.CODE:
        text = " ".join(text.split())
    table = block.table
    if table is not None:
        table = replace(table, cells=tuple(replace(cell, text=_UNWANTED.sub("", cell.text)) for cell in table.cells), confidence=confidence)
    return replace(block, text=text, table=table, confidence=round(confidence, 4))
