"""Figures that are drawn and not pictured: charts, diagrams, maps. Pure functions of drawings and fragments.

A figure is a cluster of paths that are not all rules and boxes. Its labels are words of the figure, not of the text around it: they leave
the flow and become the figure's text, so that nothing is lost. Prose is never taken: a cluster behind or around lines that fill it is a
decorated page. Work is bounded by a coarse grid, whatever the number of paths.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from schemas.content import Block, BlockType
from schemas.geometry import BBox, area, height, intersection_area, rounded, union, width
from streams.read.blocks.classify import CAPTION
from streams.read.blocks.lines import Fragment
from streams.read.characters.normalise import collapse
from streams.read.disjoint_sets import DisjointSets
from streams.read.figures.plots import is_on_scale, is_plot, numbers_of, titles_of
from streams.read.turning import Matrix, to_page, turn_box

MAX_PATHS = 8_000
"""Paths looked at; a map has a hundred thousand, and the first thousands show where it is."""
CELL_PT = 9.0
"""Cells of the grid: parts of a figure stand closer than two of them."""
MAX_CELLS = 100_000
"""Cells marked on one page, about 0.1 s of work; a page of A4 has 6,000."""
MAX_CLUSTERS = 60
LEAST_PT = 48.0
"""Least width and height of a figure; smaller clusters are icons and signs."""
LEAST_SHARE, MOST_SHARE = 0.012, 0.85
"""Of the page's area."""
MOST_PLAIN = 0.35
"""Of the page's area, for a path that is only a box."""
LEAST_PARTS = 10
"""Paths, curves and slanted lines of a figure, together."""
LEAST_SHAPED = 3
MAX_LABEL_LETTERS = 60
"""More letters on one line are a sentence, not a label."""
LONG_LABEL_LETTERS, MOST_LONG = 30, 5
"""So many lines that are this long are paragraphs in frames, as on cards; boxes of a diagram have short lines."""

LEAST_RUN, MOST_RUNNING = 4, 0.5
"""Lines of a sentence, and share of the letters in a box that such lines have, from which on it holds prose in short lines."""

LEAST_FRAMED = 0.2
"""Share of a frame that its figures fill; with less it is a box of text with an icon."""
MAX_FRAMES, MAX_LABELS = 40, 4_000
"""Frames looked at, the largest first, and texts of a page on which parts of figures are put together: each step looks at every text."""
PARTS_PT = 26.0
"""How far parts of one figure stand apart: a line of labels between."""
_Cell = tuple[int, int]


def find_charts(
    drawings: Sequence[Mapping[str, Any]], fragments: Sequence[Fragment], taken: Sequence[BBox], page_box: BBox, matrix: Matrix | None
) -> tuple[list[Block], set[int]]:
    """Drawn figures as blocks, and the indexes of the fragments that are their labels. `taken` are boxes of tables and pictures."""
    if not drawings:
        return [], set()
    parts = [_shaped_parts(drawing.get("items", ())) for drawing in drawings[:MAX_PATHS]]
    if sum(parts) < LEAST_SHAPED:
        return [], set()
    boxes, shaped = _paths(zip(drawings, parts, strict=False), taken, page_box, matrix)
    if sum(shaped) < LEAST_SHAPED:
        return [], set()
    places = [to_page(fragment.box, fragment.angle) for fragment in fragments]
    numbers = numbers_of(fragments, places) if len(fragments) <= MAX_LABELS else {}
    found: list[BBox] = []
    for members, around in _merged(_clusters(boxes), boxes):
        plot = numbers and any(shaped[index] for index in members)
        if not (_may_be_figure(around, members, shaped, page_box) or (plot and is_plot(around, numbers.values()))):
            continue
        if any(intersection_area(around, other) > 0.3 * area(around) for other in found):
            continue
        box = _without_caption(around, fragments, places)
        if not _holds_prose(box, fragments, places):
            found.append(box)
    frames = [box for box, parts_of in zip(boxes, shaped, strict=True) if not parts_of and min(width(box), height(box)) > LEAST_PT]
    blocks: list[Block] = []
    labels: set[int] = set()
    for box in _whole_figures(found, frames, fragments, places):
        inside, whole = _labels_of(box, numbers, fragments, places, labels)
        labels |= inside
        text = collapse(" ".join(fragments[i].text for i in sorted(inside, key=lambda i: (places[i][1], places[i][0]))))
        blocks.append(Block(type=BlockType.FIGURE, bbox=rounded(whole), text=text))
    return blocks, labels


def _labels_of(
    box: BBox, numbers: Mapping[int, BBox], fragments: Sequence[Fragment], places: Sequence[BBox], taken: set[int]
) -> tuple[set[int], BBox]:
    """(indexes of the texts of a figure that are not `taken`, its box with them): what stands in it, the numbers of its axes, and their titles."""
    scale = [i for i, place in numbers.items() if is_on_scale(place, box)]
    inside = {*scale, *(i for i, place in enumerate(places) if _within(place, box))} - taken
    whole = union([box, *(places[i] for i in inside)])
    inside |= set(titles_of(whole, [places[i] for i in scale], fragments, places)) - taken
    return inside, union([whole, *(places[i] for i in inside)])


def _whole_figures(found: Sequence[BBox], frames: Sequence[BBox], fragments: Sequence[Fragment], places: Sequence[BBox]) -> list[BBox]:
    """Figures within the frames that are drawn around them, and parts that stand side by side as one: a caption speaks of all of them."""
    if len(fragments) > MAX_LABELS:
        return list(found)
    frames = sorted(frames, key=lambda frame: (-area(frame), frame))[:MAX_FRAMES]
    whole: list[BBox] = []
    for part in sorted(found, key=lambda b: (b[1], b[0])):
        around = (f for f in frames if intersection_area(f, part) > 0.9 * area(part) and area(f) < 40 * area(part))
        box = union((part, next((frame for frame in around if not _stops(frame, fragments, places)), part)))
        while True:
            near = next((other for other in whole if _are_parts(box, other) and not _stops(union((box, other)), fragments, places)), None)
            if near is None:
                break
            whole.remove(near)
            box = union((box, near))
        whole.append(box)
    return whole


def framed_figures(figures: Sequence[Block], panels: Sequence[BBox], fragments: Sequence[Fragment]) -> tuple[list[Block], set[int]]:
    """Figures, those that stand in a drawn frame without prose as one with it and its labels, and the indexes of these."""
    rest, labels = list(figures), set[int]()
    if not figures or not panels or len(fragments) > MAX_LABELS:
        return rest, labels
    places = [to_page(fragment.box, fragment.angle) for fragment in fragments]
    for panel in panels:
        inside = [block for block in rest if _within(block.bbox, panel)]
        if sum(area(block.bbox) for block in inside) < LEAST_FRAMED * area(panel) or _stops(panel, fragments, places):
            continue
        mine = [i for i, place in enumerate(places) if i not in labels and _within(place, panel)]
        labels.update(mine)
        words = [fragments[i].text for i in sorted(mine, key=lambda i: (places[i][1], places[i][0]))]
        text = collapse(" ".join([*(block.text for block in inside), *words]))
        rest = [block for block in rest if block not in inside]
        rest.append(Block(type=BlockType.FIGURE, bbox=rounded(union([panel, *(block.bbox for block in inside)])), text=text))
    return rest, labels


def _are_parts(a: BBox, b: BBox) -> bool:
    """Whether two boxes stand so close to each other that they are parts of one figure, or share an area."""
    across = max(a[0], b[0]) - min(a[2], b[2])
    down = max(a[1], b[1]) - min(a[3], b[3])
    if max(across, down) < 0:
        return True
    beside = across < PARTS_PT and -down > 0.5 * min(height(a), height(b))
    return beside or (down < PARTS_PT and -across > 0.5 * min(width(a), width(b)))


def _stops(box: BBox, fragments: Sequence[Fragment], places: Sequence[BBox]) -> bool:
    """Whether prose or a caption stands in a box: then it is more than one figure."""
    captions = (i for i, f in enumerate(fragments) if f.letters > 6 and CAPTION.match(f.text.lstrip()))
    return _holds_prose(box, fragments, places) or any(_within(places[i], box) for i in captions)


def _holds_prose(box: BBox, fragments: Sequence[Fragment], places: Sequence[BBox]) -> bool:
    inside = [i for i, place in enumerate(places) if _within(place, box)]
    long = sum(fragments[i].letters > LONG_LABEL_LETTERS for i in inside)
    return long >= MOST_LONG or any(_is_prose(fragments[i], places[i], box) for i in inside) or _runs_on(inside, fragments, places)


def _runs_on(inside: Sequence[int], fragments: Sequence[Fragment], places: Sequence[BBox]) -> bool:
    """Whether most of what stands in a box are sentences of several short lines: a quotation beside a portrait, and no labels."""
    if len(inside) < LEAST_RUN:
        return False
    ordered = sorted(inside, key=lambda i: (round(places[i][0]), places[i][1]))
    runs = [[ordered[0]]]
    for above, below in pairwise(ordered):
        if _goes_on(fragments[above], fragments[below], places[above], places[below]):
            runs[-1].append(below)
        else:
            runs.append([below])
    letters = sum(fragments[i].letters for run in runs if len(run) >= LEAST_RUN for i in run)
    return letters > MOST_RUNNING * sum(fragments[i].letters for i in inside)


def _goes_on(above: Fragment, below: Fragment, place: BBox, next_place: BBox) -> bool:
    """Whether a text is the next line of another's sentence: right below it, in its type, in lower case."""
    if above.style != below.style or abs(place[0] - next_place[0]) > 1.5 or not 0 < next_place[1] - place[1] < 1.8 * above.style.size_pt:
        return False
    return below.text.lstrip()[:1].islower() and above.text.count(" ") > 1


def _paths(
    drawings: Iterable[tuple[Mapping[str, Any], int]], taken: Sequence[BBox], page_box: BBox, matrix: Matrix | None
) -> tuple[list[BBox], list[int]]:
    """Boxes of paths outside of tables and pictures, and how many parts of each are more than a straight rule or a box."""
    boxes: list[BBox] = []
    shaped: list[int] = []
    for drawing, parts in drawings:
        rect = drawing.get("rect")
        if rect is None or (not parts and _is_white(drawing)):
            continue
        x0, y0, x1, y1 = turn_box(rect, matrix)
        box = max(x0, page_box[0]), max(y0, page_box[1]), min(x1, page_box[2]), min(y1, page_box[3])
        if box[0] > box[2] or box[1] > box[3] or width(box) > 0.8 * page_box[2] or height(box) > 0.8 * page_box[3]:
            continue  # a frame or a background of the page, or a rule across it
        if not parts and area(box) > MOST_PLAIN * area(page_box):
            continue  # a background that would make one figure of all that stands on it
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        if not any(t[0] - 2 <= x <= t[2] + 2 and t[1] - 2 <= y <= t[3] + 2 for t in taken):
            boxes.append(box)
            shaped.append(parts)
    return boxes, shaped


def _is_white(drawing: Mapping[str, Any]) -> bool:
    """Whether a path only whitens what is white already."""
    fill = drawing.get("fill")
    return drawing.get("color") is None and fill is not None and min(fill) > 0.99


def _shaped_parts(items: Sequence[Any]) -> int:
    """How many of a path's first parts are curves or slanted lines: what no table and no form is drawn with."""
    shaped = 0
    if len(items) == 1 and items[0][0] == "re":
        return 0
    for item in items[:12]:
        kind = item[0]
        shaped += kind == "c" or (kind == "l" and abs(item[1][0] - item[2][0]) > 1.5 and abs(item[1][1] - item[2][1]) > 1.5)
    return shaped


def _clusters(boxes: Sequence[BBox]) -> list[list[int]]:
    """Paths that share or neighbour cells of a coarse grid. Only the border of a large box counts: it may hold other things."""
    owners: dict[_Cell, int] = {}
    together = DisjointSets(len(boxes))
    left = MAX_CELLS
    for index, box in enumerate(boxes):
        cells = _cells(box)
        left -= len(cells)
        for cell in cells if left > 0 else cells[:1]:
            owner = owners.setdefault(cell, index)
            together.join(index, owner)
    for (x, y), owner in owners.items():
        for near in ((x + 1, y), (x, y + 1), (x + 1, y + 1), (x + 1, y - 1)):
            other = owners.get(near, owner)
            if other != owner:
                together.join(other, owner)
    return sorted(together.groups(range(len(boxes))), key=len, reverse=True)[:MAX_CLUSTERS]


def _merged(clusters: list[list[int]], boxes: Sequence[BBox]) -> list[tuple[list[int], BBox]]:
    """Clusters with their boxes; one that stands in another is a part of it (a curve in the frame of its axes)."""
    found: list[tuple[list[int], BBox]] = []
    for members, box in sorted(((m, union(boxes[i] for i in m)) for m in clusters), key=lambda c: -area(c[1])):
        for number, (others, around) in enumerate(found):
            if intersection_area(box, around) > 0.5 * area(box) or (area(box) == 0 and _within(box, around)):
                found[number] = ([*others, *members], union((box, around)))
                break
        else:
            found.append((members, box))
    return found


def _cells(box: BBox) -> list[_Cell]:
    x0, y0, x1, y1 = (int(value // CELL_PT) for value in box)
    if (x1 - x0) * (y1 - y0) <= 36:
        return [(x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]
    across = [(x, y) for x in range(x0, x1 + 1) for y in (y0, y1)]
    return across + [(x, y) for y in range(y0 + 1, y1) for x in (x0, x1)]


def _may_be_figure(box: BBox, members: Sequence[int], shaped: Sequence[int], page_box: BBox) -> bool:
    if min(width(box), height(box)) < LEAST_PT or not LEAST_SHARE < area(box) / max(area(page_box), 1.0) < MOST_SHARE:
        return False
    curved = sum(shaped[index] for index in members)
    return curved >= LEAST_SHAPED and len(members) + curved >= LEAST_PARTS


def _within(place: BBox, box: BBox) -> bool:
    """Whether a label stands in a figure, or right at its edge: half of it at least."""
    margin = 4.0
    x, y = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
    return box[0] - margin <= x <= box[2] + margin and box[1] - margin <= y <= box[3] + margin


def _without_caption(box: BBox, fragments: Sequence[Fragment], places: Sequence[BBox]) -> BBox:
    """A figure's box without a caption that stands inside of its frame, and without what is beyond the caption."""
    x0, top, x1, bottom = box
    for fragment, place in zip(fragments, places, strict=True):
        if fragment.letters > 6 and _within(place, (x0, top, x1, bottom)) and CAPTION.match(fragment.text.lstrip()):
            if place[1] > (box[1] + box[3]) / 2:
                bottom = place[1] - 4.5
            else:
                top = place[3] + 4.5
    return x0, top, x1, max(top, bottom)


def _is_prose(fragment: Fragment, place: BBox, box: BBox) -> bool:
    return fragment.letters > MAX_LABEL_LETTERS or (fragment.letters > 30 and width(place) > 0.7 * width(box))
