"""What stands beside the text: pictures, charts, diagrams and text boxes of a drawing, in Office's common drawing language (DrawingML, VML).

Promise: each thing comes once, although files say it twice for old programs (`mc:AlternateContent`); nothing external is fetched; a diagram is
its texts.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from schemas.content import Block, BlockType
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.logical_page import UNPLACED
from streams.read.structure.office.charts import Chart, read_chart
from streams.read.structure.office.package import Element, Package, flag, number, qname

EMU_PER_PT = 12_700
"""English metric units (20.1.10.16)."""
MAX_ALT_TEXT = 1_000
MAX_DIAGRAM_TEXTS = 500
LEAST_SIDE_PT = 8.0
"""A picture smaller than this both ways is a bullet or an icon."""
LOST_PICTURE = "a picture is left out: the file does not hold it, or not where it says"
UNKNOWN_CHOICES = frozenset({"cx", "cx1", "cx2", "cx3", "cx4", "cx5", "cx6", "cx7", "cx8", "aink", "am3d", "pslz", "psez", "psuz"})
"""Extensions whose content no rule here reads: newer charts, ink, 3-D models, zooms. What the file shows instead is read."""


class Figure(Struct, frozen=True):
    """A picture. `data` is empty where the file does not hold it; sizes in points are 0 where unknown."""

    block: Block
    data: bytes
    media_type: str
    width_pt: float
    height_pt: float


class TextBox(Struct, frozen=True):
    """The content of a text box: elements of a text document (`w:txbxContent`)."""

    content: Element


Float = Figure | TextBox | Chart | Block

_GUESSED = re.compile(r"(?:AI-generated content may be incorrect|Description automatically generated[^.]*)\.?$", re.IGNORECASE)
_FILE_NAME = re.compile(r".{0,200}\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)", re.IGNORECASE)
_DRAWING_PARTS = {qname(name): name for name in ("a:blip", "v:imagedata", "c:chart", "dgm:relIds", "mc:AlternateContent")}
_TEXT_BOX = qname("w:txbxContent")


class DrawingReader:
    """Reads the drawings of one part. `warnings` collects what was left out."""

    def __init__(self, package: Package, part: str, warnings: list[str]) -> None:
        self._package, self._part, self._warnings = package, part, warnings

    def floats(self, drawing: Element) -> Iterator[Float]:
        """What a `w:drawing`, `w:pict` or `w:object` holds, in its order."""
        alt_text, decorative = _description(drawing)
        width_pt, height_pt = _extent(drawing)
        for element in _parts_of(drawing):
            kind = _DRAWING_PARTS.get(element.tag)
            if element.tag == _TEXT_BOX:
                yield TextBox(element)
            elif kind == "c:chart":
                chart = self.chart(element.get(qname("r:id"), ""))
                if chart is not None:
                    yield chart
            elif kind == "dgm:relIds":
                yield from self.diagram(element.get(qname("r:dm"), ""))
            elif kind in ("a:blip", "v:imagedata") and not decorative and (figure := self.figure(element, alt_text, width_pt, height_pt)) is not None:
                yield figure

    def figure(self, blip: Element, alt_text: str, width_pt: float, height_pt: float) -> Figure | None:
        """The picture that an `a:blip` or `v:imagedata` names; None for an icon and for one that is nowhere."""
        identity = blip.get(qname("r:embed")) or blip.get(qname("r:id")) or ""
        relationship = self._package.relationships(self._part).get(identity)
        if 0 < width_pt < LEAST_SIDE_PT and 0 < height_pt < LEAST_SIDE_PT:
            return None
        data: bytes | None = None
        media_type = ""
        is_linked = bool(blip.get(qname("r:link")))
        if relationship is not None and not relationship.external:
            data, media_type = self._package.bytes_of(relationship.target), self._package.content_type(relationship.target)
            if data is None and not is_linked:
                self._warnings.append(LOST_PICTURE)
        elif relationship is not None or is_linked:
            self._warnings.append("a picture that the file only refers to is not fetched")
        else:
            self._warnings.append(LOST_PICTURE)
        if data is None and not alt_text:
            return None
        return Figure(Block(type=BlockType.FIGURE, bbox=UNPLACED, text=alt_text), data or b"", media_type, width_pt, height_pt)

    def chart(self, identity: str) -> Chart | None:
        """The data of a chart by the id of its part; None, with a warning, where it cannot be read."""
        relationship = self._package.relationships(self._part).get(identity)
        root = self._package.xml(relationship.target) if relationship is not None and not relationship.external else None
        chart = read_chart(root) if root is not None else None
        if chart is None:
            self._warnings.append("a chart without data is left out")
        return chart

    def diagram(self, identity: str) -> Iterator[Block]:
        """The texts of a diagram (SmartArt), an item for each node."""
        relationship = self._package.relationships(self._part).get(identity)
        root = self._package.xml(relationship.target) if relationship is not None and not relationship.external else None
        if root is None:
            return
        depths = _node_depths(root)
        nodes = [node for node in root.iter(qname("dgm:pt")) if node.get("type", "node") in ("node", "asst")]
        for node in nodes[:MAX_DIAGRAM_TEXTS]:
            text = collapse(clean_text(" ".join(t.text or "" for t in node.iter(qname("a:t")))))
            if text:
                depth = depths.get(node.get("modelId", ""), 0)
                yield Block(type=BlockType.LIST_ITEM, bbox=UNPLACED, text=f"• {text}", list_depth=depth)


def chosen(alternatives: Element) -> Element | None:
    """The branch of an `mc:AlternateContent` to read: the first whose extensions are known, else what is shown instead."""
    for choice in alternatives.iterchildren(qname("mc:Choice")):
        if not UNKNOWN_CHOICES.intersection(choice.get("Requires", "").split()):
            return choice
    return alternatives.find(qname("mc:Fallback"))


def _parts_of(element: Element) -> Iterator[Element]:
    """What counts in a drawing, each once; text boxes are not entered: whoever reads text does."""
    for child in element:
        if child.tag == _TEXT_BOX:
            yield child
        elif child.tag == qname("mc:AlternateContent"):
            branch = chosen(child)
            if branch is not None:
                yield from _parts_of(branch)
        elif child.tag in _DRAWING_PARTS:
            yield child
        else:
            yield from _parts_of(child)


def _description(drawing: Element) -> tuple[str, bool]:
    """Alternative text, and whether the author calls the drawing decoration."""
    properties = next(drawing.iter(qname("wp:docPr")), None)
    if properties is None:
        shape = next(drawing.iter("{urn:schemas-microsoft-com:vml}shape"), None)
        return alternative_text(shape.get("alt", "") if shape is not None else ""), False
    return alternative_text(properties.get("descr") or properties.get("title") or ""), is_decorative(properties)


def alternative_text(text: str) -> str:
    """A description of a picture, on one line and bounded; the name of a file describes nothing, nor does what a program says of its guess."""
    said = _GUESSED.sub("", collapse(clean_text(text[: 2 * MAX_ALT_TEXT]))).strip()[:MAX_ALT_TEXT]
    return "" if _FILE_NAME.fullmatch(said) else said


def is_decorative(properties: Element) -> bool:
    """Whether the author says that a picture says nothing."""
    mark = next(properties.iter(qname("adec:decorative")), None)
    return mark is not None and mark.get("val", "0").lower() in ("1", "true") and flag(mark)


def _extent(drawing: Element) -> tuple[float, float]:
    extent = next(drawing.iter(qname("wp:extent")), None)
    if extent is None:
        return 0.0, 0.0
    return number(extent.get("cx")) / EMU_PER_PT, number(extent.get("cy")) / EMU_PER_PT


def _node_depths(root: Element) -> dict[str, int]:
    """How deep each node of a diagram stands under its root, by the connections between them."""
    parents = {link.get("destId", ""): link.get("srcId", "") for link in root.iter(qname("dgm:cxn")) if link.get("type", "parOf") == "parOf"}
    depths: dict[str, int] = {}
    for node in parents:
        depth, above, seen = -1, node, {node}
        while (above := parents.get(above, "")) and above not in seen:
            seen.add(above)
            depth += 1
        depths[node] = min(max(depth, 0), 8)
    return depths
