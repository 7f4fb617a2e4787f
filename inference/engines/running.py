"""How an engine runs in a worker: in how many lanes, and in which kind of process. Importing it loads no engine."""

import math
import os
from collections.abc import Callable

from msgspec.structs import replace

from inference.config import InferConfig
from inference.engines.child import EngineChild
from inference.engines.registry import ENGINES
from inference.fallback import WithFallback
from inference.reading import Reader
from inference.types import EngineSpec
from schemas.errors import Code, PageloomError

IN_FLIGHT = 1.5
"""Requests kept with a shared server for each that it works on: the next is there when one ends, and none waits long in its queue."""
MAX_LANES = 256
"""Threads of one worker; what a larger server takes beyond that comes from more workers."""


def capacity_of(spec: EngineSpec, config: InferConfig) -> int:
    """How many units the engine works on at once, over all workers for a shared server, else in this one."""
    if not spec.in_process:
        return config.engine_processes or spec.processes or os.cpu_count() or 1
    if config.engine_capacity:
        return config.engine_capacity
    from inference.engines.served import server_capacity  # noqa: PLC0415 - an HTTP client that only shared servers need

    return server_capacity(spec.options)


def resolved(spec: EngineSpec) -> EngineSpec:
    """The engine with the model that it will really ask: of a shared server the first one, where the settings name none. Answers are kept by it.

    Raises PageloomError where the server does not list its models.
    """
    if not spec.in_process or spec.options.model:
        return spec
    from inference.engines.chat import server_state  # noqa: PLC0415 - an HTTP client that only shared servers need

    models, _ = server_state(spec.options.url, "", spec.options.api_key)
    if not models:
        where = spec.options.url or "no server"
        raise PageloomError(
            Code.ENGINE_FAILED, f"engine {spec.name}: {where} lists no model; start it, or set PAGELOOM_ENGINE_URL and PAGELOOM_ENGINE_MODEL"
        )
    return ENGINES[spec.name](replace(spec.options, model=models[0]))


def lanes_for(spec: EngineSpec, capacity: int, workers: float = 1.0) -> int:
    """How many lanes this worker keeps busy, of `workers` that share the engine."""
    return min(MAX_LANES, max(1, math.ceil(IN_FLIGHT * capacity / max(1, workers)))) if spec.in_process else capacity


def engine_maker(spec: EngineSpec, config: InferConfig) -> Callable[[], Reader]:
    """What makes the engine of a lane, with the second engine behind it where the configuration names another one."""
    first = _maker(spec, config)
    fallback = config.engines.get(config.fallback)
    if fallback is None or fallback.name == spec.name:
        return first
    second = _maker(fallback, config)
    return lambda: WithFallback(first(), fallback, second)


def _maker(spec: EngineSpec, config: InferConfig) -> Callable[[], Reader]:
    if spec.in_process:
        from inference.engines.in_process import InProcessEngine  # noqa: PLC0415 - it decodes pictures in the worker, which a child does elsewhere

        return lambda: InProcessEngine(spec)
    return lambda: EngineChild(spec, page_timeout_s=config.page_timeout_s, memory_bytes=config.engine_memory_bytes)
