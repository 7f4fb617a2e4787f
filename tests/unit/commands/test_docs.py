"""Commands that the documentation shows exist, with the options that it shows; programs of docs/recipes.md are run by the integration tests."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
import yaml

from streams.cli import app

ROOT = Path(__file__).parents[3]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


def commands(page: Path) -> Iterator[list[str]]:
    """The words of each line of the page's shell blocks, without comments and variables before them."""
    for block in re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                words.pop(0)
            if words:
                yield words


def problem_of(words: list[str]) -> str:
    """Why a command line would be refused before anything runs; empty for none. Values are not looked at: files need not exist."""
    command, rest = typer.main.get_command(app), words[1:]
    while hasattr(command, "commands"):
        name = rest.pop(0)
        if name not in command.commands:
            return f"no command {name}"
        command = command.commands[name]
    options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    unknown = [word for word in rest if word.startswith("-") and word.partition("=")[0] not in options]
    return f"{' '.join(words[:3])} has no {unknown[0]}" if unknown else ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_shown_exist(page: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    for words in commands(page):
        if words[0] == "pageloom":
            assert problem_of(words) == ""
        elif words[0] == "make":
            assert {word for word in words[1:] if "=" not in word} <= targets
        elif words[:2] == ["docker", "compose"]:
            scaled = {words[at + 1].partition("=")[0] for at, word in enumerate(words) if word == "--scale"}
            assert scaled <= compose["services"].keys()


def test_commands_of_the_compose_file_exist() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    given = [service["command"] for service in services.values() if service["image"].startswith("pageloom")]
    assert len(given) > 5
    assert [problem for command in given if (problem := problem_of(["pageloom", *command]))] == []


def test_what_does_not_exist_would_be_found() -> None:
    for words in (["pageloom", "serach", "a"], ["pageloom", "search", "a", "--as-xml"], ["pageloom", "failed", "shwo"]):
        assert problem_of(words)
