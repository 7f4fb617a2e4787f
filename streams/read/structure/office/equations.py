"""Office equations (OMML, ECMA-376 part 1, chapter 22.1) as LaTeX.

Promise: structure becomes commands (fractions, roots, scripts, sums, matrices), and so do the letters and signs that TeX has one for
(`latex_signs`). What is unknown gives its text. Depth is bounded by the parser of the part.
"""

import re
from collections.abc import Callable, Iterable

from streams.read.characters.normalise import clean_text
from streams.read.structure.latex_signs import COMMANDS, FUNCTIONS, joined, latex_signs
from streams.read.structure.office.package import Element, flag, qname

ACCENTS: dict[str, str] = {
    "\u0300": r"\grave", "\u0301": r"\acute", "\u0302": r"\hat", "\u0303": r"\tilde", "\u0304": r"\bar", "\u0305": r"\overline",
    "\u0306": r"\breve", "\u0307": r"\dot", "\u0308": r"\ddot", "\u030c": r"\check", "\u20d7": r"\vec", "\u20d6": r"\overleftarrow",
}  # fmt: skip
"""LaTeX of a combining sign over an expression."""
_NEW_ROW = r" \\ "
_FACES = {"script": "mathcal", "fraktur": "mathfrak", "double-struck": "mathbb", "sans-serif": "mathsf", "monospace": "mathtt"}
"""Commands of the faces that a run may have (22.1.3.7)."""
LONGEST_LOOKED_AT = 1_000
"""Characters of a run or base that are looked at closely; patterns cost the square of a length."""
_NUMBER = re.compile(r"\\#\(?([^()#]{1,20})\)?$")
_TEXT_SIGNS = str.maketrans({"{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&", "_": r"\_", "$": r"\$", "\\": r"\textbackslash "})
_WORDS = re.compile(r"[^\W\d_]{2,}\s+[^\W\d_]{2,}")
"""Words in a row: what is said of a formula, and no product of variables."""
_ATOM = re.compile(r"\\[A-Za-z]+\*?(?:\{[^{}]*\})?|\\left.+\\right\S+|.?", re.DOTALL)
"""What a script may stand behind without braces."""
_DELIMITERS = {"{": r"\{", "}": r"\}", "⟨": r"\langle ", "⟩": r"\rangle ", "‖": r"\|", "⌊": r"\lfloor ", "⌋": r"\rfloor ", "": "."}


def latex(equation: Element) -> str:
    """One equation on one line."""
    return " ".join(_all(equation).split())


def _all(element: Element | None) -> str:
    return joined(_one(child) for child in element) if element is not None else ""


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
    text = clean_text("".join(child.text or "" if child.tag in (qname("m:t"), qname("w:t")) else "" for child in element))
    properties = element.find(qname("m:rPr"))
    is_normal = properties is not None and flag(properties.find(qname("m:nor")), "m:val")
    if text.strip() and (is_normal or (len(text) <= LONGEST_LOOKED_AT and _WORDS.search(text))):
        return rf"\text{{{text.translate(_TEXT_SIGNS)}}}"
    face = _FACES.get(_property(element, ("m:rPr", "m:scr")) or "") or ("mathbf" if _property(element, ("m:rPr", "m:sty")) == "b" else "")
    if text in FUNCTIONS:
        return f"\\{text} "
    signs = latex_signs(text)
    return rf"\{face}{{{signs}}}" if face and any(map(str.isalnum, text)) and "\\" not in signs else signs


def _fraction(element: Element) -> str:
    above, below = _part(element, "m:num"), _part(element, "m:den")
    kind = _property(element, ("m:fPr", "m:type"))
    if kind == "lin":
        return f"{above}/{below}"
    return rf"\genfrac{{}}{{}}{{0pt}}{{}}{{{above}}}{{{below}}}" if kind == "noBar" else rf"\frac{{{above}}}{{{below}}}"


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
    is_atom = len(base) <= LONGEST_LOOKED_AT and _ATOM.fullmatch(base) is not None and not base.startswith(r"\frac")
    return base if is_atom else f"{{{base}}}"


def _script(sign: str, text: str) -> str:
    return f"{sign}{{{text}}}" if text else ""


def _large_operator(element: Element) -> str:
    sign = _property(element, ("m:naryPr", "m:chr"))
    operator = COMMANDS.get(sign, sign) if sign is not None else r"\int"
    return f"{operator}{_script('_', _part(element, 'm:sub'))}{_script('^', _part(element, 'm:sup'))} {_part(element, 'm:e')}"


def _delimited(element: Element) -> str:
    start, end = _property(element, ("m:dPr", "m:begChr")), _property(element, ("m:dPr", "m:endChr"))
    if start in (None, "(") and end in (None, ")") and (pair := _only_fraction(element)) is not None:
        return rf"\binom{{{_part(pair, 'm:num')}}}{{{_part(pair, 'm:den')}}}"
    between = _property(element, ("m:dPr", "m:sepChr"))
    inside = (between or "|").join(_all(part).strip() for part in element.iterchildren(qname("m:e")))
    left, right = "(" if start is None else start, ")" if end is None else end
    return rf"\left{_DELIMITERS.get(left, left)}{inside}\right{_DELIMITERS.get(right, right)}"


def _only_fraction(element: Element) -> Element | None:
    """The fraction without a bar that is all that stands between delimiters: with round ones, it is a binomial."""
    parts = list(element.iterchildren(qname("m:e")))
    inside = [child for child in parts[0] if child.tag not in _PROPERTIES] if len(parts) == 1 else []
    is_pair = len(inside) == 1 and inside[0].tag == qname("m:f") and _property(inside[0], ("m:fPr", "m:type")) == "noBar"
    return inside[0] if is_pair else None


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
    if base.isalpha() and len(base) > 1 and base not in FUNCTIONS:
        base = rf"\operatorname*{{{base}}}"
    return f"{base}_{{{limit}}}" if base in FUNCTIONS or base.startswith("\\") else rf"\underset{{{limit}}}{{{base}}}"


def _limit_above(element: Element) -> str:
    return rf"\overset{{{_part(element, 'm:lim')}}}{{{_part(element, 'm:e')}}}"


def _matrix(element: Element) -> str:
    rows = [" & ".join(_all(cell).strip() for cell in row.iterchildren(qname("m:e"))) for row in element.iterchildren(qname("m:mr"))]
    return rf"\begin{{matrix}}{_NEW_ROW.join(rows)}\end{{matrix}}"


def _equation_array(element: Element) -> str:
    """Equations below each other; what `#` sets apart from one is its number (as Word types it)."""
    rows = [_NUMBER.sub(r"\\tag{\1}", _all(row).strip().replace(r"\&", "&")) for row in element.iterchildren(qname("m:e"))]
    if len(rows) == 1:
        return rows[0].replace("&", "")
    rows = [row.replace(r"\tag{", r"\qquad\text{") for row in rows]  # numbers of lines within an equation are no tags
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
