"""A document without pages ends as events like any other: its pictures stored, its scans asked for, its pages marked as logical."""

import io
from pathlib import Path

import pytest
from PIL import Image

from schemas.blobs import BlobStore
from schemas.content import Block, BlockType, Source
from schemas.errors import Code
from schemas.events import Mode, PageStatus
from streams.read.page_events import RangeRead
from streams.read.range_reader import close_documents, read_range
from streams.read.structure.documents import DOCX
from streams.read.structure.logical_page import LogicalPage, Picture
from streams.read.structure.storing import stored_content
from tests.unit.read.structure.office.making import inline_picture, p, png, word
from tests.unit.read.test_range_reader import events, task


@pytest.fixture(autouse=True)
def closed() -> object:
    yield
    close_documents()


def read(folder: Path, data: bytes, last: int = 1, *, mode: Mode = Mode.FAST, **more: object) -> RangeRead:
    file = folder / "a.docx"
    file.write_bytes(data)
    return read_range(task(folder, file, last, media_type=DOCX, mode=mode, **more))


def store(folder: Path) -> BlobStore:
    return BlobStore((folder / "blobs").as_uri())


def test_text_is_certain_and_its_page_logical(tmp_path: Path) -> None:
    found = read(tmp_path, word(p("one") + p("two", "<w:pageBreakBefore/>")), 2)
    first, second = events(found)
    assert [(e.page, e.logical, e.text_layer_confidence, e.recognition_requested) for e in (first, second)] == [
        (1, True, 1.0, False),
        (2, True, 1.0, False),
    ]
    assert second.content is not None
    assert (second.content.source, second.content.page, second.content.blocks[0].text) == (Source.STRUCTURE, 2, "two")
    assert (found.images, found.failures) == ([], [])


def test_pictures_are_stored_as_they_are_and_once(tmp_path: Path) -> None:
    body = f"<w:p>{inline_picture('image1', 99, 99)}{inline_picture('image2', 99, 99)}</w:p>{p('text')}"
    (event,) = events(read(tmp_path, word(body, image1=png(), image2=png()), figure_dpi=100))
    assert event.content is not None
    figures = [b.figure for b in event.content.blocks if b.type is BlockType.FIGURE]
    assert figures[0] is not None
    assert figures[0] == figures[1]
    assert store(tmp_path).get(figures[0], 10**6) == png()
    (event,) = events(read(tmp_path, word(body, image1=png(), image2=png())))
    assert event.content is not None
    assert [b.figure for b in event.content.blocks if b.type is BlockType.FIGURE] == [None, None]


def test_a_scan_is_a_region_that_a_model_is_asked_to_read(tmp_path: Path) -> None:
    data = word(f"<w:p>{inline_picture('image1', 500, 700)}</w:p>", image1=png(100, 140, 0))
    found = read(tmp_path, data)
    (event,), (image,) = events(found), found.images
    assert event.status is PageStatus.EXTRACTED
    assert event.recognition_requested
    assert [(r.bbox, r.requested) for r in event.regions] == [((0.0, 0.0, 500.0, 700.0), True)]
    picture = Image.open(io.BytesIO(store(tmp_path).get(image.image, 10**8))).convert("L")
    assert picture.size == (image.width_px, image.height_px)
    black = picture.getpixel((int(250 * image.dpi / 72), int(350 * image.dpi / 72)))
    white = picture.getpixel((int(560 * image.dpi / 72), int(350 * image.dpi / 72)))
    assert (black, white) == (0, 255)


def test_where_recognition_is_forbidden_a_scan_stays_a_figure(tmp_path: Path) -> None:
    data = word(f"<w:p>{inline_picture('image1', 500, 700)}</w:p>", image1=png())
    found = read(tmp_path, data, mode=Mode.DISABLE_OCR)
    (event,) = events(found)
    assert (found.images, event.recognition_requested) == ([], False)
    assert [r.requested for r in event.regions] == [False]
    assert (event.text_layer_confidence, event.reasons) == (0.02, ("no_text",))
    assert "is not read" in event.warnings[-1]


def test_a_document_that_says_nothing_is_blank(tmp_path: Path) -> None:
    (event,) = events(read(tmp_path, word("")))
    assert event.status is PageStatus.BLANK


def test_a_page_that_is_not_there_fails_alone(tmp_path: Path) -> None:
    found = read(tmp_path, word(p("one")), 2)
    assert [page for page, _ in found.events] == [1]
    assert [(f.page, f.failure.code) for f in found.failures] == [(2, Code.NO_SUCH_PAGES)]


def figures_of(*pictures: tuple[bytes, str]) -> LogicalPage:
    blocks = tuple(Block(type=BlockType.FIGURE, bbox=(0.0, 0.0, 0.0, 0.0)) for _ in pictures)
    return LogicalPage(blocks=blocks, pictures=tuple(Picture(block=i, data=d, media_type=t) for i, (d, t) in enumerate(pictures)))


def test_what_cannot_be_shown_is_drawn_anew_or_left_out_with_its_reason(tmp_path: Path) -> None:
    bitmap = io.BytesIO()
    Image.new("RGB", (8, 6), (255, 0, 0)).save(bitmap, "BMP")
    page = figures_of((bitmap.getvalue(), "image/bmp"), (b"\1\0\0\0", "image/x-emf"), (b"no gif", "image/gif"))
    kept: dict[str, bytes] = {}

    def keep(name: str, data: bytes) -> object:
        kept[name] = data
        return store(tmp_path).put_shared(data)

    content, warnings = stored_content(page, 1, keep)  # type: ignore[arg-type]
    assert [b.figure is not None for b in content.blocks] == [True, False, False]
    (png_bytes,) = kept.values()
    assert Image.open(io.BytesIO(png_bytes)).size == (8, 6)
    assert [w.split(" is not stored")[0] for w in warnings] == ["a picture of type image/x-emf", "a picture of type image/gif"]
