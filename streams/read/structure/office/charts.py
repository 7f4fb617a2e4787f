"""Charts of Office files (ECMA-376 part 1, chapter 21.2): their data as a table, categories by series.

The values are those that the file keeps beside the drawing; the workbook behind it is not opened. Bounded in rows and columns.
"""

from itertools import islice

from msgspec import Struct

from schemas.content import Block, BlockType, Cell, Table
from schemas.geometry import BBox
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.logical_page import UNPLACED
from streams.read.structure.office.package import Element, number, qname

MAX_SERIES = 100
MAX_POINTS = 2_000
"""Categories of one chart: a line over a year of days has 366."""

_SERIES = qname("c:ser")
_VALUE = qname("c:v")


class Chart(Struct, frozen=True):
    """What a chart says: its title, empty where it has none, and its data."""

    title: str
    table: Table


def read_chart(root: Element) -> Chart | None:
    """The data of a chart part; None for a chart without any."""
    chart = root.find(qname("c:chart"))
    plot = chart.find(qname("c:plotArea")) if chart is not None else None
    if chart is None or plot is None:
        return None
    series = list(islice(plot.iter(_SERIES), MAX_SERIES))
    labels: dict[int, str] = {}
    columns: list[tuple[str, dict[int, str]]] = []
    for index, one in enumerate(series):
        for place, label in _points(one, ("c:cat", "c:xVal")).items():
            labels.setdefault(place, label)
        columns.append((_name(one) or f"Series {index + 1}", _points(one, ("c:val", "c:yVal"))))
    places = sorted({place for _, values in columns for place in values} | labels.keys())[:MAX_POINTS]
    if not columns or not places:
        return None
    return Chart(_title(chart), _table(labels, columns, places))


def chart_blocks(chart: Chart, bbox: BBox = UNPLACED) -> tuple[Block, ...]:
    """The blocks of a chart: its title, where it has one, and its data."""
    table = Block(type=BlockType.TABLE, bbox=bbox, table=chart.table)
    return (Block(type=BlockType.CAPTION, bbox=bbox, text=chart.title), table) if chart.title else (table,)


def _table(labels: dict[int, str], columns: list[tuple[str, dict[int, str]]], places: list[int]) -> Table:
    cells = [Cell(row=0, column=index + 1, text=name) for index, (name, _) in enumerate(columns)]
    for row, place in enumerate(places, 1):
        cells.append(Cell(row=row, column=0, text=labels.get(place, str(place + 1))))
        cells += [Cell(row=row, column=index + 1, text=values.get(place, "")) for index, (_, values) in enumerate(columns)]
    return Table(rows=len(places) + 1, columns=len(columns) + 1, cells=tuple(cells), header_rows=1)


def _name(series: Element) -> str:
    text = series.find(qname("c:tx"))
    return _clean("".join(value.text or "" for value in text.iter(_VALUE))) if text is not None else ""


def _points(series: Element, names: tuple[str, ...]) -> dict[int, str]:
    """The cached values by their index. Labels of several levels are joined, the outermost first."""
    source = next((one for name in names if (one := series.find(qname(name))) is not None), None)
    if source is None:
        return {}
    found: dict[int, str] = {}
    levels = list(source.iter(qname("c:lvl")))
    if len(levels) > 1:
        return _nested_labels(levels)
    for point in source.iter(qname("c:pt")):
        index, value = number(point.get("idx"), -1), point.find(_VALUE)
        if index >= 0 and value is not None and len(found) < MAX_POINTS:
            found[index] = _shown(value.text or "")
    return found


def _nested_labels(levels: list[Element]) -> dict[int, str]:
    """Labels that stand under common ones: each outer label holds from its index to the next."""
    found: dict[int, str] = {}
    inner = {number(p.get("idx"), -1): _clean(p.findtext(_VALUE) or "") for p in levels[0].iterchildren(qname("c:pt"))}
    outer = [sorted((number(p.get("idx"), -1), _clean(p.findtext(_VALUE) or "")) for p in lvl.iterchildren(qname("c:pt"))) for lvl in levels[:0:-1]]
    for index in sorted(inner)[:MAX_POINTS]:
        above = [next((label for start, label in reversed(level) if start <= index), "") for level in outer]
        found[index] = " / ".join(label for label in (*above, inner[index]) if label)
    return found


def _shown(value: str) -> str:
    """A number without the digits that binary fractions add; anything else as it is."""
    try:
        return f"{float(value):.12g}" if "." in value and len(value) > 12 else _clean(value)
    except ValueError:
        return _clean(value)


def _title(chart: Element) -> str:
    title = chart.find(qname("c:title"))
    if title is None:
        return ""
    texts = [element.text or "" for element in title.iter(qname("a:t"), _VALUE)]
    return _clean("".join(texts))


def _clean(text: str) -> str:
    return collapse(clean_text(text))
