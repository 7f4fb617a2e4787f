"""What the commands share: where they print, and the settings that they run with."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from rich.console import Console

from streams import local
from streams.kafka.errors import BrokerUnreachableError
from streams.loading import load_settings
from streams.settings import Settings, SettingsError
from streams.wire import speak

PIPED_COLUMNS = 400
"""Of output that is no terminal: names and ids are for other programs then, and are never folded or cut."""

RESTART_PATIENCE_S = 45.0
"""For a broker that its supervisor starts again: 4 to 6 s, ten times that on a machine that has more to do."""
LOOK_S = 0.25
SLOW_S = 2.0
"""Without an answer: a broker on the same machine takes milliseconds."""

out = Console(highlight=False, width=None if sys.stdout.isatty() or os.environ.get("COLUMNS") else PIPED_COLUMNS)
err = Console(stderr=True, highlight=False)


def said(error: Exception) -> str:
    """What an error says to a person; one of the system with its file first, and without its number."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def current_settings() -> Settings:
    """The settings of the environment. Raises SettingsError."""
    return load_settings(os.environ)


def awaited_pipeline(settings: Settings) -> str | None:
    """Where the Kafka of this machine's `pageloom up` answers, None where none runs. One that is being started again is waited for.

    Raises BrokerUnreachableError where that takes too long.
    """
    running = local.running_pipeline(settings)
    if running is not None or local.pipeline_owner(settings) is None:
        return running
    err.print("Kafka does not answer: `pageloom up` is starting it again; waiting")
    deadline = time.monotonic() + RESTART_PATIENCE_S
    while running is None and (owner := local.pipeline_owner(settings)) is not None:
        if time.monotonic() > deadline:
            raise BrokerUnreachableError(
                f"`pageloom up` (process {owner}) runs, but its Kafka has not answered for {RESTART_PATIENCE_S:g} s; "
                f"look at {local.broker_dir(settings) / 'kafka.log'}"
            )
        time.sleep(LOOK_S)
        running = local.running_pipeline(settings)
    return running


@contextmanager
def told_if_slow(what: str) -> Iterator[None]:
    """Says what is waited for, once that takes longer than a person takes for an answer at once."""
    timer = threading.Timer(SLOW_S, lambda: err.print(f"{what} …", markup=False, soft_wrap=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def connected() -> Settings:
    """Settings with the address of a Kafka that runs. Raises SettingsError when there is none."""
    settings = current_settings()
    running = settings.bootstrap_servers or awaited_pipeline(settings)
    if not running:
        raise SettingsError("no Kafka: set PAGELOOM_BOOTSTRAP_SERVERS, or run `pageloom up` in another terminal")
    found = msgspec.structs.replace(settings, bootstrap_servers=running)
    speak(found, writes=False)
    return found
