"""The server over a pipeline in memory: what is answered, with which status and headers; uploads and their limits."""

import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from schemas.content import BlockType
from schemas.document import Document
from schemas.errors import RULES, Code
from schemas.events import Format, Mode, Priority
from streams.console.web.application import create_application
from streams.console.web.guard import Access
from streams.console.web.server import MAX_UNDER_WAY, Console
from streams.console.web.uploads import HEADER, MAX_AT_ONCE, base_name
from streams.index.highlight import excerpt
from streams.index.sink import Hit
from tests.unit.console.documents import DOCUMENT_ID, FIGURE, KEY, block, document, table_over_pages
from tests.unit.console.fakes import FakePipeline

LIMIT = 1_000


def client_of(pipeline: FakePipeline, access: Access | None = None) -> TestClient:
    console = Console(pipeline, max_document_bytes=LIMIT, low_confidence=0.5, engines=("rapidocr", "tesseract"))
    return TestClient(create_application(console, access or Access()), base_url="http://127.0.0.1:8470")


@pytest.fixture
def shown() -> Document:
    return document(block("h", "<script>alert(1)</script>", kind=BlockType.HEADING), table_over_pages(), filename='a"b\r\n<c>.pdf')


@pytest.fixture
def client(shown: Document) -> Iterator[TestClient]:
    with client_of(FakePipeline(shown)) as client:
        yield client


def upload(client: TestClient, body: bytes, **described: object) -> tuple[int, dict]:
    answer = client.post("/api/documents", content=body, headers={HEADER: json.dumps(described)})
    return answer.status_code, answer.json()


def test_the_page_and_all_that_it_names_are_served_with_a_policy(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "unsafe-inline" not in page.headers["content-security-policy"]
    named = [part.split('"')[0] for part in page.text.split('="/static/')[1:]]
    assert len(named) >= 5
    for name in named:
        assert client.get(f"/static/{name}").status_code == 200, name


def test_nothing_outside_of_the_static_folder_is_served(client: TestClient) -> None:
    for path in ("/static/../port.py", "/static/%2e%2e/port.py", "/static/..%2fport.py", "/static/js/../../port.py"):
        assert client.get(path).status_code == 404


def test_a_file_is_published_with_its_options() -> None:
    pipeline = FakePipeline()
    with client_of(pipeline) as client:
        said = {
            "filename": "C:\\folder\\Bericht ü.pdf",
            "mode": "balanced",
            "engine": "tesseract",
            "pages": "1-3",
            "password": "geheim",
            "join_tables": False,
        }
        status, answer = upload(client, b"%PDF", **said)
    assert status == 202
    ((body, filename, options, password),) = pipeline.submitted
    assert (body, filename, password) == (b"%PDF", "Bericht ü.pdf", "geheim")
    assert (options.mode, options.engine, options.pages, options.join_tables) == (Mode.BALANCED, "tesseract", "1-3", False)
    assert (options.formats, options.priority) == (tuple(Format), Priority.INTERACTIVE)
    assert pipeline.board.known(answer["key"]) is not None


def test_a_file_above_the_limit_is_refused_stated_or_not() -> None:
    pipeline = FakePipeline()
    with client_of(pipeline) as client:
        assert upload(client, b"x" * LIMIT, filename="a")[0] == 202
        assert upload(client, b"x" * (LIMIT + 1), filename="a")[0] == 413
        pieces = (b"x" * 100 for _ in range(20))  # no content-length
        answer = client.post("/api/documents", content=pieces, headers={HEADER: '{"filename": "a"}'})
        assert answer.status_code == 413
        assert upload(client, b"x", filename="a")[0] == 202  # what was refused holds no place
    assert len(pipeline.submitted) == 2


@pytest.mark.parametrize("header", ["", "{", "[]", '{"mode": "fast"}', '{"filename": "a", "mode": "odd"}', '{"filename": "a", "x": 1}', "x" * 9_000])
def test_a_header_that_says_nothing_is_refused(client: TestClient, header: str) -> None:
    answer = client.post("/api/documents", content=b"x", headers={HEADER: header} if header else {})
    assert answer.status_code == 400
    assert HEADER in answer.json()["message"]


def test_a_full_disk_is_said_and_holds_no_place() -> None:
    class Full(FakePipeline):
        def submit(self, *_: object) -> str:
            raise OSError(28, "No space left on device")

    with client_of(Full()) as client:
        for _ in range(MAX_AT_ONCE + 1):
            status, answer = upload(client, b"x", filename="a")
            assert (status, "No space left" in answer["message"]) == (503, True)


def test_no_more_files_than_the_pipeline_takes() -> None:
    pipeline = FakePipeline()
    pipeline.board._max_documents = 2 * MAX_UNDER_WAY
    for number in range(MAX_UNDER_WAY):
        pipeline.board.submitted(f"d{number}", "a", number)
    with client_of(pipeline) as client:
        assert upload(client, b"x", filename="a")[0] == 429


@pytest.mark.parametrize(
    ("name", "base"), [("a/b/c.pdf", "c.pdf"), ("..", "document"), ("", "document"), ("/", "document"), ("x\x00y", "xy"), ("n" * 300, "n" * 200)]
)
def test_a_file_name_is_one_name(name: str, base: str) -> None:
    assert base_name(name) == base


def test_a_document_is_read_page_by_page(client: TestClient) -> None:
    overview = client.get(f"/api/documents/{KEY}").json()
    assert (overview["document_id"], len(overview["pages"]), overview["tables"]) == (DOCUMENT_ID, 3, 1)
    page = client.get(f"/api/documents/{KEY}/pages/1")
    assert page.headers["content-type"] == "application/json"  # markup in it is text, and no browser takes it for a page
    assert page.headers["x-content-type-options"] == "nosniff"
    assert [b["type"] for b in page.json()["blocks"]] == ["heading", "table"]
    assert client.get(f"/api/documents/{KEY}/pages/9").status_code == 404
    assert client.get("/api/documents/" + "0" * 40).status_code == 404


def test_pictures_of_pages_and_why_there_is_none(client: TestClient) -> None:
    picture = client.get(f"/api/documents/{KEY}/pages/1/image")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    assert client.get(f"/api/documents/{KEY}/pages/4/image").status_code == 404
    slow = client.get(f"/api/documents/{KEY}/pages/3/image")
    assert (slow.status_code, RULES[Code.TIMED_OUT].next_step in slow.json()["message"]) == (422, True)


def test_only_pictures_of_the_document_are_given_out(client: TestClient) -> None:
    assert client.get(f"/api/documents/{KEY}/figure?name={quote(FIGURE.name)}").headers["content-type"] == "image/png"
    assert client.get(f"/api/documents/{KEY}/figure?name=shared/aa/secret.png").status_code == 404


def test_words_are_found_in_a_document(client: TestClient) -> None:
    (place,) = client.get(f"/api/documents/{KEY}/find?q=flax").json()
    assert (place["page"], place["row"], place["column"]) == (3, 3, 1)


def test_what_is_found_leads_to_page_and_document() -> None:
    hit = Hit(
        document_id=DOCUMENT_ID, filename="", revision=1, chunk=0, page=3, bbox=None, heading_path=("Yields",), text="3 | Flax <b>", score=1.0,
        excerpt=excerpt("3 | Flax <b>", {"flax"}),
    )  # fmt: skip
    with client_of(FakePipeline(hits=(hit,))) as client:
        answer = client.get("/api/search?q=flax").json()
        assert client.get("/api/search?q=%20").json() == {"hits": [], "problems": []}
    (found,), problems = answer["hits"], answer["problems"]
    assert problems == ["said of flax"]
    assert (found["key"], found["page"], found["filename"]) == (KEY, 3, DOCUMENT_ID)
    assert found["excerpt"] == [{"text": "3 | ", "hit": False}, {"text": "Flax", "hit": True}, {"text": " <b>", "hit": False}]


def test_downloads_are_files_with_inert_names(client: TestClient) -> None:
    answer = client.get(f"/api/documents/{KEY}/download/markdown")
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''a%22b%0D%0A%3Cc%3E.pdf.md"
    assert answer.headers["content-security-policy"].startswith("sandbox;")
    assert client.get(f"/api/documents/{KEY}/download/docx").status_code == 404


def test_a_preview_may_not_run_anything(client: TestClient) -> None:
    policy = client.get(f"/api/documents/{KEY}/preview").headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert "allow-scripts" not in policy


def test_cancel_and_replay_reach_the_pipeline_and_need_a_post() -> None:
    pipeline = FakePipeline()
    with client_of(pipeline) as client:
        assert client.post(f"/api/documents/{KEY}/cancel").status_code == 202
        assert client.post(f"/api/documents/{KEY}/replay").status_code == 202
        assert client.get(f"/api/documents/{KEY}/cancel").status_code == 405
    assert pipeline.asked == [("cancel", KEY), ("replay", KEY)]
