"""Wrong usage in the words of a person: the library that checks values has some of its own. Knows no command."""

from typing import Any

import typer
from typer.core import TyperGroup

PLAIN = {
    "int_parsing": "must be a whole number",
    "float_parsing": "must be a number",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than_equal": "must be at most {le:g}",
    "value_error": "{error}",
}
"""What is said of a value, by what the library calls the error, with what it tells of it."""


class PlainGroup(TyperGroup):
    """Commands whose wrong values are told so."""

    def invoke(self, ctx: Any) -> Any:
        """See `TyperGroup.invoke`, in which the values of a command are checked."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = in_plain_words(error)
            raise


def in_plain_words(error: typer.BadParameter) -> str:
    """The message of an error, in our words where the library's is known."""
    cause: Any = error.__cause__
    for found in cause.errors() if hasattr(cause, "errors") else ():
        if found["type"] in PLAIN:
            return PLAIN[found["type"]].format(**found.get("ctx", {}))
    return str(error.message)
