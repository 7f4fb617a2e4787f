"""Text that is printed twice on one spot, to look bold or by a program that draws each layer: its copies are taken out.

A copy need not be whole, nor cut into the same runs: single letters are compared. Of two lines on one spot the longer one stays, so that no rest of
it is left beside a shorter copy. What a drawing covers is no copy of what is printed over it, and is taken out before (`covered.py`). Changes MuPDF's
raw dictionary and nothing else; linear in the characters of a page. Most pages pay for one look at the boxes of their lines.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from schemas.geometry import union

Raw = dict[str, Any]

SAME_LINE_PT = 1.2
"""Lines that end this near to one height may be copies: text is shifted by less to look bold."""
OVER = 0.5
"""Of a copy this share of its length lies over another line."""
MIN_COPIES = 8
"""Characters on the spot of their like from which on they are copies: fewer are accents, leaders, a letter that kerning put there."""
MOSTLY = 0.7
"""Of the characters of a copy this share is in the line that it lies over."""
SHIFT = 0.12
"""Ems between a letter and its copy at the most: the narrowest letters follow each other at twice that."""
WORD_GAP = 0.2
"""Ems between two letters from which on they are of two words."""


def without_copies(content: Mapping[str, Any], characters: Callable[[], Raw]) -> Raw | None:
    """The page's raw dictionary, which `characters` gives, without copies; None where there are none. `content` is its dictionary of text."""
    if not may_be_overprinted(content):
        return None
    raw = characters()
    return raw if drop_copies(raw) else None


def may_be_overprinted(content: Mapping[str, Any]) -> bool:
    """Whether lines of a page's dictionary lie on others that say the same, told from their boxes in some tens of microseconds."""
    lines = [line for block in content["blocks"] for line in block.get("lines", ())]
    boxes = [line["bbox"] for line in lines]
    for offset in (0.0, SAME_LINE_PT / 2):  # of two lines on one spot, one may be just below a bound between heights
        heights: dict[int, list[tuple[float, float, int]]] = {}
        for number, (x0, _, x1, y1) in enumerate(boxes):
            height = int((y1 + offset) / SAME_LINE_PT)
            if height in heights:
                heights[height].append((x0, x1, number))
            else:
                heights[height] = [(x0, x1, number)]
        alike = 0
        for level in heights.values():
            if len(level) > 1:
                level.sort()
                for (start, end, one), (next_start, next_end, other) in pairwise(level):
                    # a text that begins behind the other's end lies on none of it: most do
                    if next_start < end and min(end, next_end) - next_start > OVER * min(end - start, next_end - next_start) > 0:
                        alike += _alike(lines[one], lines[other])
        if alike >= MIN_COPIES:
            return True
    return False


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    """How many characters two lines have in common, none where the shorter one has many of its own."""
    texts = ["".join([span["text"] for span in line["spans"]]).replace(" ", "") for line in (one, other)]
    shared = (Counter(texts[0]) & Counter(texts[1])).total()
    return shared if shared >= MOSTLY * min(map(len, texts)) else 0


def drop_copies(raw: Raw) -> bool:
    """Takes out the characters that stand on the spot of their like, in place, and lines of which nothing is left; whether there were any."""
    lines = [line for block in raw["blocks"] for line in block.get("lines", ())]
    copies = _copies(lines)
    if len(copies) < MIN_COPIES:
        return False
    for block in raw["blocks"]:
        if "lines" in block:
            block["lines"] = [line for line in block["lines"] if _without(line, copies)]
    return True


def _copies(lines: list[Raw]) -> set[int]:
    """The ids of the characters that are copies of one in a longer line, or further ahead in their own."""
    likes = _likes(sorted(lines, key=lambda line: -sum([len(span["chars"]) for span in line["spans"]])))
    if len(likes) < MIN_COPIES:
        return set(likes)  # below, as many are added as are taken out at most
    words = [word for line in lines for word in _words(line)]
    word_of = {id(char): word for word in words for char in word}
    copies = set(likes)
    for word in words:
        own = [id(char) for char in word if id(char) in copies]
        if own and len(own) < len(word):  # another word, or a number whole here and without its point in the pieces of another line
            others = {likes[char] for char in own}
            around = {id(char) for other in others for char in word_of.get(other, ())}
            copies -= set(own)
            copies |= around if around <= others else set()
    return copies


def _likes(lines: list[Raw]) -> dict[int, int]:
    """By the id of each character that stands on the spot of its like, seen line by line, the id of that one."""
    kept: dict[tuple[str, int, int], list[tuple[float, float, int]]] = {}
    likes: dict[int, int] = {}
    for line in lines:
        for span in line["spans"]:
            near = SHIFT * span["size"]
            side = 2 * near
            for char in span["chars"] if near > 0 else ():
                x, y, sign = char["bbox"][0], char["origin"][1], char["c"]
                column, row = int(x // side), int(y // side)
                # of squares twice as wide as the reach, only those on the nearer side of the letter may hold its like
                beside, above = (column + 1 if x % side > near else column - 1), (row + 1 if y % side > near else row - 1)
                own = sign, column, row
                for square in (own, (sign, beside, row), (sign, column, above), (sign, beside, above)):
                    if square in kept and (like := _near(kept[square], x, y, near)) is not None:
                        likes[id(char)] = like
                        break
                else:
                    kept.setdefault(own, []).append((x, y, id(char)))
    return likes


def _near(letters: Sequence[tuple[float, float, int]], x: float, y: float, reach: float) -> int | None:
    """The first of the letters in a square that stands within reach of a place."""
    for a, b, letter in letters:
        if abs(x - a) <= reach and abs(y - b) <= reach:
            return letter
    return None


def _words(line: Raw) -> list[list[Raw]]:
    """The characters of a line by word: parted by spaces and by gaps."""
    words: list[list[Raw]] = []
    end: float | None = None
    for span in line["spans"]:
        for char in span["chars"]:
            if char["c"].isspace():
                end = None
                continue
            if end is None or abs(char["bbox"][0] - end) > WORD_GAP * span["size"]:
                words.append([])
            words[-1].append(char)
            end = char["bbox"][2]
    return words


def _without(line: Raw, copies: set[int]) -> bool:
    """Takes copies out of a line; whether it still shows anything."""
    if not any(id(char) in copies for span in line["spans"] for char in span["chars"]):
        return True
    for span in line["spans"]:
        span["chars"] = [char for char in span["chars"] if id(char) not in copies]
        if span["chars"]:
            span["bbox"] = union([char["bbox"] for char in span["chars"]])
    line["spans"] = [span for span in line["spans"] if span["chars"]]
    if not any(not char["c"].isspace() for span in line["spans"] for char in span["chars"]):
        return False
    line["bbox"] = union([span["bbox"] for span in line["spans"]])
    return True
