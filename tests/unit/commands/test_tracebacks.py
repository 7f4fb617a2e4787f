"""What a log says of an error: where it happened, and not what was in the variables there; and what is no error, and has no traceback."""

import signal
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


INTERRUPTED = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "streams.cli":
            os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupting())
from streams.start import main
main()
"""


def test_ctrl_c_while_the_command_loads_is_no_error() -> None:
    """It showed the traceback of whatever module was being loaded, for a second or so after the start of any command."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")
