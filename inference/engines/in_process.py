"""An engine that runs in the worker itself, because it loads no native code: the counterpart of `child` for clients of shared servers.

Guarantees: every unit is answered; `kill` ends what is being asked at once and for good, `cancel` what is being asked alone. Used by one
thread; `kill` and `cancel` are for others.
"""

import importlib
import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError
from typing import Protocol, cast

from inference.engines.child import EngineClosed
from inference.engines.protocol import Engine
from inference.recognition import recognize_units
from inference.types import EngineSpec, PageRefused, Unit, UnitAnswer
from schemas.errors import Code


class AbortableEngine(Engine, Protocol):
    """An engine that can be told to stop from another thread."""

    def abort(self) -> None:
        """Ends what is being asked: the call that asks raises concurrent.futures.CancelledError."""


class InProcessEngine:
    """One engine, made when it is first needed."""

    def __init__(self, spec: EngineSpec) -> None:
        self._spec = spec
        self._engine: AbortableEngine | None = None
        self._lock = threading.Lock()
        self._closed = False

    def recognize(self, units: Sequence[Unit]) -> list[UnitAnswer]:
        """An answer for every unit; those that were cancelled are refused.

        Raises PageloomError for settings that cannot work, EngineClosed after `kill`.
        """
        engine = self._started()
        found: list[UnitAnswer] = []
        for unit in units:
            try:
                found += recognize_units(engine, [unit], self._spec.capabilities)
            except CancelledError:
                if self._closed:
                    raise EngineClosed from None
                pages = [page.image.page for page in unit.pages]
                found.append(tuple(PageRefused(page=page, code=Code.CANCELLED, message=f"page {page}: nobody wants it any longer") for page in pages))
        return found

    def cancel(self) -> None:
        """Ends what is being asked now."""
        with self._lock:
            if self._engine is not None:
                self._engine.abort()

    def kill(self) -> None:
        """Ends what is being asked, and the engine."""
        self._closed = True
        self.cancel()

    def close(self) -> None:
        """Gives back what the engine holds; by the thread that used it."""
        with self._lock:
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def _started(self) -> AbortableEngine:
        with self._lock:
            if self._closed:
                raise EngineClosed
            if self._engine is None:
                engine = cast("AbortableEngine", importlib.import_module(self._spec.module).create_engine(self._spec.options))
                engine.warm_up()
                self._engine = engine
            return self._engine
