"""What the commands share: where they print, and the settings that they run with."""

import os
import sys

import msgspec
from rich.console import Console

from streams import local
from streams.settings import Settings, SettingsError, load_settings
from streams.wire import speak

PIPED_COLUMNS = 400
"""Of output that is no terminal: names and ids are for other programs then, and are never folded or cut."""

out = Console(highlight=False, width=None if sys.stdout.isatty() or os.environ.get("COLUMNS") else PIPED_COLUMNS)
err = Console(stderr=True, highlight=False)


def current_settings() -> Settings:
    """The settings of the environment. Raises SettingsError."""
    return load_settings(os.environ)


def connected() -> Settings:
    """Settings with the address of a Kafka that runs. Raises SettingsError when there is none."""
    settings = current_settings()
    running = settings.bootstrap_servers or local.running_pipeline(settings)
    if not running:
        raise SettingsError("no Kafka: set PAGELOOM_BOOTSTRAP_SERVERS, or run `pageloom up` in another terminal")
    found = msgspec.structs.replace(settings, bootstrap_servers=running)
    speak(found, writes=False)
    return found
