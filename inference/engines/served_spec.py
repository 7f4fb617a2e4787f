"""What a model behind a shared server can do and how it is named, from the settings alone: nothing is connected, and no picture library is loaded."""

import hashlib
import json

from inference.dialects import DIALECTS, Dialect, dialect_of
from inference.types import EngineCapabilities, EngineOptions
from schemas.errors import Code, PageloomError

ATTEMPTS = 2
"""The same page again with a warmer temperature: a loop seldom begins twice at the same place."""
OPTIONS = "1"
"""Raised with every change of our own code that changes what is made of an answer."""


def spoken(options: EngineOptions) -> Dialect:
    """The dialect that the settings name, or the one of the model. Raises PageloomError for one that nobody knows."""
    if options.dialect and options.dialect not in DIALECTS:
        raise PageloomError(Code.ENGINE_FAILED, f"the settings name the dialect {options.dialect!r}; known are: {', '.join(DIALECTS)}")
    return _dialect(options)


def capabilities(options: EngineOptions, batch_pages: int = 1) -> EngineCapabilities:
    """What the engine can do with the model that the settings name. A dialect that nobody knows is refused when the engine starts."""
    dialect = _dialect(options)
    return EngineCapabilities(
        scripts=("any that its model reads",),
        layout=True,
        tables=True,
        equations=True,
        window_pages=dialect.window_pages,
        batch_pages=batch_pages,
        attempts=ATTEMPTS,
    )


def version(options: EngineOptions) -> str:
    """Model, dialect, prompt and options in a short name; the weights behind the name are the server's."""
    dialect = _dialect(options)
    told = [dialect.name, options.prompt or dialect.prompt, dialect.repeated, dialect.extra, options.max_tokens or dialect.max_tokens, OPTIONS]
    digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
    return f"{options.model or 'default'}+{digest[:12]}"


def _dialect(options: EngineOptions) -> Dialect:
    """The dialect by its name, else by the model's."""
    return DIALECTS.get(options.dialect) or dialect_of(options.model)


def prompt_of(dialect: Dialect, options: EngineOptions, pages: int = 0, mark: str = "") -> str:
    """What is said to a model beside the images of `pages` pages, each announced by `mark`; the settings' prompt goes before the dialect's."""
    return mark * pages + (options.prompt or dialect.prompt)
