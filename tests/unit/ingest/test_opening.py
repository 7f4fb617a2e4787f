"""Opening documents made in code: what can be read is described, what cannot has its code."""

import io
import re
import zlib
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from schemas.blobs import BlobStore
from schemas.content import BlobReference
from schemas.document import OutlineEntry
from schemas.errors import Code, PageloomError, Stage
from schemas.identity import Submission
from streams.ingest import sniff
from streams.ingest.opening import Opened, OpenTask, open_document
from streams.read.structure.documents import Summary, summarize
from tests.unit.ingest import documents

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=1, appended_ms=1)
LIMITS = {"max_document_bytes": 2**24, "max_pages": 500, "max_image_pixels": 1_000_000}


@pytest.fixture
def store(tmp_path: Path) -> BlobStore:
    return BlobStore((tmp_path / "blobs").as_uri())


def opened(store: BlobStore, data: bytes, **asked: object) -> Opened:
    given = {"filename": "", "content_type": None, "pages": None, "verify": False, "document": store.put_shared(data), "summarize": summarize}
    given |= {**LIMITS, **asked}
    return open_document(
        OpenTask(document_id="doc", submission=SUBMISSION, blob_url=store.url, cache_dir="unused", **given)  # type: ignore[arg-type]
    )


def code(store: BlobStore, data: bytes, **asked: object) -> Code:
    with pytest.raises(PageloomError) as caught:
        opened(store, data, **asked)
    assert "secret" not in str(caught.value)
    return caught.value.code


def test_a_pdf_with_outline_and_metadata(store: BlobStore) -> None:
    document = pymupdf.open(stream=documents.pdf(3))
    document.set_toc([[1, "One", 1], [2, "Two\n  lines", 3], [1, "Nowhere", -1]])
    document.set_metadata({"title": "A\n title", "author": "x" * 5000})
    found = opened(store, document.tobytes(), filename="a.pdf")
    assert (found.media_type, found.parser, found.page_count, found.pages) == (sniff.PDF, "mupdf", 3, (1, 2, 3))
    assert [(entry.level, entry.title, entry.page) for entry in found.outline] == [(1, "One", 1), (2, "Two lines", 3), (1, "Nowhere", None)]
    assert found.metadata["title"] == "A title"
    assert len(found.metadata["author"]) == 2000
    assert found.warnings == ()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_pictures_have_one_page(store: BlobStore, kind: str) -> None:
    assert opened(store, documents.picture(kind)).page_count == 1


def test_every_frame_of_a_tiff_is_a_page(store: BlobStore) -> None:
    assert opened(store, documents.tiff(5)).page_count == 5
    assert code(store, documents.tiff(5), max_pages=4) is Code.TOO_MANY_PAGES


@pytest.mark.parametrize(
    ("data", "media_type"),
    [(documents.docx(), sniff.DOCX), (b"<html><p>Hello</p>", sniff.HTML), (b"Hello\n" * 5, sniff.TEXT)],
)
def test_what_has_no_pages_has_a_logical_one(store: BlobStore, data: bytes, media_type: str) -> None:
    found = opened(store, data)
    assert (found.media_type, found.page_count) == (media_type, 1)


def test_markup_does_not_reach_for_files_beside_it(store: BlobStore) -> None:
    assert opened(store, b"<html><img src='../../../../etc/passwd'><p>Hello</p>").page_count == 1


def test_a_document_without_pages_is_summarized_by_whoever_reads_it(store: BlobStore) -> None:
    summary = Summary(page_count=7, metadata={"title": "T"}, outline=(OutlineEntry(level=1, title="A", page=2),), warnings=("cut",))
    found = opened(store, documents.docx(), summarize=lambda path, media_type: summary if media_type == sniff.DOCX and path.is_file() else None)
    assert (found.page_count, found.pages, found.metadata, found.outline, found.warnings) == (
        7, (1, 2, 3, 4, 5, 6, 7), {"title": "T"}, summary.outline, ("cut",)
    )  # fmt: skip
    assert code(store, documents.docx(), summarize=lambda *_: summary, max_pages=6) is Code.TOO_MANY_PAGES


def test_a_locked_pdf_needs_its_password_and_is_stored_unlocked(store: BlobStore) -> None:
    locked = documents.locked_pdf(user="secret", pages=2)
    assert code(store, locked) is Code.ENCRYPTED
    assert code(store, locked, password="other") is Code.WRONG_PASSWORD
    found = opened(store, locked, password="secret")
    assert found.page_count == 2
    assert found.document.name.startswith("runs/")
    assert found.content_sha256 != found.document.sha256
    copy = pymupdf.open(stream=store.get(found.document, 2**24))
    assert not copy.needs_pass
    assert "This is page 2." in copy[1].get_text()
    assert b"secret" not in store.get(found.document, 2**24)


def test_an_owner_password_alone_locks_nothing(store: BlobStore) -> None:
    found = opened(store, documents.locked_pdf(user="", owner="secret"))
    assert found.document.name.startswith("shared/")
    assert found.metadata["pdf:copy_allowed"] == "false"
    assert found.metadata["pdf:print_allowed"] == "true"
    assert "pdf:copy_allowed" not in opened(store, documents.pdf()).metadata


def test_an_encryption_that_nobody_knows(store: BlobStore) -> None:
    strange = documents.pdf().replace(b"trailer\n<<", b"trailer\n<</Encrypt<</Filter/Strange/V 9/R 9>>")
    assert b"Strange" in strange
    assert code(store, strange) is Code.ENCRYPTED


def page_tree(kids: bytes, count: int, *more: bytes) -> bytes:
    return documents.raw_pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, count), *more])


PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>"


def test_hostile_page_trees_end_in_a_code(store: BlobStore) -> None:
    assert code(store, page_tree(b"3 0 R 2 0 R", 2, PAGE)) is Code.CORRUPT, "a circle"
    assert code(store, page_tree(b"", 0)) in {Code.NO_PAGES, Code.CORRUPT}
    assert code(store, documents.pdf(3), max_pages=2) is Code.TOO_MANY_PAGES
    assert code(store, b"%PDF-1.7\n" + b"garbage " * 50) in {Code.CORRUPT, Code.NO_PAGES}


def test_pages_that_one_parser_cannot_find_are_found_by_the_other(store: BlobStore) -> None:
    """More places in the page tree than objects in the file; a catalogue that the file's own table of objects does not have."""
    found = opened(store, page_tree(b"3 0 R " * 40, 40, PAGE))
    assert (found.page_count, found.parser) == (40, "pdfium")
    assert "read by pdfium" in " ".join(found.warnings)


@pytest.mark.parametrize("data", [b"%PDF-1.7\n" + b"garbage " * 50, b"PK\x03\x04" + b"\0" * 90, documents.picture("PNG")[:60]])
def test_what_is_wrong_is_said_in_words_and_what_to_do_next(store: BlobStore, data: bytes) -> None:
    with pytest.raises(PageloomError) as refused:
        opened(store, data)
    message = refused.value.failure(Stage.OPEN).message
    assert "damaged or cut off" in message
    assert "save it again" in message
    assert re.search(r"[a-z][A-Z]|Error", message.replace("MuPDF", "")) is None, "names of exceptions help nobody"


@pytest.mark.parametrize("stated", [1, 2, 5, 40_000, 1_000_000, 2_000_000_000, 0, -1])
def test_a_wrong_count_of_pages_is_put_right_and_said(store: BlobStore, stated: int) -> None:
    found = opened(store, page_tree(b"3 0 R 4 0 R 5 0 R", stated, *[PAGE] * 3))
    assert found.page_count == 3
    assert f"says that it has {stated} pages and holds 3" in " ".join(found.warnings)
    with pymupdf.open("pdf", store.get(found.document, 2**24)) as written:
        assert [page.rect.width for page in written] == [200.0] * 3


def test_a_right_count_is_left_alone_and_a_page_that_is_gone_keeps_its_number(store: BlobStore) -> None:
    assert opened(store, page_tree(b"3 0 R 4 0 R", 2, PAGE, PAGE)).document.name.startswith("shared/")
    assert opened(store, page_tree(b"3 0 R null 4 0 R", 3, PAGE, PAGE)).page_count == 3
    inner = b"<</Type/Pages/Parent 2 0 R/Kids[4 0 R 5 0 R]/Count 9>>"
    assert opened(store, page_tree(b"3 0 R 6 0 R", 4, inner, *[PAGE] * 3)).page_count == 3


def test_one_bad_page_is_no_reason_to_refuse_the_others(store: BlobStore) -> None:
    kids = b" ".join(b"%d 0 R" % number for number in (*range(3, 12), 2))
    found = opened(store, page_tree(kids, 10, *[PAGE] * 9))
    assert found.page_count == 10
    assert "10" in found.warnings[0]


def test_a_damaged_file_is_repaired_and_says_so(store: BlobStore) -> None:
    found = opened(store, documents.pdf(2)[:-30])
    assert found.page_count == 2
    assert "repaired" in found.warnings[0]


def test_pixels_are_bounded_by_the_header(store: BlobStore) -> None:
    data = bytearray(documents.picture("PNG"))
    data[16:24] = (2**31 - 1).to_bytes(4, "big") * 2
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    assert code(store, bytes(data)) is Code.TOO_MANY_PIXELS
    assert code(store, documents.picture("JPEG", (1200, 1000))) is Code.TOO_MANY_PIXELS


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "TIFF"])
def test_cut_pictures_are_corrupt(store: BlobStore, kind: str) -> None:
    noise = Image.effect_noise((200, 200), 90)
    buffer = io.BytesIO()
    noise.convert("RGB").save(buffer, kind)
    assert code(store, buffer.getvalue()[: len(buffer.getvalue()) // 2]) is Code.CORRUPT


def test_a_blob_of_somebody_else_is_verified(store: BlobStore) -> None:
    good = store.put_shared(documents.pdf())
    assert opened(store, b"x", document=good, verify=True).page_count == 1
    wrong = BlobReference(name=good.name, size_bytes=good.size_bytes, sha256="0" * 64)
    assert code(store, b"x", document=wrong, verify=True) is Code.BLOB_MISSING
    absent = BlobReference(name="shared/00/absent", size_bytes=5, sha256="0" * 64)
    assert code(store, b"x", document=absent, verify=True) is Code.BLOB_MISSING
    outside = BlobReference(name="shared/../../etc/passwd", size_bytes=5, sha256="0" * 64)
    assert code(store, b"x", document=outside, verify=True) is Code.BLOB_MISSING
    assert code(store, b"x", document=BlobReference(name=good.name, size_bytes=2**40, sha256=good.sha256)) is Code.TOO_LARGE


def test_pages_that_were_asked_for(store: BlobStore) -> None:
    found = opened(store, documents.pdf(5), pages="2-3,9")
    assert found.pages == (2, 3)
    assert any("9" in warning for warning in found.warnings)
    assert code(store, documents.pdf(2), pages="7") is Code.NO_SUCH_PAGES
