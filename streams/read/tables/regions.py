"""Where tables may be: rulings that hang together, and stacks of horizontal rules of one width.

Looks at rulings alone. Every ruling ends in at most one region; a region is only a place to look at, not yet a table.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from schemas.geometry import BBox, area
from streams.read.disjoint_sets import DisjointSets
from streams.read.tables.rulings import Fill, Rulings, Segment, merged

MEET_PT = 3.0
"""Rulings that end at most this far from each other meet."""
MAX_MEETINGS = 40_000
"""Crossings looked at: a 200 x 100 grid has 20,000. Beyond it is a pattern, and its rulings stay apart."""
BACKGROUND_SHARE = 0.6
"""A filled box over this share of the page is its background."""
MAX_STRIPE_GAP = 2.5
"""A row between two shaded ones is at most this many times as high: a row of more lines."""
MAX_REGISTERED = 50_000
"""Entries of boxes in strips: 4,000 boxes of some rows each."""
INSET_PT = 8.0
"""Margin of a cell: shading of its text ends this close to its border."""
STRIP_PT = 24.0
"""Height of the strips by which boxes are looked up."""
MAX_IN_STRIP = 64
"""Boxes of one colour in a strip that others are compared with, the largest first: the cells of a row of a wide table."""
MIN_FILLS = 2
"""A single filled box is a header or a highlight at most."""
MIN_RULE_PT = 30.0
"""A rule shorter than this is an underlined word, not the rule of a table without verticals."""
SAME_END_PT = 4.0
"""Rules of one stack end within this distance (or 2 % of their length, whichever is more)."""
PIECES_PT = 14.0
"""Rules at one height with gaps up to this are one rule drawn in pieces, a piece for each column."""
MAX_LOOSE = 400
"""Rules without verticals that are looked at, the longest first. A page has 100 lines of text."""
MIN_STACK_PT = 8.0
"""A stack lower than this has no row of text in it."""
HEADER_LINE_PT = 30.0
"""Rules of a header are at most this far apart: two lines of text."""
MIN_OPEN_COLUMNS = 3
"""Rulings of one height that hang from a rule from which on they are the columns of a table whose last rule is not drawn, as at a page break."""
MAX_SPARSE_STACK_PT = 500.0
"""Two lone rules further apart are those of a page's head and foot."""


@dataclass(slots=True)
class Region:
    """A place to look at: its box and its rulings. In a stack no vertical ruling crosses the horizontal ones. `loose`: rules within that meet none of
    them. `is_headed`: the first row is known to be labels.
    """

    box: BBox
    horizontal: list[Segment]
    vertical: list[Segment]
    is_stack: bool = False
    loose: Sequence[Segment] = ()
    is_headed: bool = False


def regions_of(rulings: Rulings) -> list[Region]:
    """The regions of a page, smaller ones first, so that a table within a frame is met before the frame. Looks at lines alone."""
    return _regions(rulings.horizontal, rulings.vertical)


def shaded_regions_of(rulings: Rulings, page_box: BBox, known: Sequence[BBox]) -> list[Region]:
    """The regions that the edges of filled boxes make together with lines, where any of these boxes reaches out of the `known` ones."""
    fills = _telling_fills(rulings.fills, BACKGROUND_SHARE * area(page_box))
    outside = [fill for fill in fills if not any(_within(fill, box) for box in known)]
    if len(outside) < MIN_FILLS:
        return []
    flat, upright = _fill_edges(fills, rulings.vertical)
    regions = _regions(merged([*rulings.horizontal, *flat]), merged([*rulings.vertical, *upright]))
    return [region for region in regions if any(_within(fill, region.box) for fill in outside)]


def _within(inner: BBox, outer: BBox) -> bool:
    x0, y0, x1, y1 = outer
    return inner[0] >= x0 - MEET_PT and inner[1] >= y0 - MEET_PT and inner[2] <= x1 + MEET_PT and inner[3] <= y1 + MEET_PT


def _regions(horizontal: Sequence[Segment], vertical: Sequence[Segment]) -> list[Region]:
    if len(horizontal) + len(vertical) < 2 or not horizontal:
        return []
    found, loose = _connected(horizontal, vertical)
    rules = [rule for rule in loose if rule[2] - rule[1] >= MIN_RULE_PT]
    for region in found:
        x0, y0, x1, y1 = region.box
        region.loose = [rule for rule in rules[:MAX_LOOSE] if y0 < rule[0] < y1 and rule[1] >= x0 and rule[2] <= x1]
    found.extend(_stacks(rules))
    found.sort(key=lambda region: area(region.box))
    return found


def has_table_candidate(rulings: Rulings) -> bool:
    """Whether looking for tables can find any, told from rulings alone in a few microseconds: spares fetching words.

    False for the usual page of prose: underlines, a rule below the running head and one above the foot, a footnote rule.
    """
    if len(rulings.fills) >= 4 or (rulings.horizontal and len(rulings.vertical) >= MIN_OPEN_COLUMNS):
        return True
    if len(rulings.horizontal) < 2 and len(rulings.fills) < 3:
        return False
    long_rules = [rule for rule in rulings.horizontal if rule[2] - rule[1] >= MIN_RULE_PT]
    if rulings.vertical and len(rulings.horizontal) >= 2:
        return True
    by_extent: dict[tuple[int, int], list[float]] = defaultdict(list)
    for at, start, end in long_rules:
        by_extent[round(start / 8), round(end / 8)].append(at)
    for (start_step, end_step), heights in by_extent.items():
        near = [y for i in (-1, 0, 1) for j in (-1, 0, 1) for y in by_extent.get((start_step + i, end_step + j), ())]
        if len(near) >= 3 or (len(near) == 2 and MIN_STACK_PT <= abs(near[0] - near[1]) <= MAX_SPARSE_STACK_PT):
            return bool(heights)
    return False


def _fill_edges(fills: Sequence[BBox], vertical: Sequence[Segment]) -> tuple[list[Segment], list[Segment]]:
    """The upper and lower, and the left and right edges of filled boxes, as far as they tell rows and columns."""
    sides = Counter([round(x / 2) for box in fills for x in (box[0], box[2])])
    sides.update([round(at / 2) for at, _, _ in vertical])
    # A side that nothing else confirms is the end of a highlight behind some words, not a column.
    confirmed = {at for at, count in sides.items() if count + sides.get(at - 1, 0) + sides.get(at + 1, 0) >= 2}
    flat: list[Segment] = []
    upright: list[Segment] = []
    for x0, y0, x1, y1 in fills:
        flat += [(y0, x0, x1), (y1, x0, x1)]
        upright += [(x, y0, y1) for x in (x0, x1) if round(x / 2) in confirmed and not _has_beside(vertical, x, y0, y1)]
    return flat, upright


def _has_beside(vertical: Sequence[Segment], x: float, y0: float, y1: float) -> bool:
    """Whether a drawn ruling runs close beside the side of a box: text shaded within the margins of its cell."""
    first = bisect_left(vertical, (x - INSET_PT,))
    last = min(bisect_right(vertical, (x + INSET_PT,)), first + MAX_IN_STRIP)
    return any(abs(at - x) > MEET_PT and start <= y0 + 2 and end >= y1 - 2 for at, start, end in vertical[first:last])


def _telling_fills(fills: Sequence[Fill], background_area: float) -> list[BBox]:
    """The boxes whose edges can be seen: neither page backgrounds nor boxes within one of the same colour."""
    kept: list[BBox] = []
    registered = 0
    larger: dict[tuple[object, int], list[BBox]] = defaultdict(list)
    for fill in sorted(_stacked(fills), key=lambda f: -area(f.box)):
        box = fill.box
        if not kept and area(box) >= background_area:  # the largest come first
            continue
        around = larger.get((fill.colour, int((box[1] + box[3]) / 2 / STRIP_PT)))
        if around and _is_in_one(box, around):
            continue
        kept.append(box)
        strips = range(int(box[1] / STRIP_PT), int(box[3] / STRIP_PT) + 1)
        registered += len(strips)
        for strip in strips if registered <= MAX_REGISTERED else ():
            if len(larger[fill.colour, strip]) < MAX_IN_STRIP:
                larger[fill.colour, strip].append(box)
    return [*kept, *_between_stripes(kept)]


def _is_in_one(box: BBox, around: Sequence[BBox]) -> bool:
    """Whether a box lies in one of some others, or hardly reaches out."""
    x0, y0, x1, y1 = box[0] + 0.5, box[1] + 0.5, box[2] - 0.5, box[3] - 0.5
    for left, top, right, bottom in around:  # noqa: SIM110 - of every filled box of a page: a generator would take twice as long
        if left <= x0 and top <= y0 and right >= x1 and bottom >= y1:
            return True
    return False


def _between_stripes(boxes: Sequence[BBox]) -> list[BBox]:
    """The white rows between shaded ones: the room between boxes of one width, where it is about as high as they are."""
    columns: dict[tuple[int, int], list[BBox]] = defaultdict(list)
    for box in boxes:
        columns[round(box[0]), round(box[2])].append(box)
    between = []
    for stripes in columns.values():
        stripes.sort(key=lambda b: b[1])
        for above, below in pairwise(stripes):
            height = max(above[3] - above[1], below[3] - below[1])
            if MEET_PT < below[1] - above[3] <= MAX_STRIPE_GAP * height:
                between.append((above[0], above[3], above[2], below[1]))
    return between


def _stacked(fills: Sequence[Fill]) -> list[Fill]:
    """Boxes of one colour and width that stand on each other as one, where no other box ends at that height: the lines of a shaded text."""
    starts: dict[int, set[int]] = defaultdict(set)
    for fill in fills:
        starts[round(fill.box[3] / 2)].add(round(fill.box[0]))
    joined: list[Fill] = []
    for fill in sorted(fills, key=lambda f: (f.colour, round(f.box[0]), round(f.box[2]), f.box[1])):
        if joined:
            last = joined[-1]
            a, b = last.box, fill.box
            same = last.colour == fill.colour and abs(a[0] - b[0]) <= 0.5 and abs(a[2] - b[2]) <= 0.5 and b[1] - a[3] <= 0.3
            if same and len(starts[round(a[3] / 2)] | starts[round(a[3] / 2) - 1] | starts[round(a[3] / 2) + 1]) == 1:
                joined[-1] = Fill((a[0], a[1], a[2], max(a[3], b[3])), fill.colour)
                continue
        joined.append(fill)
    return joined


def _connected(horizontal: Sequence[Segment], vertical: Sequence[Segment]) -> tuple[list[Region], list[Segment]]:
    """Regions of rulings that meet, and the horizontal rulings that meet no vertical one."""
    count = len(horizontal)
    together = DisjointSets(count + len(vertical))
    columns = [segment[0] for segment in vertical]
    meetings = 0
    for h, (y, x0, x1) in enumerate(horizontal):
        first, last = bisect_left(columns, x0 - MEET_PT), bisect_right(columns, x1 + MEET_PT)
        meetings += last - first
        if meetings > MAX_MEETINGS:
            return [], []
        for v in range(first, last):
            if vertical[v][1] - MEET_PT <= y <= vertical[v][2] + MEET_PT:
                together.join(h, count + v)
    groups: dict[int, Region] = {}
    loose = []
    for h, segment in enumerate(horizontal):
        root = together.root(h)
        if root == h:
            loose.append(segment)
        else:
            groups.setdefault(root, Region((0.0, 0.0, 0.0, 0.0), [], [])).horizontal.append(segment)
    for v, segment in enumerate(vertical):
        if (root := together.root(count + v)) in groups:
            groups[root].vertical.append(segment)
    regions = [group for group in groups.values() if len(group.horizontal) > 1 or _is_open(group)]
    loose += [group.horizontal[0] for group in groups.values() if len(group.horizontal) == 1 and not _is_open(group)]
    for region in regions:
        region.box = _box(region.horizontal, region.vertical)
    return regions, loose


def _is_open(group: Region) -> bool:
    """Whether rulings hang from, or stand on, the only rule of a group as the columns of a table that a page break left open there."""
    if len(group.vertical) < MIN_OPEN_COLUMNS or len(group.horizontal) != 1:
        return False
    at, _, _ = group.horizontal[0]
    tops, ends = [start for _, start, _ in group.vertical], [end for _, _, end in group.vertical]
    one_height = max(tops) - min(tops) <= MEET_PT and max(ends) - min(ends) <= MEET_PT
    return one_height and min(abs(tops[0] - at), abs(ends[0] - at)) <= MEET_PT


def _stacks(rules: list[Segment]) -> list[Region]:
    """Stacks of rules that begin and end at the same x, with the shorter rules between them that lie within."""
    whole = _pieced(rules)
    if len(whole) > MAX_LOOSE:
        whole = sorted(whole, key=lambda r: r[1] - r[2])[:MAX_LOOSE]
    used: set[int] = set()
    stacks = []
    order = sorted(range(len(whole)), key=lambda i: whole[i][1] - whole[i][2])
    for seed in order:
        if seed in used:
            continue
        _, start, end = whole[seed]
        slack = max(SAME_END_PT, 0.02 * (end - start))
        same = [i for i in order if i not in used and abs(whole[i][1] - start) <= slack and abs(whole[i][2] - end) <= slack]
        heights = [whole[i][0] for i in same]
        if len(same) < 2 or max(heights) - min(heights) < MIN_STACK_PT:
            continue
        top, bottom = min(heights), max(heights)
        within = [i for i in order if i not in used and top <= whole[i][0] <= bottom and whole[i][1] >= start - slack and whole[i][2] <= end + slack]
        top = _top_with_spanners(whole, top, start - slack, end + slack, used)
        used.update(within)
        pieces = [r for r in rules if top - 2 <= r[0] <= bottom + 2 and r[1] >= start - slack and r[2] <= end + slack]
        stacks.append(Region(_box(pieces, []), sorted(pieces), [], is_stack=True))
    return stacks


def _top_with_spanners(rules: Sequence[Segment], top: float, start: float, end: float, used: set[int]) -> float:
    """The height of the rules over and under headings that stand on a stack whose own top rule lies below its header."""
    above = sorted((r[0], i) for i, r in enumerate(rules) if i not in used and start <= r[1] and r[2] <= end and r[0] < top)
    for height, i in reversed(above):
        if top - height > HEADER_LINE_PT:
            break
        used.add(i)
        top = height
    return top


def _pieced(rules: list[Segment]) -> list[Segment]:
    """Rules drawn in pieces side by side as one."""
    whole: list[Segment] = []
    for at, start, end in sorted(rules, key=lambda r: (round(r[0] / 2), r[1])):
        if whole and abs(whole[-1][0] - at) <= 2.0 and start - whole[-1][2] <= PIECES_PT:
            whole[-1] = (whole[-1][0], whole[-1][1], max(end, whole[-1][2]))
        else:
            whole.append((at, start, end))
    return whole


def _box(horizontal: Sequence[Segment], vertical: Sequence[Segment]) -> BBox:
    xs = [x for _, start, end in horizontal for x in (start, end)] + [at for at, _, _ in vertical]
    ys = [y for _, start, end in vertical for y in (start, end)] + [at for at, _, _ in horizontal]
    return min(xs), min(ys), max(xs), max(ys)
