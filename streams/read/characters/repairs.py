"""Faults of a text layer that can be undone in its characters: what a page has of them, and the order in which they are undone.

A page without any (nearly all) pays for one look at its text; a page with one, for MuPDF's raw dictionary. Pure.
"""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from streams.read.characters.accents import join_accents
from streams.read.characters.ligatures import SIGN_IN_WORD, SIGNS, restore_ligatures
from streams.read.characters.right_to_left import RIGHT_TO_LEFT, order_lines
from streams.read.characters.spacing import SPACED_WORD, join_spaced_letters
from streams.read.characters.stacked import CJK, join_columns, looks_stacked
from streams.read.characters.tight_spaces import may_be_tight, restore_tight_spaces
from streams.read.characters.word_gaps import MARKS, may_be_glued, restore_spaces

_LOOSE = "[`^\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02c9-\u02cb\u02d8-\u02dd]"
_ACCENT = re.compile(f"[A-Za-z\u0131\u0237]{_LOOSE}|{_LOOSE}[A-Za-z\u0131\u0237]")
_MAY_BE_SPACED = re.compile(r" [^\W\d_] [^\W\d_] [^\W\d_] ")
_SUSPECT = re.compile("|".join([_LOOSE, RIGHT_TO_LEFT.pattern, CJK.pattern, SIGNS, f"[{MARKS}]"]).replace("]|[", ""))
"""Tests that start at rare characters and cost a tenth of the patterns that they stand before. `_SUSPECT` is one class of characters."""


class Faults(Struct, frozen=True):
    """Which repairs a page asks for."""

    right_to_left: bool = False
    accents: bool = False
    ligatures: bool = False
    spaced: bool = False
    stacked: bool = False
    glued: bool = False
    tight: bool = False

    def __bool__(self) -> bool:
        return self.right_to_left or self.accents or self.ligatures or self.spaced or self.stacked or self.glued or self.tight


def whole_text(content: Mapping[str, Any]) -> str:
    """The runs of text of a page's dictionary, parted by spaces."""
    return " ".join([span["text"] for block in content["blocks"] for line in block.get("lines", ()) for span in line["spans"]])


def faults_of(content: dict[str, Any], text: str | None = None) -> Faults:
    """What the dictionary of a page's text asks for; `text` is its `whole_text`, where that is known."""
    text = whole_text(content) if text is None else text
    spaced = _MAY_BE_SPACED.search(text) is not None and SPACED_WORD.search(text) is not None
    if _SUSPECT.search(text) is None:
        return Faults(spaced=spaced, glued=may_be_glued(text), tight=may_be_tight(text))
    return Faults(
        spaced=spaced,
        accents=_ACCENT.search(text) is not None,
        right_to_left=RIGHT_TO_LEFT.search(text) is not None,
        stacked=CJK.search(text) is not None and looks_stacked(content),
        ligatures=SIGN_IN_WORD.search(text) is not None,
        glued=may_be_glued(text),
        tight=may_be_tight(text),
    )


def repair(raw: dict[str, Any], faults: Faults, *, everywhere: bool = False) -> None:
    """Undoes faults in a raw dictionary, in place. Letters first: the order of a line depends on what its characters are.

    `everywhere`: all lines are put in order anew (see `order_lines`).
    """
    if faults.glued:
        restore_spaces(raw)
    if faults.tight:
        restore_tight_spaces(raw)
    if faults.ligatures:
        restore_ligatures(raw)
    if faults.accents:
        join_accents(raw)
    if faults.spaced:
        join_spaced_letters(raw)
    if faults.stacked:
        join_columns(raw)
    if faults.right_to_left or everywhere:
        order_lines(raw, everywhere=everywhere)


def texts_from_raw(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The dictionary that `extractDICT` would give of a raw one: spans with their text, without their characters."""
    blocks = []
    for block in raw["blocks"]:
        lines = []
        for line in block.get("lines", ()):
            spans = [{**span, "text": "".join([char["c"] for char in span["chars"]])} for span in line["spans"]]
            for span in spans:
                del span["chars"]
            lines.append({**line, "spans": spans})
        blocks.append({**block, "lines": lines})
    return {**raw, "blocks": blocks}
