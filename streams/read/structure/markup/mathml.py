"""MathML as LaTeX. Pure, of a tree of elements; whatever is not known is taken for a row of its parts.

An annotation in TeX, where the author's tool kept one, is taken as it is. Otherwise the presentation elements of MathML Core are written in LaTeX
with the signs that they show: Unicode mathematics that any modern TeX and MathJax reads. Content MathML comes out as the row of its parts.
"""

from collections.abc import Callable

from streams.read.characters.normalise import collapse
from streams.read.structure.latex_signs import FUNCTIONS, joined, latex_signs
from streams.read.structure.markup.tree import Element, name_of, plain_text, value_of

MAX_DEPTH = 60
"""Nested elements; deeper ones are written as plain text."""
MAX_FORMULA = 20_000
"""Characters of one formula."""

_ACCENTS = {
    "^": r"\hat", "ˆ": r"\hat", "¯": r"\bar", "‾": r"\overline", "~": r"\tilde", "˜": r"\tilde", "→": r"\vec", "⃗": r"\vec", "˙": r"\dot",
    "¨": r"\ddot",
}  # fmt: skip
_FENCES = {"{": r"\{", "}": r"\}"}


def to_latex(math: Element) -> str:
    """A `math` element as LaTeX on one line; its bare text where there is no more to it."""
    for node in math.iter():
        if name_of(node) == "annotation" and "tex" in value_of(node, "encoding").lower():
            return _unwrapped(collapse(plain_text(node)))[:MAX_FORMULA]
    return collapse(_row(list(math), 0) or plain_text(math))[:MAX_FORMULA]


def is_display(math: Element) -> bool:
    """Whether a formula stands on lines of its own."""
    return value_of(math, "display") == "block" or value_of(math, "mode") == "display"


def _unwrapped(tex: str) -> str:
    r"""TeX without the `{\displaystyle …}` that wikis put around every formula."""
    for start in (r"{\displaystyle ", r"{\textstyle "):
        if tex.startswith(start) and tex.endswith("}"):
            return tex[len(start) : -1].strip()
    return tex


def _row(nodes: list[Element], depth: int) -> str:
    return joined(_of(node, depth) for node in nodes)


def _of(node: Element, depth: int) -> str:
    if depth > MAX_DEPTH:
        return _signs(plain_text(node))
    write = _WRITERS.get(name_of(node))
    return write(node, depth + 1) if write is not None else _row(list(node), depth + 1) if len(node) else _signs(node.text or "")


def _signs(text: str) -> str:
    """The signs of a token."""
    return latex_signs(collapse(text))


def _identifier(node: Element, _depth: int) -> str:
    name = collapse(plain_text(node))
    if name in FUNCTIONS:
        return f"\\{name} "
    return rf"\mathrm{{{_signs(name)}}}" if len(name) > 1 and name.isalpha() and name.isascii() else _signs(name)


def _operator(node: Element, _depth: int) -> str:
    sign = collapse(plain_text(node))
    if sign in FUNCTIONS:
        return f"\\{sign} "
    shown = _signs(sign)
    return f" {shown} " if sign in "=<>≤≥≠≈≡→⇒⇔∈∉+−±×÷" and sign else shown


def _text(node: Element, _depth: int) -> str:
    text = collapse(plain_text(node))
    return rf"\text{{{text}}}" if text else " "


def _parts(node: Element, depth: int, count: int) -> list[str]:
    """The first parts of an element, each in braces; missing ones are empty."""
    parts = [_of(child, depth).strip() for child in list(node)[:count]]
    return parts + [""] * (count - len(parts))


def _braced(template: str, count: int) -> Callable[[Element, int], str]:
    """A writer that puts the parts of an element into the numbered places of a template."""

    def write(node: Element, depth: int) -> str:
        parts = _parts(node, depth, count)
        return "".join(parts[int(piece)] if piece.isdigit() else piece for piece in template.split("|"))

    return write


def _root(node: Element, depth: int) -> str:
    return rf"\sqrt{{{_row(list(node), depth).strip()}}}"


def _over(node: Element, depth: int) -> str:
    base, above = _parts(node, depth, 2)
    mark = collapse(plain_text(node[1])) if len(node) > 1 else ""
    if mark in _ACCENTS:
        return f"{_ACCENTS[mark]}{{{base}}}"
    return f"{base}^{{{above}}}" if base.strip().startswith("\\") else rf"\overset{{{above}}}{{{base}}}"


def _under(node: Element, depth: int) -> str:
    base, below = _parts(node, depth, 2)
    return f"{base}_{{{below}}}" if base.strip().startswith("\\") else rf"\underset{{{below}}}{{{base}}}"


def _table(node: Element, depth: int) -> str:
    rows = [[_row(list(cell), depth).strip() for cell in row if name_of(cell) == "mtd"] for row in node if name_of(row) in ("mtr", "mlabeledtr")]
    return r"\begin{matrix}" + r" \\ ".join(" & ".join(row) for row in rows) + r"\end{matrix}"


def _fenced(node: Element, depth: int) -> str:
    opening, closing = node.get("open", "("), node.get("close", ")")
    separator = (value_of(node, "separators") or ",")[0]
    inner = f"{separator} ".join(_of(child, depth).strip() for child in node)
    return f"{_FENCES.get(opening, opening)}{inner}{_FENCES.get(closing, closing)}"


def _semantics(node: Element, depth: int) -> str:
    return _of(node[0], depth) if len(node) else ""


def _nothing(_node: Element, _depth: int) -> str:
    return ""


def _space(_node: Element, _depth: int) -> str:
    return " "


_WRITERS: dict[str, Callable[[Element, int], str]] = {
    "mi": _identifier,
    "mo": _operator,
    "mtext": _text,
    "ms": _text,
    "mspace": _space,
    "msup": _braced("|0|^{|1|}", 2),
    "msub": _braced("|0|_{|1|}", 2),
    "msubsup": _braced("|0|_{|1|}^{|2|}", 3),
    "munderover": _braced("|0|_{|1|}^{|2|}", 3),
    "mover": _over,
    "munder": _under,
    "mfrac": _braced(r"\frac{|0|}{|1|}", 2),
    "mroot": _braced(r"\sqrt[|1|]{|0|}", 2),
    "msqrt": _root,
    "mtable": _table,
    "mfenced": _fenced,
    "semantics": _semantics,
    "annotation": _nothing,
    "annotation-xml": _nothing,
    "mphantom": _nothing,
    "none": _nothing,
    "mprescripts": _nothing,
}
"""How each element of MathML is written. Others are rows."""
