"""Displayed equations as regions: pieces of formulas that stand together and apart from prose become one block. Pure functions of fragments.

A formula comes from the parser in pieces: limits above and below a sum, numerators, indexes, each a line of its own. Here pieces are gathered around
signs that only formulas have; a cluster that stands beside or between the words of a line is left to that line. What is said of an equation is its
flat text, from left to right and line by line; its shape is for its picture to show. A page without such signs costs one look at each text.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from schemas.content import Block, BlockType
from schemas.geometry import BBox, rounded, union
from streams.read.blocks.lines import Fragment
from streams.read.blocks.paragraphs import BULLET, NUMBER
from streams.read.characters.normalise import collapse
from streams.read.disjoint_sets import DisjointSets
from streams.read.turning import to_page

MAX_PIECES, MAX_FRAGMENTS = 800, 4_000
"""Pieces of formulas, and texts, of one page; a page of nothing else has a few hundred. With more there are tables of symbols, and no equations are
sought: each piece is compared with its neighbours, each cluster with all texts.
"""
LONGEST_PIECE = 90
"""Letters; longer pieces are prose, whatever signs they hold."""
BESIDE, BELOW = 2.6, 0.45
"""How far pieces of one formula stand apart, across and down, in type sizes: a quad and an aligned sign; a line of limits."""
LIMITS = 0.8
"""Type sizes between the box of a large operator, which is that of a letter, and its limits or the rule of its fraction."""
FAR = 4.0
"""Type sizes from a formula to its number, from which that stands apart and is no factor."""
NARROW, OVER_A_RULE = 1.6, 0.6
"""Width in type sizes of a numerator of one or two signs, over a part of what it is divided by, and how far above that, the rule between them."""
INLINE_REACH = 1.3
"""Type sizes from words to a formula that stands in their line; the gutter of a column or a number's distance is wider."""
NEIGHBOUR = 8.0
"""Type sizes within which what stands at the height of a formula is in its column, or the next cell of its row."""
INDENT = 1.2
"""Type sizes that a displayed formula of one line stands in, at least."""
SENTENCE = 5
"""Words of three letters and more from which on a text is a sentence, however much of it is in signs."""
LONGEST_TERM = 14
"""Letters of a difference or quotient without a space in it: "T−Thalf"."""
COLUMN_LETTERS = 25
"""Letters from which on what stands beside a formula is a line of another column, and no cell of a row."""
PROSE_SHARE = 0.4
"""Of the letters of a formula, those in words; "if x is even" and "otherwise" belong to formulas."""
FLAT = 1.9
"""Height in type sizes below which a formula has no fraction and no limits."""
LINES_AROUND = 5.0
"""Type sizes up and down within which the edge of the text is looked for."""
MOST_SIZES = 60.0
"""Height of an equation in type sizes, at most: a page."""

_RELATION_SIGN = re.compile(r"[=≠≈≃≅≡≤≥≪≫∼∝∈∉⊂⊃⊆⊇→↔⇒⇔↦⟶⟹≔]|(?<=\s)[<>](?=\s)")
_OPERATOR = re.compile(r"[+−×÷±∓∑∏∐∫∮∂∇√∞⋅∘⊗⊕∪∩∧∨¬∀∃ℝℤℕℂℚ∆Δ∥⟨⟩⌊⌋⌈⌉′]|(?<=\s)[-*/](?=\s)|[\U0001d400-\U0001d7ff]")
_BIG = re.compile(r"[∑∏∐∫∮√⋃⋂⨁⨂]")
_BIG_FONT = re.compile(r"CMEX|MTEX|TXEX|PXEX|LMMathExtension|Fourier-Math-Extension", re.IGNORECASE)
"""Fonts of large operators and brackets, whose letters seldom say what they are."""
_SAYS = re.compile(f"{_RELATION_SIGN.pattern}|{_BIG.pattern}")
"""What every equation has one of."""
_GREEK = re.compile(r"[α-ωΓΔΘΛΞΠΣΦΨΩϵϑϕϱ]")
_VALUE = re.compile(r"[\w²^∗*]{1,8}(?:\s*\d)?\s*[=<>≤≥≈]\s*[−–-]?\s*\d[\d.,]*\s*%?")
_STATISTIC = re.compile(r"\bp\s?[=<>≤]\s?[01]?[.,]\d")
"""What results of a test end with, and no equation."""
_LEFT = re.compile(f"[^\\W\\d_]|{_RELATION_SIGN.pattern}|{_OPERATOR.pattern}")
"""What a formula has besides values: a letter or a sign."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_PROSE = re.compile(r"(?<![(\[{⟨/+−×÷*√^])\b[^\W\d_]{3,}+(?![(\[])")
"""Words that no bracket or sign holds: "softmax(" is a function, "(SSE" and "−SSE" are variables."""
_NUMBER_OF = re.compile(r"\(\s*[A-Z]?\.?\d{1,3}(?:[.\-–]\d{1,3})*[a-z]?\s*\)|\[\d{1,3}\]")
_MATH_FONT = re.compile(
    r"CMMI|CMSY|CMEX|CMBSY|MSAM|MSBM|EUFM|EUSM|RSFS|LASY|STIX(?!Two?Text)|Cambria ?Math|XITS|Asana|LatinModernMath|LMMath|TeXGyre\w*Math|MathJax|"
    r"Pazo|PXSY|PXMI|RTXMI|TXSY|TXMI|TXEX|PXEX|NewTXMI|NTXMI|Euler|MTSY|MTEX|MathematicalPi|MathTechnical|MTMI|Mathtime|Fourier-Math|Symbol",
    re.IGNORECASE,
)
_WORDS_OF_FORMULAS = frozenset({
    "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "log", "exp", "lim", "limsup", "liminf", "max",
    "min", "sup", "inf", "det", "arg", "argmax", "argmin", "mod", "gcd", "lcm", "deg", "dim", "ker", "rank", "sgn", "sign", "diag", "span", "var",
    "cov", "prob", "const", "div", "grad", "curl", "rot", "erf", "for", "and", "subject", "such", "that", "all", "where", "otherwise", "with",
})  # fmt: skip
"""Names of functions, and the words between the parts of a formula: no prose."""


class _Piece:
    """A fragment that may belong to a formula: where it is among the fragments, and what it shows."""

    __slots__ = ("box", "has_relation", "index", "is_big", "is_math", "is_narrow", "is_number", "is_seed", "size")

    def __init__(self, index: int, fragment: Fragment) -> None:
        text = fragment.text
        self.index, self.box, self.size = index, fragment.box, max(fragment.style.size_pt, 1.0)
        self.is_math = _is_math_font(fragment.style.font)
        self.is_narrow = fragment.letters <= 2 and fragment.x1 - fragment.x0 < NARROW * self.size
        self.is_big = fragment.letters <= 2 and (_BIG.search(text) is not None or _BIG_FONT.search(fragment.style.font) is not None)
        self.is_number = _NUMBER_OF.fullmatch(text.strip()) is not None
        self.has_relation = _RELATION_SIGN.search(text) is not None
        signs = self.has_relation or _OPERATOR.search(text) is not None
        self.is_seed = signs or (self.is_math and any(map(str.isalpha, text))) or _GREEK.search(text) is not None


def find_equations(fragments: Sequence[Fragment]) -> tuple[list[Block], set[int]]:
    """Displayed equations as blocks, and the indexes of the fragments that they are made of. Upright text only."""
    if len(fragments) > MAX_FRAGMENTS or not any(_SAYS.search(f.text) for f in fragments):
        return [], set()
    pieces = [_Piece(index, f) for index, f in enumerate(fragments) if _may_be_piece(f)]
    if not any(piece.is_seed for piece in pieces) or len(pieces) > MAX_PIECES:
        return [], set()
    mine = {piece.index for piece in pieces}
    words = [f for index, f in enumerate(fragments) if index not in mine and f.angle == 0]
    blocks: list[Block] = []
    taken: set[int] = set()
    for cluster in _clusters(pieces):
        if not any(piece.is_seed for piece in cluster):
            continue
        numbered = [*cluster, *_number_of(cluster, pieces, fragments)]
        if _is_displayed(numbered, cluster, fragments, words, taken):
            members = {piece.index for piece in numbered}
            taken |= members
            box = union(fragments[index].box for index in members)
            blocks.append(Block(type=BlockType.EQUATION, bbox=rounded(to_page(box, 0)), text=_flat_text([fragments[i] for i in members])))
    return blocks, taken


@lru_cache(maxsize=4096)
def _is_math_font(font: str) -> bool:
    return _MATH_FONT.search(font) is not None


def _may_be_piece(fragment: Fragment) -> bool:
    """Whether a text may be a part of a formula: short, and not made of words."""
    if fragment.angle or fragment.letters > LONGEST_PIECE or fragment.style.monospace or fragment.rtl:
        return False
    return not _is_wordy(fragment.text, fragment.letters)


def _is_wordy(text: str, letters: int) -> bool:
    said = _word_letters(text)
    if said < 5 and (_GREEK.search(text) or _RELATION_SIGN.search(text) or _OPERATOR.search(text)):
        return False  # a product of four letters
    if letters <= LONGEST_TERM and " " not in text.strip() and _OPERATOR.search(text):
        return False  # variables with words as their indexes
    return said >= 4 and (said >= 0.5 * letters or len(_WORD.findall(text)) >= SENTENCE)


def _word_letters(text: str) -> int:
    return sum(len(word) for word in _PROSE.findall(text) if word.lower() not in _WORDS_OF_FORMULAS)


def _clusters(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """Pieces that stand so close that they may be one formula, from top to bottom. Each is compared with those that begin above its end only."""
    together = DisjointSets(len(pieces))
    order = sorted(range(len(pieces)), key=lambda i: (pieces[i].box[1], pieces[i].box[0]))
    for position, first in enumerate(order):
        a = pieces[first]
        for second in order[position + 1 :]:
            b = pieces[second]
            if b.box[1] > a.box[3] + LIMITS * a.size:
                break
            if _are_together(a, b):
                together.join(second, first)
    return [[pieces[index] for index in group] for group in together.groups(order)]


def _are_together(a: _Piece, b: _Piece) -> bool:
    """Whether two pieces may be of one formula; `a` begins no lower than `b`."""
    size = max(a.size, b.size)
    across = max(a.box[0], b.box[0]) - min(a.box[2], b.box[2])
    down = max(a.box[1], b.box[1]) - min(a.box[3], b.box[3])
    if (a if a.box[0] < b.box[0] else b).is_number and across > size:
        return False  # the number of an equation, and one in the next column
    if (down <= 0 and across <= BESIDE * size) or (across <= 0.3 * size and down <= BELOW * min(a.size, b.size)):
        return True
    if (a.is_big or b.is_big) and across < 0 and down <= LIMITS * size:
        return True
    return a.is_narrow and across < 0 and down <= OVER_A_RULE * min(a.size, b.size)


def _number_of(cluster: Sequence[_Piece], pieces: Sequence[_Piece], fragments: Sequence[Fragment]) -> list[_Piece]:
    """The number of an equation, which stands in its line at the edge of the column."""
    x0, y0, x1, y1 = union(piece.box for piece in cluster)
    mine = {piece.index for piece in cluster}
    found = [
        piece
        for piece in pieces
        if piece.index not in mine and y0 <= (piece.box[1] + piece.box[3]) / 2 <= y1 and _NUMBER_OF.fullmatch(fragments[piece.index].text.strip())
    ]
    right = [piece for piece in found if piece.box[0] > x1]
    return sorted(right or [piece for piece in found if piece.box[2] < x0], key=lambda piece: abs(piece.box[0] - x1))[:1]


def _is_displayed(
    numbered: Sequence[_Piece], cluster: Sequence[_Piece], fragments: Sequence[Fragment], words: Sequence[Fragment], taken: set[int]
) -> bool:
    """Whether a cluster is an equation of its own: with signs of one, almost without words, not beside words, and set in or in several lines."""
    texts = [fragments[piece.index] for piece in cluster]
    letters = sum(f.letters for f in texts)
    math = sum(piece.is_math for piece in cluster)
    relation = any(piece.has_relation for piece in cluster) or any(_BIG.search(f.text) for f in texts)
    if not relation or letters < 3 or sum(_word_letters(f.text) for f in texts) > PROSE_SHARE * letters:
        return False
    size = sorted(piece.size for piece in cluster)[len(cluster) // 2]
    box = union(piece.box for piece in cluster)
    if box[3] - box[1] > MOST_SIZES * size or any(piece.index in taken for piece in numbered):
        return False
    if any(_stands_beside(f.box, box, size) for f in words):
        return False
    rows = _rows(texts)
    if not math and not _is_alone(box, {piece.index for piece in numbered}, fragments, size):
        return False
    if _STATISTIC.search(_flat_text(texts)):
        return False
    flat = len(rows) == 1 and box[3] - box[1] < FLAT * size
    if flat and not _LEFT.search(_VALUE.sub("", _flat_text(texts))):
        return False  # results of a test: "χ2 = 5.281, v = 3, p = 0.152"
    if len(rows) == 1 and len(texts) == len([f for f in texts if _same_line(f, texts[0])]):
        first = min(texts, key=lambda f: f.x0)
        if NUMBER.match(first.text) or BULLET.match(first.text):
            return False
        if any(piece.is_number and piece.box[0] - box[2] > FAR * size for piece in numbered):
            return True  # set flush, and numbered at the edge of the column
        return _is_set_in(box, words, size, sure=math > 0 or len(numbered) > len(cluster))
    return math > 0 or len(texts) > 2


def _stands_beside(words: BBox, box: BBox, size: float) -> bool:
    """Whether words stand in the line of a formula, right before or after it or in its midst."""
    down = min(words[3], box[3]) - max(words[1], box[1])
    if down <= 0.4 * min(words[3] - words[1], box[3] - box[1]):
        return False
    return max(words[0], box[0]) - min(words[2], box[2]) < INLINE_REACH * size


def _is_alone(box: BBox, mine: set[int], fragments: Sequence[Fragment], size: float) -> bool:
    """Whether nothing else stands at the height of a formula within the width of a column: cells of a table have neighbours."""
    return not any(
        index not in mine
        and f.angle == 0
        and min(f.y1, box[3]) - max(f.y0, box[1]) > 0.4 * (f.y1 - f.y0)
        and max(f.x0, box[0]) - min(f.x1, box[2]) < NEIGHBOUR * size
        and not (f.letters >= COLUMN_LETTERS and _is_wordy(f.text, f.letters))
        for index, f in enumerate(fragments)
    )


def _is_set_in(box: BBox, words: Sequence[Fragment], size: float, *, sure: bool) -> bool:
    """Whether a formula of one line stands in from the edge of the text around it. Where there is no text, `sure` decides."""
    reach = LINES_AROUND * size
    edges = [
        f.x0 for f in words if f.x0 < box[2] and f.x1 > box[0] and (0 <= box[1] - f.y1 < reach or 0 <= f.y0 - box[3] < reach or f.y0 < box[1] < f.y1)
    ]
    return box[0] - min(edges) > INDENT * size if edges else sure


def _same_line(a: Fragment, b: Fragment) -> bool:
    return abs(a.baseline - b.baseline) < 0.25 * min(a.style.size_pt, b.style.size_pt)


def _rows(texts: Sequence[Fragment]) -> list[list[Fragment]]:
    """Lines of an equation: what overlaps in height, by more than a descender, is one."""
    rows: list[list[Fragment]] = []
    bottom = 0.0
    for fragment in sorted(texts, key=lambda f: (f.y0, f.x0)):
        if rows and bottom - fragment.y0 > 0.12 * (fragment.y1 - fragment.y0):
            rows[-1].append(fragment)
            bottom = max(bottom, fragment.y1)
        else:
            rows.append([fragment])
            bottom = fragment.y1
    return rows


def _flat_text(texts: Sequence[Fragment]) -> str:
    """The pieces from left to right, line by line; what stands on one place from top to bottom."""
    lines = [" ".join(f.text.strip() for f in sorted(row, key=lambda f: (f.x0, f.y0))) for row in _rows(texts)]
    return "\n".join(collapse(line) for line in lines if line.strip())
