"""What a log says of an error: where it happened, and not what was in the variables there."""

import subprocess
import sys

import pytest

CODE = """
import logging, sys
from streams.logs import configure_logging
configure_logging("info", json=sys.argv[1] == "json")
def read(password):
    raise ValueError("not readable")
try:
    read("geheim-4711")
except ValueError:
    logging.getLogger("a.library").exception("it failed")
"""


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_traceback_shows_no_local_variables(form: str) -> None:
    done = subprocess.run([sys.executable, "-c", CODE, form], capture_output=True, text=True, check=True)
    assert "not readable" in done.stderr
    assert "geheim" not in done.stderr.replace('read("geheim-4711")', "")
