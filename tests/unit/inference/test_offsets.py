"""What may be committed when work finishes out of order."""

from hypothesis import given
from hypothesis import strategies as st

from inference.offsets import Offsets, PartitionOffsets

P = ("windows", 0)


@given(st.lists(st.integers(0, 200), unique=True, min_size=1, max_size=40).map(sorted), st.randoms())
def test_the_committed_offset_never_passes_unfinished_work_and_ends_after_all(offsets, random):
    state, committed = PartitionOffsets(), -1
    waiting, open_ = list(offsets), []
    while waiting or open_:
        if waiting and (not open_ or random.random() < 0.5):
            offset = waiting.pop(0)
            assert state.begin(offset)
            open_.append(offset)
        else:
            state.finish(open_.pop(random.randrange(len(open_))))
        now = state.committable()
        if now is not None:
            assert now >= committed
            assert all(offset >= now for offset in open_)
            assert now <= min([*open_, *waiting, offsets[-1] + 1])
            committed = now
            state.committed(now)
            assert state.committable() is None
    assert committed == offsets[-1] + 1
    assert state.unfinished == 0


def test_a_record_is_taken_on_once():
    state = PartitionOffsets()
    assert state.begin(4)
    assert not state.begin(4)
    state.finish(4)
    state.finish(4)
    assert not state.begin(4)
    assert not state.begin(3)
    assert state.committable() == 5


def test_nothing_is_committed_before_anything_was_taken_on():
    assert PartitionOffsets().committable() is None


def test_an_unfinished_first_record_holds_the_commit_at_itself():
    state = PartitionOffsets()
    state.begin(7)
    state.begin(8)
    state.finish(8)
    assert state.committable() == 7
    state.committed(7)
    assert state.committable() is None
    state.finish(7)
    assert state.committable() == 9


def test_a_forgotten_partition_starts_anew():
    offsets = Offsets()
    offsets.begin(P, 10)
    offsets.forget({P})
    offsets.finish(P, 10)
    assert offsets.committable() == {}
    assert offsets.begin(P, 10)
    offsets.finish(P, 10)
    assert offsets.committable() == {P: 11}
    offsets.committed({P: 11})
    assert offsets.committable() == {}
