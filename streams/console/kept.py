"""What was made or fetched lately, kept within a bound of bytes. Thread-safe."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Values by key with their sizes; the ones not asked for longest go first. A value larger than the bound is not kept."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> T | None:
        """The value, or None."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: T, size_bytes: int) -> T:
        """Keeps a value, and returns it."""
        with self._lock:
            self._bytes -= self._values.pop(key, (value, 0))[1]
            if size_bytes <= self._max_bytes:
                self._values[key] = (value, size_bytes)
                self._bytes += size_bytes
            while self._bytes > self._max_bytes:
                _, (_, freed) = self._values.popitem(last=False)
                self._bytes -= freed
        return value
