"""Pictures of figures, cut out of the image that was read."""

import cv2
import numpy as np

from inference.cutting import DPI, MARGIN_PT, MAX_PICTURES, pictures_of
from inference.images import PagePixels
from inference.pictures import MAX_CUT_PIXELS
from inference.types import recognized_content
from schemas.content import Block, BlockType
from tests.unit.inference.making import page_image, png_of


def page(*blocks: Block, width: int = 1000, height: int = 1400, dpi: float = 120.0, colour=(0, 0, 200)):
    image = np.full((height, width, 3), 255, np.uint8)
    image[200:400, 100:300] = colour
    png = png_of(image)
    taken = page_image(1, png, width, height, dpi)
    return PagePixels(taken, png, 42_000_000), recognized_content(taken, blocks)


def block(kind: BlockType, x0: float, y0: float, x1: float, y1: float) -> Block:
    return Block(type=kind, bbox=(x0, y0, x1, y1), text="x")


TEXT = block(BlockType.PARAGRAPH, 10, 10, 200, 30)
FIGURE = block(BlockType.FIGURE, 60, 120, 180, 240)
EQUATION = block(BlockType.EQUATION, 60, 300, 180, 320)


def decoded(png: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)


def test_a_figure_is_cut_out_with_its_margin_in_its_colours():
    (picture,) = pictures_of(*page(TEXT, FIGURE), equations=False)
    shown = decoded(picture.png)
    assert picture.bbox == FIGURE.bbox
    assert abs(shown.shape[0] - (120 + 2 * MARGIN_PT) * DPI / 72) <= 2
    assert tuple(shown[100, 100]) == (0, 0, 200)
    assert tuple(shown[0, 0]) == (255, 255, 255)


def test_what_has_no_colour_is_stored_grey_and_finer_images_are_made_smaller():
    (picture,) = pictures_of(*page(TEXT, FIGURE, dpi=300.0, colour=(10, 10, 10)), equations=False)
    shown = decoded(picture.png)
    assert shown.ndim == 2
    assert abs(shown.shape[0] - (120 + 2 * MARGIN_PT) * DPI / 72) <= 2


def test_equations_are_cut_out_where_the_engine_writes_none():
    assert [p.bbox for p in pictures_of(*page(TEXT, FIGURE, EQUATION), equations=True)] == [FIGURE.bbox, EQUATION.bbox]
    assert [p.bbox for p in pictures_of(*page(TEXT, EQUATION), equations=False)] == []


def test_a_page_that_is_a_picture_is_not_cut_out_of_itself():
    assert pictures_of(*page(FIGURE), equations=True) == ()


def test_pictures_are_bounded_and_boxes_outside_give_none():
    outside = block(BlockType.FIGURE, 5_000, 5_000, 6_000, 6_000)
    many = [block(BlockType.FIGURE, n, 0, n + 500, 700) for n in range(60)]
    pictures = pictures_of(*page(TEXT, outside, *many), equations=False)
    pixels = [decoded(picture.png).shape[0] * decoded(picture.png).shape[1] for picture in pictures]
    assert 0 < len(pictures) <= MAX_PICTURES
    assert sum(pixels) <= MAX_CUT_PIXELS
    endless = block(BlockType.FIGURE, -1e300, 0, float("inf"), 10)
    assert len(pictures_of(*page(TEXT, endless), equations=False)) == 1
