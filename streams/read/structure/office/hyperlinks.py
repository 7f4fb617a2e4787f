"""Which targets of links in Office files are kept. Pure; nothing is ever opened."""

import re

from schemas.content import Link
from streams.read.characters.normalise import collapse

MAX_TARGET = 2_000
"""Characters; browsers cut or refuse longer ones."""
_OUTSIDE = re.compile(r"(?:https?|ftp|mailto|tel):", re.IGNORECASE)


def is_kept(target: str, *, inside: bool = False) -> bool:
    """Whether a link's target is kept: an address outside the file that starts no program, or, where `inside` places count, `#` and one of them."""
    is_known = _OUTSIDE.match(target) is not None or (inside and target.startswith("#"))
    return is_known and len(target) <= MAX_TARGET and target.isprintable()


def link_of(text: str, target: str, *, inside: bool = False) -> Link | None:
    """The link of a text, which it holds on one line; None for a target that is not kept, and for no text."""
    shown = collapse(text)
    return Link(text=shown, target=target) if shown and is_kept(target, inside=inside) else None
