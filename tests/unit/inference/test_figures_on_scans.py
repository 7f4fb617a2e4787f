"""Figures on the image of a page: found among text, rules and shades, and nothing else taken for one."""

import time

import numpy as np
import pytest

from inference.figures import figures_of
from inference.images import levels_of
from inference.types import Shade, TextLine

SIZE = 25.0
"""Pixels of the type of these pages."""
ROWS = range(60, 1360, 40)


def sheet(height: int = 1400, width: int = 1000) -> np.ndarray:
    return np.full((height, width, 3), 252, np.uint8)


def write(image: np.ndarray, x0: int, x1: int, rows=ROWS) -> list[TextLine]:
    """Rows of letters, and the lines that a model reads of them."""
    for y in rows:
        for x in range(x0, x1 - 12, 16):
            image[y : y + 18, x : x + 3] = image[y : y + 18, x + 8 : x + 11] = image[y + 8 : y + 11, x : x + 11] = 20
    return [TextLine((float(x0), float(y), float(x1), float(y + 18)), "many words in a row", 0.98) for y in rows]


def disc(image: np.ndarray, x: int, y: int, radius: int, colour=(60, 60, 60)) -> None:
    ys, xs = np.ogrid[: image.shape[0], : image.shape[1]]
    image[(xs - x) ** 2 + (ys - y) ** 2 <= radius**2] = colour


def found(image: np.ndarray, lines=(), rules=(), shades=()) -> list[tuple[int, ...]]:
    return [tuple(round(side) for side in box) for box in figures_of(levels_of(image), SIZE, lines, rules, shades)]


def near(box, other, slack: float = 1.2 * SIZE) -> bool:
    return max(abs(a - b) for a, b in zip(box, other, strict=True)) <= slack


@pytest.mark.parametrize("colour", [(60, 60, 60), (150, 220, 250)], ids=["dark", "pale"])
def test_a_drawing_between_text_is_a_figure(colour):
    image = sheet()
    lines = write(image, 60, 940, [*range(60, 400, 40), *range(900, 1340, 40)])
    disc(image, 500, 650, 160, colour)
    (figure,) = found(image, lines)
    assert near(figure, (340, 490, 660, 810))


def test_text_and_its_rules_and_shades_are_none():
    image = sheet()
    image[200:260, 60:940] = 225
    image[600:604, 60:940] = 0
    lines = write(image, 60, 940)
    assert found(image, lines, [(60.0, 600.0, 940.0, 604.0)], [Shade((60.0, 200.0, 940.0, 260.0), 225.0)]) == []


def test_a_shade_that_is_a_part_of_a_picture_does_not_cut_it():
    image = sheet()
    disc(image, 500, 650, 160, (90, 90, 90))
    label = TextLine((460.0, 640.0, 540.0, 658.0), "32 per cent", 0.98)
    (figure,) = found(image, [label], shades=[Shade((345.0, 600.0, 655.0, 700.0), 90.0)])
    assert near(figure, (340, 490, 660, 810))


def test_a_pale_watermark_behind_text_is_none():
    image = sheet()
    for step in range(600):
        image[300 + step : 340 + step, 200 + step : 260 + step] = 205
    assert found(image, write(image, 60, 940)) == []


def test_the_shadow_of_a_book_along_the_edge_is_none():
    image = sheet()
    image[:, :40] = 40
    assert found(image, write(image, 60, 940)) == []


def test_blacked_out_lines_are_none():
    image = sheet()
    image[300:340, 100:420] = 0
    assert found(image, write(image, 60, 940, range(500, 1300, 40))) == []


def test_a_framed_text_is_none_and_a_framed_plot_has_its_frame():
    image = sheet()
    frame = [(200.0, 300.0, 204.0, 800.0), (796.0, 300.0, 800.0, 800.0), (200.0, 300.0, 800.0, 304.0), (200.0, 796.0, 800.0, 800.0)]
    for x0, y0, x1, y1 in frame:
        image[int(y0) : int(y1), int(x0) : int(x1)] = 0
    assert found(image, write(image, 220, 780, range(320, 780, 40)), frame) == []
    plot = sheet()
    for x in range(320, 700):
        y = 560 + int(60 * np.sin(x / 40))
        plot[y : y + 22, x] = 30
    (figure,) = found(plot, [], frame)
    assert near(figure, (200, 300, 800, 800))


def test_panels_that_stand_close_are_one_figure_and_others_are_not():
    image = sheet()
    for x in (200, 360):
        image[300:450, x : x + 130] = 80
    image[900:1100, 200:500] = 80
    assert [near(a, b) for a, b in zip(found(image), [(200, 300, 490, 450), (200, 900, 500, 1100)], strict=True)] == [True, True]


def test_lines_in_a_script_that_nobody_read_are_no_figure():
    image = sheet()
    lines = [TextLine(line.bbox, "", 0.2) for line in write(image, 60, 940)]
    assert found(image, lines) == []


@pytest.mark.parametrize("kind", ["noise", "black", "hatched", "tiny"])
def test_hostile_images_cost_bounded_time(kind):
    image = np.random.default_rng(1).integers(0, 255, (3000, 3000, 3), np.uint8) if kind == "noise" else np.zeros((3000, 3000, 3), np.uint8)
    image = image[:3, :5] if kind == "tiny" else image
    if kind == "hatched":
        image[::40] = image[:, ::40] = 255
    rules = [(float(n % 2900), float(n // 2), float(n % 2900 + 60), float(n // 2 + 2)) for n in range(4_000)]
    started = time.process_time()
    figures_of(levels_of(image), 6.0, [], rules, [])
    assert time.process_time() - started < 4.0
