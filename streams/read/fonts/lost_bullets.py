"""Bullets whose font says nothing of what they show: a lone character without a meaning before each item of a list.

Such a character is dropped like all that cannot be decoded, and a list is prose then. It is a bullet where it stands alone in front of words in
another font, a space before them, and comes back in front of others. Pure functions of MuPDF's raw dictionary.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from streams.read.fonts.sign_names import CODES
from streams.read.trust.signals import UNMAPPED

UNKNOWN = re.compile(f"[{CODES}]")
BULLET = "•"
SAME_LINE, NEAREST, FARTHEST = 0.3, 0.15, 4.0
"""How far the baselines of a bullet and its words are apart, and how wide the space between them is, in sizes of type."""
FEWEST = 2
"""Items of a page with the same bullet: one lost character may be anything."""


def show_bullets(raw: Mapping[str, Any]) -> bool:
    """Puts a bullet in the place of each such character, in place; whether there were any."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    before: dict[str, Any] | None = None
    for span in _printed_spans(raw):
        if before is not None and _is_before(before, span):
            found[before["font"], before["chars"][0]["c"]].append(before)
        alone = len(span["chars"]) == 1 and UNKNOWN.match(span["chars"][0]["c"])
        before = span if alone else None
    groups = [group for group in found.values() if len(group) >= FEWEST]
    for group in groups:
        for span in group:
            span["chars"][0]["c"] = BULLET
            span["char_flags"] &= ~UNMAPPED
    return bool(groups)


def _printed_spans(raw: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The spans with more than spaces in them, in the order of their content."""
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                if any(not char["c"].isspace() for char in span["chars"]):
                    yield span


def _is_before(sign: Mapping[str, Any], words: Mapping[str, Any]) -> bool:
    """Whether a lone sign stands in front of words on their line: a letter comes first, as after a minus or a sign of a formula it hardly does."""
    size = max(words["size"], 1.0)
    gap = words["bbox"][0] - sign["bbox"][2]
    first: str = next(char["c"] for char in words["chars"] if not char["c"].isspace())
    level: bool = abs(words["origin"][1] - sign["origin"][1]) < SAME_LINE * size
    apart = words["font"] != sign["font"] and NEAREST * size < gap < FARTHEST * size
    return level and apart and first.isalpha()
