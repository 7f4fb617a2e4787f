"""Shapes of a slide with their places (PresentationML and DrawingML, ECMA-376 part 1, 19.3 and 20.1): groups resolved, placeholders filled in.

A shape's box is in points of the slide, after the transforms of all groups around it. A placeholder without a place of its own stands where its
layout puts it, else where the master does. Total: absurd sizes are bounded, missing ones give no box.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from schemas.geometry import BBox
from streams.read.structure.office.floats import EMU_PER_PT, chosen
from streams.read.structure.office.package import Element, number, qname

MAX_SHAPES = 5_000
"""Of one slide, groups counted with what is in them; a map drawn in shapes has a few thousand."""
MAX_GROUPS = 240
"""Groups inside each other; libxml2 reads no deeper than 256 elements."""
MAX_EMU = 2**33
"""Of a coordinate: slides are at most 51,206,400 units wide."""

TITLES = frozenset({"title", "ctrTitle"})
FURNITURE = frozenset({"dt", "ftr", "sldNum", "hdr"})

_CONTENT = frozenset(qname(f"p:{name}") for name in ("sp", "graphicFrame", "pic", "cxnSp"))
_GROUP = qname("p:grpSp")
_PLACEHOLDER = qname("p:ph")


class Shape(Struct, frozen=True):
    """One shape: its element, its box or None, and its placeholder's type and index (`""` for a shape that is none)."""

    element: Element
    bbox: BBox | None
    placeholder: str = ""
    index: str = ""


class _Transform(Struct, frozen=True):
    """From the coordinates inside a group to those of the slide: `x * scale + offset`, in English metric units."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    offset_x: float = 0.0
    offset_y: float = 0.0


class Placeholders:
    """The placeholders of a slide's layout and master, nearest first: for places and styles that a slide inherits."""

    def __init__(self, roots: Sequence[Element | None]) -> None:
        self._levels = [list(_placeholders(root)) for root in roots if root is not None]

    def chain(self, shape: Shape) -> list[Element]:
        """What a placeholder inherits from: by its index in the layout, by its type further up."""
        if not shape.placeholder:
            return []
        chain: list[Element] = []
        kind, index = shape.placeholder, shape.index
        for level, found in enumerate(self._levels):
            same = [one for one in found if one.index == index] if level == 0 else []
            same = same or [one for one in found if _alike(one.placeholder, kind)]
            if same:
                chain.append(same[0].element)
                kind = same[0].placeholder
        return chain


def shapes_of(tree: Element, inherited: Placeholders, warnings: list[str]) -> list[Shape]:
    """All shapes of a slide's tree, in its order. `warnings` collects what was left out."""
    found: list[Shape] = []
    for element, transform in _flat(tree, _Transform(), 0):
        if len(found) >= MAX_SHAPES:
            warnings.append(f"the slide has more than {MAX_SHAPES} shapes; the others are left out")
            break
        kind, index = _placeholder_of(element)
        shape = Shape(element, None, kind, index)
        frames = (_frame(one) for one in (element, *inherited.chain(shape)))
        frame = next((one for one in frames if one is not None), None)
        found.append(Shape(element, _box(frame, transform) if frame is not None else None, kind, index))
    return found


def _flat(tree: Element, transform: _Transform, depth: int) -> Iterator[tuple[Element, _Transform]]:
    for child in tree:
        if child.tag in _CONTENT:
            yield child, transform
        elif child.tag == _GROUP and depth < MAX_GROUPS:
            yield from _flat(child, _inside(child, transform), depth + 1)
        elif child.tag == qname("mc:AlternateContent") and (branch := chosen(child)) is not None:
            yield from _flat(branch, transform, depth)


def _placeholders(root: Element) -> Iterator[Shape]:
    for mark in root.iter(_PLACEHOLDER):
        element = mark.getparent().getparent().getparent()
        kind, index = _placeholder_of(element)
        yield Shape(element, None, kind, index)


def _placeholder_of(element: Element) -> tuple[str, str]:
    """Type and index of a shape's placeholder. One without a type takes any content (19.7.10)."""
    for properties in element:
        if not properties.tag.startswith(qname("p:nv")):
            continue
        mark = properties.find(f"{qname('p:nvPr')}/{_PLACEHOLDER}")
        if mark is not None:
            return mark.get("type", "obj"), mark.get("idx", "0")
    return "", ""


def _alike(one: str, other: str) -> bool:
    """Whether a placeholder of one type takes its place from one of the other: masters have one for titles and one for any body."""
    return _family(one) == _family(other)


def _family(kind: str) -> str:
    if kind in TITLES:
        return "title"
    return kind if kind in FURNITURE else "body"


def _frame(element: Element) -> Element | None:
    """The `xfrm` of a shape."""
    direct = element.find(qname("p:xfrm"))
    if direct is not None:
        return direct
    properties = element.find(qname("p:spPr"))
    return properties.find(qname("a:xfrm")) if properties is not None else None


def _inside(group: Element, outer: _Transform) -> _Transform:
    """The transform of what a group holds (20.1.7.5)."""
    frame = group.find(f"{qname('p:grpSpPr')}/{qname('a:xfrm')}")
    if frame is None:
        return outer
    x, y = _pair(frame.find(qname("a:off")), "x", "y")
    width, height = _pair(frame.find(qname("a:ext")), "cx", "cy")
    child_x, child_y = _pair(frame.find(qname("a:chOff")), "x", "y")
    child_width, child_height = _pair(frame.find(qname("a:chExt")), "cx", "cy")
    scale_x = width / child_width if child_width > 0 and width > 0 else 1.0
    scale_y = height / child_height if child_height > 0 and height > 0 else 1.0
    return _Transform(
        outer.scale_x * scale_x,
        outer.scale_y * scale_y,
        outer.offset_x + outer.scale_x * (x - scale_x * child_x),
        outer.offset_y + outer.scale_y * (y - scale_y * child_y),
    )


def _box(frame: Element, transform: _Transform) -> BBox:
    x, y = _pair(frame.find(qname("a:off")), "x", "y")
    width, height = _pair(frame.find(qname("a:ext")), "cx", "cy")
    x0, y0 = x * transform.scale_x + transform.offset_x, y * transform.scale_y + transform.offset_y
    x1, y1 = x0 + width * transform.scale_x, y0 + height * transform.scale_y
    if abs(_turn(frame) % 180 - 90) < 45:  # turned to its side: the frame is of the shape before turning
        half, middle_x, middle_y = ((x1 - x0) / 2, (y1 - y0) / 2), (x0 + x1) / 2, (y0 + y1) / 2
        x0, y0, x1, y1 = middle_x - half[1], middle_y - half[0], middle_x + half[1], middle_y + half[0]
    return tuple(round(min(max(value, -MAX_EMU), MAX_EMU) / EMU_PER_PT, 2) for value in (x0, y0, x1, y1))  # type: ignore[return-value]


def _turn(frame: Element) -> float:
    """Degrees that a shape is turned, clockwise."""
    return number(frame.get("rot")) / 60_000


def _pair(element: Element | None, first: str, second: str) -> tuple[int, int]:
    if element is None:
        return 0, 0
    return number(element.get(first), most=MAX_EMU), number(element.get(second), most=MAX_EMU)
