"""What an engine is: the one protocol that the worker, the engine process and the tests know.

An engine never raises for a page: it refuses it (`PageRefused`). It may die, hang or eat memory: that is what its process is for.
"""

from collections.abc import Sequence
from typing import Protocol

from inference.images import PagePixels
from inference.types import UnitAnswer


class Engine(Protocol):
    """A model that reads pages. Used by one thread."""

    def warm_up(self) -> None:
        """Loads what is slow to load. Raises PageloomError where the engine cannot work on this machine."""

    def recognize(self, batch: Sequence[tuple[PagePixels, ...]], attempt: int, /) -> list[UnitAnswer]:
        """An answer for each unit of the batch, in order. `attempt` counts from 1; a later one may use other settings."""

    def close(self) -> None:
        """Gives back what it holds."""
