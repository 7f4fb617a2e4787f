"""From MuPDF's text dictionary to fragments with one style, of which lines are made (`joined_rows`).

Everything is computed in a *reading frame*: coordinates turned so that the text runs left to right and lines follow downwards, whatever
its direction on the page (`turning.py`). Text is normalised here (`normalise.py`). Nothing here knows paragraphs or pages.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from schemas.content import TextStyle
from schemas.geometry import BBox, union
from streams.read.blocks.emphasis import BOLD, ITALIC, Run, merged, solid
from streams.read.blocks.faces import SUPERSCRIPT_FLAG, face_of, is_coded, style_of
from streams.read.blocks.raised import SMALLER, as_index, as_raised, begins_raised, behind_mark, stands_like
from streams.read.blocks.spans_of_line import TALL_LINE, extent_of, main_span
from streams.read.characters.normalise import ENCLOSING_CIRCLE, clean_text, encircled, is_plain, without_doubles
from streams.read.characters.right_to_left import RIGHT_TO_LEFT
from streams.read.turning import VERTICAL, Matrix, angle_of, to_frame, turn_box, turn_direction, turn_point

DROP_CAPITAL = 2.5
"""Times the size of the note beside it, at the least."""
LEADER_END = 0.3
"""Of the size of type: the space that stays between leader dots and the page behind them."""
MAX_COPIES = 8
"""Earlier prints of a text that a new one is compared with: a table may hold the same number a thousand times."""
COPY_SHIFT, COPY_OVER = 0.25, 0.45
"""How far a second print is shifted at most, in ems, and along the line as a share of its width too: the second l of "all" stands 0.22 em on."""
FAINT_ALPHA, FAINT_COLOUR = 160, 0x98
"""Opacity below which, and least of red, green and blue from which, type is faint."""
_LIGHT = FAINT_COLOUR << 16
"""No lower code of a colour is a faint one."""
UPRIGHT = (1.0, 0.0)
"""Direction of nearly all lines."""


class Fragment(Struct, gc=False):
    """A run of text that MuPDF keeps together, in its reading frame. `size_pt` and style are of most of its characters.

    `faint`: printed in a light colour or half transparent. `runs`: how its parts are set, where they are not all set as `style` says.
    `mixed_sizes`: the sizes that it begins and ends in, where one is not that of most of it. `label`: it names a form field, and begins a line.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    baseline: float
    style: TextStyle
    raised: bool
    angle: int
    rtl: bool
    letters: int
    faint: bool = False
    runs: tuple[Run, ...] = ()
    mixed_sizes: tuple[float, float] | None = None
    label: bool = False

    @property
    def box(self) -> BBox:
        """The box in the reading frame."""
        return self.x0, self.y0, self.x1, self.y1

    @property
    def begin_size_pt(self) -> float:
        """Size of its first letters."""
        return self.mixed_sizes[0] if self.mixed_sizes else self.style.size_pt

    @property
    def end_size_pt(self) -> float:
        """Size of its last letters."""
        return self.mixed_sizes[1] if self.mixed_sizes else self.style.size_pt


class Line(Struct, gc=False):
    """Fragments that stand on one line, joined. `gaps` counts spaces so wide that the line is rather a row of cells; `parts` are the fragments.
    `parted`: another text stands in its row; `aside`: and is rather the title of the two (`rows_apart`).
    """

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    baseline: float
    style: TextStyle
    raised: bool
    rtl: bool
    letters: int
    gaps: int
    parts: tuple[Fragment, ...] = ()
    parted: bool = False
    aside: bool = False

    @property
    def begins_with_label(self) -> bool:
        """Whether the label of a form field begins it."""
        return bool(self.parts) and self.parts[0].label

    @property
    def box(self) -> BBox:
        """The box in the reading frame."""
        return self.x0, self.y0, self.x1, self.y1


def fragments_of(text: Mapping[str, Any], matrix: Matrix | None = None) -> list[Fragment]:
    """All fragments with visible characters of a page's text dictionary (`TextPage.extractDICT`); `matrix` takes it to the displayed page."""
    found: list[Fragment] = []
    seen: dict[str, list[Fragment]] = {}
    for block in text["blocks"]:
        for line in _lines_apart(block.get("lines", ())):
            fragment = _fragment(line, matrix)
            if fragment is None:
                _reach_over_leaders(line, matrix, found)
                continue
            others = seen.get(fragment.text)
            if others is None:
                seen[fragment.text] = [fragment]
            elif _printed_before(fragment, others):
                continue
            else:
                others.append(fragment)
            found.append(fragment)
    return found


def _reach_over_leaders(line: Mapping[str, Any], matrix: Matrix | None, found: Sequence[Fragment]) -> None:
    """Lets a text reach over the leader dots that are a line of their own behind it: they hold it and its page together, as no gutter does."""
    spans = line["spans"]
    if not found or "....." not in spans[0]["text"] or any(span["text"].strip(" .") for span in spans):
        return
    before, size = found[-1], spans[0]["size"]
    angle, box, baseline = _placed(line, spans[0]["origin"], matrix)
    if angle == before.angle and abs(baseline - before.baseline) < size / 4 and abs(box[0] - before.x1) < size:
        before.x1 = max(before.x1, box[2] - LEADER_END * size)


def _lines_apart(lines: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Lines as MuPDF finds them; a drop capital at the end of one, which belongs to the column behind a note in the margin, is a line of its own."""
    for line in lines:
        spans = line["spans"]
        last = spans[-1]
        if len(spans) > 1 and last["size"] > DROP_CAPITAL * spans[0]["size"] and len(last["text"].strip()) == 1 and last["text"].strip().isupper():
            note = [span for span in spans[:-1] if not span["text"].isspace()]
            yield {**line, "spans": note or spans[:-1], "bbox": union([span["bbox"] for span in note or spans[:-1]])}
            yield {**line, "spans": [last], "bbox": last["bbox"]}
        else:
            yield line


def _fragment(line: Mapping[str, Any], matrix: Matrix | None) -> Fragment | None:
    spans = line["spans"]
    main = spans[0]
    if len(spans) == 1:  # three lines of four
        face = face_of(main["font"], main["flags"], main["size"])
        text, style = main["text"], face.style
        if face.pictures or not is_plain(text):
            text = clean_text(text, main["font"], coded=is_coded(main))
        letters = len(text) - text.count(" ")
        runs: tuple[Run, ...] = ()
    else:
        main, text, letters, bold, runs = _joined(spans)
        style = style_of(main["font"], main["flags"], round(main["size"], 1), 3 * bold > 2 * letters)
    if not letters or text.isspace():
        return None
    if matrix is None and line["dir"] == UPRIGHT and not line["wmode"]:
        angle, (x0, y0, x1, y1), baseline = 0, line["bbox"], main["origin"][1]
        if len(spans) > 1 and y1 - y0 > TALL_LINE * main["size"]:
            y0, y1 = extent_of(spans, main)
    else:
        angle, (x0, y0, x1, y1), baseline = _placed(line, main["origin"], matrix)
    if not math.isfinite(x0 + y0 + x1 + y1):
        return None
    if (single := without_doubles(text, x1 - x0, main["size"])) is not text:
        text, runs = single, ()
    raised = begins_raised(spans)
    rtl = not text.isascii() and RIGHT_TO_LEFT.search(text) is not None
    faint = (main.get("color", 0) >= _LIGHT or main.get("alpha", 255) < FAINT_ALPHA) and _is_faint(main)
    return Fragment(x0, y0, x1, y1, text, baseline, style, raised, angle, rtl, letters, faint, runs, _mixed(spans, main) if len(spans) > 1 else None)


def _mixed(spans: Sequence[Mapping[str, Any]], main: Mapping[str, Any]) -> tuple[float, float] | None:
    """The sizes of the first and the last letters of a line, marks apart; None where both are that of most of it."""
    first, last = spans[0], spans[-1]
    if first["size"] == main["size"] == last["size"]:
        return None
    said = [span for span in spans if span["text"].strip()[-1:].isalnum() and not span["flags"] & SUPERSCRIPT_FLAG]
    return (said[0]["size"], said[-1]["size"]) if said else None


def _joined(spans: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], str, int, int, tuple[Run, ...]]:
    """The spans of a line as one: (the one that stands for it, text, letters, letters of them that are bold, runs where they differ)."""
    parts: list[str] = []
    fonts: dict[str, list[tuple[float, int, int]]] = {}
    before = spans[0]
    letters, bold = 0, 0
    settings: list[int] = []
    up, raised = False, begins_raised(spans)
    for place, span in enumerate(spans):
        text, flags = span["text"], span["flags"]
        face = face_of(span["font"], flags, span["size"])
        if face.pictures or not is_plain(text):
            text = clean_text(text, span["font"], coded=is_coded(span))
        behind_raised = up
        up = flags & SUPERSCRIPT_FLAG != 0 or (raised and stands_like(span, spans[0]))
        if up:
            apart = text[-1:].isspace() or place + 1 == len(spans) or spans[place + 1]["text"][:1].isspace()
            text = as_raised(text, parts, span["font"], behind_raised=behind_raised, stands_apart=apart) if parts else text
        elif parts and (text[:1].isdecimal() or text[:1] in "+-−"):
            text = as_index(text, span, before)
        elif behind_raised:
            text = behind_mark(text, parts)
        parts.append(text)
        before = span
        visible = len(text) - text.count(" ")
        letters += visible
        if face.setting & BOLD:
            bold += visible
        if visible:
            fonts.setdefault(span["font"], []).append((span["size"], len(settings), visible))
        settings.append(face.setting)
    main = spans[main_span(fonts)] if fonts else spans[0]
    runs: tuple[Run, ...] = ()
    if settings.count(settings[0]) != len(settings):
        large = SMALLER * main["size"]  # what is smaller is an index of a variable, whose one letter alone is no emphasis
        set_parts = zip(parts, settings, spans, strict=True)
        runs = tuple(merged((solid(part), setting if span["size"] > large else setting & ~ITALIC) for part, setting, span in set_parts))
    said = "".join(parts)
    return main, encircled(said) if ENCLOSING_CIRCLE in said else said, letters, bold, runs


def _is_faint(span: Mapping[str, Any]) -> bool:
    """Whether type is light, as watermarks are; body text in grey is darker."""
    colour: int = span.get("color", 0)
    opacity: int = span.get("alpha", 255)
    if opacity < FAINT_ALPHA:
        return True
    return colour >= _LIGHT and min(colour >> 16 & 255, colour >> 8 & 255, colour & 255) >= FAINT_COLOUR


def _placed(line: Mapping[str, Any], origin: tuple[float, float], matrix: Matrix | None) -> tuple[int, BBox, float]:
    """(angle, box in the reading frame, baseline there)."""
    angle = VERTICAL if line["wmode"] else angle_of(*turn_direction(line["dir"], matrix))
    point = turn_point(origin, matrix)
    return angle, to_frame(turn_box(line["bbox"], matrix), angle), to_frame((*point, *point), angle)[1]


def _printed_before(fragment: Fragment, others: Sequence[Fragment]) -> bool:
    """Whether the same text (`others`) stands on the same place already: printed twice for weight or shadow, soon after each other."""
    near = COPY_SHIFT * fragment.style.size_pt
    beside = min(near, COPY_OVER * (fragment.x1 - fragment.x0))
    return any(abs(other.x0 - fragment.x0) <= beside and abs(other.y0 - fragment.y0) < near for other in others[-MAX_COPIES:])
