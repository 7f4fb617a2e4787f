"""The engines that this machine can run, in this process, with the guards of a worker around them."""

import importlib
from collections.abc import Sequence
from typing import cast

from inference.engines.protocol import Engine
from inference.engines.registry import engines
from inference.recognition import recognize_units
from inference.types import EngineSpec, PageAnswer, PageInput, Unit
from schemas.errors import PageloomError

MEASURED = ("rapidocr", "tesseract", "torch-ocr")
"""The engines that need nothing but themselves; `openai` needs a server, and `transformers` a model that somebody names."""


class Bench:
    """One engine, loaded."""

    def __init__(self, spec: EngineSpec) -> None:
        """Raises PageloomError and ImportError where the engine cannot work here."""
        spec.version()
        self.spec = spec
        self._engine = cast("Engine", importlib.import_module(spec.module).create_engine(spec.options))
        self._engine.warm_up()

    def read(self, pages: Sequence[PageInput]) -> list[PageAnswer]:
        """The pages as one batch."""
        return [answer for (answer,) in recognize_units(self._engine, [Unit((page,)) for page in pages], self.spec.capabilities)]

    def close(self) -> None:
        """Gives the models back."""
        self._engine.close()


def runnable() -> tuple[list[Bench], list[str]]:
    """The engines that start, and for each other one a line that says why it does not."""
    found: list[Bench] = []
    missing: list[str] = []
    for name, spec in engines().items():
        if name not in MEASURED:
            missing.append(f"{name}: not run, it needs a model of somebody's choice ({'a server' if name == 'openai' else 'its name or folder'})")
            continue
        try:
            found.append(Bench(spec))
        except (PageloomError, ImportError) as error:
            missing.append(f"{name}: not run, {error}")
    return found, missing
