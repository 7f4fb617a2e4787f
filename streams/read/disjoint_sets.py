"""Things that belong together by pairs, gathered into sets: union-find with path halving (Tarjan and van Leeuwen, 1984). Pure.

Whichever pairs are told, and in whatever order, two things are in one set if and only if a chain of pairs leads from one to the other. The work is
nearly linear in the pairs, so a bound on these is a bound on it.
"""

from collections.abc import Iterable


class DisjointSets:
    """Sets of the indexes 0 to `count` - 1, each alone at first."""

    __slots__ = ("_parents",)

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))

    def root(self, index: int) -> int:
        """The index that stands for the whole set of this one; its own where nothing was joined to it."""
        parents = self._parents
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    def join(self, index: int, other: int) -> None:
        """Makes the sets of two indexes one, which the root of `other` stands for."""
        self._parents[self.root(index)] = self.root(other)

    def groups(self, order: Iterable[int]) -> list[list[int]]:
        """These indexes by set, in the order in which they are given; a set stands where its first one does."""
        found: dict[int, list[int]] = {}
        for index in order:
            found.setdefault(self.root(index), []).append(index)
        return list(found.values())
