"""Sets by pairs: what a chain of pairs connects is in one set, whatever their order."""

from hypothesis import given
from hypothesis import strategies as st

from streams.read.disjoint_sets import DisjointSets

COUNT = 12
pairs_of = st.lists(st.tuples(st.integers(0, COUNT - 1), st.integers(0, COUNT - 1)), max_size=20)


def connected(pairs: list[tuple[int, int]]) -> set[frozenset[int]]:
    """The same by definition: whatever shares a member is one."""
    found = [frozenset({index}) for index in range(COUNT)]
    for pair in pairs:
        touched = [group for group in found if group & set(pair)]
        found = [group for group in found if group not in touched] + [frozenset().union(*touched)]
    return set(found)


@given(pairs_of, st.permutations(range(COUNT)))
def test_what_a_chain_of_pairs_connects_is_one_set(pairs: list[tuple[int, int]], order: list[int]) -> None:
    sets = DisjointSets(COUNT)
    for index, other in pairs:
        sets.join(index, other)
    groups = sets.groups(order)
    assert {frozenset(group) for group in groups} == connected(pairs)
    assert [group[0] for group in groups] == sorted((group[0] for group in groups), key=order.index)
    assert all(group == sorted(group, key=order.index) for group in groups)


def test_the_set_of_the_second_stands_for_both() -> None:
    sets = DisjointSets(4)
    sets.join(0, 2)
    sets.join(2, 3)
    assert [sets.root(index) for index in range(4)] == [3, 1, 3, 3]
