"""Trains the judgement of text layers: `python -m tests.bench.routing.train FOLDER`. Writes streams/read/trust/trust.json.

Uses the training split of a labelled set alone. Logistic regression on the stretches of the symptoms; stretches whose weight comes out negative (more
damage would give more trust) are left out one by one. The calibration is isotonic, on log-odds of documents that a model had not seen (grouped
cross-validation).
"""

import argparse
import sys
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from streams.read.trust.symptoms import SYMPTOMS
from streams.read.trust.trained import TrustModel
from tests.bench.routing.measure import MeasuredPage, measured
from tests.bench.routing.plan import Label
from tests.bench.routing.scores import area_under_roc, calibration_error

TARGET = Path(__file__).parents[3] / "streams" / "read" / "trust" / "trust.json"
FOLDS = 5
STRENGTH = 30.0
"""Inverse of the penalty on weights. The stretches are few and their weights few units; it keeps a weight finite where one symptom alone parts the
classes."""
MOST_POINTS = 14
EDGE = 0.005
"""Probabilities are kept from 0 and 1 by this: the set is made, and has some hundred pages a kind."""

ENOUGH = frozenset({
    "control", "replacement", "private", "shifted", "partly_shifted", "unlikely", "rare", "mixed", "glued", "interchanged", "unsound", "crossed",
    "vacant", "missing", "hidden_missing", "outside", "empty",
})  # fmt: skip
"""Symptoms that alone, at their full measure, make a page bad, whatever else made pages show beside them: MuPDF gives U+FFFD for hardly any of their
faults, and a symptom that always comes with another would get no weight of its own."""
MOST = {"fragmented": 1.0, "overprinted": 0.5}
"""The most that facts of layout take, which made pages know too few sound forms of."""
SURELY = 1.5
"""Log-odds below even that such a symptom brings a page to at the least."""

Features = NDArray[np.float64]


def rows_of(pages: list[MeasuredPage]) -> tuple[Features, NDArray[np.int64], NDArray[np.str_]]:
    """(features, whether the text is right, document) of the pages that are judged by the model: with text, good or bad."""
    readings = [(page.signals, page.first_label, page.file) for page in pages]
    # once more as they read in another way, where the reader found one
    readings += [(page.recovered, page.label, page.file) for page in pages if page.recovered is not None]
    rows = [
        ([stretch for symptom in SYMPTOMS for stretch in symptom.stretches(signals)], label == Label.GOOD, file)
        for signals, label, file in readings
        if label in (Label.GOOD, Label.BAD) and signals.characters and not signals.blank
    ]
    features, good, documents = zip(*rows, strict=True)
    return np.array(features), np.array(good, np.int64), np.array(documents)


def fitted(features: Features, good: NDArray[np.int64]) -> tuple[float, NDArray[np.float64]]:
    """(bias, weight that each stretch takes from the log-odds, >= 0)."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - training alone needs it

    used = np.ones(features.shape[1], np.bool_)
    while True:
        model = LogisticRegression(C=STRENGTH, max_iter=2000).fit(features[:, used], good)
        weights = np.zeros(features.shape[1])
        weights[used] = -model.coef_[0]
        if weights.min() >= 0:
            bias = float(model.intercept_[0])
            return bias, np.abs(raised(bias, weights))
        used[int(weights.argmin())] = False


def raised(bias: float, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights, those of symptoms that are enough by themselves raised until they are, on all stretches alike, and facts of layout bounded."""
    found, place = weights.copy(), 0
    for symptom in SYMPTOMS:
        end = place + len(symptom.knots) - 1
        if symptom.name in ENOUGH:
            found[place:end] += max(0.0, bias + SURELY - found[place:end].sum()) / (end - place)
        if symptom.name in MOST:
            found[place:end] *= min(1.0, MOST[symptom.name] / max(found[place:end].sum(), MOST[symptom.name]))
        place = end
    return found


def held_out(features: Features, good: NDArray[np.int64], documents: NDArray[np.str_]) -> NDArray[np.float64]:
    """Log-odds of each page from a model that has not seen its document."""
    from sklearn.model_selection import GroupKFold  # noqa: PLC0415 - training alone needs it

    found = np.zeros(len(good))
    for seen, unseen in GroupKFold(FOLDS).split(features, good, documents):
        bias, weights = fitted(features[seen], good[seen])
        found[unseen] = bias - features[unseen] @ weights
    return found


def calibration(log_odds: NDArray[np.float64], good: NDArray[np.int64]) -> tuple[list[float], list[float]]:
    """Points of the isotonic regression, ascending in both, few enough to read."""
    from sklearn.isotonic import IsotonicRegression  # noqa: PLC0415 - training alone needs it

    smooth = IsotonicRegression(out_of_bounds="clip").fit(log_odds, good)
    edges = np.unique(np.quantile(log_odds, np.linspace(0, 1, MOST_POINTS * 4)))
    points: list[tuple[float, float]] = []
    for low, high in pairwise(edges):
        inside = (log_odds >= low) & (log_odds <= high)
        middle, probability = float(log_odds[inside].mean()), float(smooth.predict(log_odds[inside]).mean())
        probability = min(1 - EDGE, max(EDGE, probability))
        if not points or (middle > points[-1][0] + 1e-3 and probability > points[-1][1] + 1e-3):
            points.append((middle, probability))
    return [round(x, 3) for x, _ in points], [round(y, 4) for _, y in points]


def trained(pages: list[MeasuredPage]) -> TrustModel:
    """The model of a training split."""
    features, good, documents = rows_of(pages)
    bias, weights = fitted(features, good)
    log_odds, probabilities = calibration(held_out(features, good, documents), good)
    shares, place = dict[str, list[float]](), 0
    for symptom in SYMPTOMS:
        count = len(symptom.knots) - 1
        shares[symptom.name] = [round(float(weight), 3) for weight in weights[place : place + count]]
        place += count
    origin = f"{len(good)} pages with text of {len(set(documents))} made documents, {int(len(good) - good.sum())} of them bad"
    return TrustModel(bias=round(bias, 3), weights=shares, log_odds=log_odds, probabilities=probabilities, origin=origin)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="train the judgement of text layers")
    parser.add_argument("folder", type=Path)
    pages = measured(parser.parse_args().folder, "train")
    model = trained(pages)
    TARGET.write_bytes(msgspec.json.format(msgspec.json.encode(model), indent=1) + b"\n")
    features, good, documents = rows_of(pages)
    confidence = [model.calibrated(value) for value in held_out(features, good, documents)]
    sys.stdout.write(f"{model.origin}; held out: AUC {area_under_roc(confidence, good.tolist()):.4f}, ")
    sys.stdout.write(f"calibration error {calibration_error(confidence, good.tolist()):.4f}; written to {TARGET.name}\n")


if __name__ == "__main__":
    main()
