"""The marker of a list item, told apart from its text: bullets, numbers, and what is neither. Pure functions of one line."""

import re
from enum import Enum
from typing import NamedTuple

_BULLET = re.compile(r"[•●○▪▫■□◦◆◇►▶▸➔‣⁃➢➤✓✔❖❑❒❍◾◼⚫♦]\s*(?=\S)|(?:[∙·・–—*-]|o(?=\s+\S))\s+")
_CHOICE = re.compile("[□■☐☑☒√✓✔]")
"""Boxes to tick and ticks: where a line has two, the first says as much as the others, and is no bullet."""
_NUMBER = re.compile(r"(\d{1,9})([.)])\s+")


class MarkerKind(str, Enum):
    """How a list item is marked."""

    BULLET = "bullet"
    NUMBER = "number"
    OTHER = "other"


class Item(NamedTuple):
    """A list item: `number` and its `sign` (`.` or `)`) where it is numbered; `text` without bullet or number, else with its marker."""

    kind: MarkerKind
    text: str
    number: int = 0
    sign: str = "."


def split_item(text: str) -> Item:
    """A list item's marker and text. Letters and roman numbers stay in the text, as lists of the web cannot say them in every form."""
    if (match := _BULLET.match(text)) and not (_CHOICE.match(text) and _CHOICE.search(text, match.end())):
        return Item(MarkerKind.BULLET, text[match.end() :])
    if match := _NUMBER.match(text):
        return Item(MarkerKind.NUMBER, text[match.end() :], int(match[1]), match[2])
    return Item(MarkerKind.OTHER, text)
