"""The page tree of a PDF: how many pages it holds, whatever it says, and whether it runs in a circle.

Promise: bounded walks over object numbers, never over content; a tree that cannot be counted is left as it is. MuPDF believes the count that the root
states, so that pages beyond it are lost, and pages that are not there are promised; a wrong count is put right before anything else is asked.
"""

import re
from typing import Any

import pymupdf

MAX_TREE_NODES = 100_000
"""Nodes of a page tree looked at: five times the pages of the default limit."""
MAX_TREE_DEPTH = 64
"""Levels of a tree; real ones have three, and one without branches is a trap."""

NO_NODE = 0
"""The number of no object. MuPDF counts the place of a page that is gone, and so it keeps its number here."""
_ENTRY = re.compile(r"(\d+) \d+ R|null")


def mend_page_count(document: Any) -> tuple[int, int] | None:
    """Puts a wrong count of pages right, in the open document: (pages stated, pages held); None where nothing was wrong or can be done.

    Raises what MuPDF raises for objects that cannot be read.
    """
    root = _root(document)
    if root is None:
        return None
    stated = _stated(document, root)
    counts = _counted(document, root)
    if counts is None or counts[root] in (0, stated):
        return None
    for node, count in counts.items():
        if _stated(document, node) != count:
            document.xref_set_key(node, "Count", str(count))
    return stated, counts[root]


def tree_is_cyclic(document: Any) -> bool:
    """Whether a node of the page tree is among its own ancestors. False where the tree is too large to say."""
    root = _root(document)
    stack: list[tuple[int, tuple[int, ...]]] = [] if root is None else [(root, ())]
    for _ in range(MAX_TREE_NODES):
        if not stack:
            return False
        node, ancestors = stack.pop()
        if node in ancestors:
            return True
        stack.extend((kid, (*ancestors, node)) for kid in _kids(document, node) or () if kid != NO_NODE)
    return False


def _root(document: Any) -> int | None:
    kind, root = document.xref_get_key(document.pdf_catalog(), "Pages")
    return int(root.split()[0]) if kind == "xref" else None


def _stated(document: Any, node: int) -> int:
    """The count that a node states, 0 where it states none."""
    kind, value = document.xref_get_key(node, "Count")
    return int(value) if kind == "int" else 0


def _counted(document: Any, root: int) -> dict[int, int] | None:
    """Pages below each inner node; None for a tree that runs in a circle, uses a node twice, or is too large or too deep."""
    below: dict[int, list[int]] = {}
    leaves: dict[int, int] = {}
    stack = [(root, 0)]
    seen = 0
    while stack:
        node, depth = stack.pop()
        kids = _kids(document, node)
        seen += len(kids or ())
        if node in below or depth > MAX_TREE_DEPTH or seen > MAX_TREE_NODES:
            return None
        below[node], leaves[node] = [], 0
        for kid in kids or ():
            if kid == root or kid in below:
                return None
            if kid == NO_NODE or _kids(document, kid) is None:
                leaves[node] += 1
            else:
                below[node].append(kid)
                stack.append((kid, depth + 1))
    for node in reversed(below):  # children come after their parents
        leaves[node] += sum(leaves[kid] for kid in below[node])
    return leaves


def _kids(document: Any, node: int) -> list[int] | None:
    """The nodes that one names as its kids, `NO_NODE` for a place that holds none; None for a page."""
    try:
        kind, value = document.xref_get_key(node, "Kids")
        if kind == "xref":
            value = document.xref_object(int(value.split()[0]), compressed=True)
        if kind not in ("array", "xref"):
            return None
        return [int(found[1]) if found[1] else NO_NODE for found in _ENTRY.finditer(value)]
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
        return None
