"""How much a page's text layer may be trusted: a pure judgement of the page's signals.

Promise: `judge` is a function of plain numbers. The confidence is the probability that the text layer, read in our order, says what the page shows;
every reason that lowered it by a tenth or more is named. No single signal decides alone unless it is certain (no text; nothing drawn).

Method: each symptom takes a share of the trust, growing linearly between two measured bounds (the table `SYMPTOMS`), and what they
leave is multiplied, as for independent faults. The bounds are from pages made by breaking fonts on purpose and from sound pages of
many kinds; they stand between what sound pages reach and where broken pages start, not at the best score of some set.
"""

from collections.abc import Callable

from msgspec import Struct

from streams.read.decoding import FontShift
from streams.read.signals import PageSignals

SOUND = 0.98
"""Of pages without any symptom about one in fifty is wrong in a way that nothing here sees."""
NO_TEXT = 0.02
DOUBT = (0.25, 0.75)
"""Between these a second parser may be asked before a model."""
NOTICEABLE = 0.1
"""Least share of the trust that a symptom takes to be named."""
PAGE_WIDE = 0.8
"""Share of the page that pictures cover when it is a scan: less its margins, or less a letterhead."""
CHART_LABELS = 0.35
"""Weight of text-like ink in no long lines on a page-wide picture."""
MOSTLY_LINES = 0.75
"""Share in long lines of the text-like ink of scanned text: 0.8 and more; of charts 0.5 at most."""


class Symptom(Struct, frozen=True, kw_only=True):
    """One way a text layer fails. Between `start` and `full` of its measure the share of trust it takes grows from 0 to `weight`."""

    reason: str
    measure: Callable[[PageSignals], float]
    start: float
    full: float
    weight: float
    why: str

    def taken(self, signals: PageSignals) -> float:
        """The share of the trust that it takes, 0..weight."""
        share = (self.measure(signals) - self.start) / (self.full - self.start)
        return self.weight * min(1.0, max(0.0, share))


class Verdict(Struct, frozen=True, kw_only=True):
    """The judgement of a page's text layer.

    `recovered_confidence`: of the text after `shifts` are undone (`language.unshift`, font by font); equal to `confidence` without any.
    `blank`: the page shows nothing. `doubtful`: neither clearly good nor clearly bad.
    """

    confidence: float
    reasons: tuple[str, ...] = ()
    blank: bool = False
    doubtful: bool = False
    shifts: tuple[FontShift, ...] = ()
    recovered_confidence: float = 0.0


def missing_share(signals: PageSignals) -> float:
    """Estimated share of the page's text that is ink outside the text layer's boxes.

    On a page-wide picture scattered ink counts a little beside lines: it may be a scanned table. On pages with smaller pictures it is labels of
    charts and maps; there even the lines count only as far as they are most of it.
    """
    lines, scattered = signals.stray_line_characters, max(0.0, signals.stray_characters - signals.stray_line_characters)
    if signals.image_cover >= PAGE_WIDE:
        stray = lines + CHART_LABELS * scattered
    else:
        stray = lines * min(1.0, lines / max(1.0, lines + scattered) / MOSTLY_LINES) ** 2
    return stray / max(1.0, stray + signals.characters)


def _hidden(measure: Callable[[PageSignals], float]) -> Callable[[PageSignals], float]:
    """A measure that counts as far as the text is hidden."""
    return lambda signals: measure(signals) * min(1.0, 1.25 * signals.hidden_share)


SYMPTOMS = (
    Symptom(
        reason="control_characters", measure=lambda s: s.control_share + s.unmapped_share, start=0.015, full=0.12, weight=0.97,
        why="sound pages have up to 1.3 % (odd spaces, single symbols); fonts without a map start at 10 %",
    ),
    Symptom(
        reason="replacement_characters", measure=lambda s: s.replacement_share, start=0.015, full=0.12, weight=0.95,
        why="leader dots are out already (their ink is thin); what is left is letters that nobody can read",
    ),
    Symptom(
        reason="private_use", measure=lambda s: s.private_share, start=0.03, full=0.2, weight=0.9,
        why="bullets and signs of unknown fonts stay below 3 %",
    ),
    Symptom(
        reason="shifted_codes", measure=lambda s: s.shifted_share, start=0.02, full=0.12, weight=0.97,
        why="a shift that makes language of garble is hardly ever chance",
    ),
    Symptom(
        reason="partly_shifted", measure=lambda s: s.unmapped_share if s.shifts else 0.0, start=0.004, full=0.03, weight=0.7,
        why="what a shift does not reach are accented letters: one word in five is wrong where they are 3 %",
    ),
    Symptom(
        reason="unlikely_language", measure=lambda s: s.unlikely_share, start=0.05, full=0.3, weight=0.9,
        why="part numbers and names of one font on a sound page may look unlikely; a body font does not",
    ),
    Symptom(
        reason="fragmented_words", measure=lambda s: s.fragmented_share, start=0.55, full=0.9, weight=0.3,
        why="letter-spaced text reads badly but is right; tables of single letters are right altogether",
    ),
    Symptom(
        reason="overprinted", measure=lambda s: s.overprinted_share, start=0.3, full=0.7, weight=0.15,
        why="text printed twice is right, once the copy is dropped",
    ),
    Symptom(
        reason="invisible_text_over_image", measure=lambda s: s.hidden_share, start=0.2, full=0.6, weight=0.12,
        why="somebody else recognised it, with errors of some per cent at best",
    ),
    Symptom(
        reason="unsound_words", measure=_hidden(lambda s: s.unsound_share), start=0.05, full=0.17, weight=0.9,
        why="hidden text of good recognition has 1-3 % words that are none, of bad recognition 20 % and more",
    ),
    Symptom(
        reason="ink_without_text", measure=missing_share, start=0.5, full=0.85, weight=0.95,
        why="beside charts and photographs up to half of the estimate is stray; a scan under a stamp has 0.9",
    ),
    Symptom(
        reason="ink_without_text", measure=_hidden(missing_share), start=0.25, full=0.5, weight=0.8,
        why="recognised text must lie on all lines of its scan",
    ),
    Symptom(
        reason="text_without_ink", measure=lambda s: s.empty_share, start=0.15, full=0.6, weight=0.95,
        why="text that shows nowhere: white on white, covered, or moved",
    ),
)  # fmt: skip
"""All symptoms, in the order in which reasons are given."""


def judge(signals: PageSignals) -> Verdict:
    """The verdict on a page. Total: any numbers give one."""
    if signals.blank:
        return Verdict(confidence=SOUND, recovered_confidence=SOUND, blank=True, reasons=("text_without_ink",) if signals.characters else ())
    if not signals.characters:
        why = ("no_text", "pictures_undecoded") if signals.pictures_undecoded else ("no_text",)
        return Verdict(confidence=NO_TEXT, recovered_confidence=NO_TEXT, reasons=why)
    confidence, reasons = SOUND, list[str]()
    for symptom in SYMPTOMS:
        taken = symptom.taken(signals)
        confidence *= 1 - taken
        if taken >= NOTICEABLE and symptom.reason not in reasons:
            reasons.append(symptom.reason)
    recovered = judge_recovered(signals) if signals.shifts else confidence
    return Verdict(
        confidence=round(confidence, 4),
        reasons=tuple(reasons),
        doubtful=DOUBT[0] <= confidence <= DOUBT[1],
        shifts=signals.shifts,
        recovered_confidence=round(recovered, 4),
    )


def judge_recovered(signals: PageSignals) -> float:
    """The confidence in the text once its shifts are undone: all symptoms but the shift itself."""
    confidence = SOUND
    for symptom in SYMPTOMS:
        confidence *= 1.0 if symptom.reason == "shifted_codes" else 1 - symptom.taken(signals)
    return confidence
