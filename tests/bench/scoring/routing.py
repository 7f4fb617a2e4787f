"""Which pages were recognized, against labels: recall of bad pages, needless recognition of good ones, each miss by name.

A bad page (`low`) is found when it was recognized, when its text layer was repaired (`recovered:...` among the reasons), or when it failed for the
one honest cause that no engine reads its script (`script_unsupported`). `high` and `blank` pages must not be recognized; `either` does not count.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from tests.bench.scoring.outputs import Output, PageOutcome
from tests.bench.scoring.truth import PageLabel


class RoutingScore(Struct, frozen=True):
    """Counts of labelled pages that have an outcome, and `file:page` of what went wrong or is `absent`."""

    bad: int
    good: int
    missed: tuple[str, ...]
    needless: tuple[str, ...]
    absent: tuple[str, ...]

    @property
    def recall(self) -> float:
        """Share of bad pages that were found."""
        return 1 - len(self.missed) / self.bad if self.bad else 1.0

    @property
    def needless_share(self) -> float:
        """Share of good pages that were recognized for nothing."""
        return len(self.needless) / self.good if self.good else 0.0


def is_routed(page: PageOutcome) -> bool:
    """Whether a page was not simply believed."""
    if page.status == "recognized" or any("recovered" in reason for reason in page.reasons):
        return True
    return page.status == "failed" and any("script_unsupported" in reason for reason in page.reasons)


def score_routing(labels: Iterable[PageLabel], outputs: Mapping[str, Output]) -> RoutingScore:
    """The score of outputs by file name. A page without an outcome is absent: neither found nor missed, but named."""
    bad = good = 0
    missed, needless, absent = [], [], []
    for label in labels:
        name = f"{label.file}:{label.page}"
        page = outputs[label.file].pages.get(label.page) if label.file in outputs else None
        if page is None:
            absent.append(name)
        elif label.expected == "low":
            bad += 1
            if not is_routed(page):
                missed.append(name)
        elif label.expected in {"high", "blank"}:
            good += 1
            if page.status == "recognized":
                needless.append(name)
    return RoutingScore(bad, good, tuple(missed), tuple(needless), tuple(absent))
