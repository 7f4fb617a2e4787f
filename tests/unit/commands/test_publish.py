"""`pageloom publish`: files and references onto the log, under ids of their own or one that is given."""

import os
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from schemas import codec
from schemas.events import DocumentSubmitted
from streams import cli, publishing, terminal
from streams.kafka.producing import Place
from streams.kafka.records import OutputRecord
from streams.settings import Settings


class Log:
    """Takes records as a cluster does."""

    def __init__(self) -> None:
        self.records: list[OutputRecord] = []

    def send(self, record: OutputRecord, **_: Any) -> Place:
        self.records.append(record)
        return Place(record.topic, 0, len(self.records) - 1)

    def submitted(self) -> list[DocumentSubmitted]:
        return [codec.decode(record.value or b"", DocumentSubmitted) for record in self.records]


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Log:
    log = Log()
    monkeypatch.setattr(publishing, "Producing", lambda *_, **__: log)
    monkeypatch.setattr(cli, "connected", lambda: Settings(bootstrap_servers="b:1", data_dir=str(tmp_path / "data")))
    monkeypatch.setenv("PAGELOOM_DATA_DIR", str(tmp_path / "data"))
    return log


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli.app, ["publish", *arguments])


def test_a_document_by_reference_is_published_without_its_bytes(log: Log) -> None:
    done = run("--uri", "https://example.org/inbox/a%20b.pdf?signature=x", "--id", "a")
    assert done.exit_code == 0, done.output
    (submitted,) = log.submitted()
    assert (submitted.uri, submitted.content, submitted.document) == ("https://example.org/inbox/a%20b.pdf?signature=x", None, None)
    assert submitted.filename == "a b.pdf"
    assert log.records[0].key == b"a"
    assert "a  documents.ingest[0]@0" in done.output


def test_references_and_files_go_together_and_each_has_an_id_of_its_own(log: Log, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("x.txt", "y.txt"):
        (tmp_path / "folder" / name).write_text(name)
    done = run(str(tmp_path / "folder"), "--uri", "s3://bucket/z.pdf", "--uri", "s3://bucket/z.pdf")
    assert done.exit_code == 0, done.output
    assert [submitted.filename for submitted in log.submitted()] == ["x.txt", "y.txt", "z.pdf", "z.pdf"]
    assert len({record.key for record in log.records}) == 4


@pytest.mark.timeout(30)
def test_what_is_waited_for_is_said_once_it_takes_long(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A broker that does not answer was waited for half a minute in silence."""
    with terminal.told_if_slow("waiting for it"):
        pass
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(terminal, "SLOW_S", 0.0)
    said, deadline_s = "", time.monotonic() + 10
    with terminal.told_if_slow("waiting for it"):
        while not said and time.monotonic() < deadline_s:
            said = capsys.readouterr().err
    assert said == "waiting for it …\n"


def test_a_pipe_is_refused_and_not_waited_for(log: Log, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    done = run(str(tmp_path / "pipe"))
    assert done.exit_code == 1
    assert "pipe: a pipe or a device; write what comes of it to a file first" in done.output.replace("\n", " ")
    assert not log.records


def test_a_file_that_cannot_be_published_costs_itself(log: Log, tmp_path: Path) -> None:
    """Those behind it were left out without a word."""
    os.mkfifo(tmp_path / "b")
    for name in "ac":
        (tmp_path / name).write_text(name)
    done = run(*(str(tmp_path / name) for name in "abc"))
    assert done.exit_code == 1
    assert [submitted.filename for submitted in log.submitted()] == ["a", "c"]
    assert "not published: b: a pipe" in done.output
    assert "2 of 3 files published" in done.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "give files, folders or --uri"),
        (("--uri", "s3://b/1", "--uri", "s3://b/2", "--id", "a"), "--id names one document"),
        (("--uri", "ftp://b/1"), "ftp"),
    ],
)
def test_what_cannot_be_published_is_refused_with_nothing_on_the_log(log: Log, arguments: tuple[str, ...], says: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert says in done.output
    assert not log.records
