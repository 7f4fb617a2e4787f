"""Names and files that the command line leaves behind."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.blobs import BlobStore
from schemas.document import Document, DocumentStatus
from schemas.errors import Code, Stage, failure_of
from schemas.events import DocumentParsed, Format, Rendering
from schemas.identity import Submission, document_id_of
from streams.outputs import unique_names, write_document, write_failure
from streams.publishing import own_document_id

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=0, appended_ms=0)


@given(st.lists(st.sampled_from(["a", "a-2", "a-2-2", "b"]), max_size=12))
def test_names_are_unique_and_begin_with_the_base_name(names: list[str]) -> None:
    paths = [Path(f"/{number}/{name}") for number, name in enumerate(names)]
    given_names = unique_names(paths)
    assert len(set(given_names)) == len(paths)
    assert all(out.startswith(path.name) for out, path in zip(given_names, paths, strict=True))
    assert all(out == path.name for out, path in zip(given_names, paths, strict=True) if names.count(path.name) == 1)


@given(st.text(max_size=600))
def test_any_file_name_gives_a_legal_document_id(name: str) -> None:
    key = own_document_id(name).encode()
    assert document_id_of(key, "hash") == key.decode()


def parsed(store: BlobStore) -> DocumentParsed:
    document = Document(
        document_id="d", submission="s", revision=1, content_sha256="", filename="a.pdf", media_type="application/pdf", mode="fast",
        status=DocumentStatus.COMPLETE, page_count=0, metadata={}, outline=(), warnings=(), pages=(), blocks=(),
    )  # fmt: skip
    renderings = (
        Rendering(format=Format.MARKDOWN, text="# A\n"),
        Rendering(format=Format.HTML, reference=store.put_shared(b"<p>A</p>")),
    )
    return DocumentParsed(
        document_id="d", submission=SUBMISSION, revision=1, status="complete", filename="a.pdf", content_sha256="", document=document,
        renderings=renderings,
    )  # fmt: skip


def test_an_error_file_and_a_document_never_stand_together(tmp_path: Path) -> None:
    store = BlobStore((tmp_path / "blobs").as_uri())
    out = tmp_path / "out"
    out.mkdir()
    write_failure(out, "a.pdf", failure_of(Code.CORRUPT, Stage.OPEN, "a.pdf: damaged"))
    error = json.loads((out / "a.pdf.error.json").read_text())
    assert (error["code"], error["stage"], error["retryable"]) == ("corrupt", "open", False)
    write_document(out, "a.pdf", parsed(store), (Format.MARKDOWN, Format.HTML), store, 1000)
    assert {p.name for p in out.iterdir()} == {"a.pdf.json", "a.pdf.md", "a.pdf.html"}
    assert (out / "a.pdf.html").read_text() == "<p>A</p>"
    write_failure(out, "a.pdf", failure_of(Code.CORRUPT, Stage.OPEN, "a.pdf: damaged"))
    assert {p.name for p in out.iterdir()} == {"a.pdf.error.json"}


def test_every_code_of_an_error_file_says_what_to_do(tmp_path: Path) -> None:
    for code in Code:
        write_failure(tmp_path, code.value, failure_of(code, Stage.READ, "x"))
        assert json.loads((tmp_path / f"{code.value}.error.json").read_text())["message"].startswith("x; ")


@pytest.mark.parametrize("names", [["a.pdf", "b.pdf"]])
def test_distinct_names_stay_as_they_are(names: list[str]) -> None:
    assert unique_names([Path(n) for n in names]) == names
