"""Where the hyperlinks of a block stand in its text, and which targets may be written into a document.

A target comes from an untrusted file. Only schemes that open a page or a mail are kept, and pages of the document itself.
"""

import re
from collections.abc import Iterator, Sequence

from schemas.content import Link

MAX_LINKS = 1_000
"""Of one block; an index page has a few hundred."""
MAX_MISSING = 50
"""Links that the text does not hold, before the rest is left out: each costs a search through all of it."""
MAX_TARGET = 2_048
"""Characters; browsers and mail readers cut or refuse longer ones."""
_OUTSIDE = re.compile(r"(?:https?://|mailto:)[^\s<>\"'`\\{}|^\x00-\x20\x7f]+", re.IGNORECASE)
_INSIDE = re.compile(r"#page=(\d{1,6})")


def safe_target(target: str) -> str | None:
    """The target as it may be written: http, https, mailto, or an anchor of this document (`#page-3`); None for all else."""
    if len(target) > MAX_TARGET:
        return None
    if (page := page_target(target)) is not None:
        return f"#page-{page}"
    return target if _OUTSIDE.fullmatch(target) else None


def page_target(target: str) -> int | None:
    """The page of the document itself that a target names; None for all else."""
    match = _INSIDE.fullmatch(target)
    return int(match[1]) if match else None


def runs(text: str, links: Sequence[Link]) -> Iterator[tuple[str, str | None]]:
    """The text in runs, each with the target that it links to or None. A link whose text is not found in order is left out."""
    at = missing = 0
    for link in links[:MAX_LINKS]:
        target = safe_target(link.target)
        start = text.find(link.text, at) if target and link.text else -1
        if start < 0:
            missing += 1
            if missing > MAX_MISSING:
                break
            continue
        if start > at:
            yield text[at:start], None
        yield link.text, target
        at = start + len(link.text)
    if at < len(text):
        yield text[at:], None
