"""Office equations (OMML, ECMA-376 part 1, chapter 22.1) as LaTeX.

Promise: letters, digits and signs stay the characters they are; only structure becomes commands (fractions, roots, scripts, sums, matrices). What is
unknown gives its text. Depth is bounded by the parser of the part.
"""

from collections.abc import Callable, Iterable

from streams.read.normalise import clean_text
from streams.read.structure.office.package import Element, flag, qname

ACCENTS: dict[str, str] = {
    "\u0300": r"\grave", "\u0301": r"\acute", "\u0302": r"\hat", "\u0303": r"\tilde", "\u0304": r"\bar", "\u0305": r"\overline",
    "\u0306": r"\breve", "\u0307": r"\dot", "\u0308": r"\ddot", "\u030c": r"\check", "\u20d7": r"\vec", "\u20d6": r"\overleftarrow",
}  # fmt: skip
"""LaTeX of a combining sign over an expression."""
OPERATORS: dict[str, str] = {
    "∑": r"\sum", "∏": r"\prod", "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint", "∮": r"\oint", "⋃": r"\bigcup",
    "⋂": r"\bigcap", "⋁": r"\bigvee", "⋀": r"\bigwedge",
}  # fmt: skip
_NEW_ROW = r" \\ "
_FUNCTION_NAMES = """arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min sec sin sinh
sup tan tanh"""
FUNCTIONS = frozenset(_FUNCTION_NAMES.split())
"""Names of functions that LaTeX knows as commands."""
_ESCAPED = str.maketrans({"{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&", "_": r"\_", "$": r"\$", "\\": r"\backslash "})
_DELIMITERS = {"{": r"\{", "}": r"\}", "⟨": r"\langle ", "⟩": r"\rangle ", "‖": r"\|", "⌊": r"\lfloor ", "⌋": r"\rfloor ", "": "."}


def latex(equation: Element) -> str:
    """One equation on one line."""
    return " ".join(_all(equation).split())


def _all(element: Element | None) -> str:
    return "".join(_one(child) for child in element) if element is not None else ""


def _one(element: Element) -> str:
    builder = _BUILDERS.get(element.tag)
    if builder is not None:
        return builder(element)
    return "" if element.tag in _PROPERTIES else _all(element)


def _child(element: Element, name: str) -> Element | None:
    return element.find(qname(name))


def _part(element: Element, name: str) -> str:
    return _all(_child(element, name)).strip()


def _property(element: Element, path: Iterable[str]) -> str | None:
    """The value of a property below an element; None where it is not there."""
    found: Element | None = element
    for name in path:
        found = found.find(qname(name)) if found is not None else None
    return found.get(qname("m:val"), "") if found is not None else None


def _run(element: Element) -> str:
    parts = (child.text or "" if child.tag in (qname("m:t"), qname("w:t")) else "" for child in element)
    return clean_text("".join(parts)).translate(_ESCAPED)


def _fraction(element: Element) -> str:
    above, below = _part(element, "m:num"), _part(element, "m:den")
    kind = _property(element, ("m:fPr", "m:type"))
    if kind == "lin":
        return f"{above}/{below}"
    return rf"\binom{{{above}}}{{{below}}}" if kind == "noBar" else rf"\frac{{{above}}}{{{below}}}"


def _radical(element: Element) -> str:
    degree = _part(element, "m:deg")
    return rf"\sqrt[{degree}]{{{_part(element, 'm:e')}}}" if degree else rf"\sqrt{{{_part(element, 'm:e')}}}"


def _scripts(element: Element) -> str:
    lower, upper = _part(element, "m:sub"), _part(element, "m:sup")
    return f"{_base(element)}{_script('_', lower)}{_script('^', upper)}"


def _pre_scripts(element: Element) -> str:
    return f"{{}}{_script('_', _part(element, 'm:sub'))}{_script('^', _part(element, 'm:sup'))}{_part(element, 'm:e')}"


def _base(element: Element) -> str:
    base = _part(element, "m:e")
    return base if len(base) <= 1 or base.isalnum() or base.startswith("\\") else f"{{{base}}}"


def _script(sign: str, text: str) -> str:
    return f"{sign}{{{text}}}" if text else ""


def _large_operator(element: Element) -> str:
    sign = _property(element, ("m:naryPr", "m:chr"))
    operator = OPERATORS.get(sign, sign) if sign is not None else r"\int"
    return f"{operator}{_script('_', _part(element, 'm:sub'))}{_script('^', _part(element, 'm:sup'))} {_part(element, 'm:e')}"


def _delimited(element: Element) -> str:
    start, end = _property(element, ("m:dPr", "m:begChr")), _property(element, ("m:dPr", "m:endChr"))
    between = _property(element, ("m:dPr", "m:sepChr"))
    inside = (between or "|").join(_all(part).strip() for part in element.iterchildren(qname("m:e")))
    left, right = "(" if start is None else start, ")" if end is None else end
    return rf"\left{_DELIMITERS.get(left, left)}{inside}\right{_DELIMITERS.get(right, right)}"


def _function(element: Element) -> str:
    name = _part(element, "m:fName")
    return f"{_named(name)} {_part(element, 'm:e')}"


def _named(name: str) -> str:
    """A function's name, perhaps with a limit below it, upright as LaTeX sets it."""
    word, mark, limit = name.partition("_")
    if word in FUNCTIONS:
        return f"\\{word}{mark}{limit}"
    return rf"\operatorname{{{name}}}" if name.isalpha() and len(name) > 1 else name


def _accent(element: Element) -> str:
    sign = _property(element, ("m:accPr", "m:chr"))
    return f"{ACCENTS.get(sign or chr(0x302), chr(92) + 'hat')}{{{_part(element, 'm:e')}}}"


def _bar(element: Element) -> str:
    over = _property(element, ("m:barPr", "m:pos")) == "top"
    return rf"\{'overline' if over else 'underline'}{{{_part(element, 'm:e')}}}"


def _limit_below(element: Element) -> str:
    base, limit = _part(element, "m:e"), _part(element, "m:lim")
    return f"{base}_{{{limit}}}" if base in FUNCTIONS or base.startswith("\\") else rf"\underset{{{limit}}}{{{base}}}"


def _limit_above(element: Element) -> str:
    return rf"\overset{{{_part(element, 'm:lim')}}}{{{_part(element, 'm:e')}}}"


def _matrix(element: Element) -> str:
    rows = [" & ".join(_all(cell).strip() for cell in row.iterchildren(qname("m:e"))) for row in element.iterchildren(qname("m:mr"))]
    return rf"\begin{{matrix}}{_NEW_ROW.join(rows)}\end{{matrix}}"


def _equation_array(element: Element) -> str:
    rows = [_all(row).strip() for row in element.iterchildren(qname("m:e"))]
    return rf"\begin{{aligned}}{_NEW_ROW.join(rows)}\end{{aligned}}"


def _group(element: Element) -> str:
    below = _property(element, ("m:groupChrPr", "m:pos")) != "top"
    return rf"\{'underbrace' if below else 'overbrace'}{{{_part(element, 'm:e')}}}"


def _phantom(element: Element) -> str:
    shown = element.find(f"{qname('m:phantPr')}/{qname('m:show')}")
    return _part(element, "m:e") if shown is None or flag(shown, "m:val") else ""


_BUILDERS: dict[str, Callable[[Element], str]] = {
    qname(name): builder
    for name, builder in (
        ("m:r", _run), ("m:f", _fraction), ("m:rad", _radical), ("m:sSub", _scripts), ("m:sSup", _scripts), ("m:sSubSup", _scripts),
        ("m:sPre", _pre_scripts), ("m:nary", _large_operator), ("m:d", _delimited), ("m:func", _function), ("m:acc", _accent), ("m:bar", _bar),
        ("m:limLow", _limit_below), ("m:limUpp", _limit_above), ("m:m", _matrix), ("m:eqArr", _equation_array), ("m:groupChr", _group),
        ("m:phant", _phantom),
    )
}  # fmt: skip
_PROPERTY_NAMES = "f rad sSub sSup sSubSup sPre nary d func acc bar limLow limUpp m eqArr groupChr phant box borderBox ctrl"
_PROPERTIES = frozenset(qname(f"m:{name}Pr") for name in _PROPERTY_NAMES.split()) | {qname("w:rPr"), qname("w:del")}
