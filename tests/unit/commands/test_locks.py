"""The lock files hold every requirement, each with its hashes; `make lock` renews them."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = {"dev.txt": ("dev",), "image.txt": ("opensearch", "tracing")}


def pinned(file: str) -> dict[str, set[str]]:
    """Name → versions; more than one where platforms or Pythons differ."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", (ROOT / "locks" / file).read_text(), re.M):
        found.setdefault(canonicalize_name(name), set()).add(version)
    return found


@pytest.mark.parametrize("file", EXTRAS)
def test_every_requirement_is_locked_within_its_bounds(file: str) -> None:
    locked = pinned(file)
    wanted = [*PROJECT["dependencies"], *(line for extra in EXTRAS[file] for line in PROJECT["optional-dependencies"][extra])]
    for requirement in map(Requirement, wanted):
        versions = locked.get(canonicalize_name(requirement.name), set())
        assert versions, f"{requirement.name} is not in locks/{file}; run `make lock`"
        assert all(requirement.specifier.contains(Version(version), prereleases=True) for version in versions), requirement


@pytest.mark.parametrize("file", EXTRAS)
def test_every_pin_has_hashes_and_nothing_comes_from_elsewhere(file: str) -> None:
    text = (ROOT / "locks" / file).read_text()
    for entry in re.split(r"\n(?=[A-Za-z0-9])", text.strip()):
        assert "==" in entry.splitlines()[0]
        assert "--hash=sha256:" in entry
    assert "http" not in re.sub(r"^[A-Za-z0-9._-]*http[A-Za-z0-9._-]*(\[[^\]]*\])?==", "", text, flags=re.M)
