"""Whether a caption says that what stands below it is a table: evidence that outweighs a likeness to lists and scales.

A word such as "Table" with a number begins the caption, right above and no sentence goes on from it: "Table 3 shows" is prose.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from schemas.geometry import BBox
from streams.read.tables.lines import Word, chunks_of, text_lines, words_in

REACH_PT = 48.0
"""How far above its table a caption begins at most: three lines and a rule."""
BESIDE_PT = 72.0
"""How far left of its table it begins at most: captions are set to the margin where tables are centred or indented."""
MAX_ABOVE = 200
"""Words looked at above a table: four lines over the whole of a wide page."""

_BEGINS = re.compile(
    r"(?:table|tab\.|tabelle|tableau|tabla|cuadro|quadro|tabella|tabela|tabel|tabell|taulukko|tablo|tabulka|таблица|табл\.|таблиця|πίνακας|جدول|טבלה|附?表|표)"
    r"\s*[A-Z]?[-–.]?(?:\d+|[一二三四五六七八九十]+|[IVX]+\b)(?:[-.–]\w+)*(?P<sign>\s*[.:：)|—–])?",
    re.IGNORECASE,
)
_CONTINUED = re.compile(r"\b(?:cont(?:inued|['’]?d|\.)|fortsetzung|suite|continuación|continuação|segue)|продолжение|续|續|続", re.IGNORECASE)


class Captioned(NamedTuple):
    """Whether a caption of a table stands above, and whether it says that the table began on an earlier page."""

    is_captioned: bool
    is_continued: bool


UNCAPTIONED = Captioned(is_captioned=False, is_continued=False)


def caption_above(box: BBox, words: Sequence[Word]) -> Captioned:
    """What a caption above a box says; `words` are the page's, sorted as `words_of` does."""
    above = words_in(words, (float("-inf"), box[1] - REACH_PT, float("inf"), box[1]))
    for line in reversed(text_lines(above[-MAX_ABOVE:])):
        chunks = chunks_of(line)
        for index, chunk in enumerate(chunks):
            if box[0] - BESIDE_PT <= chunk.x0 <= box[2] and begins_caption(" ".join(w[4] for w in chunk.words)):
                rest = " ".join(w[4] for own in chunks[index:] for w in own.words)
                return Captioned(is_captioned=True, is_continued=_CONTINUED.search(rest) is not None)
    return UNCAPTIONED


def begins_caption(text: str) -> bool:
    """Whether a line begins as the caption of a table does."""
    found = _BEGINS.match(text)
    if found is None:
        return False
    rest = text[found.end() :].lstrip()
    return found["sign"] is not None or not rest or not rest[0].islower()
