"""How well confidences tell good pages from bad: pure functions of numbers. `good` is 1 for a page whose text is right, 0 for one whose text is
not."""

import math
import random
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
NORMAL_95 = 1.96


def area_under_roc(confidence: Sequence[float], good: Sequence[int]) -> float:
    """The probability that a good page has more confidence than a bad one, ties counted half (Mann and Whitney). NaN without one of each."""
    order = sorted(range(len(good)), key=lambda place: confidence[place])
    ranks, start = [0.0] * len(good), 0
    while start < len(order):
        end = start
        while end < len(order) and confidence[order[end]] == confidence[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + end + 1) / 2
        start = end
    count = sum(good)
    bad = len(good) - count
    if not count or not bad:
        return math.nan
    return (sum(rank for rank, is_good in zip(ranks, good, strict=True) if is_good) - count * (count + 1) / 2) / (count * bad)


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927); (0, 1) for none of none."""
    if not total:
        return 0.0, 1.0
    share, square = hits / total, NORMAL_95**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    reach = NORMAL_95 * math.sqrt(share * (1 - share) / total + square / (4 * total**2)) / (1 + square / total)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def calibration_error(confidence: Sequence[float], good: Sequence[int], bins: int = 10) -> float:
    """Expected calibration error: over bins of equal width, the mean distance of confidence from truth, by the pages in each (Guo et al. 2017)."""
    total = len(good)
    if not total:
        return math.nan
    error = 0.0
    for number in range(bins):
        inside = [place for place, value in enumerate(confidence) if min(bins - 1, int(value * bins)) == number]
        if inside:
            error += abs(sum(confidence[place] - good[place] for place in inside)) / total
    return error


def bootstrap(groups: Sequence[Sequence[T]], score: Callable[[list[T]], float], rounds: int = 200, seed: int = 1) -> tuple[float, float]:
    """The 95 % interval of a score over whole groups drawn with replacement: pages of one document are not independent of each other."""
    rng = random.Random(seed)
    found = []
    for _ in range(rounds):
        drawn = [item for group in rng.choices(groups, k=len(groups)) for item in group]
        value = score(drawn)
        if not math.isnan(value):
            found.append(value)
    if not found:
        return math.nan, math.nan
    found.sort()
    return found[int(0.025 * len(found))], found[min(len(found) - 1, int(0.975 * len(found)))]
