"""What becomes of a partition whose writer is of no more use: another writer, and a new membership only where that does not help."""

from streams.kafka.lifecycle import MOST_RENEWALS, RENEWAL_PAUSE_S, SLOW_S, Renewal, Renewals


def after_a_pause(renewals: Renewals, now_s: float, *, has_committed: bool = False) -> Renewal:
    assert renewals.decide(0, now_s, has_committed=has_committed) is Renewal.WAIT
    return renewals.decide(0, now_s + RENEWAL_PAUSE_S, has_committed=has_committed)


def test_another_writer_is_made_after_a_pause() -> None:
    renewals = Renewals()
    assert renewals.decide(0, 10.0, has_committed=True) is Renewal.WAIT
    assert renewals.decide(0, 10.0 + RENEWAL_PAUSE_S / 2, has_committed=True) is Renewal.WAIT
    assert renewals.decide(0, 10.0 + RENEWAL_PAUSE_S, has_committed=True) is Renewal.RENEW


def test_a_partition_that_is_well_again_or_gone_begins_anew() -> None:
    renewals = Renewals()
    renewals.decide(0, 10.0, has_committed=True)
    renewals.well(0)
    assert renewals.decide(0, 20.0, has_committed=True) is Renewal.WAIT


def test_partitions_are_judged_apart() -> None:
    renewals = Renewals()
    renewals.decide(0, 10.0, has_committed=True)
    assert renewals.decide(1, 20.0, has_committed=True) is Renewal.WAIT
    assert renewals.decide(0, 20.0, has_committed=True) is Renewal.RENEW


def test_what_does_not_help_again_and_again_ends_the_membership() -> None:
    renewals = Renewals()
    decisions = [after_a_pause(renewals, 10.0 * number) for number in range(MOST_RENEWALS + 1)]
    assert decisions == [*[Renewal.RENEW] * MOST_RENEWALS, Renewal.REJOIN]
    assert after_a_pause(renewals, 100.0) is Renewal.RENEW  # the next membership begins anew


def test_a_writer_that_committed_was_no_vain_one() -> None:
    renewals = Renewals()
    for number in range(3 * MOST_RENEWALS):
        assert after_a_pause(renewals, 10.0 * number, has_committed=True) is Renewal.RENEW


def test_patience_grows_with_every_new_writer_and_is_forgotten_after_a_while() -> None:
    """On a machine that was too busy, calls took 3 to 4 s: each was taken for one that hangs, and each new writer made it busier."""
    renewals = Renewals()
    patience = []
    for number in range(MOST_RENEWALS + 2):
        patience.append(renewals.patience(0, 10.0 * number))
        after_a_pause(renewals, 10.0 * number, has_committed=True)
    assert patience == [1.0, 2.0, 4.0, 8.0, 8.0]
    assert renewals.patience(1, 50.0) == 1.0
    long_after_s = 10.0 * len(patience) + SLOW_S
    assert renewals.patience(0, long_after_s) == 1.0
    after_a_pause(renewals, long_after_s, has_committed=True)
    assert renewals.patience(0, long_after_s + 1) == 2.0
