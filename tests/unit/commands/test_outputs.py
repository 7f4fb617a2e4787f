"""Names and files that the command line leaves behind."""

import errno
import json
import os
from pathlib import Path, PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.blobs import BlobStore
from schemas.errors import Code, PageloomError, Stage, failure_of
from schemas.events import DocumentOptions, Format, Rendering
from schemas.identity import Submission, document_id_of
from streams.following import DocumentFinished
from streams.outputs import InputFile, unique_names, write_document, write_failure
from streams.publishing import Publisher, own_document_id, printable
from streams.settings import Settings

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=0, appended_ms=0)


@given(st.lists(st.sampled_from(["a", "a-2", "a-2-2", "b"]), max_size=12))
def test_names_are_unique_and_begin_with_the_base_name(names: list[str]) -> None:
    paths = [Path(f"/{number}/{name}") for number, name in enumerate(names)]
    given_names = unique_names([InputFile(path) for path in paths])
    assert len(set(given_names)) == len(paths)
    assert all(out.startswith(path.name) for out, path in zip(given_names, paths, strict=True))
    assert all(out == path.name for out, path in zip(given_names, paths, strict=True) if names.count(path.name) == 1)


@given(st.text(max_size=600))
def test_any_file_name_gives_a_legal_document_id(name: str) -> None:
    key = own_document_id(name).encode()
    assert document_id_of(key, "hash") == key.decode()


def finished(store: BlobStore) -> DocumentFinished:
    renderings = (
        Rendering(format=Format.JSON, text="{}"),
        Rendering(format=Format.MARKDOWN, text="# A\n"),
        Rendering(format=Format.HTML, reference=store.put_shared(b"<p>A</p>")),
    )
    return DocumentFinished(
        document_id="d", submission=SUBMISSION, revision=1, status="complete", filename="a.pdf", document_reference=None, renderings=renderings
    )


def test_an_error_file_and_a_document_never_stand_together(tmp_path: Path) -> None:
    store = BlobStore((tmp_path / "blobs").as_uri())
    out = tmp_path / "out"
    out.mkdir()
    write_failure(out, "a.pdf", failure_of(Code.CORRUPT, Stage.OPEN, "a.pdf: damaged"))
    error = json.loads((out / "a.pdf.error.json").read_text())
    assert (error["code"], error["stage"], error["retryable"]) == ("corrupt", "open", False)
    write_document(out, "a.pdf", finished(store), store, 1000)
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
    assert unique_names([InputFile(Path(n)) for n in names]) == names


def test_files_of_one_name_keep_their_folders(tmp_path: Path) -> None:
    """They became `report.pdf` and `report.pdf-2`, and nothing said which was which."""
    inputs = [InputFile(Path(f"in/{at}/report.pdf"), PurePath(at)) for at in ("", "2025", "2026", "2026")]
    names = unique_names(inputs)
    assert names == ["report.pdf", "2025/report.pdf", "2026/report.pdf", "2026/report.pdf-2"]
    store = BlobStore((tmp_path / "blobs").as_uri())
    for name in names[:2]:
        write_document(tmp_path / "out", name, finished(store), store, 1000)
    write_failure(tmp_path / "out", names[2], failure_of(Code.CORRUPT, Stage.OPEN, "damaged"))
    written = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.json")}
    assert written == {"report.pdf.json", "2025/report.pdf.json", "2026/report.pdf.error.json"}


def test_a_name_that_fills_the_file_system_is_cut_and_can_be_written(tmp_path: Path) -> None:
    paths = [tmp_path / folder / ("é" * 127) for folder in "ab"]
    for name in unique_names([InputFile(path) for path in paths]):
        write_failure(tmp_path, name, failure_of(Code.CORRUPT, Stage.OPEN, "bad"))
    assert len(list(tmp_path.glob("*.error.json"))) == 2


def test_the_document_of_one_input_never_takes_the_error_file_of_another() -> None:
    for paths in ([Path("a"), Path("a.error")], [Path("a.error"), Path("a")]):
        names = dict(zip(paths, unique_names([InputFile(path) for path in paths]), strict=True))
        assert names == {Path("a"): "a", Path("a.error"): "a.error-2"}


def test_what_a_terminal_or_a_record_cannot_hold_is_replaced() -> None:
    name = os.fsdecode(b"bad\xff\x1b[31m.pdf")
    assert printable(name) == "bad\ufffd\ufffd[31m.pdf"
    assert "\x1b" not in own_document_id(name)
    own_document_id(name).encode()


def test_a_device_is_refused_and_not_read_without_an_end() -> None:
    publisher = Publisher(Settings(bootstrap_servers="127.0.0.1:1", max_document_bytes=1000))
    with pytest.raises(PageloomError, match="a pipe or a device") as refused:
        publisher.publish_file(Path("/dev/zero"), "d", DocumentOptions())
    assert refused.value.code is Code.UNKNOWN_TYPE


def test_a_result_that_cannot_be_written_leaves_no_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, folder = BlobStore((tmp_path / "blobs").as_uri()), tmp_path / "out"
    folder.mkdir()
    write_bytes = Path.write_bytes

    def full_after_the_first(path: Path, data: bytes) -> int:
        if path.parent == folder and list(folder.iterdir()):
            raise OSError(errno.ENOSPC, "No space left on device")
        return write_bytes(path, data)

    monkeypatch.setattr(Path, "write_bytes", full_after_the_first)
    with pytest.raises(OSError, match="No space"):
        write_document(folder, "a", finished(store), store, 1000)
    assert list(folder.iterdir()) == []


def pictured(store: BlobStore, names: list[str]) -> DocumentFinished:
    """A finished document with a picture under each of these file names."""
    stored = [store.put_run("d", SUBMISSION, name, b"bytes of " + name.encode()) for name in names]
    blocks = [{"figure": {"name": r.name, "size_bytes": r.size_bytes, "sha256": r.sha256}} for r in stored]
    renderings = (
        Rendering(format=Format.JSON, text=json.dumps({"blocks": [*blocks, {}]})),
        Rendering(format=Format.MARKDOWN, text="".join(f"![x]({r.name})\n" for r in stored)),
        Rendering(format=Format.HTML, text="".join(f'<img src="{r.name}" alt="x">' for r in stored)),
    )
    return DocumentFinished(
        document_id="d", submission=SUBMISSION, revision=1, status="complete", filename="a.pdf", document_reference=None, renderings=renderings
    )


def test_pictures_stand_beside_the_markdown_and_inside_the_html(tmp_path: Path) -> None:
    store, out = BlobStore((tmp_path / "blobs").as_uri()), tmp_path / "out"
    out.mkdir()
    write_document(out, "a b.pdf", pictured(store, ["figure-00aa.png", "figure-00bb.jpg"]), store, 10_000)
    folder = out / "a b.pdf.figures"
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == {n: b"bytes of " + n.encode() for n in ("figure-00aa.png", "figure-00bb.jpg")}
    assert (out / "a b.pdf.md").read_text() == "![x](a%20b.pdf.figures/figure-00aa.png)\n![x](a%20b.pdf.figures/figure-00bb.jpg)\n"
    page = (out / "a b.pdf.html").read_text()
    assert "runs/" not in page
    assert page.count('src="data:image/png;base64,') == page.count('src="data:image/jpeg;base64,') == 1


def test_a_page_that_is_one_figure_is_a_picture_like_others(tmp_path: Path) -> None:
    """Its link led into the store, where no reader of the outputs gets."""
    store, out = BlobStore((tmp_path / "blobs").as_uri()), tmp_path / "out"
    out.mkdir()
    write_document(out, "a", pictured(store, ["page-1.png"]), store, 10_000)
    assert (out / "a.md").read_text() == "![x](a.figures/page-1.png)\n"
    assert (out / "a.figures" / "page-1.png").read_bytes() == b"bytes of page-1.png"
    assert 'src="data:image/png;base64,' in (out / "a.html").read_text()
    write_document(out, "a", finished(store), store, 10_000)
    assert not (out / "a.figures").exists()


def test_pictures_of_an_earlier_run_go_and_files_of_others_stay(tmp_path: Path) -> None:
    store, out = BlobStore((tmp_path / "blobs").as_uri()), tmp_path / "out"
    out.mkdir()
    write_document(out, "a", pictured(store, ["figure-00aa.png"]), store, 10_000)
    (out / "a.figures" / "mine.txt").write_text("kept")
    write_document(out, "a", finished(store), store, 10_000)
    assert [p.name for p in (out / "a.figures").iterdir()] == ["mine.txt"]
    (out / "a.figures" / "mine.txt").unlink()
    write_failure(out, "a", failure_of(Code.CORRUPT, Stage.OPEN, "a: damaged"))
    assert not (out / "a.figures").exists()


def test_only_names_that_a_reader_gives_become_files(tmp_path: Path) -> None:
    store, out = BlobStore((tmp_path / "blobs").as_uri()), tmp_path / "out"
    out.mkdir()
    write_document(out, "a", pictured(store, ["page-1.content", "figure-xyz.png"]), store, 10_000)
    assert not (out / "a.figures").exists()


def test_an_html_page_takes_in_only_so_many_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streams.outputs.MAX_EMBEDDED_BYTES", 30)
    store, out = BlobStore((tmp_path / "blobs").as_uri()), tmp_path / "out"
    out.mkdir()
    write_document(out, "a", pictured(store, ["figure-00aa.png", "figure-00bb.png"]), store, 10_000)
    page = (out / "a.html").read_text()
    assert page.count("data:image") == 1
    assert "figure-00bb.png" in page
