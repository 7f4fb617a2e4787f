"""Rendering: upright, bounded, the same everywhere, and valid PNG."""

import io
import math

import numpy as np
import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image

from streams.read.render import MAX_SIDE, encode_png, render_page, scale_within
from tests.unit.read.made_pages import Sheet, lines_of, text_page
from tests.unit.read.prose import PROSE

MAX_PIXELS = 40_000_000


def opened(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png))
    image.load()
    return image


@given(hnp.arrays(np.uint8, hnp.array_shapes(min_dims=3, max_dims=3, max_side=24).map(lambda shape: (*shape[:2], 3 if shape[2] % 2 else 1))))
def test_png_holds_the_pixels(pixels: np.ndarray) -> None:
    image = np.asarray(opened(encode_png(pixels)))
    assert (image.reshape(pixels.shape) == pixels).all()


@given(st.floats(), st.floats(), st.floats(0.01, 20), st.integers(1, 10**9))
def test_scale_keeps_every_page_within_its_bounds(width: float, height: float, scale: float, max_pixels: int) -> None:
    found = scale_within(width, height, scale, max_pixels)
    assert math.isfinite(found)
    assert found > 0
    if 0 < width < 1e6 and 0 < height < 1e6:
        across, down = math.ceil(width * found), math.ceil(height * found)
        assert across * down <= max(max_pixels, 4) + 1e-6 * max_pixels
        assert max(across, down) <= MAX_SIDE


@pytest.mark.parametrize(
    ("size", "dpi"), [((595, 842), 200), ((3, 3), 200), ((8400, 8400), 300), ((234, 14_295), 200), ((0.5, 300), 72), ((14_400, 14_400), 600)]
)
def test_pages_of_any_size_are_rendered_within_bounds(size: tuple[float, float], dpi: float) -> None:
    bound = 3_000_000
    rendered = render_page(Sheet(size).draw("0 g 0 0 1 1 re f").done(), dpi, bound)
    assert 1 <= rendered.width_px * rendered.height_px <= bound
    assert min(rendered.width_px, rendered.height_px) >= 1
    assert opened(rendered.png).size == (rendered.width_px, rendered.height_px)
    assert rendered.dpi <= dpi or min(size) < 1


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_page_is_rendered_as_displayed(rotation: int) -> None:
    page = Sheet((300, 400)).draw("0 g 0 370 60 30 re f").done(rotation)  # a mark at the top left of the page before it is turned
    image = np.asarray(opened(render_page(page, 72, MAX_PIXELS).png))
    assert image.shape == ((400, 300) if rotation % 180 == 0 else (300, 400))
    corners = {0: image[5, 5], 90: image[5, -5], 180: image[-5, -5], 270: image[-5, 5]}
    assert corners[rotation] < 50
    assert sum(int(value) < 50 for value in corners.values()) == 1


def test_page_without_colour_is_grey_and_one_with_colour_is_not() -> None:
    page = text_page(PROSE["german"])
    assert opened(render_page(page, 100, MAX_PIXELS).png).mode == "L"
    coloured = Sheet().write(lines_of(PROSE["german"])).draw("1 0 0 rg 100 100 40 12 re f").done()
    assert opened(render_page(coloured, 100, MAX_PIXELS).png).mode == "RGB"


def test_annotations_are_drawn() -> None:
    document = pymupdf.open()
    page = document.new_page(width=200, height=200)
    empty = render_page(page, 72, MAX_PIXELS)
    page.add_freetext_annot(pymupdf.Rect(20, 20, 180, 60), "seen", fontsize=20)
    assert render_page(page, 72, MAX_PIXELS).pixels_sha256 != empty.pixels_sha256


def test_hash_names_the_pixels() -> None:
    first, again = text_page(PROSE["german"]), text_page(PROSE["german"])
    one, two = render_page(first, 100, MAX_PIXELS), render_page(again, 100, MAX_PIXELS)
    assert one == two
    assert len(one.pixels_sha256) == 64
    assert render_page(text_page(PROSE["french"]), 100, MAX_PIXELS).pixels_sha256 != one.pixels_sha256
    assert render_page(first, 101, MAX_PIXELS).pixels_sha256 != one.pixels_sha256


@settings(max_examples=25, deadline=None)
@given(st.floats(1, 4000), st.floats(1, 4000), st.floats(20, 600))
def test_no_page_size_breaks_rendering(width: float, height: float, dpi: float) -> None:
    document = pymupdf.open()
    rendered = render_page(document.new_page(width=width, height=height), dpi, 200_000)
    assert 1 <= rendered.width_px * rendered.height_px <= 200_000


@pytest.mark.parametrize("dpi", [72, 150])
def test_outside_of_the_regions_asked_for_a_page_is_white(dpi: int) -> None:
    page = Sheet((200, 200)).draw("0 g 0 0 200 200 re f").done()
    image = np.asarray(opened(render_page(page, dpi, MAX_PIXELS, only=[(50.0, 40.0, 90.0, 60.0)]).png))
    dark = np.argwhere(image < 50) * 72 / dpi
    assert dark.min(axis=0) == pytest.approx([38, 48], abs=1)
    assert dark.max(axis=0) == pytest.approx([62, 92], abs=1)


def test_regions_beyond_the_page_are_legal() -> None:
    page = Sheet((100, 100)).draw("0 g 0 0 100 100 re f").done()
    image = np.asarray(opened(render_page(page, 72, MAX_PIXELS, only=[(-50.0, 90.0, 500.0, 900.0), (9.0, 9.0, 2.0, 2.0)]).png))
    assert (image[92:] < 50).all()
    assert (image[:80, 20:] == 255).all()
