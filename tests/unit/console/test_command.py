"""`pageloom console` and the console of `pageloom up`, where it cannot be: said to a person, and no harm to the pipeline."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from streams import cli_console
from streams.cli import app
from streams.loading import load_settings
from streams.settings import SettingsError

NOT_OURS = "192.0.2.1"
"""An address for documentation (RFC 5737): no machine has it."""


def test_without_a_kafka_it_says_what_to_do(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["console"], env={"PAGELOOM_DATA_DIR": str(tmp_path), "PAGELOOM_BOOTSTRAP_SERVERS": ""})
    assert isinstance(done.exception, SettingsError)
    assert "pageloom up" in str(done.exception)


def test_an_address_that_is_not_ours_is_an_error_of_the_setting(tmp_path: Path) -> None:
    environment = {"PAGELOOM_DATA_DIR": str(tmp_path), "PAGELOOM_BOOTSTRAP_SERVERS": "127.0.0.1:1"}
    done = CliRunner().invoke(app, ["console", "--host", NOT_OURS], env=environment)
    assert isinstance(done.exception, SettingsError)
    assert "PAGELOOM_CONSOLE_HOST" in str(done.exception)


def test_a_pipeline_runs_without_its_console_where_that_cannot_listen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = load_settings({}, data_dir=str(tmp_path), bootstrap_servers="127.0.0.1:1", console_host=NOT_OURS)
    with cli_console.beside(settings) as url:
        assert url is None
    assert "no console" in capsys.readouterr().err


def test_other_commands_do_not_pay_for_a_web_server() -> None:
    code = "import sys, streams.cli; print([m for m in ('uvicorn', 'starlette', 'streams.console') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
