"""Opening documents that have pages: from memory, or from their files where they are large."""

from pathlib import Path

import pymupdf
import pytest

from schemas.errors import Code, PageloomError
from streams.read import formats
from streams.read.formats import open_document


def _written(path: Path) -> Path:
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "Harvest report")
        document.save(path)
    return path


def test_a_document_is_read_from_memory_and_keeps_its_name(tmp_path: Path) -> None:
    path = _written(tmp_path / "report")
    with open_document(path, "application/pdf") as document:
        assert document.stream == path.read_bytes()
        assert document.name == str(path)
        path.write_bytes(b"nothing")
        assert document[0].get_text() == "Harvest report\n"


def test_a_large_document_stays_in_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _written(tmp_path / "report")
    monkeypatch.setattr(formats, "MAX_HELD_BYTES", path.stat().st_size - 1)
    with open_document(path, "application/pdf") as document:
        assert document.stream is None
        assert document[0].get_text() == "Harvest report\n"


def test_an_empty_file_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "report"
    path.write_bytes(b"")
    with pytest.raises(PageloomError) as raised:
        open_document(path, "application/pdf")
    assert raised.value.code is Code.CORRUPT
