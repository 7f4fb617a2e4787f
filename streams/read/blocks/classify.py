"""What a paragraph is: heading, list item, caption, footnote, code, or prose. Pure functions of lines and of what is usual on the page."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from schemas.content import BlockType
from schemas.geometry import BBox
from streams.read.blocks.bylines import is_no_heading
from streams.read.blocks.contents_lines import is_entry
from streams.read.blocks.lines import Line
from streams.read.blocks.listings import are_listings, is_listing
from streams.read.blocks.paragraphs import BULLET, NOTE_MARK, NUMBER

_TABLE_WORDS = (
    "table|tab|tabelle|tableau|tabla|tabela|tabella|quadro|tabel|tabell|taulukko|tablo|таблица|табл|таблиця|πίνακας|جدول|טבלה|tabulka|tabuľka"
)
_FIGURE_WORDS = (
    "figure|fig|scheme|chart|exhibit|plate|box|map|photo|graph|diagram|illustration|listing|algorithm|algorithmus|algorithme|abbildung|abb|bild|grafik|figura|gráfico|grafico|schéma|schema|"
    "figuur|afbeelding|afb|figur|kuva|şekil|рисунок|рис|схема|εικόνα|σχήμα|شكل|الشكل|نمودار|איור|תרשים|rysunek|rys|wykres|obrázek|obr"
)
CAPTION = re.compile(
    rf"(?:(?:supplementary |extended data |supplemental |appendix )?(?:{_TABLE_WORDS}|{_FIGURE_WORDS})\b\.?|附?[图表圖図]|그림|표)\s*"
    r"(?:no\.?\s*)?[(\[]?[A-Z]{0,3}[-–.]?\d+(?:[.–-]\w+)*[a-z]?[)\]]?",
    re.IGNORECASE,
)
_NAMES_TABLE = re.compile(rf"(?:\w+ ){{0,2}}(?:{_TABLE_WORDS})\b|附?表|표", re.IGNORECASE)
_CAPTION_END = re.compile(r"\s*(?:[.:|—–-]|：|$|\s)")
_REFERS = re.compile(r"\s*(?:shows?|presents?|lists?|gives?|illustrates?|summari[sz]es?|depicts?|and|is|are|in|zeigt|montre)\b", re.IGNORECASE)
_DEEP_NUMBER = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){1,4}\.?|(?:chapter|part|section|article|appendix|annex|kapitel|teil|anhang|chapitre)\s+[\dIVXLA-Z]{1,5}\b)"
    r"[\s:.—–-]*\S",
    re.IGNORECASE,
)
_CJK_HEADING = re.compile(r"第.{1,4}[章节節条編部]|제\s?\d{1,2}\s?[장절조]")
_RELATION = re.compile(r"[=≤≥∈≈≡←→]")
_WORD = re.compile(r"[^\W\d_]{4,}")
SOURCE = re.compile(r"(?:sources?|quellen?|fuentes?|fontes?|źródło|источник|出典|资料来源|資料來源)\s*[:：]", re.IGNORECASE)
"""What begins the line that says where a table or a figure comes from, in whatever type."""
_SENTENCE_END = re.compile(r"[.;,。；，،]\s*$")
_NUMBERED = re.compile(r"\d{1,3}\.\s|\[\d")

LARGER = 1.05
"""Type this much larger than the body's, in another font, is a heading's where something else says so, too."""
HEADING_SIZE = 1.13
"""Type this much larger than the body's is a heading's; smaller differences occur inside bodies of text."""
SMALL_SIZE = 0.93
"""Type of notes, relative to the body's."""
MAX_HEADING_CHARS = 240
ROUND_BULLETS = frozenset("•●○◦∙‣")
"""Bullets that no heading begins with, in whatever size; squares and triangles stand before some."""
CAPTION_REACH_PT = 40.0
"""How far a caption stands from its figure or table at most: two to three lines."""


class Usual(Struct, frozen=True):
    """What is usual on a page: size and weight of most characters, whether its prose is in typewriter type, whether they lean, and line distance
    over size.
    """

    size_pt: float
    bold: bool
    monospace: bool
    leading: float
    font: str
    italic: bool = False


def usual_of(lines: Sequence[Line], known_size_pt: float | None, *, typewritten: bool | None = None) -> Usual:
    """The usual style of a page, by characters. `known_size_pt` is the body size of the neighbouring pages: believed where this page has
    some of it, or too little text to speak for itself (a title page, a full-page table). `typewritten`: whether most text of the pages around is in
    typewriter type, where that is known; a page of nothing but listings stands among pages that are not.
    """
    sizes: dict[float, int] = {}
    fonts: dict[str, int] = {}
    bold = italic = monospace = total = 0
    for line in lines:
        add_size(sizes, line.style.size_pt, line.letters)
        fonts[line.style.font] = fonts.get(line.style.font, 0) + line.letters
        bold += line.letters if line.style.bold else 0
        italic += line.letters if line.style.italic else 0
        monospace += line.letters if line.style.monospace else 0
        total += line.letters
    if not total:
        return Usual(10.0, False, False, 1.2, "")
    size = body_size(sizes)
    if known_size_pt is not None:
        some = sum(letters for other, letters in sizes.items() if abs(other - known_size_pt) <= 0.5)
        size = known_size_pt if some > 0.08 * total or total < 500 else size
    steps = sorted(
        (b.baseline - a.baseline) / a.style.size_pt
        for a, b in pairwise(lines)
        if a.style.size_pt > 0 and 0.7 < (b.baseline - a.baseline) / a.style.size_pt < 2.6
    )
    leading = steps[len(steps) // 3] if len(steps) > 5 else 1.35
    font = max(fonts, key=lambda font: (fonts[font], font))
    typed = monospace * 2 > total and typewritten is not False and not are_listings(lines)
    return Usual(max(size, 1.0), bold * 2 > total, typed, leading, font, italic * 3 > 2 * total)


def add_size(sizes: dict[float, int], size_pt: float, letters: int) -> None:
    """Counts letters by size, in steps of half a point."""
    size = round(size_pt * 2) / 2
    sizes[size] = sizes.get(size, 0) + letters


def body_size(sizes: Mapping[float, int]) -> float:
    """The size of the body: the largest that a quarter of all letters have, since references and notes may outweigh it on a page."""
    total = sum(sizes.values())
    spread = {size: count + sizes.get(size + 0.5, 0) / 2 + sizes.get(size - 0.5, 0) / 2 for size, count in sizes.items()}
    often = [size for size, count in spread.items() if count >= 0.25 * total and sizes[size] > 200]
    top = max(spread, key=lambda size: (spread[size], size))
    return max([top, *(size for size in often if sizes[size] >= 0.15 * total)])


def type_of(lines: Sequence[Line], text: str, usual: Usual, objects: Sequence[BBox], *, isolated: bool, leads: bool = False) -> BlockType:
    """The type of a paragraph. `text` is its joined text, `objects` the boxes of tables and figures in the same frame, `isolated` whether
    more space than a line distance stands above and below it, `leads` whether it is a heading by its place (see `heading_lines`).
    """
    first = lines[0]
    if first.style.monospace and not usual.monospace and is_listing(lines):
        return BlockType.CODE
    listed = len(lines) == 1 and is_entry(first)  # a line of a contents page, of a list of figures
    if not listed and _is_caption(lines, text, usual, objects):
        return BlockType.CAPTION
    item = is_item(text)
    titled = _is_heading(lines, text, usual, isolated=isolated, item=item) or (leads and first.style.font != usual.font)
    if titled and not (listed or first.raised or is_no_heading(text, bold=first.style.bold)):
        return BlockType.HEADING
    return BlockType.LIST_ITEM if item else BlockType.PARAGRAPH


def is_label(text: str) -> bool:
    """Whether a text begins with the label of a caption, set off from what follows: "Figure 3.", "Table 1:"."""
    label = CAPTION.match(text.lstrip())
    return label is not None and text.lstrip()[label.end() :][:1] in ("", ".", ":", "|", "：", "–", "—")


def names_table(caption: str) -> bool:
    """Whether a caption's first word says that it stands with a table."""
    return _NAMES_TABLE.match(caption.lstrip()) is not None


def is_item(text: str) -> bool:
    """Whether a text begins with a list mark and says something after it."""
    mark = BULLET.match(text) or NUMBER.match(text)
    return mark is not None and len(text) > mark.end()


def _is_caption(lines: Sequence[Line], text: str, usual: Usual, objects: Sequence[BBox]) -> bool:
    label = CAPTION.match(text)
    if label is None or len(lines) > 12:
        return False
    after = text[label.end() :]
    if not _CAPTION_END.match(after) or _REFERS.match(after):
        return False
    if after[:1] in (":", ".", "|", "：") or len(text) == label.end():
        return True
    style = lines[0].style
    other = style.bold != usual.bold or style.italic or style.size_pt < 0.97 * usual.size_pt
    return other or (len(lines) < 4 and any(_beside(line.box, box) for line in (lines[0], lines[-1]) for box in objects))


def _beside(line: BBox, other: BBox) -> bool:
    """Whether a box stands right above or below another."""
    apart = max(line[1] - other[3], other[1] - line[3])
    return apart < CAPTION_REACH_PT and min(line[2], other[2]) > max(line[0], other[0])


def _is_heading(lines: Sequence[Line], text: str, usual: Usual, *, isolated: bool, item: bool) -> bool:
    if len(text) > MAX_HEADING_CHARS or len(lines) > 4 or any(line.gaps for line in lines):
        return False
    letters = sum(map(str.isalpha, text))
    if letters < 2 or 2 * letters < len(text) - text.count(" ") or _is_formula(text):
        return False
    style = lines[0].style
    if (style.monospace and not usual.monospace) or text[:1] in ROUND_BULLETS or text.endswith((";", "；")) or SOURCE.match(text):
        return False
    if style.size_pt >= HEADING_SIZE * usual.size_pt:
        return len(lines) < 3 or not text.endswith((".", "。"))
    if text.isupper() and letters > 3 and isolated and len(lines) == 1 and style.size_pt > 0.75 * usual.size_pt:
        return True  # small capitals are set in a smaller size
    if style.size_pt < 0.95 * usual.size_pt or (_SENTENCE_END.search(text) and not NUMBER.fullmatch(text)):
        return False
    if item and len(lines) == 1 and style.size_pt > LARGER * usual.size_pt and style.font != usual.font and not BULLET.match(text):
        return True  # set apart from an item of a list, whatever its number looks like
    if BULLET.match(text) or (item and text[:1] in "([（"):
        return False
    if style.bold and not usual.bold:
        return len(lines) < 4
    if len(text) < 120 and text.isupper() and letters > 3 and style.font != usual.font:
        return True
    if not isolated or len(lines) > 2:
        return False
    if style.size_pt > LARGER * usual.size_pt and style.font != usual.font:
        return True
    return _DEEP_NUMBER.match(text) is not None or _CJK_HEADING.match(text) is not None or (text.isupper() and letters > 3 and len(text) < 90)


def _is_formula(text: str) -> bool:
    """Whether a text is an equation: a sign of relation, and hardly a word."""
    return _RELATION.search(text) is not None and len(_WORD.findall(text)) < 2


def is_note(lines: Sequence[Line], usual: Usual, *, after_note: bool) -> bool:
    """Whether small type at the foot of a column is a footnote: it begins with a mark, or goes on after one."""
    first = lines[0]
    if first.style.size_pt > SMALL_SIZE * usual.size_pt and not (first.raised and lines[-1].style.size_pt <= SMALL_SIZE * usual.size_pt):
        return False
    if not first.raised and _NUMBERED.match(first.text.lstrip()):
        return False  # a list in small type, of references mostly
    return after_note or first.raised or NOTE_MARK.match(first.text.lstrip()) is not None
