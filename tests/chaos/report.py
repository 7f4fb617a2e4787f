"""A chaos run in words: what was done, what the verifier found, and how soon output went on after each kind of fault. Pure."""

import collections
from collections.abc import Iterable

from tests.chaos.driver import Account, Disturbance
from tests.chaos.verifier import SHOWN, Verdict

EMPTY = (
    "lost", "doubled", "foreign", "partial_instead", "different", "states_left", "letters_missing", "letters_without_cause",
)  # fmt: skip
"""What has to be empty in a verdict."""


def faults_of(account: Account, verdict: Verdict) -> list[str]:
    """What is wrong, one line each; none for a run that kept every promise."""
    found = [f"{name}: {entry}" for name in EMPTY for entry in getattr(verdict, name)[:SHOWN]]
    if verdict.submissions != len(account.published):
        found.append(f"{len(account.published)} documents were published, {verdict.submissions} stand on the log")
    if verdict.answered_again > verdict.in_flight:
        found.append(f"{verdict.answered_again} pages were recognized again; {verdict.in_flight} were in flight at a fault")
    return [*found, *(f"process: {finding}" for finding in account.findings)]


def summary(account: Account, verdict: Verdict) -> str:
    """The figures as Markdown."""
    plan, kinds = account.plan, collections.Counter(account.published.values())
    faults = collections.Counter(d.name for d in account.disturbances)
    rows = [
        ("seed", plan.seed),
        ("documents published", len(account.published)),
        ("  of each kind", _counts(kinds)),
        ("faults", len(account.disturbances)),
        ("  of each kind", _counts(faults)),
        ("minutes", f"{account.seconds / 60:.1f}"),
        ("ended complete / partial / failed / cancelled", f"{verdict.complete} / {verdict.partial} / {verdict.failed} / {verdict.cancelled}"),
        ("byte-equal to the undisturbed run", f"{verdict.compared - len(verdict.different) - len(verdict.partial_instead)} of {verdict.compared}"),
        ("lost", len(verdict.lost)),
        ("with two terminal records", len(verdict.doubled)),
        ("partial or failed instead of complete", len(verdict.partial_instead)),
        ("states left on the changelog", len(verdict.states_left)),
        ("dead letters / missing / without a cause", f"{verdict.letters} / {len(verdict.letters_missing)} / {len(verdict.letters_without_cause)}"),
        ("answers of the model", verdict.pages_answered),
        ("  again for the same page / in flight at a fault", f"{verdict.answered_again} / {verdict.in_flight}"),
        ("processes that ended by themselves or badly", len(account.findings)),
    ]
    lines = ["| what | figure |", "|---|---|", *(f"| {name.strip()} | {value} |" for name, value in rows)]
    return "\n".join([*lines, "", *_recovery(account.disturbances)])


def _recovery(disturbances: Iterable[Disturbance]) -> list[str]:
    """Faults by themselves: seconds until all documents under way at the fault had ended; of all faults until the first document after it."""
    alone: dict[str, list[float]] = collections.defaultdict(list)
    following: dict[str, list[float]] = collections.defaultdict(list)
    for disturbance in disturbances:
        if disturbance.alone_s is not None:
            alone[f"{disturbance.name} {disturbance.detail.partition('-')[0]}".strip()].append(disturbance.alone_s)
        if disturbance.next_s is not None:
            following[disturbance.name].append(disturbance.next_s)
    lines = ["| fault by itself | times | all that was under way had ended after, s (most) |", "|---|---|---|"]
    lines += [f"| {name} | {len(times)} | {max(times):.1f} |" for name, times in sorted(alone.items())]
    lines += ["", "| fault | times | the next document ended after, s (median, most) |", "|---|---|---|"]
    lines += [f"| {name} | {len(times)} | {sorted(times)[len(times) // 2]:.1f}, {max(times):.1f} |" for name, times in sorted(following.items())]
    return lines


def _counts(counter: "collections.Counter[str]") -> str:
    return ", ".join(f"{name} {count}" for name, count in counter.most_common())
