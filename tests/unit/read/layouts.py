"""Random page layouts with their reading order: boxes of lines as a reader finds them, of every arrangement that printed pages have.

Each layout draws its measures (columns, gutters, leading, ragged ends, paragraphs, splits of lines) from a seed; boxes come in reading order.
"""

import random
from collections.abc import Callable, Sequence

from schemas.geometry import BBox

WIDTH, HEIGHT = 595.0, 842.0


class Canvas:
    """Boxes in reading order, on a page of A4, with the type size and leading of its text."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.size = self.rng.choice([8.0, 9.0, 10.0, 11.0])
        self.leading = self.size * self.rng.uniform(1.12, 1.45)
        self.boxes: list[BBox] = []
        self.ragged = self.rng.random() < 0.4

    def prose(self, x0: float, x1: float, y: float, lines: int, *, grid: bool = False, least_paragraph: int = 2) -> float:
        """Lines of paragraphs in a column; returns where the next line would stand."""
        left = 0
        for number in range(lines):
            if left == 0:
                left = self.rng.randint(least_paragraph, 9)
                indent = self.size * 1.2 if number else 0.0
                y += 0.0 if grid or not number else self.rng.choice([0.0, 0.0, 0.5]) * self.leading
            left -= 1
            end = x1 - (self.rng.uniform(0, 0.25) * (x1 - x0) if self.ragged else self.rng.uniform(0, 0.4))
            if left == 0 or number == lines - 1:
                end = x0 + self.rng.uniform(0.2, 0.95) * (x1 - x0)
            self.line(x0 + indent, end, y)
            indent = 0.0
            y += self.leading
        return y

    def line(self, x0: float, x1: float, y: float, size: float | None = None) -> None:
        """One line, now and then in two pieces as of two fonts."""
        size = size or self.size
        box = (x0, y, max(x1, x0 + size), y + 1.12 * size)
        if self.rng.random() < 0.06 and box[2] - box[0] > 12 * size:
            cut = self.rng.uniform(0.3, 0.7) * (box[2] - box[0]) + box[0]
            self.boxes += [(box[0], box[1], cut, box[3]), (cut + 0.25 * size, box[1], box[2], box[3])]
        else:
            self.boxes.append(box)

    def block(self, x0: float, x1: float, y: float, height: float) -> float:
        """A figure or a table, one box."""
        self.boxes.append((x0, y, x1, y + height))
        return y + height + 1.2 * self.leading

    def title(self, x0: float, x1: float, y: float) -> float:
        """One or two centred or flush lines in large type."""
        for _ in range(self.rng.randint(1, 2)):
            length = self.rng.uniform(0.45, 0.95) * (x1 - x0)
            start = x0 if self.rng.random() < 0.5 else (x0 + x1 - length) / 2
            self.line(start, start + length, y, 1.8 * self.size)
            y += 2.3 * self.size
        return y + self.leading


def columns_of(canvas: Canvas, count: int, x0: float = 50.0, x1: float = WIDTH - 50.0, shares: Sequence[float] = ()) -> list[tuple[float, float]]:
    """The edges of columns beside each other."""
    gutter = canvas.rng.uniform(1.2, 2.6) * canvas.size
    room = x1 - x0 - gutter * (count - 1)
    found, x = [], x0
    for share in shares or [1 / count] * count:
        found.append((x, x + share * room))
        x += share * room + gutter
    return found


def one_column(canvas: Canvas) -> None:
    """A book's page with its head and number."""
    canvas.line(50, 250, 30, 0.85 * canvas.size)
    canvas.prose(50, WIDTH - 50, 70, canvas.rng.randint(10, 40))
    canvas.line(WIDTH / 2 - 8, WIDTH / 2 + 8, 800)


def _columns(canvas: Canvas, count: int, *, grid: bool = False, lines: tuple[int, int] = (8, 40), shares: Sequence[float] = ()) -> None:
    top = canvas.title(50, WIDTH - 50, 50) if canvas.rng.random() < 0.6 else 60.0
    for x0, x1 in columns_of(canvas, count, shares=shares):
        y = top if grid else top + canvas.rng.choice([0.0, 0.0, canvas.rng.uniform(0, 1)]) * canvas.leading
        canvas.prose(x0, x1, y, canvas.rng.randint(*lines), grid=grid)


def two_columns(canvas: Canvas) -> None:
    """A paper's page."""
    _columns(canvas, 2)


def two_columns_on_a_grid(canvas: Canvas) -> None:
    """A journal whose lines stand on common baselines."""
    _columns(canvas, 2, grid=True)


def short_columns(canvas: Canvas) -> None:
    """The last page of a section: a few lines in each of two columns."""
    _columns(canvas, 2, lines=(4, 8))


def three_columns(canvas: Canvas) -> None:
    """A newsletter."""
    _columns(canvas, 3)


def four_columns(canvas: Canvas) -> None:
    """A newspaper."""
    canvas.size = 7.0
    canvas.leading = 8.6
    _columns(canvas, 4, lines=(15, 60))


def uneven_columns(canvas: Canvas) -> None:
    """A narrow and a wide column."""
    _columns(canvas, 2, shares=canvas.rng.choice([(0.32, 0.68), (0.66, 0.34), (0.27, 0.73)]), lines=(10, 40))


def right_to_left(canvas: Canvas) -> None:
    """Two columns that are read from the right."""
    _columns(canvas, 2)
    canvas.boxes = [(WIDTH - x1, y0, WIDTH - x0, y1) for x0, y0, x1, y1 in canvas.boxes]


def bands(canvas: Canvas) -> None:
    """Columns above and below something of the full width."""
    y = canvas.title(50, WIDTH - 50, 50)
    for number in range(canvas.rng.randint(2, 3)):
        if number:
            y = (
                canvas.block(50, WIDTH - 50, y + canvas.leading, 90)
                if canvas.rng.random() < 0.5
                else canvas.title(50, WIDTH - 50, y + canvas.leading)
            )
        lines = canvas.rng.randint(5, 12)
        y = max(canvas.prose(x0, x1, y, lines + canvas.rng.randint(0, 1)) for x0, x1 in columns_of(canvas, 2)) + canvas.leading


def figures_in_columns(canvas: Canvas) -> None:
    """Figures as wide as their column."""
    for x0, x1 in columns_of(canvas, 2):
        y = 60.0
        for _ in range(canvas.rng.randint(1, 3)):
            y = canvas.prose(x0, x1, y, canvas.rng.randint(4, 14)) + canvas.leading
            if canvas.rng.random() < 0.6:
                y = canvas.block(x0, x1, y, canvas.rng.uniform(50, 120))


def headed_columns(canvas: Canvas) -> None:
    """Two columns under a running head of two parts, with a number below."""
    canvas.line(50, 170, 28, 0.85 * canvas.size)
    canvas.line(WIDTH - 120, WIDTH - 50, 28, 0.85 * canvas.size)
    for x0, x1 in columns_of(canvas, 2):
        canvas.prose(x0, x1, 60, canvas.rng.randint(20, 45))
    canvas.line(WIDTH / 2 - 6, WIDTH / 2 + 6, 810)


def sidebar(canvas: Canvas) -> None:
    """Short notes beside the text, in smaller type; main text first where it stands left."""
    main, side = (50.0, 400.0), (425.0, WIDTH - 40.0)
    canvas.prose(*main, 60, canvas.rng.randint(25, 45))
    size, leading = canvas.size, canvas.leading
    canvas.size, canvas.leading, canvas.ragged = 0.8 * size, 0.82 * leading, True
    y = 60 + canvas.rng.uniform(0, 200)
    for _ in range(canvas.rng.randint(1, 3)):
        y = canvas.prose(*side, y, canvas.rng.randint(4, 9)) + canvas.rng.uniform(10, 60)


def table_in_prose(canvas: Canvas) -> None:
    """A table without rules, read row by row, between paragraphs."""
    y = canvas.prose(50, WIDTH - 50, 60, canvas.rng.randint(3, 9)) + canvas.leading
    columns = canvas.rng.randint(3, 6)
    step = (WIDTH - 100) / columns
    for _ in range(canvas.rng.randint(4, 14)):
        for column in range(columns):
            length = canvas.rng.uniform(0.2, 0.75) * step
            x0 = 50 + column * step if column == 0 else 50 + (column + 1) * step - length
            canvas.boxes.append((x0, y, x0 + length, y + 1.12 * canvas.size))
        y += canvas.leading
    canvas.prose(50, WIDTH - 50, y + canvas.leading, canvas.rng.randint(3, 9))


def form(canvas: Canvas) -> None:
    """Labels and their values side by side."""
    y = canvas.title(50, WIDTH - 50, 50)
    for _ in range(canvas.rng.randint(6, 20)):
        canvas.boxes.append((50, y, 50 + canvas.rng.uniform(40, 130), y + 1.12 * canvas.size))
        canvas.boxes.append((220, y + canvas.rng.uniform(-0.6, 0.6), 220 + canvas.rng.uniform(40, 250), y + 1.12 * canvas.size))
        y += canvas.leading * canvas.rng.choice([1.0, 1.3, 1.8])


def numbered_list(canvas: Canvas) -> None:
    """Marks that stand apart from their items' lines."""
    y = 60.0
    for _ in range(canvas.rng.randint(5, 14)):
        canvas.boxes.append((50, y, 50 + 1.2 * canvas.size, y + 1.12 * canvas.size))
        y = canvas.prose(75, WIDTH - 50, y, canvas.rng.randint(1, 3), least_paragraph=4) + 0.4 * canvas.leading


def table_in_a_column(canvas: Canvas) -> None:
    """A table without rules in the left column of two."""
    (a0, a1), (b0, b1) = columns_of(canvas, 2)
    y = canvas.prose(a0, a1, 60, canvas.rng.randint(8, 16)) + canvas.leading
    step = (a1 - a0) / 3
    for _ in range(canvas.rng.randint(4, 9)):
        for column in range(3):
            length = canvas.rng.uniform(0.25, 0.6) * step
            canvas.boxes.append((a0 + column * step, y, a0 + column * step + length, y + 1.12 * canvas.size))
        y += canvas.leading
    canvas.prose(a0, a1, y + canvas.leading, canvas.rng.randint(4, 12))
    canvas.prose(b0, b1, 60, canvas.rng.randint(25, 45))


def equations_in_columns(canvas: Canvas) -> None:
    """Displayed formulas, centred in their columns, between lines of text."""
    for x0, x1 in columns_of(canvas, 2):
        y = 60 + canvas.rng.uniform(0, 1) * canvas.leading
        for _ in range(canvas.rng.randint(2, 4)):
            y = canvas.prose(x0, x1, y, canvas.rng.randint(4, 9)) + 0.6 * canvas.leading
            middle, half = (x0 + x1) / 2, canvas.rng.uniform(0.15, 0.4) * (x1 - x0)
            canvas.line(middle - half, middle + half, y)
            y += 1.8 * canvas.leading


def short_texts_beside(canvas: Canvas) -> None:
    """Two columns of headings with two or three lines under each: features of a brochure."""
    y = canvas.title(50, WIDTH - 50, 50)
    starts = [y + canvas.rng.uniform(0, 0.4) * canvas.leading for _ in range(2)]
    for (x0, x1), start in zip(columns_of(canvas, 2), starts, strict=True):
        y = start
        for _ in range(canvas.rng.randint(3, 5)):
            canvas.line(x0, x0 + canvas.rng.uniform(0.3, 0.8) * (x1 - x0), y, 1.15 * canvas.size)
            y = (
                canvas.prose(x0, x1, y + 1.5 * canvas.leading, canvas.rng.randint(2, 4), least_paragraph=4)
                + canvas.rng.uniform(0.8, 2.2) * canvas.leading
            )


Layout = Callable[[Canvas], None]

LAYOUTS: tuple[Layout, ...] = (
    one_column, two_columns, two_columns_on_a_grid, short_columns, three_columns, four_columns, uneven_columns, right_to_left, bands,
    figures_in_columns, headed_columns, sidebar, table_in_prose, form, numbered_list, table_in_a_column, equations_in_columns, short_texts_beside,
)  # fmt: skip


def laid_out(layout: Layout, seed: int) -> list[BBox]:
    """The boxes of a random page of a layout, in reading order."""
    canvas = Canvas(seed)
    layout(canvas)
    return canvas.boxes


def broken_steps(order: Sequence[int]) -> float:
    """Share of the steps from one box to the next that do not follow each other in an order of `0..n-1`."""
    place = {index: position for position, index in enumerate(order)}
    steps = len(order) - 1
    return sum(place[index + 1] != place[index] + 1 for index in range(steps)) / max(steps, 1)
