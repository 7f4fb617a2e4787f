"""From a page's drawings to its rulings: straight horizontal and vertical lines, and filled boxes.

Guarantees: time is linear in the number of drawing items up to a bound, after which the rest is left unread (`complete` is then false);
collinear pieces that touch are one ruling; nothing here looks at text. Knows the dicts of PyMuPDF's `get_cdrawings`, not PyMuPDF itself.
Boxes are points of the page as displayed: for a turned page the caller gives its rotation matrix.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from msgspec import Struct

from schemas.geometry import BBox
from streams.read.tables.curves import Curve, pieces_of

Segment = tuple[float, float, float]
"""A straight line: the coordinate that it keeps (y of a horizontal, x of a vertical one), where it starts, where it ends."""

_coordinate, _start = itemgetter(0), itemgetter(1)

MAX_ITEMS = 60_000
"""Items read of one page. The busiest tables seen have 3,000; a map has 100,000 paths and no table that we would find in it."""
MAX_SEGMENTS = 12_000
"""Rulings kept before merging. A 100 x 30 table drawn cell by cell has 12,000; more is hatching."""
MAX_FILLS = 4_000
"""Filled boxes kept: a 100 x 40 table with a background in each cell."""
MAX_PATH_ITEMS = 5_000
"""Items of one path: some programs draw all lines of a table as one path, none draws more lines than this."""
MAX_CURVED_ITEMS = 12
"""A rounded frame has up to 9 items; a longer path with curves is a glyph, a logo or a plot."""
PROBE_ITEMS = 16
"""A long path whose first items are not axis-parallel is a plot or an outline, and is not read further."""

THIN_PT = 3.2
"""A filled box at most this thick is a ruling."""
BAR_PT = 5.0
"""A filled box at most this thick and ten times as long is a ruling too: the heavy bars above and below some tables."""
SLANT_PT = 0.8
"""How far the ends of an axis-parallel line may differ across it."""
COLLINEAR_PT = 1.0
"""Pieces at most this far apart across are one ruling."""
TOUCH_PT = 2.5
"""Pieces of one ruling with at most this gap between them touch: dashes, and cells drawn one by one."""
MIN_LENGTH_PT = 4.0
"""Shorter rulings, after merging, are ticks and dots."""
MAX_CURVES = 2_000
"""Curves kept: where one of a chart runs is told by fewer."""
MAX_ALL_PIECES = 8_000
"""Pieces kept of one page: of 250 long curves. Later ones run all through their boxes."""
LIMIT_PT = 30_000.0
"""Coordinates beyond this are cut off there: pages have at most 14,400 points, and infinite boxes occur."""
WHITE = 0.985
"""Components above this are white paper."""


class Fill(Struct, frozen=True, gc=False):
    """A filled box and its colour; `colour` is only compared."""

    box: BBox
    colour: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Rulings:
    """The straight drawings of a page, and the curves. Rulings are sorted by the coordinate they keep; white ones count only on a coloured box."""

    horizontal: tuple[Segment, ...]
    vertical: tuple[Segment, ...]
    fills: tuple[Fill, ...]
    complete: bool = True
    curves: tuple[Curve, ...] = ()


def rulings_of(drawings: Iterable[Mapping[str, Any]], matrix: Sequence[float] | None = None) -> Rulings:
    """The rulings of a page from the dicts of `get_cdrawings`.

    `matrix` (a, b, c, d, e, f) takes the drawings' coordinates to the page as displayed; None where they are so already. Damaged dicts are
    skipped. Raises nothing for any content of the dicts that PyMuPDF can give.
    """
    collector = _Collector(matrix)
    complete = True
    items_left = MAX_ITEMS
    for drawing in drawings:
        items = drawing.get("items")
        if not items:
            continue
        items_left -= 1 if len(items) == 1 else PROBE_ITEMS
        if items_left < 0 or collector.is_full():
            complete = False
            break
        if len(items) == 1:
            collector.add(drawing, items)
        elif len(items) <= MAX_PATH_ITEMS and not _is_plot(items):
            items_left -= len(items)
            collector.add(drawing, items)
        else:
            collector.add_plot(drawing, items)
    return Rulings(
        horizontal=tuple(merged([*collector.horizontal, *collector.seen(collector.white_horizontal, across=1)])),
        vertical=tuple(merged([*collector.vertical, *collector.seen(collector.white_vertical, across=0)])),
        fills=tuple(dict.fromkeys(collector.fills)),
        complete=complete,
        curves=tuple(collector.curves),
    )


def merged(segments: Iterable[Segment]) -> list[Segment]:
    """Collinear pieces that touch as one, ticks dropped, sorted by (coordinate, start)."""
    ordered = sorted(segments)
    whole: list[Segment] = []
    first = 0
    while first < len(ordered):
        last = bisect_right(ordered, ordered[first][0] + COLLINEAR_PT, first, key=_coordinate)
        whole += _pieces_joined(sorted(ordered[first:last], key=_start)) if last - first > 1 else ordered[first:last]
        first = last
    return [segment for segment in whole if segment[2] - segment[1] >= MIN_LENGTH_PT]


def _pieces_joined(line: Sequence[Segment]) -> Iterator[Segment]:
    """Pieces of one line, sorted by where they start, as one where they touch."""
    at = line[len(line) // 2][0] if len(line) > 2 else line[0][0]
    _, start, end = line[0]
    for _, next_start, next_end in line:
        if next_start - end > TOUCH_PT:
            yield at, start, end
            start, end = next_start, next_end
        elif next_end > end:
            end = next_end
    yield at, start, end


def _is_plot(items: Sequence[Any]) -> bool:
    """Whether a path of several items is no ruling work: curves among many items, or lines that are mostly slanted."""
    if len(items) > MAX_CURVED_ITEMS and any(item[0] == "c" for item in items[:PROBE_ITEMS]):
        return True
    lines = [item for item in items[:PROBE_ITEMS] if item[0] == "l"]
    slanted = [p for _, p, q in lines if abs(p[0] - q[0]) > SLANT_PT and abs(p[1] - q[1]) > SLANT_PT]
    return len(slanted) * 2 > len(lines)


class _Collector:
    """Gathers the pieces of all drawings of a page, in displayed coordinates. Pieces in white are kept apart until all boxes are known."""

    def __init__(self, matrix: Sequence[float] | None) -> None:
        self.horizontal: list[Segment] = []
        self.vertical: list[Segment] = []
        self.white_horizontal: list[Segment] = []
        self.white_vertical: list[Segment] = []
        self.fills: list[Fill] = []
        self.curves: list[Curve] = []
        self._pieces_left = MAX_ALL_PIECES
        self._matrix = tuple(matrix) if matrix is not None and tuple(matrix) != (1.0, 0.0, 0.0, 1.0, 0.0, 0.0) else None

    def is_full(self) -> bool:
        white = len(self.white_horizontal) + len(self.white_vertical)
        return len(self.horizontal) + len(self.vertical) + white > MAX_SEGMENTS or len(self.fills) > MAX_FILLS

    def add(self, drawing: Mapping[str, Any], items: Sequence[Any]) -> None:
        kind = drawing.get("type") or ""
        fill = drawing.get("fill") if "f" in kind and (drawing.get("fill_opacity", 1) or 0) > 0.03 else None
        stroke = drawing.get("color") if "s" in kind and (drawing.get("stroke_opacity", 1) or 0) > 0.03 else None
        if not fill and not stroke:
            return
        fill, stroke = fill or None, stroke or None
        if len(items) == 1 and items[0][0] == "re":
            self._box(items[0][1], fill, stroke)
            return
        width = drawing.get("width") or 0.0
        path: list[Any] = []
        for item in items:
            if item[0] == "l":
                if path and path[-1][2] != item[1]:
                    self._path(path, fill, stroke, width)
                    path = []
                path.append(item)
            elif item[0] == "re":
                self._box(item[1], fill, stroke)
            elif item[0] == "c":
                if fill is None:
                    self._curve(item[1], item[-1])
            elif item[0] == "qu":
                quad = item[1]
                xs, ys = [p[0] for p in quad], [p[1] for p in quad]
                if _is_upright(quad):
                    self._box((min(xs), min(ys), max(xs), max(ys)), fill, stroke)
        if path:
            self._path(path, fill, stroke, width)

    def add_plot(self, drawing: Mapping[str, Any], items: Sequence[Any]) -> None:
        """Takes a path of many parts that is no ruling work for a curve, where it is stroked alone: what is filled may be letters."""
        rect = drawing.get("rect")
        if drawing.get("type") != "s" or not drawing.get("color") or rect is None or len(self.curves) >= MAX_CURVES:
            return
        pieces = tuple(self._around(*corners) for corners in pieces_of(items)) if self._pieces_left > 0 else ()
        self._pieces_left -= len(pieces)
        self.curves.append(Curve(self._around(rect[:2], rect[2:]), len(items), pieces))

    def seen(self, white: Sequence[Segment], across: int) -> Iterator[Segment]:
        """The white segments whose middle lies on a coloured box, where they can be seen. `across` is the index of their coordinate."""
        for segment in white:
            middle = (segment[1] + segment[2]) / 2
            x, y = (middle, segment[0]) if across else (segment[0], middle)
            if any(f.box[0] - 1 <= x <= f.box[2] + 1 and f.box[1] - 1 <= y <= f.box[3] + 1 for f in self.fills[:200]):
                yield segment

    def _path(self, path: list[Any], fill: Any, stroke: Any, width: float) -> None:
        """Lines that follow each other. Filled, they are a box if they run around one; stroked, each is a ruling."""
        if fill is not None and 3 <= len(path) <= 5:
            points = [item[1] for item in path] + [path[-1][2]]
            if all(abs(p[0] - q[0]) <= SLANT_PT or abs(p[1] - q[1]) <= SLANT_PT for _, p, q in path):
                xs, ys = [p[0] for p in points], [p[1] for p in points]
                self._box((min(xs), min(ys), max(xs), max(ys)), fill, None)
        if stroke is None:
            return
        is_white = min(stroke) > WHITE
        for _, start, end in path:
            (x0, y0), (x1, y1) = start, end
            if not (max(abs(x0), abs(y0), abs(x1), abs(y1)) < LIMIT_PT):
                x0, y0, x1, y1 = _limited(x0), _limited(y0), _limited(x1), _limited(y1)
            if width > BAR_PT and (abs(y0 - y1) <= SLANT_PT or abs(x0 - x1) <= SLANT_PT):
                half = width / 2
                flat = abs(y0 - y1) <= SLANT_PT
                grow_x, grow_y = (0.0, half) if flat else (half, 0.0)
                self._box((min(x0, x1) - grow_x, min(y0, y1) - grow_y, max(x0, x1) + grow_x, max(y0, y1) + grow_y), stroke, None)
            elif abs(y0 - y1) <= SLANT_PT < abs(x0 - x1):
                self._segment(min(x0, x1), (y0 + y1) / 2, max(x0, x1), (y0 + y1) / 2, is_white)
            elif abs(x0 - x1) <= SLANT_PT < abs(y0 - y1):
                self._segment((x0 + x1) / 2, min(y0, y1), (x0 + x1) / 2, max(y0, y1), is_white)
            elif fill is None and not is_white:
                self._curve(start, end)

    def _curve(self, start: Sequence[float], end: Sequence[float]) -> None:
        if len(self.curves) < MAX_CURVES:
            self.curves.append(Curve(self._around(start, end), 1))

    def _around(self, *corners: Sequence[float]) -> BBox:
        """The box of two opposite corners, on the page as displayed."""
        (x0, y0), (x1, y1) = (self._point(_limited(x), _limited(y)) for x, y in corners)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def _box(self, box: Sequence[float], fill: Any, stroke: Any) -> None:
        """A rectangle: one ruling when thin, four when stroked, and a background when filled."""
        x0, y0, x1, y1 = box
        if not (-LIMIT_PT < x0 <= x1 < LIMIT_PT and -LIMIT_PT < y0 <= y1 < LIMIT_PT):
            x0, x1 = sorted((_limited(x0), _limited(x1)))
            y0, y1 = sorted((_limited(y0), _limited(y1)))
        wide, high = x1 - x0, y1 - y0
        is_white = min(stroke if stroke is not None else fill) > WHITE  # of one component, three or four
        if (high <= THIN_PT or (high <= BAR_PT and wide >= 10 * high)) and wide > high:
            self._segment(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, is_white)
            return
        if wide <= THIN_PT or (wide <= BAR_PT and high >= 10 * wide):
            if high > wide:
                self._segment((x0 + x1) / 2, y0, (x0 + x1) / 2, y1, is_white)
            return
        if stroke is not None:
            self._segment(x0, y0, x1, y0, is_white)
            self._segment(x0, y1, x1, y1, is_white)
            self._segment(x0, y0, x0, y1, is_white)
            self._segment(x1, y0, x1, y1, is_white)
        if fill is not None and min(fill) <= WHITE:
            if self._matrix is None:
                self.fills.append(Fill((x0, y0, x1, y1), tuple(fill)))
                return
            a, b = self._point(x0, y0), self._point(x1, y1)
            self.fills.append(Fill((min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])), tuple(fill)))

    def _segment(self, x0: float, y0: float, x1: float, y1: float, is_white: bool) -> None:
        if self._matrix is not None:
            (x0, y0), (x1, y1) = self._point(x0, y0), self._point(x1, y1)
        if abs(y0 - y1) < abs(x0 - x1):
            segments = self.white_horizontal if is_white else self.horizontal
            segments.append(((y0 + y1) / 2, x0, x1) if x0 <= x1 else ((y0 + y1) / 2, x1, x0))
        else:
            segments = self.white_vertical if is_white else self.vertical
            segments.append(((x0 + x1) / 2, y0, y1) if y0 <= y1 else ((x0 + x1) / 2, y1, y0))

    def _point(self, x: float, y: float) -> tuple[float, float]:
        if self._matrix is None:
            return x, y
        a, b, c, d, e, f = self._matrix
        return a * x + c * y + e, b * x + d * y + f


def _limited(value: float) -> float:
    """A coordinate within the limit; 0 for one that is no number."""
    return max(-LIMIT_PT, min(LIMIT_PT, value)) if value == value else 0.0  # noqa: PLR0124


def _is_upright(quad: Sequence[Any]) -> bool:
    """Whether a quad (upper left, upper right, lower left, lower right) is a box along the axes."""
    ul, ur, ll, lr = quad
    upright = abs(ul[1] - ur[1]) <= SLANT_PT and abs(ll[1] - lr[1]) <= SLANT_PT and abs(ul[0] - ll[0]) <= SLANT_PT
    turned = abs(ul[0] - ur[0]) <= SLANT_PT and abs(ll[0] - lr[0]) <= SLANT_PT and abs(ul[1] - ll[1]) <= SLANT_PT
    return bool(upright or turned)
