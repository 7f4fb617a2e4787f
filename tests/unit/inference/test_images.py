"""Pixels of a page: decoding within bounds, turning, ink."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.images import PagePixels, cut_out, ink_share, inked_rows, padded, png_size, turned, turned_quads
from schemas.errors import Code, PageloomError
from tests.unit.inference.making import page_image, png_of, white


def test_an_image_is_decoded():
    png = png_of(white(30, 20))
    assert PagePixels(page_image(1, png), png, 1000).bgr.shape == (20, 30, 3)


def test_too_many_pixels_are_refused_before_decoding():
    png = bytearray(png_of(white()))
    png[16:24] = struct.pack(">II", 100_000, 100_000)
    with pytest.raises(PageloomError) as refused:
        _ = PagePixels(page_image(), bytes(png), 40_000_000).bgr
    assert refused.value.code is Code.TOO_MANY_PIXELS


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"\x89PNG\r\n\x1a\n" + b"\0" * 40, png_of(white())[:60]])
def test_what_is_no_png_is_corrupt(data):
    with pytest.raises(PageloomError) as refused:
        _ = PagePixels(page_image(), data, 1000_000).bgr
    assert refused.value.code is Code.CORRUPT


@given(st.binary(max_size=200))
def test_any_bytes_are_a_size_or_a_refusal(data):
    try:
        width, height = png_size(data)
    except PageloomError:
        return
    assert width > 0
    assert height > 0


def test_ink_is_counted_on_white_and_on_black_paper():
    page = white(400, 400)
    page[:40] = 0
    assert ink_share(page) == pytest.approx(0.1, abs=0.01)
    assert ink_share(255 - page) == pytest.approx(0.1, abs=0.01)
    assert ink_share(white()) == 0


@given(st.sampled_from([0, 90, 180, 270]), st.integers(5, 40), st.integers(5, 40))
def test_turning_a_page_and_its_boxes_agree(clockwise, width, height):
    page = white(width, height)
    page[1:3, 2:5] = 0
    quad = np.array([(2, 1), (5, 1), (5, 3), (2, 3)], np.float32)
    (moved,) = turned_quads([quad], clockwise, width, height)
    x0, y0 = moved.min(axis=0).astype(int)
    x1, y1 = moved.max(axis=0).astype(int)
    assert turned(page, clockwise)[y0:y1, x0:x1].max() == 0
    back = turned_quads([moved], -clockwise % 360, *turned(page, clockwise).shape[1::-1])[0]
    assert np.array_equal(back, quad)


def test_a_line_is_cut_out_straight():
    page = white(100, 50)
    page[10:20, 30:60] = 0
    cut = cut_out(page, np.array([(30, 10), (60, 10), (60, 20), (30, 20)], np.float32))
    assert cut.shape == (10, 30, 3)
    assert cut.mean() < 5


def test_small_images_get_a_border_in_the_colour_of_their_edge():
    framed, left, top = padded(white(10, 200), 96)
    assert min(framed.shape[:2]) >= 96
    assert framed.min() == 255
    assert (left, top) == (43, 8)


def test_ink_of_a_line_above_that_reaches_in_at_the_edge_is_none_of_the_line():
    ink = np.zeros((52, 160), bool)
    ink[0:15, 10:90] = True  # letters of the line above, cut off by the edge
    ink[21:39, 5:150] = True
    assert inked_rows(ink) == (21, 39)
    dotted = np.zeros((40, 160), bool)
    dotted[8:12, 40:44] = True  # the dots of an umlaut
    dotted[16:32, 5:150] = True
    assert inked_rows(dotted) == (8, 32)
    assert inked_rows(np.zeros((40, 160), bool)) == (0, 40)
