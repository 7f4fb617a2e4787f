"""Which kinds of pages the labelled set has, and what is true of each: the one table that says what counts as right."""

import random
from collections.abc import Callable
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from tests.bench.routing import faults
from tests.bench.routing.drawing import Draft, Layer
from tests.bench.routing.layouts import LAYOUTS, Style
from tests.bench.routing.scans import scanned


class Label(str, Enum):
    """What is true of a page's text layer.

    `good`: it says what the page shows. `bad`: it does not, for a tenth of the text or more, or one character in twenty. `blank`: the page shows
    nothing. `part`: one place of it is bad, the rest sound: the page is trusted, and the place is to be named.
    """

    GOOD = "good"
    BAD = "bad"
    BLANK = "blank"
    PART = "part"


class Kind(Struct, frozen=True, kw_only=True):
    """A kind of page: how it is made, what is true of it, and how often it comes for each other kind."""

    name: str
    label: Label
    make: Callable[[Style, random.Random], Draft]
    weight: int = 1


def _turned(style: Style, rng: random.Random) -> Draft:
    draft = LAYOUTS[rng.choice(("prose", "columns", "numbers"))](style, rng)
    draft.rotation = rng.choice((90, 180, 270))
    return draft


def _mapped(says: Callable[[str], str]) -> Callable[[Style, random.Random], Draft]:
    """A sound page whose map is odd and harmless."""

    def drawn(style: Style, rng: random.Random) -> Draft:
        draft = LAYOUTS["contents" if says(".") != "." else "prose"](style, rng)
        layer = Layer(f"odd{ord(says('.')[0]):x}{ord(says('•')[0]):x}", says)
        draft.lines = [replace(line, text=("• " if number % 4 == 0 else "") + line.text, layer=layer) for number, line in enumerate(draft.lines)]
        return draft

    return drawn


def _overprinted(style: Style, rng: random.Random) -> Draft:
    """Bold that is the same text twice."""
    draft = LAYOUTS["prose"](style, rng)
    if not style.words.right_to_left:  # there the copy's letters come between those of the line, and the text is truly wrong
        draft.lines = [twin for line in draft.lines for twin in (line, replace(line, x=line.x + 0.25))]
    return draft


def _spaced(style: Style, rng: random.Random) -> Draft:
    """Headings with space between all letters above ordinary prose."""
    draft = LAYOUTS["prose"](style, rng)
    draft.lines = [
        replace(line, text=" ".join(line.text[: len(line.text) // 2])) if number % 9 == 0 else line for number, line in enumerate(draft.lines)
    ]
    return draft


def _empty(style: Style, rng: random.Random) -> Draft:
    return Draft(width=style.width, height=style.height, lines=[], art=rng.choice(([], ["1 g 0 0 900 900 re f"])), pictures=[])


def _empty_scan(style: Style, rng: random.Random) -> Draft:
    return scanned(_empty(style, rng), style.faces, rng)


def _show_through(style: Style, rng: random.Random) -> Draft:
    """The other side of the sheet, faint."""
    draft = LAYOUTS["prose"](style, rng)
    draft.lines = [replace(line, grey=rng.uniform(0.88, 0.92)) for line in draft.lines]
    return scanned(draft, style.faces, rng)


def _figure_of_text(style: Style, rng: random.Random) -> Draft:
    """Prose above a picture that is itself text: a scanned letter, a screen."""
    draft = LAYOUTS["prose"](style, rng)
    box = (style.margin, style.height * 0.55, style.right, style.height - style.margin)
    draft.lines = [line for line in draft.lines if line.y < box[1] - 6]
    scan = scanned(LAYOUTS["prose"](style, rng), style.faces, rng)
    draft.pictures = [(box, scan.pictures[0][1])]
    return draft


SOUND = tuple(
    Kind(name=name, label=Label.GOOD, make=make, weight=3 if name in ("prose", "columns", "numbers") else 2) for name, make in LAYOUTS.items()
)
KINDS: tuple[Kind, ...] = (
    *SOUND,
    Kind(name="turned", label=Label.GOOD, make=_turned, weight=2),
    Kind(name="odd_leaders", label=Label.GOOD, make=_mapped(lambda letter: "\ufffd" if letter == "." else letter)),
    Kind(name="odd_bullets", label=Label.GOOD, make=_mapped(lambda letter: "\uf0b7" if letter == "•" else letter)),
    Kind(name="overprinted", label=Label.GOOD, make=_overprinted),
    Kind(name="letter_spaced", label=Label.GOOD, make=_spaced),
    Kind(name="good_ocr", label=Label.GOOD, make=faults.recognised(rate=(0.0, 0.01)), weight=5),
    Kind(name="good_ocr_under", label=Label.GOOD, make=faults.recognised(rate=(0.0, 0.01), under=True), weight=2),
    Kind(name="blank", label=Label.BLANK, make=_empty),
    Kind(name="blank_scan", label=Label.BLANK, make=_empty_scan),
    Kind(name="show_through", label=Label.BLANK, make=_show_through),
    *(Kind(name=name, label=Label.BAD, make=faults.whole(name), weight=2) for name in faults.BROKEN_MAPS),
    Kind(name="partial_font", label=Label.BAD, make=faults.partly(0.2, 0.6), weight=4),
    Kind(name="alternating", label=Label.BAD, make=faults.alternating, weight=2),
    Kind(name="noisy_ocr_5_10", label=Label.BAD, make=faults.recognised(rate=(0.05, 0.1)), weight=2),
    Kind(name="noisy_ocr_10_30", label=Label.BAD, make=faults.recognised(rate=(0.1, 0.3)), weight=3),
    Kind(name="stale_ocr", label=Label.BAD, make=faults.recognised(rate=(0.0, 0.01), stale=True), weight=3),
    Kind(name="partial_ocr", label=Label.BAD, make=faults.recognised(rate=(0.0, 0.01), cover=(0.3, 0.7)), weight=3),
    Kind(name="scan", label=Label.BAD, make=faults.scan, weight=2),
    Kind(name="scan_with_head", label=Label.BAD, make=faults.scan_with_head, weight=3),
    Kind(name="outlined", label=Label.BAD, make=faults.outlined(head=False)),
    Kind(name="outlined_with_head", label=Label.BAD, make=faults.outlined(head=True), weight=2),
    Kind(name="white_text", label=Label.BAD, make=faults.white_text),
    Kind(name="covered", label=Label.BAD, make=faults.covered),
    Kind(name="one_bad_font", label=Label.PART, make=faults.partly(0.05, 0.09), weight=2),
    Kind(name="figure_of_text", label=Label.PART, make=_figure_of_text, weight=2),
    Kind(name="noisy_ocr_2_5", label=Label.PART, make=faults.recognised(rate=(0.02, 0.05)), weight=2),
)  # fmt: skip
"""All kinds. Recognition with 2-5 % wrong characters is neither sound nor useless; it is reported by itself and is in no score."""
BY_NAME = {kind.name: kind for kind in KINDS}
