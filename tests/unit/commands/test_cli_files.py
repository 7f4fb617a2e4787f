"""What is published of what a person names: files, folders, references; and what is said of the rest."""

import os
from pathlib import Path

import pytest
import typer

from streams import cli_files, local, terminal
from streams.kafka.errors import BrokerUnreachableError
from streams.outputs import InputFile
from streams.settings import Settings, SettingsError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.pdf", "a.txt", ".hidden", "deeper/c.pdf", "deeper/still/d.pdf", ".git/config", "deeper/.x/e.pdf"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "deeper/back").symlink_to(tmp_path)
    return tmp_path


def names(files: list[InputFile], folder: Path) -> list[str]:
    return [str(file.path.relative_to(folder)) for file in files]


def test_files_in_deeper_folders_are_left_out_and_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They were left out without a word."""
    assert names(cli_files.files_of([folder], recursive=False), folder) == ["a.txt", "b.pdf"]
    assert "2 files in folders below it left out; --recursive takes them too" in capsys.readouterr().err.replace("\n", " ")


def test_what_is_left_out_is_not_looked_for_without_end(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Naming `/` without --recursive read the whole disk before anything was published."""
    monkeypatch.setattr(cli_files, "MAX_LOOKED", 1)
    assert names(cli_files.files_of([folder], recursive=False), folder) == ["a.txt", "b.pdf"]
    assert "at least 1 file in folders below it left out" in capsys.readouterr().err.replace("\n", " ")
    assert len(cli_files.files_of([folder], recursive=True)) == 4


def test_a_folder_that_cannot_be_read_is_told_and_costs_itself(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was left out without a word, or, behind a link, ended the command."""
    scan = os.scandir

    def refusing(place: str) -> object:
        if str(place).endswith("deeper"):
            raise PermissionError(13, "Permission denied", str(place))
        return scan(place)

    monkeypatch.setattr(os, "scandir", refusing)
    assert names(cli_files.files_of([folder], recursive=True), folder) == ["a.txt", "b.pdf"]
    assert "deeper: Permission denied; what is in it is left out" in capsys.readouterr().err.replace("\n", " ")


def test_all_files_of_a_folder_and_of_those_below_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = cli_files.files_of([folder / "a.txt", folder], recursive=True)
    assert names(found, folder) == ["a.txt", "b.pdf", "deeper/c.pdf", "deeper/still/d.pdf"]
    assert [str(file.folder) for file in found] == [".", ".", "deeper", "deeper/still"]
    assert capsys.readouterr().err == ""


def test_results_of_an_earlier_run_are_no_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    found = cli_files.files_of([Path()], recursive=True, without=Path("deeper/../deeper/still"))
    assert [file.path.as_posix() for file in found] == ["a.txt", "b.pdf", "deeper/c.pdf"]


def test_a_file_that_is_named_twice_is_one_and_results_beside_it_are_none(tmp_path: Path) -> None:
    """Results in the folder that was named were parsed as documents by the next run."""
    for name in ("a.pdf", "a.pdf.json", "a.pdf.md", "a.pdf.error.json", "b.json", "a.pdf.figures/figure-1.png", "x/c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = cli_files.files_of([tmp_path / "x" / ".." / "a.pdf", tmp_path, tmp_path / "x"], recursive=True, without=tmp_path)
    assert [file.path.resolve().relative_to(tmp_path.resolve()).as_posix() for file in found] == ["a.pdf", "b.json", "x/c.txt"]
    elsewhere = cli_files.files_of([tmp_path], recursive=False, without=tmp_path / "x")
    assert len(elsewhere) == 5, "where results go elsewhere, every file is a document"


def test_folders_without_files_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(typer.BadParameter, match="no files"):
        cli_files.files_of([tmp_path / "empty"], recursive=True)


def test_a_folder_that_takes_no_results_is_told_before_any_work(tmp_path: Path) -> None:
    """`[Errno 2] No such file or directory`, or a pipeline was started and each result failed."""
    cli_files.make_folder(tmp_path / "new" / "folder")
    assert (tmp_path / "new" / "folder").is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(typer.BadParameter, match=r"--output .*file/deeper: nothing can be written there \(Not a directory\)"):
        cli_files.make_folder(tmp_path / "file" / "deeper")


def test_a_data_folder_that_cannot_be_made_names_its_setting(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(SettingsError, match=r"written to the data folder .*file \(File exists\); free .* PAGELOOM_DATA_DIR"),
        local.embedded_broker(Settings(data_dir=str(tmp_path / "file"))),
    ):
        pass


def test_an_error_of_the_system_is_told_without_its_number() -> None:
    assert terminal.said(FileNotFoundError(2, "No such file or directory", "a.pdf")) == "a.pdf: No such file or directory"
    assert terminal.said(FileNotFoundError("no search index here")) == "no search index here"


ELSEWHERE = Settings(bootstrap_servers="b:1")
ROOTS = Settings(bootstrap_servers="b:1", uri_roots="https://example.org/inbox/, s3://bucket/in/")


@pytest.mark.parametrize("uri", ["https://example.org/inbox/a.pdf?signature=1", "s3://bucket/in/a.pdf"])
def test_a_uri_below_a_root_is_taken_as_it_is(uri: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli_files.checked_uri(uri, ROOTS) == uri
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("uri", "settings", "says"),
    [
        ("https://example.org/elsewhere/a.pdf?key=secret", ROOTS, "below no URI"),
        ("https://example.org/inbox/../a.pdf", ROOTS, "dot"),
        ("gopher://example.org/a", ELSEWHERE, "gopher"),
        ("no uri", ELSEWHERE, "is no URI"),
    ],
)
def test_a_uri_that_nobody_would_fetch_is_refused_before_it_is_published(uri: str, settings: Settings, says: str) -> None:
    with pytest.raises(typer.BadParameter, match=says) as refused:
        cli_files.checked_uri(uri, settings)
    assert "secret" not in str(refused.value)


def test_where_the_settings_here_allow_none_the_workers_decide(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli_files.checked_uri("https://example.org/a.pdf?key=secret", ELSEWHERE) == "https://example.org/a.pdf?key=secret"
    said = capsys.readouterr().err
    assert "PAGELOOM_URI_ROOTS" in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("roots", "uri", "says"),
    [
        ("https://example.org/inbox/", "https://example.org/inbox/a.pdf", ""),
        ("https://example.org/inbox/", "https://example.org/a.pdf?key=secret", "below no URI"),
        ("", "https://example.org/inbox/a.pdf?key=secret", "PAGELOOM_URI_ROOTS"),
    ],
)
def test_the_pipeline_of_this_machine_says_itself_what_it_fetches(tmp_path: Path, roots: str, uri: str, says: str) -> None:
    """A document was published, and failed later, although the workers' settings could be known."""
    mine = Settings(data_dir=str(tmp_path), uri_roots="s3://another/")
    with local.announced(Settings(data_dir=str(tmp_path), uri_roots=roots)):
        if not says:
            assert cli_files.checked_uri(uri, mine) == uri
            return
        with pytest.raises(typer.BadParameter, match=says) as refused:
            cli_files.checked_uri(uri, mine)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("https://h/a/Bericht%202024.pdf?key=1", "Bericht 2024.pdf"),
        ("s3://b/x.docx", "x.docx"),
        ("https://h/", "document"),
        ("https://h/%0A", "\ufffd"),
    ],
)
def test_the_name_of_what_a_uri_leads_to(uri: str, name: str) -> None:
    assert cli_files.name_in(uri) == name


def test_a_kafka_that_is_started_again_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """In that window, `publish` said that nothing runs and `up` is to be run."""
    answers = iter([None, None, "127.0.0.1:9"])
    monkeypatch.setattr(local, "running_pipeline", lambda _: next(answers))
    monkeypatch.setattr(local, "pipeline_owner", lambda _: 42)
    monkeypatch.setattr(terminal, "LOOK_S", 0.001)
    assert terminal.awaited_pipeline(Settings(data_dir=str(tmp_path))) == "127.0.0.1:9"
    assert "starting it again" in capsys.readouterr().err


def test_a_kafka_that_stays_away_is_told_with_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "running_pipeline", lambda _: None)
    monkeypatch.setattr(local, "pipeline_owner", lambda _: 42)
    monkeypatch.setattr(terminal, "RESTART_PATIENCE_S", 0.01)
    monkeypatch.setattr(terminal, "LOOK_S", 0.001)
    with pytest.raises(BrokerUnreachableError, match=r"process 42.*kafka\.log"):
        terminal.awaited_pipeline(Settings(data_dir=str(tmp_path)))


def test_without_a_pipeline_nothing_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGELOOM_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("PAGELOOM_BOOTSTRAP_SERVERS", raising=False)
    with pytest.raises(SettingsError, match="pageloom up"):
        terminal.connected()
