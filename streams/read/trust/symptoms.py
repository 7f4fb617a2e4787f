"""The ways in which a text layer fails, as measures of a page's signals: one table.

Promise: pure functions of plain numbers. A symptom's measure grows with the damage. Below its first knot it means nothing: that bound is what sound
pages of many kinds reach, found by looking at real ones, so that no training on made pages can take trust for less. Between the knots the training
decides.
"""

from collections.abc import Callable

from msgspec import Struct

from streams.read.trust.signals import PageSignals

PAGE_WIDE = 0.8
"""Share of the page that pictures cover when it is a scan: less its margins, or less a letterhead."""
CHART_LABELS = 0.35
"""Weight of text-like ink in no long lines on a page-wide picture."""
FEW_CHARACTERS = 40.0
"""Ink worth so many characters, of which a share is taken: a stamp on a scan is as much."""
SEEN = 4.0
"""Times the share of text that its lines say is unread, up to which a share of ink is believed: textures of photographs look like short numbers."""
MOSTLY_LINES = 0.75
"""Share in long lines of the text-like ink of scanned text: 0.8 and more; of charts 0.5 at most."""


class Symptom(Struct, frozen=True, kw_only=True):
    """One way to fail. `knots`, ascending: from the first on the measure counts, after the last it counts no more; between two of them linearly.

    `note`: the reason is named wherever the measure is past its first stretch, whatever trust it takes: a fact about the page that readers want to
    know.
    """

    name: str
    reason: str
    measure: Callable[[PageSignals], float]
    knots: tuple[float, ...]
    why: str
    note: bool = False

    def stretches(self, signals: PageSignals) -> list[float]:
        """How far 0..1 the measure has come on each stretch between two knots."""
        value = self.measure(signals)
        return [min(1.0, max(0.0, (value - low) / (high - low))) for low, high in zip(self.knots, self.knots[1:], strict=False)]


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


def unread_share(signals: PageSignals) -> float:
    """Share of the text-like ink of a page that lies outside the boxes of its hidden text."""
    whole = signals.whole_line_characters + CHART_LABELS * (signals.whole_characters - signals.whole_line_characters)
    stray = signals.stray_line_characters + CHART_LABELS * max(0.0, signals.stray_characters - signals.stray_line_characters)
    return min(1.0, stray / max(1.0, whole, stray)) if whole >= FEW_CHARACTERS else 0.0


def _hidden(measure: Callable[[PageSignals], float]) -> Callable[[PageSignals], float]:
    """A measure that counts as far as the text is hidden."""
    return lambda signals: measure(signals) * min(1.0, 1.25 * signals.hidden_share)


SYMPTOMS = (
    Symptom(
        name="control", reason="control_characters", measure=lambda s: s.control_share + s.unmapped_share, knots=(0.025, 0.08, 0.2),
        why="sound pages have up to 1.3 % (odd spaces, single symbols), with leader dots of odd codes 3 %; fonts without a map start at 10 %",
    ),
    Symptom(
        name="replacement", reason="replacement_characters", measure=lambda s: s.replacement_share, knots=(0.015, 0.05, 0.2),
        why="leader dots are out already (their ink is thin); what is left is letters that nobody can read",
    ),
    Symptom(
        name="private", reason="private_use", measure=lambda s: s.private_share, knots=(0.03, 0.1, 0.3),
        why="bullets and signs of unknown fonts stay below 3 %",
    ),
    Symptom(
        name="shifted", reason="shifted_codes", measure=lambda s: s.shifted_share, knots=(0.02, 0.12),
        why="a shift that makes language of garble is hardly ever chance",
    ),
    Symptom(
        name="partly_shifted", reason="partly_shifted", measure=lambda s: s.unmapped_share if s.shifts else 0.0, knots=(0.004, 0.03),
        why="what a shift does not reach are accented letters: one word in five is wrong where they are 3 %",
    ),
    Symptom(
        name="unlikely", reason="unlikely_language", measure=lambda s: s.unlikely_share, knots=(0.05, 0.15, 0.4),
        why="part numbers and names of one font on a sound page may look unlikely; a body font does not",
    ),
    Symptom(
        name="rare", reason="unlikely_language", measure=lambda s: s.rare_share, knots=(0.04, 0.12, 0.35),
        why="of real pages one in a hundred has more than 2 % strange words beyond chance, accounts in Chinese 5 %",
    ),
    Symptom(
        name="mixed", reason="mixed_scripts", measure=lambda s: s.mixed_share + s.odd_share, knots=(0.02, 0.06, 0.2),
        why="formulas and phonetics put letters of two scripts side by side, in hardly any of a page's words",
    ),
    Symptom(
        name="glued", reason="glued_words", measure=lambda s: s.glued_share, knots=(0.1, 0.4),
        why="the longest words of any of these languages have 50 letters; words without the spaces between them have as many as fit a line",
    ),
    Symptom(
        name="wordless", reason="unlikely_language", measure=lambda s: s.wordless_share, knots=(0.1, 0.35, 0.7),
        why="sentences without the words that sentences have, of letters that follow each other strangely: letters are interchanged",
    ),
    Symptom(
        name="foreign", reason="unlikely_language", measure=lambda s: s.foreign_share, knots=(0.12, 0.2, 0.35),
        why="sound text of these scripts has up to 5 % such words, Hebrew 10 %; vowels interchanged make it a quarter and more",
    ),
    Symptom(
        name="interchanged", reason="unlikely_language", measure=lambda s: s.interchanged, knots=(0.02, 0.1, 0.2),
        why="sound text wins nothing by exchanging letters; with four of its vowels exchanged it wins 0.1 and more",
    ),
    Symptom(
        name="fragmented", reason="fragmented_words", measure=lambda s: s.fragmented_share, knots=(0.55, 0.9), note=True,
        why="letter-spaced text reads badly but is right; tables of single letters are right altogether",
    ),
    Symptom(
        name="overprinted", reason="overprinted", measure=lambda s: s.overprinted_share, knots=(0.3, 0.7), note=True,
        why="text printed twice is right, once the copy is dropped",
    ),
    Symptom(
        name="hidden", reason="invisible_text_over_image", measure=lambda s: s.hidden_share, knots=(0.2, 0.6), note=True,
        why="somebody else recognised it, with errors of some per cent at best",
    ),
    Symptom(
        name="unsound", reason="unsound_words", measure=_hidden(lambda s: s.unsound_share), knots=(0.04, 0.1, 0.2, 0.4),
        why="hidden text of good recognition has 1-3 % words that are none, of bad recognition 20 % and more",
    ),
    Symptom(
        name="misread", reason="unsound_words", measure=_hidden(lambda s: s.unsound_share + s.misread_share), knots=(0.04, 0.08, 0.14, 0.24),
        why="one wrong letter in 14 makes one word in eight impossible; names and foreign words do so in one of thirty",
    ),
    Symptom(
        name="hidden_rare", reason="unsound_words", measure=_hidden(lambda s: s.rare_share + s.mixed_share + s.odd_share), knots=(0.01, 0.04),
        why="recognition that takes letters for others makes words that no language has; in print they are names",
    ),
    Symptom(
        name="crossed", reason="misplaced_text", measure=_hidden(lambda s: s.crossed_share), knots=(0.08, 0.2),
        why="good recognition crosses up to 7 % of the gaps in print, of typewriting and handwriting too; another page's layer 20 % and more",
    ),
    Symptom(
        name="vacant", reason="misplaced_text", measure=_hidden(lambda s: s.vacant_share), knots=(0.03, 0.1, 0.25),
        why="words of good recognition lie on ink; another page's layer stands beside it for a tenth and more",
    ),
    Symptom(
        name="missing", reason="ink_without_text", measure=missing_share, knots=(0.5, 0.7, 0.85),
        why="beside charts and photographs up to half of the estimate is stray; a scan under a stamp has 0.9",
    ),
    Symptom(
        name="hidden_missing", reason="ink_without_text", measure=_hidden(unread_share), knots=(0.1, 0.25, 0.5),
        why="recognised text must lie on all lines of its scan; stamps, signatures and borders are up to a tenth of a page",
    ),
    Symptom(
        name="outside", reason="ink_without_text", measure=_hidden(lambda s: min(s.outside_share, SEEN * unread_share(s))), knots=(0.27, 0.33, 0.5),
        why="good recognition leaves frames, stamps and signatures, a quarter of the ink at most; a table whose lower half it missed, a third",
    ),
    Symptom(
        name="empty", reason="text_without_ink", measure=lambda s: s.empty_share, knots=(0.12, 0.3, 0.6),
        why="text that shows nowhere: white on white, covered, or moved",
    ),
)  # fmt: skip
"""All symptoms, in the order in which reasons are given."""
