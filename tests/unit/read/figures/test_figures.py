"""Pictures of figures: what the page shows, within bounds, the same every time."""

import io
from pathlib import Path

import numpy as np
import pymupdf
import pytest
from PIL import Image

from schemas.blobs import BlobStore
from schemas.codec import decode
from schemas.content import BlobReference, Block, BlockType, PageContent, Source
from schemas.events import PageExtracted
from streams.read.figures import cutting as figures
from streams.read.figures.cutting import Keep, with_figures
from streams.read.range_reader import close_documents, read_range
from tests.unit.read.made_pages import photograph
from tests.unit.read.pages import prose, wrap, write
from tests.unit.read.test_range_reader import task

PHOTO = photograph(300, 200)


class Kept:
    """A store in memory."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def __call__(self, name: str, data: bytes) -> BlobReference:
        self.files[name] = data
        return BlobReference(name=name, size_bytes=len(data), sha256="00")


def page_of(document: pymupdf.Document) -> pymupdf.Page:
    """The first page, as of a file. Keeps its document alive."""
    return pymupdf.open("pdf", document.tobytes())[0]


def pictured(page: pymupdf.Page, shown: PageContent, dpi: int, pages: int, keep: Keep) -> PageContent:
    """The content with pictures, of a page whose images are asked for here."""
    return with_figures(page, shown, page.get_image_info(), dpi, pages, keep)


def content(*boxes: tuple[float, float, float, float], kind: BlockType = BlockType.FIGURE) -> PageContent:
    blocks = tuple(Block(type=kind, bbox=box) for box in boxes)
    return PageContent(page=1, width_pt=595, height_pt=842, rotation=0, source=Source.TEXT_LAYER, blocks=blocks)


def photo_page(box: tuple[float, float, float, float], *, rotate: int = 0) -> pymupdf.Page:
    page = pymupdf.open().new_page()
    page.insert_image(pymupdf.Rect(box), stream=PHOTO, keep_proportion=False, rotate=rotate)
    return page


def test_a_jpeg_that_the_page_shows_as_it_is_keeps_its_bytes() -> None:
    box = (100.0, 100.0, 400.0, 300.0)
    kept = Kept()
    after = pictured(page_of(photo_page(box).parent), content(box), 150, 1, kept)
    assert list(kept.files.values()) == [PHOTO]
    assert after.blocks[0].figure is not None
    assert after.blocks[0].figure.name.endswith(".jpg")


@pytest.mark.parametrize("change", ["turned", "drawn over", "clipped"])
def test_a_jpeg_that_the_page_shows_otherwise_is_drawn(change: str) -> None:
    box = (100.0, 100.0, 400.0, 300.0)
    page = photo_page(box, rotate=180 if change == "turned" else 0)
    if change == "drawn over":
        page.draw_rect(pymupdf.Rect(120, 120, 300, 280), color=(1, 0, 0), fill=(1, 0, 0))
    shown = (100.0, 100.0, 250.0, 300.0) if change == "clipped" else box
    kept = Kept()
    pictured(page_of(page.parent), content(shown), 100, 1, kept)
    ((name, data),) = kept.files.items()
    assert name.endswith(".png")
    picture = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), np.int16)
    true = np.asarray(Image.open(io.BytesIO(PHOTO)).convert("RGB"), np.int16)
    assert abs(picture.shape[1] - (shown[2] - shown[0]) * 100 / 72) < 8
    if change == "drawn over":
        assert tuple(picture[picture.shape[0] // 2, picture.shape[1] // 3]) == (255, 0, 0)
    if change == "turned":
        corner = picture[10:40, 10:40].mean()
        assert abs(corner - true[-22:-4, -22:-4].mean()) < abs(corner - true[4:22, 4:22].mean())


def test_mupdf_is_asked_once_for_the_pictures_of_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = photo_page((100.0, 100.0, 400.0, 300.0))
    page.insert_text((100, 600), "A photograph")
    page.parent.save(tmp_path / "one.pdf")
    asked: list[int] = []
    whole = pymupdf.Page.get_image_info
    monkeypatch.setattr(pymupdf.Page, "get_image_info", lambda page: asked.append(page.number) or whole(page))
    (event,) = read_range(task(tmp_path, tmp_path / "one.pdf", 1, figure_dpi=100)).events
    (figure,) = [block.figure for block in decode(event[1], PageExtracted).content.blocks if block.figure]
    assert figure.name.endswith(".jpg")
    assert asked == [0]


def test_pixels_and_figures_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "MAX_PIXELS", 10_000)
    monkeypatch.setattr(figures, "MAX_FIGURES", 2)
    page = pymupdf.open().new_page()
    page.draw_circle((300, 300), 200)
    kept = Kept()
    boxes = [(100.0, 100.0, 500.0, 500.0), (100.0, 100.0, 300.0, 300.0), (10.0, 10.0, 20.0, 20.0)]
    after = pictured(page_of(page.parent), content(*boxes), 600, 1, kept)
    assert [block.figure is not None for block in after.blocks] == [True, True, False]
    for data in kept.files.values():
        with Image.open(io.BytesIO(data)) as picture:
            assert picture.width * picture.height <= 10_500


def test_a_long_document_keeps_few_figures_of_each_page() -> None:
    page = pymupdf.open().new_page()
    page.draw_circle((300, 300), 200)
    after = pictured(page_of(page.parent), content((100, 100, 300, 500), (300, 100, 500, 500)), 72, 1_000_000, Kept())
    assert sum(block.figure is not None for block in after.blocks) == 1


def test_boxes_outside_of_the_page_and_pages_without_figures_store_nothing() -> None:
    page = page_of(photo_page((0, 0, 50, 50)).parent)
    kept = Kept()
    assert pictured(page, content((2000, 2000, 2100, 2100)), 72, 1, kept).blocks[0].figure is None
    text = content((0, 0, 50, 50), kind=BlockType.PARAGRAPH)
    assert pictured(page, text, 72, 1, kept) is text
    assert kept.files == {}


def book(folder: Path) -> Path:
    """Two pages with the same logo, text, and a drawing on the second."""
    document = pymupdf.open()
    for number in range(2):
        page = document.new_page()
        page.insert_image(pymupdf.Rect(50, 40, 250, 170), stream=PHOTO, keep_proportion=False)
        write(page, 60, 300, wrap(prose(900), 440))
        for step in range(12 * number):
            page.draw_circle((300, 700), 10 + 8 * step)
    file = folder / "book.pdf"
    document.save(file)
    return file


def test_figures_are_stored_with_their_run_once_for_all_pages_and_not_at_all_when_switched_off(tmp_path: Path) -> None:
    file = book(tmp_path)
    try:
        found = read_range(task(tmp_path, file, 2, figure_dpi=100, low_confidence=0.0))
        again = read_range(task(tmp_path, file, 2, figure_dpi=100, low_confidence=0.0))
        without = read_range(task(tmp_path, file, 2, figure_dpi=0, low_confidence=0.0))
    finally:
        close_documents()
    assert found == again
    stored = [block.figure for _, data in found.events for block in decode(data, PageExtracted).content.blocks if block.figure]  # type: ignore[union-attr]
    assert len(stored) == 3
    assert len({reference.name for reference in stored}) == 2
    store = BlobStore((tmp_path / "blobs").as_uri())
    for reference in stored:
        assert reference.name.startswith("runs/")
        assert store.get(reference, 10**7)
    assert not any(block.figure for _, data in without.events for block in decode(data, PageExtracted).content.blocks)  # type: ignore[union-attr]
