"""What an element's own `style` says of how its text is set: pure functions of strings. Style sheets are not asked, as nowhere here."""

import re

from streams.read.blocks.emphasis import BOLD, ITALIC, STRUCK

MAX_STYLE = 2_000
"""Characters of a `style` that are looked at; programs write some hundreds."""
MIN_BOLD = 600
"""The weight from which on browsers take the bold face of a font that has two (CSS Fonts 4, 5.2)."""
_SAID = re.compile(
    r"(?:^|;)\s*(?:font-weight\s*:\s*(?P<weight>[a-z]+|\d{1,4}(?!\d))|font-style\s*:\s*(?P<slant>[a-z]+)|text-decoration(?:-line)?\s*:\s*(?P<lines>[^;]*))",
    re.IGNORECASE,
)


def styled(style: str, setting: int, around: int) -> int:
    """How text inside an element is set that by its name is set so, within text that is set as `around`. What a style does not speak of stays."""
    for said in _SAID.finditer(style[:MAX_STYLE]):
        if said["weight"]:
            setting = _weighed(said["weight"].lower(), setting)
        elif said["slant"]:
            setting = _with(setting, ITALIC, {"italic": True, "oblique": True, "normal": False}.get(said["slant"].lower()))
        elif "line-through" in said["lines"].lower():
            setting |= STRUCK
        elif said["lines"].strip().lower() == "none":  # a line through what is around goes on through this (CSS Text Decoration 3, 2)
            setting = setting & ~STRUCK | around & STRUCK
    return setting


def _weighed(weight: str, setting: int) -> int:
    if weight.isdigit():
        return _with(setting, BOLD, int(weight) >= MIN_BOLD)
    return _with(setting, BOLD, {"bold": True, "bolder": True, "normal": False, "lighter": False}.get(weight))


def _with(setting: int, which: int, is_so: bool | None) -> int:
    """The setting with one thing so, or not; as it is where nothing is known of it."""
    return setting if is_so is None else setting | which if is_so else setting & ~which
