"""A line of text as it stands, from left to right, put into the order in which it is read: pure functions of strings.

The inverse of the Unicode Bidirectional Algorithm (UAX #9) as far as it has one: Hebrew and Arabic letters run leftwards, numbers and words of
other scripts inside them rightwards. What a line shows does not tell everything that its author typed; where two texts look the same, the one
without marks of direction is taken. Knows no fonts and no places, only the order of what stands there.
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

MIRRORED = str.maketrans("()[]{}<>«»‹›≤≥⟨⟩「」『』【】", ")(][}{><»«›‹≥≤⟩⟨」「』『】【")
"""Signs that show as their counterpart where text runs leftwards (`Bidi_Mirrored` in the Unicode data), as far as text has them."""

MIRRORED_SIGNS = frozenset(map(chr, MIRRORED))

_OPENING, _CLOSING = "([{«‹⟨", ")]}»›⟩"
_LETTER, _RIGHT, _NUMBER, _SEPARATOR, _SIGN, _TERMINATOR, _NEUTRAL = "L", "R", "N", "CS", "ES", "ET", "O"
_KINDS = {"L": "L", "R": "R", "AL": "R", "EN": "N", "AN": "N", "CS": "CS", "ES": "ES", "ET": "ET"}
_STOPS = frozenset(".,:;!?،؛؟")


@lru_cache(maxsize=4096)
def _kind(part: str) -> str:
    """What the first character of a part does to the order; marks that stand alone follow their surroundings."""
    return _KINDS.get(unicodedata.bidirectional(part[0]), _NEUTRAL)


def is_right_to_left(parts: Sequence[str], *, page: bool) -> bool:
    """Whether a line is read from the right. `page`: whether its page mostly is, which decides for lines with few letters of either kind."""
    right = sum(_kind(part) == _RIGHT for part in parts)
    if not page:
        return right > sum(_kind(part) == _LETTER for part in parts)
    return right > 0 or _ends_on_the_left(parts)


def _ends_on_the_left(parts: Sequence[str]) -> bool:
    """Whether a line without right-to-left letters has its full stop or bracket on the left, where a line read from the right ends."""
    seen = [part for part in parts if not part.isspace()]
    if len(seen) < 2 or seen[0] not in _STOPS or seen[-1] in _STOPS:
        return False
    return _kind(seen[1]) != _NUMBER  # ".5"


def reading_order(parts: Sequence[str], *, right_to_left: bool) -> tuple[list[int], list[bool]]:
    """(indexes of `parts` in the order of reading, whether each of them, by its index, runs leftwards).

    `parts` are the characters of a line from left to right, each with its marks; `right_to_left` is the direction of the line.
    """
    kinds = [_kind(part) for part in parts]
    _settle_numbers(parts, kinds)
    if right_to_left and _SIGN in kinds:
        _settle_minus(parts, kinds)
    rightwards = _words(parts, kinds) if right_to_left else [not inside for inside in _islands(kinds, _RIGHT, _LETTER)]
    numbers = [kind == _NUMBER for kind in kinds]
    if right_to_left:
        forward = [word or number for word, number in zip(rightwards, numbers, strict=True)]
        return _turned(list(range(len(parts) - 1, -1, -1)), forward), [not level for level in forward]
    order = _turned(list(range(len(parts))), [not level for level in rightwards])
    return _turned(order, [number and not level for number, level in zip(numbers, rightwards, strict=True)]), [
        not level and not number for level, number in zip(rightwards, numbers, strict=True)
    ]


def _turned(order: list[int], chosen: Sequence[bool]) -> list[int]:
    """The order with each maximal run of chosen ones turned around."""
    out: list[int] = []
    run: list[int] = []
    for index in order:
        if chosen[index]:
            run.append(index)
            continue
        out += run[::-1]
        run = []
        out.append(index)
    return out + run[::-1]


def _settle_numbers(parts: Sequence[str], kinds: list[str]) -> None:
    """Rules W2 to W5: a sign between digits belongs to the number; so do signs of money and per cent beside it, but not in Arabic."""
    arabic, strong = [False] * len(parts), None
    default = any(unicodedata.bidirectional(part[0]) == "AL" for part in parts)
    for index in range(len(parts) - 1, -1, -1):
        if kinds[index] in (_LETTER, _RIGHT):
            strong = unicodedata.bidirectional(parts[index][0]) == "AL"
        arabic[index] = default if strong is None else strong
    for index in range(1, len(parts) - 1):
        if kinds[index - 1] == kinds[index + 1] == _NUMBER and (kinds[index] == _SEPARATOR or (kinds[index] == _SIGN and not arabic[index])):
            kinds[index] = _NUMBER
    for indexes in (range(1, len(parts)), range(len(parts) - 2, -1, -1)):
        for index in indexes:
            neighbour = index - indexes.step
            if kinds[index] == _TERMINATOR and kinds[neighbour] == _NUMBER and not arabic[index]:
                kinds[index] = _NUMBER


def _settle_minus(parts: Sequence[str], kinds: list[str]) -> None:
    """A minus on the left of a number in a line read from the right is the number's: its author saw to it that it stands there.

    Not a dash that follows the number of an item or a year, nor one between two numbers.
    """
    for index in range(len(parts) - 1):
        if kinds[index] != _SIGN or kinds[index + 1] != _NUMBER or not _is_open(parts, index - 1):
            continue
        end = index + 1
        while end < len(parts) and kinds[end] == _NUMBER:
            end += 1
        before = next((place for place in range(index - 1, -1, -1) if not parts[place].isspace()), None)
        number = "".join(parts[index + 1 : end])
        year_or_item = parts[index] != "−" and (end == len(parts) or (len(number) == 4 and number.isdecimal()))
        if not year_or_item and _is_open(parts, end) and (before is None or kinds[before] != _NUMBER):
            kinds[index] = _NUMBER


def _is_open(parts: Sequence[str], index: int) -> bool:
    """Whether nothing that belongs to a number stands at a place: the line's end, a space, a bracket."""
    return not 0 <= index < len(parts) or parts[index].isspace() or _balance(parts[index]) != 0


def _islands(kinds: Sequence[str], inner: str, outer: str) -> list[bool]:
    """What stands from one `inner` letter to the next, without an `outer` letter between them, the letters included."""
    inside = [kind == inner for kind in kinds]
    last: int | None = None
    for index, kind in enumerate(kinds):
        if kind == inner:
            if last is not None:
                inside[last : index + 1] = [True] * (index + 1 - last)
            last = index
        elif kind == outer:
            last = None
    return inside


def _words(parts: Sequence[str], kinds: Sequence[str]) -> list[bool]:
    """Foreign words in a line read from the right, with the numbers that go with them and the brackets that they open."""
    inside = _islands(kinds, _LETTER, _RIGHT)
    for index in range(len(parts)):
        if inside[index] and (index + 1 == len(parts) or not inside[index + 1]):
            _extend(parts, kinds, inside, index)
    for index in range(len(parts) - 1, 0, -1):  # a number right before a word: "3D", "24 October"
        if inside[index] and not inside[index - 1]:
            start = index - 1
            while start > 0 and parts[start].isspace():
                start -= 1
            while start >= 0 and kinds[start] == _NUMBER:
                inside[start:index] = [True] * (index - start)
                start -= 1
    return inside


def _extend(parts: Sequence[str], kinds: Sequence[str], inside: list[bool], end: int) -> None:
    """Takes in what follows a word on its right up to a number, and brackets that close what the word's own part of the line opened."""
    start = end
    while start > 0 and inside[start - 1]:
        start -= 1
    open_brackets = sum(_balance(part) for part in parts[start : end + 1])
    for index in range(end + 1, len(parts)):
        bracket = _balance(parts[index])
        if kinds[index] in (_RIGHT, _LETTER) or inside[index] or bracket > 0 or (bracket < 0 and open_brackets <= 0):
            return
        open_brackets += bracket
        if kinds[index] == _NUMBER or bracket < 0:
            inside[end + 1 : index + 1] = [True] * (index - end)
            end = index


def _balance(part: str) -> int:
    return (part in _OPENING) - (part in _CLOSING)


def mirror_votes(text: str, leftwards: Sequence[bool]) -> int:
    """How many brackets of a line in reading order stand for their counterparts, less those that stand for themselves.

    Some programs store the bracket that the eye sees and some the one that the author typed; all brackets of a page are alike. One that opens
    stands behind a space and before a letter. `leftwards`: for each character, whether it stands in text that runs leftwards.
    """
    votes = 0
    for index, sign in enumerate(text):
        balance = _balance(sign)
        if balance and leftwards[index]:
            before = index == 0 or text[index - 1].isspace()
            after = index + 1 == len(text) or text[index + 1].isspace() or text[index + 1] in _STOPS
            if before != after:
                votes += -balance if before else balance
    return votes
