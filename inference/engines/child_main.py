"""The engine process: `python -P -m inference.engines.child_main FD PARENT_PID` serves one engine over the socket FD until it is closed.

It holds nothing of the worker but that socket, writes no core file, is limited in memory, and dies with the worker's thread, however that ends.
"""

import ctypes
import importlib
import os
import resource
import signal
import socket
import sys
from pathlib import Path
from typing import cast

from inference.engines import wire
from inference.engines.protocol import Engine
from inference.recognition import recognize_units
from inference.types import EngineCapabilities
from schemas.errors import PageloomError

_PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    """Serves until the worker closes the socket."""
    descriptor, parent = int(arguments[0]), int(arguments[1])
    _die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the worker decides when its engines end
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with socket.socket(fileno=descriptor) as connection:
        try:
            serve(connection)
        except wire.Disconnected:
            return


def serve(connection: socket.socket) -> None:
    """Makes the engine that the worker names, then answers its work. Raises Disconnected when the worker is gone."""
    hello = wire.receive(connection, wire.Hello, wire.MAX_WORK_BYTES)
    engine = cast("Engine", importlib.import_module(hello.module).create_engine(hello.options))
    try:
        engine.warm_up()
    except PageloomError as error:
        wire.send(connection, wire.Unfit(error.code, str(error)))
        return
    if hello.memory_bytes:
        _limit_memory(hello.memory_bytes)
    wire.send(connection, wire.Ready())
    try:
        while True:
            _answer(connection, engine, wire.receive(connection, wire.Work, wire.MAX_WORK_BYTES), hello.capabilities)
    finally:
        engine.close()


def _answer(connection: socket.socket, engine: Engine, work: wire.Work, capabilities: EngineCapabilities) -> None:
    """Answers in steps of what pays to be computed together, each as soon as it is there: a crash then costs the step it happened in."""
    for first, last in wire.steps([len(unit.pages) for unit in work.units], capabilities.batch_pages):
        answers = recognize_units(engine, work.units[first:last], capabilities)
        for index, answer in enumerate(answers, first):
            wire.send(connection, wire.Answered(index, answer))


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit("the worker ended before its engine started")


def _limit_memory(memory_bytes: int) -> None:
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        limit = pages * resource.getpagesize() + memory_bytes
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    main(sys.argv[1:])
