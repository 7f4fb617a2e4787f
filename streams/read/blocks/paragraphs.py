"""Lines of one region become paragraphs: where does a new one begin? A decision on geometry, style and list marks, line by line.

Works in the reading frame of `lines.py`; right-to-left regions are measured from the right. Knows nothing of block types beyond list marks.
The rules, in order of their certainty: rows of cells stand alone; another size, weight or width of type; more space than the lines have
among themselves; a list mark; a line that ends although the next word had room; an indent.
"""

import re
from collections.abc import Sequence

from streams.read.blocks.contents_lines import begins_with_page, is_among_entries, is_entry, title_edge
from streams.read.blocks.lines import Line
from streams.read.blocks.measure import Measure

BULLET = re.compile(r"[•◦▪▫■□●○◆◇►▶▸▹➢➤➔➲✓✔✗✦★‣⁃∙❖❑❒❍⬥⬧⧫◉◾◼⚫♦・☐☑☒🙐-🙿]\s*|[–—\-*·o]\s+")
NUMBER = re.compile(
    r"(?:\(?\d{1,3}[.)]|\(?[a-z][.)]|\([A-Z]\)|\(?[ivxIVX]{1,5}[.)]|\[\d{1,3}\])\s+"
    r"|(?:[٠-٩۰-۹]{1,3}[.)\-–]|[०-९]{1,3}[.)]|\(?[а-яα-ω]\)|[א-ת][.)]|\(?[A-Z]\))\s+|[０-９]{1,2}[．、）]\s*|[ア-ン][）．]\s*"
    r"|[①-⑳❶-❿]\s*|[（(]?[一二三四五六七八九十]{1,3}[）)、．.]\s*|（\d{1,2}）\s*|\d{1,2}[、）]\s*"
)
NOTE_MARK = re.compile(r"(?:\d{1,3}|[*∗†‡§¶#]{1,3}|[a-z])[).]?\s*\S|[（(]?\d{1,3}[）)]\s*")
PAGE_NUMBER = re.compile(
    r"\W*(?:page|seite|pagina|página|стр\.?|p\.|s\.)?\s*(?:\d{1,5}|[ivxlcdm]{1,7})\s*(?:(?:of|/|von|de|из|sur)\s*\d{1,5})?\W*", re.IGNORECASE
)
_UNSPACED_START = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]")
_HEADING_NUMBER = re.compile(r"(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,4}\.?\s+\w")
_FORMULA_NUMBER = re.compile(r"\(\d{1,3}(?:[.-]\d{1,3})?[a-z]?\)")
_RULE = re.compile(r"[_\-–—=*~·.\s]{5,}")
_GOES_ON = re.compile(r"[^\W\d_][,-]?\s*$")
"""The end of a line in the midst of a sentence for certain; behind a bracket a line of a listing may be over."""
_SENTENCE_END = re.compile(r"[.!?:;。！？：；؟।]['\"”’»)\]]*\s*$")

SAME_SIZE = 1.13
"""Sizes of one paragraph differ by less: small capitals and formulas vary by a tenth, headings begin at an eighth."""
SMALLER = 0.95
"""Size of a line over that of a numbered one above it, in another font, from which down the numbered one is a heading and no item's first line."""
ALIGNED, ENOUGH_FULL, NARROWEST, RAGGED = 1.6, 4, 12.0, 0.1
"""How far lines of one edge begin apart, in sizes of type (an indent, a hanging mark), how many of them must reach it to tell where it is, how wide
they are at the least (prose, and no column of numbers), and what share of that lines that are not justified may stay behind.
"""
CODE_SPACE = 3.4
"""Line distances between two listings at the least: two blank lines stand inside of one."""
MORE_SPACE = 1.22
"""Space between paragraphs is at least this much of the line distance; less is stretch of justified pages."""


def split_paragraphs(lines: Sequence[Line], measure: Measure, *, page_top: float, page_bottom: float, code_is_special: bool) -> list[list[Line]]:
    """Paragraphs from top to bottom; each line is in exactly one, but for lines typed as a rule (`_____`), which only separate.

    `page_top` and `page_bottom` bound the zones where a page number stands alone. `code_is_special`: the page's body is not itself
    monospaced, so monospaced lines are kept together as they are, typed rules among them.
    """
    paragraphs: list[list[Line]] = []
    ruled_off = True
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else None
        if _RULE.fullmatch(line.text.strip()) and (ruled_off or not code_is_special or not _is_typewritten(line, paragraphs[-1][-1])):
            ruled_off = True
            continue
        if ruled_off:
            paragraphs.append([line])
            ruled_off = False
            continue
        paragraph = paragraphs[-1]
        alone = _is_page_number(paragraph[-1], page_top, page_bottom) or _is_page_number(line, page_top, page_bottom)
        near = lines[max(0, index - 5) : index + 5]
        if alone or _begins(line, following, paragraph, measure, near, code_is_special):
            paragraphs.append([line])
        else:
            paragraph.append(line)
    return paragraphs


def _is_page_number(line: Line, page_top: float, page_bottom: float) -> bool:
    return (line.y1 < page_top or line.y0 > page_bottom) and len(line.text) < 24 and PAGE_NUMBER.fullmatch(line.text.strip()) is not None


def _begins(line: Line, following: Line | None, paragraph: list[Line], measure: Measure, near: Sequence[Line], code_is_special: bool) -> bool:
    """Whether `line` begins a new paragraph after `paragraph`."""
    if line.begins_with_label and not line.text[:1].islower():  # else a box beside the second line of its label
        return True
    above = paragraph[-1]
    size = max(above.style.size_pt, 1.0)
    code = code_is_special and _is_typewritten(line, above)
    if not code and (line.gaps or above.gaps or min(above.x1, line.x1) - max(above.x0, line.x0) <= 0):
        return True
    if _is_formula_number(above, measure) or _is_formula_number(line, measure):
        return True
    if is_entry(above) or is_among_entries(above, near) or begins_with_page(line, near):
        return True
    step = line.baseline - above.baseline
    if step < 0.3 * size or _looks_different(line, above, paragraph, measure, size):
        return True
    if code:
        return step > CODE_SPACE * measure.leading_of(above)
    expected = max(above.baseline - paragraph[-2].baseline, 0.9 * measure.leading_of(above)) if len(paragraph) > 1 else measure.leading_of(above)
    if step > max(MORE_SPACE * expected + 0.5, 1.3 * size) and not (step < 1.55 * expected and _runs_on(line, above, measure, size)):
        return True
    if line.raised and line.style.size_pt < 0.95 * size * SAME_SIZE and len(line.text) > 8 and NOTE_MARK.match(line.text):
        return measure.end - measure.end_of(above) > 0 or above.raised
    if (tab := title_edge(paragraph[0])) is not None and abs(line.x0 - tab) < 0.3 * size and begins_with_page(paragraph[0], [*near, paragraph[0]]):
        return False
    edge = _edge(line, near, measure, size)
    if _is_item(line, paragraph, measure, min(edge, measure.end), size):
        return True
    if _continues_heading(line, following, paragraph, measure, size):
        return False
    if (_is_centered(line, above, size) and not _is_marked(paragraph[0])) or _hangs(line, paragraph, measure, size):
        return False
    if _ends_early(above, line, measure, edge, size):
        return True
    return _is_indented(line, following, paragraph, measure, edge, size)


def _is_formula_number(line: Line, measure: Measure) -> bool:
    """Whether a line is the number of a formula, in the right half of its column."""
    return line.x0 > (measure.start + measure.end) / 2 and _FORMULA_NUMBER.fullmatch(line.text.strip()) is not None


def _is_typewritten(line: Line, above: Line) -> bool:
    """Whether two lines are both in typewriter type."""
    return line.style.monospace and above.style.monospace


def _runs_on(line: Line, above: Line, measure: Measure, size: float) -> bool:
    """The sentence plainly goes on: a full line without an end, then a lower-case letter. Formulas push such lines apart."""
    full = measure.end - measure.end_of(above) < 2 * size and not _SENTENCE_END.search(above.text)
    return full and line.text.lstrip()[:1].islower()


def _looks_different(line: Line, above: Line, paragraph: Sequence[Line], measure: Measure, size: float) -> bool:
    """Another size, or another weight or typewriter type at a line that had no need to end: names of programs stand in the midst of sentences."""
    ratio = line.style.size_pt / size
    if not 1 / SAME_SIZE < ratio < SAME_SIZE and min(line.letters, above.letters) > 3:
        return not _is_set_on(line, above, measure, size)
    if len(paragraph) == 1 and ratio < SMALLER and line.style.font != above.style.font and line.letters > 3 and NUMBER.match(above.text):
        return True
    other_face = line.style.monospace != above.style.monospace and min(line.letters, above.letters) > 8
    if line.style.bold == above.style.bold and not other_face:
        return False
    if not SMALLER < ratio < 1 / SMALLER and line.style.font != above.style.font and line.text.lstrip()[:1].isupper():
        return True  # below a heading that fills its last line
    begin = measure.begin_of(line)
    aligned = begin - measure.start < size or (len(paragraph) > 1 and abs(begin - measure.begin_of(above)) < 0.4 * size)
    runs_on = measure.end - measure.end_of(above) < 2 * size and aligned
    return not (runs_on and not _SENTENCE_END.search(above.text))


def _is_set_on(line: Line, above: Line, measure: Measure, size: float) -> bool:
    """Whether two lines of different size are parts of one sentence: the lower begins in the size in which the upper, a full line, ends. Small
    capitals, of a heading before its text or of a name, are most of such a line and smaller than what stands beside them.
    """
    ends, begins = above.parts[-1].end_size_pt if above.parts else 0.0, line.parts[0].begin_size_pt if line.parts else 0.0
    if not ends or not begins or measure.rtl or not 1 / SAME_SIZE < begins / ends < SAME_SIZE:
        return False
    larger = max(line.style.size_pt, size)
    full = measure.end - measure.end_of(above) < 3 * larger and measure.begin_of(line) - measure.start < larger
    return full and not _SENTENCE_END.search(above.text)


def _edge(line: Line, near: Sequence[Line], measure: Measure, size: float) -> float:
    """Where the lines around end: those that begin where `line` does, if they fill a width, since an abstract is narrower than the text below it."""
    begin, reach = measure.begin_of(line), ALIGNED * size
    places = [(-other.x1, -other.x0) if measure.rtl else (other.x0, other.x1) for other in near]
    ends = [end for start, end in places if abs(start - begin) < reach]
    edge = max(ends)
    full = sum([edge - end < max(size, RAGGED * (edge - begin)) for end in ends])
    return edge if full >= ENOUGH_FULL and edge - begin > NARROWEST * size else max([end for _, end in places])


def _is_item(line: Line, paragraph: list[Line], measure: Measure, edge: float, size: float) -> bool:
    """A list mark begins an item; a number only where something besides it says so, since prose lines may begin with one."""
    if BULLET.match(line.text):
        if line.text.startswith("·") and " · " in paragraph[-1].text:
            return False  # a sign between words, not in front of them
        return not line.text.startswith(("-", "–", "—", "·", "*", "o")) or _stands_out(line, paragraph, measure, edge, size)
    return NUMBER.match(line.text) is not None and _stands_out(line, paragraph, measure, edge, size)


def _stands_out(line: Line, paragraph: list[Line], measure: Measure, edge: float, size: float) -> bool:
    first, above = paragraph[0].text, paragraph[-1]
    return (
        NUMBER.match(first) is not None
        or BULLET.match(first) is not None
        or _SENTENCE_END.search(above.text) is not None
        or edge - measure.end_of(above) > 3 * size
        or abs(measure.begin_of(line) - measure.begin_of(above)) > 0.7 * size
    )


def _is_centered(line: Line, above: Line, size: float) -> bool:
    """Lines of a centred title: common middle, different ends."""
    middle = abs((line.x0 + line.x1) - (above.x0 + above.x1)) / 2
    return middle < 0.6 * size and abs(line.x0 - above.x0) > 1.2 * size and abs(line.x1 - above.x1) > 1.2 * size


def _continues_heading(line: Line, following: Line | None, paragraph: list[Line], measure: Measure, size: float) -> bool:
    """A further line of a heading in bold type that begins in the midst of a sentence; the second line of a numbered one, under its words, where what
    comes below it is set otherwise.
    """
    above = paragraph[-1]
    if not _are_alike(line, above):
        return False
    if above.style.bold and line.text.lstrip()[:1].islower() and not _SENTENCE_END.search(above.text) and len(paragraph) < 4:
        return abs(measure.begin_of(line) - measure.begin_of(above)) < 0.4 * size or _is_centered(line, above, size)  # of a title without a number
    if following is None or _are_alike(following, line) or not _HEADING_NUMBER.match(paragraph[0].text):
        return False
    return 0 < measure.begin_of(line) - measure.begin_of(paragraph[0]) < 4 * size and len(paragraph) < 3


def _are_alike(line: Line, other: Line) -> bool:
    """Whether two lines are of one font and size."""
    return line.style.font == other.style.font and abs(line.style.size_pt - other.style.size_pt) < 0.3


def _is_marked(line: Line) -> bool:
    """Whether a line begins with the mark of a list."""
    return BULLET.match(line.text) is not None or NUMBER.match(line.text) is not None


def _hangs(line: Line, paragraph: list[Line], measure: Measure, size: float) -> bool:
    """A further line of a list item, under its text and not under its mark."""
    if not _is_marked(paragraph[0]):
        return False
    shift = measure.begin_of(line) - measure.begin_of(paragraph[0])
    if len(paragraph) > 1:
        return shift > 0.4 * size and abs(measure.begin_of(line) - measure.begin_of(paragraph[1])) < 0.4 * size
    return 0.4 * size < shift < 4 * size and line.text.lstrip()[:1].islower()


def _ends_early(above: Line, line: Line, measure: Measure, end: float, size: float) -> bool:
    """The upper line ended although the first word of the next had room before the edge of the lines around, `end`: its author broke it."""
    if measure.flush_left:
        room = measure.begin_of(above) - measure.start
    else:
        room = min(end, measure.end) - measure.end_of(above) if measure.justified else end - measure.end_of(above)
    text = line.text.strip()
    if _UNSPACED_START.match(text):
        return room > 1.6 * size
    first = text.split(" ", 1)[0]
    word = (line.x1 - line.x0) * len(first) / max(len(text), 1)
    slack = 0.7 if measure.justified and not measure.flush_left else 1.3
    if room <= word + slack * size:
        return False
    runs_on = text[0].islower() and not _SENTENCE_END.search(above.text)
    return not (runs_on and room < 0.5 * (end - measure.start))


def _returns_to_edge(line: Line, paragraph: list[Line], measure: Measure, size: float) -> bool:
    """A further line of an item whose mark stands in like the first line of a paragraph: at the column's edge, in the midst of a sentence or below
    such a line. Only asked of lines above which none ended early.
    """
    if abs(measure.begin_of(line) - measure.start) > 0.5 * size:
        return False
    second = len(paragraph) > 1 and abs(measure.begin_of(paragraph[1]) - measure.start) <= 0.5 * size
    first = line.text.lstrip()[:1]
    return second or (len(paragraph) == 1 and (first.islower() or first.isdecimal() or _SENTENCE_END.search(paragraph[-1].text) is None))


def _is_indented(line: Line, following: Line | None, paragraph: list[Line], measure: Measure, edge: float, size: float) -> bool:
    """First lines stand in (common) or out (hanging, as in bibliographies) of the rest, but not in the midst of a sentence: beside a picture."""
    shift = measure.begin_of(line) - measure.begin_of(paragraph[-1])
    if _is_marked(paragraph[0]):
        if len(paragraph) == 1 and shift > 0:
            return False  # an item's second line stands under its text, not under its mark
        if measure.begin_of(line) < measure.begin_of(paragraph[0]) - 0.5 * size:
            return not _returns_to_edge(line, paragraph, measure, size)
    elif measure.flush_left or (line.text.lstrip()[:1].islower() and _GOES_ON.search(paragraph[-1].text)):
        return False
    if shift > 0.7 * size:
        if len(paragraph) > 1 or following is None:
            return len(paragraph) > 1
        hangs = measure.begin_of(paragraph[0]) - measure.start < 0.5 * size and _ends_early(line, following, measure, edge, size)
        return not hangs and measure.begin_of(following) - measure.begin_of(line) < -0.7 * size
    return shift < -0.7 * size and len(paragraph) > 1
