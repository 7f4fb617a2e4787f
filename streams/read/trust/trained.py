"""The trained part of the judgement: from symptoms to a calibrated probability.

Promise: reads plain numbers (`trust.json`, written by training on labelled pages: `make train-confidence`) once a process; evaluates in microseconds
without any library for learning. More of a symptom never gives more trust: all weights are at least 0.

Method: logistic regression on piecewise linear measures (a generalised additive model), then isotonic regression of the held-out log-odds (Zadrozny
and Elkan 2002), read between its points linearly.
"""

import functools
from bisect import bisect_right
from importlib.resources import files

import msgspec
from msgspec import Struct

from streams.read.trust.signals import PageSignals
from streams.read.trust.symptoms import SYMPTOMS


class TrustModel(Struct, frozen=True, kw_only=True):
    """`bias`: log-odds of a page without symptoms. `weights`: by symptom, what each of its stretches takes from the log-odds, >= 0. `log_odds`,
    ascending, and `probabilities`: the calibration. `origin`: how it was trained.
    """

    bias: float
    weights: dict[str, list[float]]
    log_odds: list[float]
    probabilities: list[float]
    origin: str = ""

    def calibrated(self, log_odds: float) -> float:
        """The probability that text of such log-odds is right; flat beyond the ends of what was seen."""
        if log_odds <= self.log_odds[0]:
            return self.probabilities[0]
        if log_odds >= self.log_odds[-1]:
            return self.probabilities[-1]
        place = bisect_right(self.log_odds, log_odds)
        low, high = self.log_odds[place - 1], self.log_odds[place]
        share = (log_odds - low) / (high - low)
        return self.probabilities[place - 1] + share * (self.probabilities[place] - self.probabilities[place - 1])

    def taken(self, signals: PageSignals) -> dict[str, float]:
        """What each symptom of a page takes from the log-odds, those that take anything."""
        found: dict[str, float] = {}
        for symptom in SYMPTOMS:
            if symptom.measure(signals) > symptom.knots[0]:
                cost = sum(weight * part for weight, part in zip(self.weights[symptom.name], symptom.stretches(signals), strict=True))
                if cost > 0:
                    found[symptom.name] = cost
        return found


@functools.cache
def trust_model() -> TrustModel:
    """The shipped model. Raises msgspec.ValidationError where its file is no such thing."""
    return msgspec.json.decode(files(__package__).joinpath("trust.json").read_bytes(), type=TrustModel)
