"""The door to the layout model: its boxes on real pages, and what happens where it cannot answer."""

import sys

import pymupdf
import pytest

from streams.read.layout import Detail, LayoutLabel, LayoutUnavailable, layout_of, model, too_large
from streams.read.page import survey_page
from streams.read.page_tables import LayoutWish

ROWS = [("Item", "2024", "2025"), ("Income", "1,200", "1,250"), ("Rent", "450", "480"), ("Travel", "80", "95"), ("Food", "310", "299")]


def page_with_table(rotation: int = 0) -> pymupdf.Page:
    page = pymupdf.open().new_page(width=595, height=842)
    for i in range(8):
        page.insert_text((72, 80 + 14 * i), "The board of the company has met twice and found that its plans will hold.", fontsize=11)
    for row, cells in enumerate(ROWS * 2):
        for x, text in zip((72, 260, 380), cells, strict=True):
            page.insert_text((x, 240 + 16 * row), text, fontsize=11)
    page.set_rotation(rotation)
    return page


def without_package(monkeypatch: pytest.MonkeyPatch) -> None:
    model._model.cache_clear()
    monkeypatch.setitem(sys.modules, "pymupdf.layout.onnx.BoxRFDGNN", None)


@pytest.fixture(autouse=True)
def _forget_models() -> None:
    yield
    model._model.cache_clear()


def test_boxes_are_the_same_each_time_and_pymupdf_stays_as_it_was() -> None:
    page = page_with_table()
    before = pymupdf._get_layout
    first = layout_of(page, Detail.TEXT)
    assert first == layout_of(page, Detail.TEXT)
    assert pymupdf._get_layout is before
    (table,) = [box for box in first if box.label is LayoutLabel.TABLE]
    assert table.bbox[1] > 200
    assert 0.5 <= table.confidence <= 1.0
    assert any(box.label is LayoutLabel.TEXT and box.bbox[3] < 220 for box in first)


def test_only_the_model_that_looks_at_text_is_loaded_for_text_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    session = model._session
    monkeypatch.setattr(model, "_session", lambda path: loaded.append(path) or session(path))
    monkeypatch.setattr("pymupdf.layout.onnx.BoxRFDGNN.make_session", lambda *_: pytest.fail("the package loads a model of its own"))
    assert layout_of(page_with_table(), Detail.TEXT)
    assert len(loaded) == 1


def test_a_turned_page_is_seen_as_displayed() -> None:
    page = page_with_table(rotation=180)
    boxes = layout_of(page, Detail.TEXT)
    assert page.rotation == 180
    assert boxes
    assert all(box.bbox[2] <= page.rect.width and box.bbox[3] <= page.rect.height for box in boxes)


def test_without_the_package_a_page_is_read_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    without_package(monkeypatch)
    page = page_with_table()
    with pytest.raises(LayoutUnavailable, match="pymupdf-layout"):
        layout_of(page, Detail.TEXT)
    survey = survey_page(page, LayoutWish.ALWAYS)
    assert survey.layout == ()
    assert [w for w in survey.warnings if "layout" in w]
    assert any(block.table for block in survey.objects)


def test_whatever_the_model_raises_costs_the_tier_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def answer(self, page: pymupdf.Page) -> list[object]:
            raise IndexError("words of the document")

    monkeypatch.setattr(model, "_model", lambda detail: Broken())
    with pytest.raises(LayoutUnavailable, match=r"^the layout model failed on the page$"):
        layout_of(page_with_table(), Detail.TEXT)
    monkeypatch.undo()


def test_pages_beyond_the_model_are_not_asked_about() -> None:
    assert not too_large(80, 200, 595, 842)
    assert too_large(model.MAX_LINES + 1, 0, 595, 842)
    assert too_large(80, model.MAX_DRAWINGS + 1, 595, 842)
    assert too_large(80, 0, 14_400, 14_400)
    assert too_large(80, 0, 0, 842)
