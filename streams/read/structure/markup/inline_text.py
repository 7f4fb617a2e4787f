"""The running text of one block while it is gathered from markup: white space, links, emphasis, raised and lowered digits.

White space follows the web: any run of it is one space, none stands at the ends; a line break of the source between two characters of a script
without spaces is nothing. A line ends where `LINE_BREAK` was added. Knows strings only.
"""

import re

from schemas.content import Link, Span
from schemas.text import LINE_BREAK, is_unspaced
from streams.read.blocks.emphasis import LITERAL, solid, spans_of
from streams.read.characters.normalise import clean_text, collapse

MAX_TEXT = 1_000_000
"""Characters of one block: a novel without a paragraph. What is more is dropped and said."""
MAX_BLOCK_LINKS = 1_000
"""Assembly keeps as many."""

_APART = 1 << 15
"""A mark beyond every setting."""
_SOURCE_BREAK = re.compile(r"(?<=(\S))[ \t\r]*\n\s*(?=(\S))")
_RAISED = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-−=()aeox", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓ")


def normalised(raw: str) -> str:
    """Text of markup as a block has it: one line, source breaks undone, characters normalised."""
    if raw.isascii():
        return collapse(clean_text(raw))
    if "\n" in raw:
        raw = _SOURCE_BREAK.sub(lambda match: "" if is_unspaced(match[1]) and is_unspaced(match[2]) else " ", raw)
    return collapse(clean_text(raw))


def lines_of(raw: str) -> str:
    """Text of markup in the lines that its author ended, none of them empty."""
    return normalised(raw) if LINE_BREAK not in raw else LINE_BREAK.join(filter(None, map(normalised, raw.split(LINE_BREAK))))


def raised(text: str) -> str:
    """Digits and signs as superscripts; text that has others than these stays as it is."""
    return _translated(text, _RAISED)


def lowered(text: str) -> str:
    """Digits and signs as subscripts; text that has others than these stays as it is."""
    return _translated(text, _LOWERED)


def _translated(text: str, table: dict[int, int]) -> str:
    return text.translate(table) if text.strip() and all(ord(character) in table or character.isspace() for character in text) else text


class InlineText:
    """Pieces of text in order, each inside a link or in none. A link that is open when the text is taken goes on in the next block. `setting` is how
    what is added is set (`emphasis.py`); it too goes on.
    """

    def __init__(self) -> None:
        self.setting = 0
        self._pieces: list[tuple[str, int]] = []
        self._settings: dict[int, int] = {}
        self._targets: list[str] = [""]
        self._open = 0
        self._length = 0
        self.is_cut = False

    def add(self, text: str | None) -> None:
        """Appends text as the markup has it."""
        if not text:
            return
        if self._length + len(text) > MAX_TEXT:
            text = text[: MAX_TEXT - self._length]
            self.is_cut = True
        self._length += len(text)
        if self.setting:
            self._settings[len(self._pieces)] = self.setting
        self._pieces.append((text, self._open))

    def open_link(self, target: str | None) -> None:
        """What is added from here on is the text of a link; a target of None is no link."""
        self._open = 0
        if target and len(self._targets) <= MAX_BLOCK_LINKS:
            self._targets.append(target)
            self._open = len(self._targets) - 1

    def close_link(self) -> None:
        """The text of the link ends here."""
        self._open = 0

    @property
    def is_blank(self) -> bool:
        """Whether nothing but white space was added."""
        return not any(text.strip() for text, _ in self._pieces)

    def take(self, mute: int = 0) -> tuple[str, tuple[Link, ...], tuple[Span, ...]]:
        """The text, its links and its emphasis, in the order of the text; nothing is left but the link that is open. `mute`: settings that say
        nothing here.
        """
        text = lines_of("".join(piece for piece, _ in self._pieces))
        spans: tuple[Span, ...] = ()
        if self._settings:
            runs = [(solid(clean_text(piece)), setting) for (piece, _), setting in zip(self._pieces, self._told_apart(), strict=True)]
            spans = spans_of(text, runs, mute)
            self._settings.clear()
        links: list[Link] = []
        if len(self._targets) > 1:
            parts: dict[int, list[str]] = {}
            for piece, number in self._pieces:
                if number:
                    parts.setdefault(number, []).append(piece)
            shown = ((lines_of("".join(pieces)), self._targets[number]) for number, pieces in parts.items())
            links = [Link(text=label, target=target) for label, target in shown if label]
        still_open = self._targets[self._open]
        self._pieces.clear()
        self._length = 0
        self._targets = ["", still_open] if still_open else [""]
        self._open = 1 if still_open else 0
        return text, tuple(links), spans

    def _told_apart(self) -> list[int]:
        """The setting of each piece. Pieces of code or formulas with only a space between them are two, so every other one has a mark besides: words
        that are bold one by one are bold together, `a` and `b` are no `a b`.
        """
        settings = [self._settings.get(place, 0) for place in range(len(self._pieces))]
        for place in range(1, len(settings)):
            before = settings[place - 1]
            if not settings[place] & LITERAL:
                continue
            if before & ~_APART == settings[place]:
                settings[place] = before
            elif place > 1 and not before and self._pieces[place - 1][0].isspace() and settings[place - 2] & ~_APART == settings[place]:
                settings[place] = settings[place - 2] ^ _APART
        return settings
