"""What is said of a command line that cannot be: in plain words, and nothing is done."""

import pytest
from typer.testing import CliRunner

from streams.cli import app


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("search", "a", "--limit", "x"), "must be a whole number"),
        (("search", "a", "--limit", "0"), "must be at least 1"),
        (("failed", "list", "--days", "x"), "must be a number"),
        (("failed", "list", "--days", "99"), "must be at most 30"),
        (("console", "--port", "99999"), "must be at most 65535"),
        (("publish", "--uri", "s3://b/a", "--mode", "best"), "'best' is not one of"),
        (("worker", "reed"), "'reed' is not one of"),
    ],
)
def test_a_wrong_value_is_told_in_plain_words(arguments: tuple[str, ...], says: str) -> None:
    """They were: "Input should be a valid integer, unable to parse string as an integer", "Value error, 'best' is not one of …"."""
    done = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert says in done.output
    assert not [words for words in ("Input should", "Value error") if words in done.output]
