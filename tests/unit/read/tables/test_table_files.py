"""Tables drawn and read by MuPDF: real word boxes and drawings, turned pages among them."""

import pymupdf
import pytest
from drawn_tables import rows_of

from streams.read.tables import find_tables, has_table_candidate, rulings_of

ROWS = [["Country", "Cases", "Share (%)"], ["Austria", "5,821", "92.9"], ["Sweden and Åland", "", "30.2"], ["Total", "57,815", "100.0"]]
XS = [72, 230, 330, 430]


def _page(rotation, *, vertical=True, horizontal=True):
    document = pymupdf.open()
    page = document.new_page()
    for r, row in enumerate(ROWS):
        for c, text in enumerate(row):
            page.insert_text((XS[c] + 4, 114 + 20 * r), text, fontsize=10)
    if horizontal:
        for r in range(len(ROWS) + 1):
            page.draw_line((XS[0], 100 + 20 * r), (XS[-1], 100 + 20 * r), width=0.5)
    else:
        for y in (100, 120, 180):
            page.draw_line((XS[0], y), (XS[-1], y), width=0.5)
    if vertical:
        for x in XS:
            page.draw_line((x, 100), (x, 100 + 20 * len(ROWS)), width=0.5)
    page.set_rotation(rotation)
    return document, page


def _read(page):
    matrix = page.rotation_matrix if page.rotation else None
    words = [(*(pymupdf.Rect(w[:4]) * page.rotation_matrix), *w[4:]) for w in page.get_text("words")]
    rulings = rulings_of(page.get_cdrawings(), matrix)
    assert has_table_candidate(rulings)
    return find_tables(words, rulings, tuple(page.rect))


def _turned(rotation):
    """The same table set so that it reads upright once the page is turned."""
    upright, page = _page(0)
    document = pymupdf.open()
    width, height = page.rect.width, page.rect.height
    turned = document.new_page(width=height, height=width) if rotation % 180 else document.new_page(width=width, height=height)
    turned.show_pdf_page(turned.rect, upright, 0, rotate=rotation)
    turned.set_rotation(rotation)
    return document, turned


@pytest.mark.parametrize(("vertical", "horizontal"), [(True, True), (False, True), (False, False), (True, False)])
def test_ruled_and_partly_ruled(vertical, horizontal):
    document, page = _page(0, vertical=vertical, horizontal=horizontal)
    with document:
        (found,) = _read(page)
    assert rows_of(found.table) == ROWS
    assert found.table.header_rows == 1


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_turned_pages_read_as_displayed(rotation):
    document, page = _turned(rotation)
    with document:
        (found,) = _read(page)
        x0, y0, x1, y1 = found.bbox
        assert 0 <= x0 < x1 <= page.rect.width
        assert 0 <= y0 < y1 <= page.rect.height
    assert rows_of(found.table) == ROWS
