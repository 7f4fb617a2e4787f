"""The console on a real Kafka with real workers: a file goes in over HTTP, and comes out read, found, drawn and downloaded."""

import io
import json
import zipfile
from collections.abc import Iterator

import httpx
import pytest

from samples.make_samples import harvest, letter, scanned
from streams import local
from streams.console.board import Board
from streams.console.library import Library
from streams.console.serving import console
from streams.index.tantivy_index import TantivyReader
from streams.kafka.admin import TopicAdmin
from streams.kafka.embedded import EmbeddedKafka
from streams.loading import load_settings
from streams.settings import Settings
from tests.waiting import wait_until

HEADER = "x-pageloom-upload"


@pytest.fixture(scope="module")
def settings(kafka: EmbeddedKafka, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A pipeline without recognition."""
    folder = str(tmp_path_factory.mktemp("console"))
    settings = load_settings({}, bootstrap_servers=kafka.bootstrap_servers, data_dir=folder, read_processes=1, finish_processes=1, console_port=0)
    TopicAdmin(settings.bootstrap_servers).ensure_topics(local.topic_specs(settings))
    with local.LocalWorkers(settings, workers=(("open", "read"), ("assemble",), ("index",))):
        yield settings


@pytest.fixture(scope="module")
def client(settings: Settings) -> Iterator[httpx.Client]:
    with console(settings) as address, httpx.Client(base_url=address.url, timeout=60) as client:
        yield client


def cards(client: httpx.Client) -> dict[str, dict]:
    """All cards by key, from the first event of the stream."""
    with client.stream("GET", "/api/events") as answer:
        for line in answer.iter_lines():
            if line.startswith("data: "):
                return {card["key"]: card for card in json.loads(line.removeprefix("data: "))["cards"]}
    raise AssertionError("the stream ended without an event")


def ended(client: httpx.Client, key: str) -> dict:
    def look() -> dict | None:
        card = cards(client).get(key, {})
        return card if card.get("stage") in ("complete", "partial", "failed") else None

    return wait_until(look, 90, f"document {key} ends")


def upload(client: httpx.Client, name: str, data: bytes) -> str:
    answer = client.post("/api/documents", content=data, headers={HEADER: json.dumps({"filename": name})})
    assert answer.status_code == 202, answer.text
    key: str = answer.json()["key"]
    return key


@pytest.fixture(scope="module")
def key(client: httpx.Client) -> str:
    """The key of a document that is finished and indexed."""
    key = upload(client, "harvest.pdf", harvest().tobytes())
    card = ended(client, key)
    assert (card["stage"], card["marks"], card["filename"]) == ("complete", "eeee", "harvest.pdf")
    assert set(card["trust"]) == {"9"}
    wait_until(lambda: client.get("/api/search?q=Garrowby").json()["hits"], 30, "the document is found")
    return key


def test_a_cell_of_a_joined_table_is_found_on_its_page_and_the_page_is_drawn(client: httpx.Client, key: str) -> None:
    hits = client.get("/api/search", params={"q": "Garrowby Sunflower"}).json()["hits"]
    assert {hit["key"] for hit in hits} == {key}
    places = client.get(f"/api/documents/{key}/find", params={"q": "Garrowby Sunflower"}).json()
    third = [place for place in places if place["page"] == 3]
    assert third
    assert third[0]["box"]
    page = client.get(f"/api/documents/{key}/pages/3").json()
    (table,) = [block["table"] for block in page["blocks"] if block["type"] == "table"]
    assert (table["rows"], [join["decision"] for join in table["joins"]]) == (113, ["joined", "joined"])
    picture = client.get(f"/api/documents/{key}/pages/3/image")
    assert (picture.headers["content-type"], picture.content[:4]) == ("image/png", b"\x89PNG")


def test_downloads_are_whole(client: httpx.Client, key: str) -> None:
    markdown = client.get(f"/api/documents/{key}/download/markdown")
    text = markdown.content
    if markdown.headers["content-type"] == "application/zip":
        text = zipfile.ZipFile(io.BytesIO(text)).read("document.md")
    assert b"# Harvest of 1986" in text
    assert client.get(f"/api/documents/{key}/download/json").json()["page_count"] == 4
    assert "<table" in client.get(f"/api/documents/{key}/download/html").text


def test_a_document_that_was_only_found_can_be_opened(settings: Settings, client: httpx.Client, key: str) -> None:
    """As after a restart, with a board that no longer holds it: the search hit says when it was published."""
    library = Library(settings, Board())
    try:
        library.remember(TantivyReader(settings.index_path).search("Garrowby", 5).hits)
        assert library.open(key).document.filename == "harvest.pdf"
        assert library.picture(key, 1).startswith(b"\x89PNG")
    finally:
        library.close()


def test_a_failure_says_why_and_can_be_tried_again(client: httpx.Client, key: str) -> None:
    broken = upload(client, "broken.pdf", b"%PDF-1.7 nothing")
    card = ended(client, broken)
    assert (card["stage"], card["code"]) == ("failed", "corrupt")
    began_ms = card["began_ms"]
    assert client.post(f"/api/documents/{broken}/replay").status_code == 202
    wait_until(lambda: cards(client)[broken]["began_ms"] > began_ms and cards(client)[broken]["stage"] == "failed", 60, "it failed again")
    refused = client.post(f"/api/documents/{key}/replay")
    assert (refused.status_code, refused.json()["message"]) == (404, "nothing of this document failed")


def test_the_pipeline_is_sampled(client: httpx.Client, key: str) -> None:
    def workers() -> dict[str, int] | None:
        with client.stream("GET", "/api/events") as answer:
            lines = answer.iter_lines()
            for line in lines:
                if line == "event: samples":
                    stages = json.loads(next(lines).removeprefix("data: "))[-1]["stages"]
                    found = {stage["name"]: stage["workers"] for stage in stages}
                    return found if len(found) == 5 else None
        return None

    found = wait_until(workers, 30, "a sample with stages")
    assert {name: count > 0 for name, count in found.items()} == {"open": True, "read": True, "infer": False, "assemble": True, "index": True}


def test_the_address_is_printed_without_a_token_on_loopback(settings: Settings) -> None:
    with console(settings) as address:
        assert (address.host, "token" in address.url) == ("127.0.0.1", False)
        assert httpx.get(address.url, headers={"host": "evil.example"}).status_code == 421


def test_an_unfinished_document_is_cancelled(client: httpx.Client) -> None:
    """Nobody recognizes here, so a scan waits for as long as it takes."""
    key = upload(client, "scan.pdf", scanned(letter()).tobytes())
    wait_until(lambda: cards(client).get(key, {}).get("marks") == "q", 60, "the scan waits for a model")
    assert client.get(f"/api/documents/{key}").status_code == 404
    assert client.post(f"/api/documents/{key}/cancel").status_code == 202
    card = ended(client, key)
    assert (card["stage"], card["code"]) == ("failed", "cancelled")
