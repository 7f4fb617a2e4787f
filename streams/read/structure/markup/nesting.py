"""Markup that is too deep for the parser, with its innermost tags made empty: all text stays. A pure function of strings, in linear time."""

import re

from streams.read.structure.markup.names import BLOCKS

MAX_OPEN = 400
"""Elements inside each other that stay elements: the parser keeps 2,048, and up to four that are not counted lie between two that are."""

_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|textarea|title|xmp)\b.*?(?:</\1|\Z)|<(?P<closing>/?)(?P<name>[A-Za-z][^\s<>/]*)(?P<rest>[^<>]*)",
    re.IGNORECASE | re.DOTALL,
)
"""What holds no tags, to pass over; else a tag without its end, which may lie behind signs that are quoted."""
_NEVER_OPEN = frozenset({
    "area", "base", "basefont", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
})  # fmt: skip
_SELF_ENDING = frozenset({"html", "head", "body", "p", "li", "dt", "dd", "option", "colgroup", "thead", "tbody", "tfoot", "tr", "td", "th"})
"""Elements whose ends authors may leave out: any number of them lies side by side."""


def flattened(markup: str) -> str:
    """The markup in which no more than `MAX_OPEN` elements lie inside each other: tags of those inside become empty elements."""
    depth = 0

    def shallow(found: re.Match[str]) -> str:
        nonlocal depth
        name = (found["name"] or "").lower()
        if not name or name in _NEVER_OPEN or found["rest"].endswith("/"):
            return found[0]
        before, counts = depth, name not in _SELF_ENDING
        if found["closing"]:
            depth -= counts and depth > 0
        else:
            depth += counts
        if max(before, depth) <= MAX_OPEN:
            return found[0]
        return f"<{found['closing']}{'br' if name in BLOCKS and not found['closing'] else 'area'}{found['rest']}"

    return _TAG.sub(shallow, markup)
