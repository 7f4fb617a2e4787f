"""`pageloom search`: hits with place and marked words, one JSON object a line for programs, and what of the query was not understood."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from streams.cli import app
from streams.index.chunks import chunks_of
from streams.index.sink import IndexedDocument, SinkRefuses
from streams.index.tantivy_index import TantivySink
from streams.settings import SettingsError
from tests.unit.index.test_index import block, document


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    sink = TantivySink(tmp_path)
    parts = document(block("Die Überlieferung der Dörfer \x1b[31m[bold]x[/bold]", path=("Ernte",), page=4))
    sink.replace(IndexedDocument(document_id="d", revision=1, filename="bericht.pdf", metadata={}), chunks_of(parts))
    sink.commit()
    sink.close()
    return tmp_path


def search(folder: Path, *arguments: str, **more: str) -> Result:
    return CliRunner().invoke(app, ["search", *arguments], env={"PAGELOOM_INDEX_DIR": str(folder), "PAGELOOM_BOOTSTRAP_SERVERS": "", **more})


def test_a_hit_says_where_it_is_and_what_of_it_was_found(folder: Path) -> None:
    done = search(folder, "uberlieferung")
    assert done.exit_code == 0
    assert "bericht.pdf (d), page 4 — Ernte" in done.stdout
    assert "Die Überlieferung der Dörfer" in done.stdout
    assert "[bold]x[/bold]" in done.stdout  # the document's words, not markup of ours
    assert "\x1b[31m" not in done.stdout


def test_for_programs_a_hit_is_one_line_of_json(folder: Path) -> None:
    done = search(folder, "UBERLIEFERUNG", "--json")
    (hit,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert (hit["document_id"], hit["page"], hit["heading_path"], hit["types"]) == ("d", 4, ["Ernte"], ["paragraph"])
    assert [piece["text"] for piece in hit["excerpt"] if piece["hit"]] == ["Überlieferung"]


def test_what_of_a_query_is_not_understood_is_said_beside_the_hits(folder: Path) -> None:
    done = search(folder, 'dorfer "uberlieferung der', "--json")
    assert "quotation mark is not closed" in done.stderr
    assert len(done.stdout.splitlines()) == 1
    done = search(folder, "--", "-dorfer")
    assert "only exclusions" in done.stderr


@pytest.mark.parametrize(
    ("query", "says"), [("", "nothing was asked"), ("page:3..1", "page:1..3"), ("-dorfer", "only exclusions"), ("()", "brackets")]
)
def test_a_query_that_asks_nothing_is_wrong_usage(folder: Path, query: str, says: str) -> None:
    done = search(folder, "--", query)
    assert done.exit_code == 2
    assert says in done.stderr
    assert done.stdout == ""


def test_a_range_the_wrong_way_round_is_told_and_left_out(folder: Path) -> None:
    done = search(folder, "dorfer page:5..4")
    assert done.exit_code == 0
    assert "page:4..5" in done.stderr
    assert "page 4" in done.stdout


def test_an_index_that_is_not_there_or_not_ours_is_an_error_for_a_person(tmp_path: Path) -> None:
    assert isinstance(search(tmp_path / "none", "a").exception, FileNotFoundError)
    (tmp_path / "meta.json").write_text("{}")
    assert isinstance(search(tmp_path, "a").exception, SinkRefuses | FileNotFoundError)
    assert isinstance(search(tmp_path, "a", PAGELOOM_SEARCH_INDEX="lucene").exception, SettingsError)


def test_the_version_is_told() -> None:
    done = CliRunner().invoke(app, ["--version"])
    assert done.exit_code == 0
    assert done.stdout.startswith("pageloom")


@pytest.mark.parametrize(
    ("setting", "value"), [("ENGINE", "rapidorc"), ("ENGINE_FALLBACK", "tesserakt"), ("SEARCH_INDEX", "lucene")], ids=["engine", "fallback", "index"]
)
def test_up_starts_nothing_with_a_word_that_a_worker_would_refuse(tmp_path: Path, setting: str, value: str) -> None:
    """It started everything, and ended after five deaths of a worker."""
    environment = {"PAGELOOM_BOOTSTRAP_SERVERS": "", f"PAGELOOM_{setting}": value, "PAGELOOM_DATA_DIR": str(tmp_path / "data")}
    done = CliRunner().invoke(app, ["up"], env=environment)
    assert isinstance(done.exception, SettingsError)
    assert value in str(done.exception)
    assert not (tmp_path / "data").exists()


def test_up_starts_no_second_kafka_beside_the_one_that_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["up"], env={"PAGELOOM_BOOTSTRAP_SERVERS": "127.0.0.1:1", "PAGELOOM_DATA_DIR": str(tmp_path)})
    assert isinstance(done.exception, SettingsError)
    assert "pageloom worker" in str(done.exception)
