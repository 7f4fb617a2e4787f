"""HTML that a model wrote: its text, its tables and its lists. Nothing of it is kept as markup. Pure; the only door to an HTML parser here.

Guarantees: any text is legal, tags that nobody knows are read through, scripts and styles are dropped; spans and sizes of tables are
bounded, cells never overlap. MathML and `<math>` keep their LaTeX source where there is one.
"""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from schemas.content import Cell, Table

MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 2_000, 200, 20_000
"""Of one table: no page prints more; models in a loop write thousands of empty cells."""
MAX_DEPTH = 60
"""Nested elements that are read; deeper ones are left out."""

_UNREAD = frozenset({"script", "style", "template", "head", "noscript", "iframe", "object"})
_BREAKING = frozenset({"p", "div", "li", "tr", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "section", "dt", "dd"})
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML does not know, and its library refuses."""
_SPACE = re.compile(r"[ \t\r\n\f\v]+")


def parse_fragments(text: str) -> list[Any]:
    """The top elements of a piece of HTML; text between them is wrapped. Empty for what holds nothing."""
    if not text.strip():
        return []
    try:
        root = lxml_html.fragment_fromstring(_NOT_XML.sub(" ", text), create_parent="div")
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return []
    found: list[Any] = []
    if root.text and root.text.strip():
        found.append(_wrapped(root.text))
    for child in root:
        if isinstance(child.tag, str):
            found.append(child)
        if child.tail and child.tail.strip():
            found.append(_wrapped(child.tail))
            child.tail = None
    return found


def text_of(element: Any, *, lines: bool = False) -> str:
    """The text of an element, white space folded. `lines`: breaks and blocks end a line, else they are spaces."""
    parts = list(_texts(element, 0, preformatted=element.tag == "pre"))
    joined = "".join(parts)
    rows = [row if element.tag == "pre" else _SPACE.sub(" ", row).strip() for row in joined.split("\n")]
    if lines or element.tag == "pre":
        return "\n".join(rows).strip("\n")
    return " ".join(row for row in rows if row)


def table_of(element: Any) -> Table | None:
    """A `<table>` as a grid; None where it has no cell. Header rows are those in `<thead>`, or leading rows of `<th>` alone."""
    taken: set[tuple[int, int]] = set()
    cells: list[Cell] = []
    header_rows, in_header, row = 0, True, 0
    for tr in element.iter("tr"):
        if row >= MAX_ROWS or len(cells) >= MAX_CELLS:
            break
        if _table_above(tr) is not element:
            continue
        tags = [td for td in tr if isinstance(td.tag, str) and td.tag in ("td", "th")]
        column = 0
        for td in tags:
            while (row, column) in taken:
                column += 1
            if column >= MAX_COLUMNS or len(cells) >= MAX_CELLS:
                break
            down = _span(td, "rowspan", MAX_ROWS - row)
            across = _free(row, column, _span(td, "colspan", MAX_COLUMNS - column), taken)
            taken.update((row + i, column + j) for i in range(down) for j in range(across))
            cells.append(Cell(row=row, column=column, text=text_of(td), row_span=down, column_span=across))
            column += across
        if tags:
            is_header = _is_in_head(tr, element) or all(td.tag == "th" for td in tags)
            in_header = in_header and is_header
            header_rows += in_header
            row += 1
    if not cells:
        return None
    cells = [cell if cell.row + cell.row_span <= row else Cell(
        row=cell.row, column=cell.column, text=cell.text, row_span=row - cell.row, column_span=cell.column_span
    ) for cell in cells]  # fmt: skip
    columns = max(cell.column + cell.column_span for cell in cells)
    return Table(rows=row, columns=columns, cells=tuple(cells), header_rows=min(header_rows, max(0, row - 1)))


def items_of(element: Any, depth: int = 0) -> Iterator[tuple[str, int]]:
    """(text, depth) of each item of a list, nested ones after the item that holds them; markers of ordered lists are part of the text."""
    number = _start(element)
    for item in element:
        if not isinstance(item.tag, str):
            continue
        if item.tag in ("ul", "ol") and depth < MAX_DEPTH:
            yield from items_of(item, depth + 1)
        elif item.tag == "li":
            nested = [child for child in item if isinstance(child.tag, str) and child.tag in ("ul", "ol")]
            for child in nested:
                tail = child.tail
                item.remove(child)
                if tail and tail.strip():
                    item.append(_wrapped(tail))
            text = text_of(item)
            yield f"{number}. {text}" if element.tag == "ol" else text, depth
            number += 1
            if depth < MAX_DEPTH:
                for child in nested:
                    yield from items_of(child, depth + 1)


def _texts(element: Any, depth: int, *, preformatted: bool) -> Iterator[str]:
    if depth > MAX_DEPTH:
        return
    if element.text:
        yield element.text if preformatted else _SPACE.sub(" ", element.text)
    for child in element:
        name = child.tag if isinstance(child.tag, str) else ""
        if name == "br":
            yield "\n"
        elif name == "math":
            yield latex_of(child)
        elif name == "img":
            yield child.get("alt") or ""
        elif name == "input":
            yield "[x]" if child.get("checked") is not None else "[ ]" if child.get("type") in ("checkbox", "radio") else child.get("value") or ""
        elif name and name not in _UNREAD:
            breaks = name in _BREAKING
            yield "\n" if breaks else ""
            yield from _texts(child, depth + 1, preformatted=preformatted or name == "pre")
            yield "\n" if breaks else " " if name in ("td", "th") else ""
        if child.tail:
            yield child.tail if preformatted else _SPACE.sub(" ", child.tail)


def latex_of(element: Any) -> str:
    """The LaTeX of a formula: its annotation, or its text where a model writes LaTeX between `<math>` tags."""
    for note in element.iter("annotation"):
        if "tex" in (note.get("encoding") or "") and note.text:
            return f"${note.text.strip()}$"
    text = _SPACE.sub(" ", "".join(element.itertext())).strip()
    return f"${text}$" if "\\" in text or "^" in text or "_" in text else text


def _wrapped(text: str) -> Any:
    paragraph = lxml_html.Element("p")
    paragraph.text = text
    return paragraph


def _table_above(element: Any) -> Any:
    above = element.getparent()
    while above is not None and above.tag != "table":
        above = above.getparent()
    return above


def _is_in_head(tr: Any, table: Any) -> bool:
    above = tr.getparent()
    return above is not None and above is not table and above.tag == "thead"


def _span(cell: Any, name: str, most: int) -> int:
    text = (cell.get(name) or "1").strip()
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
    return max(1, min(number, most))


def _free(row: int, column: int, wanted: int, taken: set[tuple[int, int]]) -> int:
    """How far a cell can reach to the right before a place that a cell above holds."""
    across = 1
    while across < wanted and (row, column + across) not in taken:
        across += 1
    return across


def _start(element: Any) -> int:
    text = (element.get("start") or "1").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1
