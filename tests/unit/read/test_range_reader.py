"""A range of pages ends as events: each page once, whatever it holds."""

import io
import pickle
from pathlib import Path

import pymupdf
import pytest
from msgspec.structs import replace
from PIL import Image

from schemas.blobs import BlobStore
from schemas.codec import decode, encode
from schemas.content import PageContent
from schemas.errors import Code, PageloomError
from schemas.events import DocumentOptions, Mode, PageExtracted, PageStatus
from schemas.identity import Submission
from streams.read import page_events, range_reader
from streams.read.layout import LayoutBox, LayoutLabel
from streams.read.page_events import RangeRead, ReadTask
from streams.read.range_reader import close_documents, read_range
from tests.unit.read.pages import prose, wrap, write

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=7, appended_ms=1)


@pytest.fixture(autouse=True)
def closed() -> object:
    yield
    close_documents()


def task(
    folder: Path, file: Path, last: int, *, first: int = 1, media_type: str = "application/pdf", mode: Mode = Mode.FAST, **more: object
) -> ReadTask:
    values: dict[str, object] = {
        "document_id": "doc", "submission": SUBMISSION, "path": str(file), "blob_url": (folder / "blobs").as_uri(), "media_type": media_type,
        "filename": file.name, "page_count": last, "first_page": first, "last_page": last, "options": DocumentOptions(mode=mode),
        "inline_content_bytes": 16_384, "max_render_pixels": 40_000_000, "render_dpi": 100, "low_confidence": 0.5,
    }  # fmt: skip
    return ReadTask(**{**values, **more})  # type: ignore[arg-type]


def events(found: RangeRead) -> list[PageExtracted]:
    return [decode(data, PageExtracted) for _, data in found.events]


def scan() -> bytes:
    """A picture of text, without a text layer."""
    page = pymupdf.open().new_page()
    write(page, 60, 80, wrap(prose(1500), 440))
    return bytes(page.get_pixmap(dpi=100).tobytes("png"))


def picture_of_size(width: int, height: int) -> bytes:
    """The same picture in other pixels."""
    packed = io.BytesIO()
    Image.open(io.BytesIO(scan())).convert("L").resize((width, height)).save(packed, "PNG", compress_level=1)
    return packed.getvalue()


def mixed(folder: Path) -> Path:
    """A digital page, a scan, a blank page."""
    document = pymupdf.open()
    write(document.new_page(), 60, 80, wrap(prose(1200), 440))
    page = document.new_page()
    page.insert_image(page.rect, stream=scan())
    document.new_page()
    file = folder / "mixed.pdf"
    document.save(file)
    return file


def test_pages_that_need_a_model_get_an_image_and_no_others(tmp_path: Path) -> None:
    found = read_range(task(tmp_path, mixed(tmp_path), 3))
    digital, scanned, blank = events(found)
    assert [page for page, _ in found.events] == [1, 2, 3]
    assert [e.status for e in (digital, scanned, blank)] == [PageStatus.EXTRACTED, PageStatus.EXTRACTED, PageStatus.BLANK]
    assert [e.recognition_requested for e in (digital, scanned, blank)] == [False, True, False]
    assert digital.text_layer_confidence > 0.9
    assert scanned.text_layer_confidence < 0.5
    assert scanned.reasons
    assert digital.content is not None
    assert digital.content.blocks[0].text == prose(1200)
    (image,) = found.images
    assert (image.page, image.width_pt, image.rotation) == (2, 595.0, 0)
    png = BlobStore((tmp_path / "blobs").as_uri()).get(image.image, 10**8)
    assert Image.open(io.BytesIO(png)).size == (image.width_px, image.height_px)
    assert found.failures == []


def with_picture_of_text(folder: Path) -> Path:
    """A digital page, and on its lower half a picture of text."""
    document = pymupdf.open()
    page = document.new_page()
    write(page, 60, 80, wrap(prose(1200), 440))
    page.insert_image(pymupdf.Rect(60, 400, 500, 780), stream=scan(), keep_proportion=False)
    file = folder / "picture.pdf"
    document.save(file)
    return file


@pytest.mark.parametrize("mode", [Mode.FAST, Mode.BALANCED])
def test_a_picture_of_text_on_a_sound_page_is_read_by_a_model_in_balanced_alone(tmp_path: Path, mode: Mode) -> None:
    found = read_range(task(tmp_path, with_picture_of_text(tmp_path), 1, mode=mode))
    (event,) = events(found)
    assert event.text_layer_confidence > 0.5
    assert event.content is not None
    assert event.content.blocks[0].text == prose(1200)
    asked = mode is Mode.BALANCED
    assert (event.recognition_requested, len(event.regions), len(found.images)) == (asked, int(asked), int(asked))
    for region in event.regions:
        assert region.requested
        assert region.reasons == ("ink_without_text",)
        assert region.bbox[1] > 350
        png = BlobStore((tmp_path / "blobs").as_uri()).get(found.images[0].image, 10**8)
        with Image.open(io.BytesIO(png)) as picture:
            levels = picture.convert("L")
            scale = picture.height / 842
            above = levels.crop((0, 0, picture.width, int((region.bbox[1] - 5) * scale)))
            inside = levels.crop((0, int(region.bbox[1] * scale), picture.width, picture.height))
            assert above.getextrema() == (255, 255)
            assert inside.getextrema()[0] < 100


def test_reading_twice_gives_the_same_events(tmp_path: Path) -> None:
    file = mixed(tmp_path)
    first = read_range(task(tmp_path, file, 3))
    close_documents()
    assert read_range(task(tmp_path, file, 3)) == first


@pytest.mark.parametrize(
    ("own", "asked", "rendered"),
    [(100, 0, 100), (160, 0, 160), (400, 0, 203), (160, 120, 120), (110, 0, 100)],
    ids=["as usual", "finer", "too fine", "asked for", "hardly finer"],
)
def test_a_scan_is_rendered_at_its_own_resolution_within_bounds(tmp_path: Path, own: int, asked: int, rendered: int) -> None:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_image(page.rect, stream=picture_of_size(595 * own // 72, 842 * own // 72))
    file = tmp_path / "scan.pdf"
    document.save(file)
    (image,) = read_range(task(tmp_path, file, 1, options=DocumentOptions(mode=Mode.FAST, dpi=asked or None))).images
    assert abs(image.dpi - rendered) < 1.5


def test_no_image_where_recognition_is_forbidden(tmp_path: Path) -> None:
    found = read_range(task(tmp_path, mixed(tmp_path), 3, mode=Mode.DISABLE_OCR))
    assert found.images == []
    _, scanned, blank = events(found)
    assert scanned.status is PageStatus.EXTRACTED
    assert not scanned.recognition_requested
    assert scanned.warnings == (range_reader.DISABLED,)
    assert blank.warnings == ()


def test_large_content_goes_to_the_blob_store(tmp_path: Path) -> None:
    file = mixed(tmp_path)
    found = read_range(task(tmp_path, file, 1, inline_content_bytes=100))
    (event,) = events(found)
    assert event.content is None
    assert event.content_reference is not None
    data = BlobStore((tmp_path / "blobs").as_uri()).get(event.content_reference, 10**6)
    content = decode(data, PageContent)
    assert content.blocks[0].text == prose(1200)
    assert content == events(read_range(task(tmp_path, file, 1)))[0].content


@pytest.mark.parametrize("guess", [0, 10**6])
def test_content_of_exactly_the_limit_is_inline_whatever_was_expected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guess: int) -> None:
    file = mixed(tmp_path)
    content = events(read_range(task(tmp_path, file, 1)))[0].content
    assert content is not None
    size = len(encode(content))
    assert 0.8 < page_events.expected_bytes(content) / size < 1.2
    monkeypatch.setattr(page_events, "expected_bytes", lambda content: guess)
    (fits,) = events(read_range(task(tmp_path, file, 1, inline_content_bytes=size)))
    (exceeds,) = events(read_range(task(tmp_path, file, 1, inline_content_bytes=size - 1)))
    assert fits.content == content
    assert (fits.content_reference, exceeds.content) == (None, None)
    assert exceeds.content_reference is not None
    assert exceeds.content_reference.size_bytes == size


def test_a_bad_page_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = range_reader.survey_page

    def survey(page: pymupdf.Page, wish: range_reader.LayoutWish, *, figures: bool) -> object:
        if page.number == 1:
            raise IndexError("secret text of the document")
        return whole(page, wish, figures=figures)

    monkeypatch.setattr(range_reader, "survey_page", survey)
    found = read_range(task(tmp_path, mixed(tmp_path), 4))
    assert [page for page, _ in found.events] == [1, 3]
    failed = {failure.page: failure.failure for failure in found.failures}
    assert {page: failure.code for page, failure in failed.items()} == {2: Code.INTERNAL, 4: Code.NO_SUCH_PAGES}
    assert "page 2" in failed[2].message
    assert "secret" not in failed[2].message


def test_a_damaged_text_layer_is_a_reason_for_recognition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> object:
        raise RuntimeError("code=7")

    file = mixed(tmp_path)
    monkeypatch.setattr(pymupdf.Page, "get_textpage", broken)
    found = read_range(task(tmp_path, file, 1))
    (event,) = events(found)
    assert event.recognition_requested
    assert "text_layer_error" in event.reasons
    assert event.warnings


def test_the_document_stays_open_between_ranges_and_changes_with_the_file(tmp_path: Path) -> None:
    file = mixed(tmp_path)
    read_range(task(tmp_path, file, 1))
    kept = range_reader._last_opened[0].document
    read_range(task(tmp_path, file, 2, first=2))
    assert range_reader._last_opened[0].document is kept
    other = tmp_path / "other.pdf"
    document = pymupdf.open()
    write(document.new_page(), 60, 80, ["another document"])
    document.save(other)
    (event,) = events(read_range(task(tmp_path, other, 1)))
    assert event.content is not None
    assert event.content.blocks[0].text == "another document"
    assert kept.is_closed


@pytest.mark.parametrize(
    ("name", "data", "media_type", "code"),
    [
        ("broken.pdf", b"no PDF at all", "application/pdf", Code.CORRUPT),
        ("some.bin", b"abc", "application/x-unheard-of", Code.UNKNOWN_TYPE),
        ("missing.pdf", None, "application/pdf", Code.BLOB_MISSING),
    ],
)
def test_documents_that_cannot_be_opened_raise_their_code(tmp_path: Path, name: str, data: bytes | None, media_type: str, code: Code) -> None:
    file = tmp_path / name
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(PageloomError) as caught:
        read_range(task(tmp_path, file, 1, media_type=media_type))
    assert caught.value.code is code


def test_a_locked_document_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "locked.pdf"
    document = pymupdf.open()
    document.new_page()
    document.save(file, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="secret", owner_pw="other")
    with pytest.raises(PageloomError) as caught:
        read_range(task(tmp_path, file, 1))
    assert caught.value.code is Code.ENCRYPTED


@pytest.mark.parametrize(("kind", "media_type"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp"), ("TIFF", "image/tiff")])
def test_pictures_are_pages_to_be_recognised(tmp_path: Path, kind: str, media_type: str) -> None:
    picture = Image.open(io.BytesIO(scan())).convert("RGB")
    file = tmp_path / "picture"
    frames = 2 if kind in ("TIFF", "WEBP") else 1
    if frames > 1:
        picture.save(file, kind, save_all=True, append_images=[picture.rotate(180)])
    else:
        picture.save(file, kind)
    found = read_range(task(tmp_path, file, frames, media_type=media_type))
    assert [e.recognition_requested for e in events(found)] == [True] * frames
    assert all(image.width_px * image.height_px <= 5_000_000 for image in found.images)


def test_markup_and_plain_text_are_read_without_reaching_for_files(tmp_path: Path) -> None:
    (tmp_path / "beside.png").write_bytes(scan())
    page = tmp_path / "page.html"
    page.write_text("<h1>A title</h1><p>Some text in a paragraph.</p><img src='beside.png'>", encoding="utf-8")
    (event,) = events(read_range(task(tmp_path, page, 1, media_type="text/html", figure_dpi=100)))
    assert event.content is not None
    assert event.logical
    assert [block.text for block in event.content.blocks][:2] == ["A title", "Some text in a paragraph."]
    assert not any(block.figure for block in event.content.blocks)
    plain = tmp_path / "plain.txt"
    plain.write_text("Line one of the text\n", encoding="utf-8")
    (event,) = events(read_range(task(tmp_path, plain, 1, media_type="text/plain; charset=utf-8")))
    assert event.content is not None
    assert "Line one of the text" in event.content.blocks[0].text


def test_the_second_parser_reads_text_and_renders(tmp_path: Path) -> None:
    found = read_range(task(tmp_path, mixed(tmp_path), 3, parser="pdfium"))
    digital, scanned, blank = events(found)
    assert digital.content is not None
    assert digital.content.blocks[0].text == prose(1200)
    assert "second_parser" in digital.reasons
    assert digital.text_layer_confidence < 0.9
    assert scanned.recognition_requested
    assert blank.status is PageStatus.BLANK
    assert [image.page for image in found.images] == [2]


def test_tasks_and_results_travel_between_processes(tmp_path: Path) -> None:
    work = task(tmp_path, mixed(tmp_path), 2)
    assert pickle.loads(pickle.dumps(work)) == work
    found = read_range(work)
    assert pickle.loads(pickle.dumps(found)) == found


def test_the_layout_model_is_asked_as_the_mode_has_it(tmp_path: Path) -> None:
    wish = range_reader._layout_wish
    fast = task(tmp_path, mixed(tmp_path), 4, layout=True)
    assert wish(replace(fast, layout=False), []) is range_reader.LayoutWish.NEVER
    assert wish(replace(fast, options=DocumentOptions(mode=Mode.DISABLE_OCR)), []) is range_reader.LayoutWish.NEVER
    assert wish(replace(fast, options=DocumentOptions(mode=Mode.BALANCED)), []) is range_reader.LayoutWish.ALWAYS
    assert wish(fast, []) is range_reader.LayoutWish.WHERE_DOUBTFUL
    whole = range_reader.survey_page(pymupdf.open().new_page())
    asked = replace(whole, layout=(LayoutBox((0.0, 0.0, 9.0, 9.0), LayoutLabel.TEXT, 0.9),))
    assert wish(fast, [asked, whole]) is range_reader.LayoutWish.WHERE_DOUBTFUL
    assert wish(fast, [asked, asked]) is range_reader.LayoutWish.NEVER, "half of a range's pages at most"
