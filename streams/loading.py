"""Where settings come from: defaults, then a TOML file, then environment variables (`PAGELOOM_<NAME>`); and back, for another process.

Guarantees: what is wrong is told with its name, where it was read and what is wanted there; a value of the wrong type is not quoted, for it may be a
secret that stands in the wrong place.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from streams.bounds import out_of_bounds
from streams.settings import Settings, SettingsError

PREFIX = "PAGELOOM_"
WRONG: dict[Any, str] = {
    int: "no whole number", float: "no number", bool: "neither true nor false", str: "no text",
    dict[str, str]: "no table of texts (in the environment: no JSON object)",
}  # fmt: skip
"""What a value of another type is, in the words of a person."""
_TYPES = {field.name: field.type for field in msgspec.structs.fields(Settings)}


def load_settings(environment: Mapping[str, str], file: Path | None = None, **overrides: Any) -> Settings:
    """Settings from a TOML file (`file`, or the one that `PAGELOOM_SETTINGS` names), the environment, then `overrides` that are not None.

    Raises SettingsError for an unknown name, a wrong type, a number out of range or an unreadable file.
    """
    named = environment.get(PREFIX + "SETTINGS")
    path = file or (Path(named) if named else None)
    values = {} if path is None else _from_file(path)
    for variable, text in environment.items():
        name = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and name != "settings":
            if name not in _TYPES:
                raise SettingsError(f"environment: {variable} is no setting of Pageloom")
            values[name] = _typed(f"environment: {variable}", text, _TYPES[name])
    settings = Settings(**values | {name: value for name, value in overrides.items() if value is not None})
    if wrong := out_of_bounds({name: getattr(settings, name) for name in _TYPES}):
        raise SettingsError(f"settings: {wrong}")
    return settings


def _from_file(path: Path) -> dict[str, Any]:
    """The settings of a TOML file. Raises SettingsError."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"settings file {path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # no TOML, no UTF-8
        raise SettingsError(f"settings file {path}: {error}") from error
    if unknown := sorted(values.keys() - _TYPES.keys()):
        raise SettingsError(f"settings file {path}: unknown settings {', '.join(unknown)}")
    return {name: _typed(f"settings file {path}: {name}", value, _TYPES[name]) for name, value in values.items()}


def _typed(what: str, value: Any, wanted: Any) -> Any:
    """A value in the type of its setting; `what` names it and where it was read. Raises SettingsError."""
    try:
        if wanted == dict[str, str] and isinstance(value, str):  # as the environment says it
            return msgspec.json.decode(value, type=wanted)
        return msgspec.convert(value, wanted, strict=False)
    except msgspec.DecodeError:
        raise SettingsError(f"{what} is {WRONG[wanted]}") from None


def environment_of(settings: Settings) -> dict[str, str]:
    """The environment variables that make `load_settings` give these settings in another process, without a settings file."""
    defaults = Settings()
    return {
        PREFIX + name.upper(): _as_text(getattr(settings, name))
        for name in Settings.__struct_fields__
        if getattr(settings, name) != getattr(defaults, name)
    }


def _as_text(value: Any) -> str:
    if isinstance(value, dict):
        return msgspec.json.encode(value).decode()
    return str(value).lower() if isinstance(value, bool) else str(value)
