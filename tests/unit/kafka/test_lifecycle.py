"""Stages, cuts and remedies of the transactional processor, without Kafka."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.kafka.lifecycle import (
    JOIN_S,
    TRANSITIONS,
    CutPolicy,
    Joining,
    OpenTransaction,
    Remedy,
    Stage,
    next_stage,
    remedy_for,
)

ENDS = (Stage.STOPPING, Stage.LOST, Stage.FENCED, Stage.FAILED)

open_transactions = st.builds(
    OpenTransaction,
    records=st.integers(0, 2000),
    poisoned=st.just(0),
    size_bytes=st.integers(0, 2**24),
    opened_at_s=st.floats(0, 1000),
    urgent_at_s=st.none() | st.floats(0, 1000),
)


def test_every_stage_is_in_the_table_and_leads_to_the_end() -> None:
    assert set(TRANSITIONS) == set(Stage)
    for stage in Stage:
        reached, todo = {stage}, [stage]
        while todo:
            todo += (new := TRANSITIONS[todo.pop()] - reached)
            reached |= new
        assert Stage.CLOSED in reached


def test_nothing_runs_again_once_it_is_to_end() -> None:
    for stage in ENDS:
        assert not TRANSITIONS[stage] & {Stage.RUNNING, Stage.RESTORED, Stage.RESTORING}
    assert TRANSITIONS[Stage.CLOSED] == frozenset()


def test_what_is_lost_cannot_be_stopped_into_a_commit() -> None:
    assert next_stage(Stage.LOST, Stage.STOPPING) is Stage.LOST
    assert next_stage(Stage.STOPPING, Stage.LOST) is Stage.LOST


@given(st.sampled_from(Stage), st.sampled_from(Stage))
def test_a_request_is_granted_or_changes_nothing(current: Stage, wanted: Stage) -> None:
    assert next_stage(current, wanted) in (current, wanted)


@given(open_transactions, st.floats(0, 10), st.booleans())
def test_a_transaction_that_waits_long_enough_is_due(transaction: OpenTransaction, age_s: float, records_wait: bool) -> None:
    policy, now_s = CutPolicy(), transaction.opened_at_s + age_s
    wait_s = policy.wait_s(transaction, now_s)
    assert 0 <= wait_s <= policy.patient_s + 1e-9
    assert policy.is_due(transaction, now_s + wait_s + 1e-6, records_wait=False)
    if policy.is_due(transaction, now_s, records_wait):
        assert policy.is_due(transaction, now_s, records_wait=False)


@pytest.mark.parametrize(
    ("transaction", "now_s", "records_wait", "due"),
    [
        (OpenTransaction(1, 0, 100, 0.0, 0.0), 0.001, False, False),
        (OpenTransaction(1, 0, 100, 0.0, 0.0), 0.006, False, True),
        (OpenTransaction(1, 0, 100, 0.0, 0.0), 0.006, True, False),
        (OpenTransaction(1, 0, 100, 0.0, 0.0), 0.101, True, True),
        (OpenTransaction(1, 0, 100, 0.0, None), 0.2, False, False),
        (OpenTransaction(1, 0, 100, 0.0, None), 0.26, True, True),
        (OpenTransaction(1, 0, 100, 0.0, 0.2), 0.204, False, False),
        (OpenTransaction(1, 0, 100, 0.0, 0.2), 0.206, False, True),
        (OpenTransaction(500, 0, 100, 0.0, None), 0.001, True, True),
        (OpenTransaction(1, 0, 5 * 2**20, 0.0, 0.0), 0.001, True, True),
    ],
)
def test_when_a_transaction_is_cut(transaction: OpenTransaction, now_s: float, records_wait: bool, due: bool) -> None:
    assert CutPolicy().is_due(transaction, now_s, records_wait) is due


@pytest.mark.parametrize(
    ("fatal", "requires_abort", "retriable", "remedy"),
    [
        (True, False, False, Remedy.REJOIN),
        (True, True, True, Remedy.REJOIN),
        (False, True, True, Remedy.ABORT),
        (False, False, True, Remedy.RETRY),
        (False, False, False, Remedy.ABORT),
    ],
)
def test_remedies(fatal: bool, requires_abort: bool, retriable: bool, remedy: Remedy) -> None:
    assert remedy_for(fatal=fatal, requires_abort=requires_abort, retriable=retriable) is remedy


def test_a_member_that_its_group_never_names_is_overdue() -> None:
    joining = Joining(100.0)
    assert not joining.is_overdue(100.0 + JOIN_S, heard=False)
    assert joining.is_overdue(100.1 + JOIN_S, heard=False)


def test_a_member_that_was_heard_of_lately_is_not_overdue() -> None:
    joining = Joining(0.0)
    assert not joining.is_overdue(5 * JOIN_S, heard=True)
    assert not joining.is_overdue(6 * JOIN_S, heard=False)
    assert joining.is_overdue(6.1 * JOIN_S, heard=False)
