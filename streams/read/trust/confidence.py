"""How much a page's text layer may be trusted: a pure judgement of the page's signals.

Promise: `judge` is a function of plain numbers. The confidence is the calibrated probability that the text layer, read in our order, says what the
page shows; every symptom that alone would take a tenth of the trust is named among the reasons, and whatever took most of it always is. What is
certain is not left to the model: no text, nothing drawn.
"""

from msgspec import Struct

from schemas.events import DoubtfulRegion
from streams.read.trust.decoding import FontShift
from streams.read.trust.signals import PageSignals
from streams.read.trust.suspects import Suspect
from streams.read.trust.symptoms import SYMPTOMS
from streams.read.trust.trained import trust_model

BLANK = 0.98
"""Of pages on which nothing shows about one in fifty holds something all the same: pencil, faint print."""
NO_TEXT = 0.02
DOUBT = (0.25, 0.75)
"""Between these a second parser may be asked before a model."""
NOTICEABLE = 0.1
"""Least share of the trust that a symptom takes to be named."""


class Verdict(Struct, frozen=True, kw_only=True):
    """The judgement of a page's text layer.

    `recovered_confidence`: of the text after `shifts` are undone (`language.unshift`, font by font); equal to `confidence` without any.
    `blank`: the page shows nothing. `doubtful`: neither clearly good nor clearly bad. `regions`: parts that are bad by themselves, on the page as
    displayed, at most `suspects.MOST_SUSPECTS` of a kind.
    """

    confidence: float
    reasons: tuple[str, ...] = ()
    blank: bool = False
    doubtful: bool = False
    shifts: tuple[FontShift, ...] = ()
    recovered_confidence: float = 0.0
    regions: tuple[DoubtfulRegion, ...] = ()


def judge(signals: PageSignals) -> Verdict:
    """The verdict on a page. Total: any numbers give one."""
    if signals.blank:
        return Verdict(confidence=BLANK, recovered_confidence=BLANK, blank=True, reasons=("text_without_ink",) if signals.characters else ())
    if not signals.characters:
        lost = [word for word, there in (("pictures_undecoded", signals.pictures_undecoded), ("content_lost", signals.content_lost)) if there]
        return Verdict(confidence=NO_TEXT, recovered_confidence=NO_TEXT, reasons=("no_text", *lost))
    model = trust_model()
    taken = model.taken(signals)
    confidence = model.calibrated(model.bias - sum(taken.values()))
    recovered = confidence
    if signals.shifts:
        recovered = model.calibrated(model.bias - sum(cost for name, cost in taken.items() if name != "shifted"))
    return Verdict(
        confidence=round(confidence, 4),
        reasons=_reasons(signals, taken, confidence),
        doubtful=DOUBT[0] <= confidence <= DOUBT[1],
        shifts=signals.shifts,
        recovered_confidence=round(recovered, 4),
        regions=tuple(_region(place) for place in signals.suspects),
    )


def _reasons(signals: PageSignals, taken: dict[str, float], confidence: float) -> tuple[str, ...]:
    """The names of what is wrong, in the table's order, none twice."""
    model = trust_model()
    whole = model.calibrated(model.bias)
    most = max(taken, key=taken.__getitem__, default="")
    found: list[str] = []
    for symptom in SYMPTOMS:
        cost = taken.get(symptom.name, 0.0)
        noted = symptom.note and symptom.stretches(signals)[0] >= 0.5
        felt = cost > 0 and (whole - model.calibrated(model.bias - cost) >= NOTICEABLE or (symptom.name == most and whole - confidence >= NOTICEABLE))
        if (noted or felt) and symptom.reason not in found:
            found.append(symptom.reason)
    return tuple(found)


def _region(place: Suspect) -> DoubtfulRegion:
    """A place as a region: judged as a page would be whose text is all like this."""
    alone = _ALONE[place.reason]
    model = trust_model()
    confidence = model.calibrated(model.bias - sum(model.taken(alone).values()))
    return DoubtfulRegion(bbox=place.box, confidence=round(confidence, 4), reasons=(place.reason,))


_ALONE = {
    "control_characters": PageSignals(characters=100, control_share=1.0),
    "unlikely_language": PageSignals(characters=100, rare_share=1.0, unlikely_share=1.0),
    "ink_without_text": PageSignals(characters=1, image_cover=1.0, stray_characters=900.0, stray_line_characters=900.0),
}
"""By reason of a place, the signals of a page that is nothing but that."""
