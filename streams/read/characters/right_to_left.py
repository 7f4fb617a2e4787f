"""Lines that hold Hebrew or Arabic, put together anew from where their characters stand: logical order, marks behind their letters.

MuPDF turns right-to-left runs around letter by letter, which breaks ligatures, digits and brackets, and it cuts such a line wherever the pen
goes back. So nothing of its order is kept but for characters on one spot: pieces of one line are joined, characters sorted by place, and
read by `bidi.py`. Changes MuPDF's raw dictionary (`extractRAWDICT`, made with `TEXT_INHIBIT_SPACES`: spaces that MuPDF guesses would be in the
way) and nothing else; text at odd angles stays as it is. Pure; a page costs n log n.
"""

import re
import unicodedata
from collections.abc import Sequence, Set
from operator import sub
from typing import Any

from msgspec import Struct

from schemas.geometry import BBox, union
from streams.read.characters.bidi import MIRRORED, MIRRORED_SIGNS, is_right_to_left, mirror_votes, reading_order
from streams.read.characters.signs import TOUCHING_PT, Sign, extent, has_width, letters_and_marks, parting_fonts
from streams.read.turning import angle_of, to_frame

RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
WORD_GAP = 0.2
"""Ems between two characters from which a space is missing; MuPDF takes 0.15, which pointed text exceeds inside words."""
LINE_GAP = 0.8
"""Ems between pieces of one line at the most: MuPDF's own bound where it begins another line, so that cells of a row stay apart."""
NARROW_SPACE = 0.12
"""Ems from the left edge of a letter within which a space that overlaps it belongs to the left: half-spaces of Persian are set so."""
CLUSTER_GAP = 0.4
"""Ems between glyphs of one cluster that each say all of it, as some programs have them."""
SAME_BASELINE = 0.3
"""Ems; less than a superscript is raised."""

Raw = dict[str, Any]


class _Piece(Struct):
    """What MuPDF calls a line, in the frame in which it runs from left to right."""

    line: Raw
    angle: int
    start: float
    end: float
    baseline: float
    size: float


def order_lines(raw: Raw, *, everywhere: bool = False) -> None:
    """Puts all lines that hold right-to-left letters in logical order, in place; their pieces become one line of the first one's block.

    `everywhere`: other lines too, since MuPDF took other characters for such letters when it put them in order.
    """
    pieces = [piece for block in raw["blocks"] for line in block.get("lines", ()) if (piece := _piece(line)) is not None]
    text = "".join([_text_of(piece.line) for piece in pieces])
    page = 2 * len(RIGHT_TO_LEFT.findall(text)) > len(text) - text.count(" ")
    parting = parting_fonts((piece.line, piece.angle) for piece in pieces)
    gone: set[int] = set()
    ordered: list[tuple[Raw, list[Sign], list[bool]]] = []
    for row in _joined(pieces):
        signs = _signs(row, parting)
        if not signs or not (page or everywhere or any(RIGHT_TO_LEFT.search(sign.text) for sign in signs)):
            continue
        texts = [sign.text for sign in signs]
        order, leftwards = reading_order(texts, right_to_left=is_right_to_left(texts, page=page))
        gone.update(id(piece.line) for piece in row[1:])
        ordered.append((row[0].line, [signs[index] for index in order], [leftwards[index] for index in order]))
    mirrored = sum(mirror_votes("".join(sign.text[0] for sign in signs), leftwards) for _, signs, leftwards in ordered) > 0
    for line, signs, leftwards in ordered:
        _rewrite(line, signs, leftwards if mirrored else [False] * len(signs))
    for block in raw["blocks"]:
        if "lines" in block:
            block["lines"] = [line for line in block["lines"] if id(line) not in gone]


def _text_of(line: Raw) -> str:
    return "".join([char["c"] for span in line["spans"] for char in span["chars"]])


def _piece(line: Raw) -> _Piece | None:
    """A line's place, or None for what is not put in order: vertical writing, odd angles, nothing but white space."""
    first = next((char for span in line["spans"] for char in span["chars"] if not char["c"].isspace()), None)
    angle = angle_of(*line["dir"])
    if first is None or line["wmode"] or angle % 90:
        return None
    box = to_frame(line["bbox"], angle)
    baseline = to_frame((*first["origin"], *first["origin"]), angle)[1]
    return _Piece(line, angle, box[0], box[2], baseline, max(span["size"] for span in line["spans"]))


def _joined(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """The pieces by line: on one baseline, and no further apart than words."""
    rows: list[list[_Piece]] = []
    last, end = -1, 0.0
    for level, piece in sorted(_levelled(pieces), key=lambda item: (item[0], item[1].start)):
        if level == last and piece.start - end < LINE_GAP * max(piece.size, rows[-1][-1].size):
            rows[-1].append(piece)
            end = max(end, piece.end)
        else:
            rows.append([piece])
            last, end = level, piece.end
    return rows


def _levelled(pieces: Sequence[_Piece]) -> list[tuple[int, _Piece]]:
    """Pieces with the number of their baseline: baselines of one direction that hardly differ count as one."""
    levels: list[tuple[int, _Piece]] = []
    number, last = 0, None
    for piece in sorted(pieces, key=lambda found: (found.angle, found.baseline)):
        if last is not None and (piece.angle != last.angle or piece.baseline - last.baseline > SAME_BASELINE * min(piece.size, last.size)):
            number += 1
        levels.append((number, piece))
        last = piece
    return levels


def _signs(row: Sequence[_Piece], parting: Set[str]) -> list[Sign]:
    """The signs of a line from left to right, with the spaces between its words."""
    signs: list[Sign] = []
    pieces = [[(span, char, extent(char, piece.angle)) for span in piece.line["spans"] for char in span["chars"]] for piece in row]
    starts = sorted(box[0] for chars in pieces for _, _, box in chars if box[2] - box[0] > TOUCHING_PT)
    for chars in pieces:
        signs += letters_and_marks(chars, starts, parting)
    signs.sort(key=_place)
    spaced: list[Sign] = []
    for sign in signs:
        before = spaced[-1] if spaced else None
        if sign.text.isspace() and (before is None or before.text.isspace() or sign.end - sign.start < TOUCHING_PT):
            continue
        if before is not None and _says_again(sign, before):
            continue
        if before is not None and has_width(before) and has_width(sign) and sign.start - before.end > WORD_GAP * before.span["size"]:
            spaced.append(Sign(before.end, sign.start, " ", before.span, [{**sign.chars[0], "c": " "}]))
        spaced.append(sign)
    _give_prefixes_their_word(spaced)
    return spaced


def _place(sign: Sign) -> tuple[float, bool]:
    """What signs are sorted by. A narrow space may stand over the end of its word; joiners without width stand before the letter."""
    over = NARROW_SPACE * sign.span["size"] if sign.text.isspace() else 0.0
    return sign.start - over, sign.end - sign.start > TOUCHING_PT


def _give_prefixes_their_word(signs: list[Sign]) -> None:
    """Moves a space from between a foreign word and the prefix before it to behind the word: "و Pythonمن" is typed "وPython من".

    Word processors give the space behind a foreign word the word's direction, so that it shows on its other side.
    """
    for place in range(len(signs) - 2, 0, -1):
        if not (signs[place].text.isspace() and RIGHT_TO_LEFT.match(signs[place + 1].text) and signs[place - 1].text.isalnum()):
            continue
        prefix_ends = place + 2 == len(signs) or signs[place + 2].text.isspace()
        start = place - 1
        while start >= 0 and not signs[start].text.isspace() and not RIGHT_TO_LEFT.match(signs[start].text):
            start -= 1
        if prefix_ends and start >= 0 and RIGHT_TO_LEFT.match(signs[start].text):
            signs.insert(start + 1, signs.pop(place))


def _says_again(sign: Sign, before: Sign) -> bool:
    """Whether two glyphs of one pointed letter say all of it, both."""
    alike = len(sign.text) > 1 and sorted(sign.text) == sorted(before.text) and not has_width(sign) and not has_width(before)
    return alike and sign.start - before.start < CLUSTER_GAP * sign.span["size"]


def _boxes_near(sign: Sign) -> list[BBox]:
    """The boxes of a letter and its marks, without marks of which MuPDF says a place far away: one as wide as that would be of two columns."""
    letter, reach = sign.chars[0]["bbox"], sign.span["size"]
    marks = [char["bbox"] for char in sign.chars[1:]]
    return [letter, *(mark for mark in marks if max(map(abs, map(sub, mark, letter))) < 2 * reach)]


def _rewrite(line: Raw, signs: Sequence[Sign], mirrored: Sequence[bool]) -> None:
    """Gives a line its signs in order, as spans of the same style."""
    spans: list[Raw] = []
    source: Raw | None = None
    for sign, turned in zip(signs, mirrored, strict=True):
        char = sign.chars[0]
        if len(sign.chars) > 1:
            text = unicodedata.normalize("NFC", sign.text)
            char = {**char, "c": text, "bbox": union(_boxes_near(sign))}
        elif turned and sign.text in MIRRORED_SIGNS:
            char = {**char, "c": sign.text.translate(MIRRORED)}
        if sign.span is not source:
            source = sign.span
            spans.append({**source, "chars": []})
        spans[-1]["chars"].append(char)
    for span in spans:
        x0, y0, x1, y1 = zip(*(char["bbox"] for char in span["chars"]), strict=True)
        span["bbox"] = (min(x0), min(y0), max(x1), max(y1))
        span["origin"] = span["chars"][0]["origin"]
    line["spans"] = spans
    line["bbox"] = union(span["bbox"] for span in spans)
