r"""Characters of formulas as LaTeX. Pure functions of strings.

Promise: a letter or sign that TeX has a command for becomes that command; a letter of the mathematical alphabets becomes the plain letter, in the
face that tells it apart (italic is what LaTeX sets anyway). All else stays the character that it is, which any modern TeX and MathJax reads.
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import groupby

COMMANDS: dict[str, str] = {
    "∑": r"\sum", "∏": r"\prod", "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint", "∮": r"\oint", "∯": r"\oiint", "∰": r"\oiiint",
    "⋃": r"\bigcup", "⋂": r"\bigcap", "⋁": r"\bigvee", "⋀": r"\bigwedge", "√": r"\surd", "∞": r"\infty", "∂": r"\partial", "∇": r"\nabla",
    "±": r"\pm", "∓": r"\mp", "×": r"\times", "÷": r"\div", "·": r"\cdot", "⋅": r"\cdot", "∘": r"\circ", "∗": "*", "⊕": r"\oplus", "⊗": r"\otimes",
    "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "≈": r"\approx", "≡": r"\equiv", "∼": r"\sim", "≃": r"\simeq", "≅": r"\cong", "∝": r"\propto",
    "≪": r"\ll", "≫": r"\gg", "→": r"\to", "←": r"\leftarrow", "↔": r"\leftrightarrow", "⇒": r"\Rightarrow", "⇐": r"\Leftarrow",
    "⇔": r"\Leftrightarrow", "↦": r"\mapsto", "↑": r"\uparrow", "↓": r"\downarrow", "∈": r"\in", "∉": r"\notin", "∋": r"\ni", "⊂": r"\subset",
    "⊃": r"\supset", "⊆": r"\subseteq", "⊇": r"\supseteq", "∪": r"\cup", "∩": r"\cap", "∖": r"\setminus", "∅": r"\emptyset", "∀": r"\forall",
    "∃": r"\exists", "∄": r"\nexists", "¬": r"\neg", "∧": r"\wedge", "∨": r"\vee", "⊥": r"\perp", "∥": r"\parallel", "∠": r"\angle",
    "∴": r"\therefore", "∵": r"\because", "…": r"\ldots", "⋯": r"\cdots", "⋮": r"\vdots", "⋱": r"\ddots", "−": "-", "–": "-", "′": "'", "″": "''",
    "ℓ": r"\ell", "ℏ": r"\hbar", "ℵ": r"\aleph", "℘": r"\wp", "{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&", "_": r"\_", "$": r"\$",
    "\\": r"\backslash", "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "", "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta",
    "ε": r"\varepsilon", "ϵ": r"\epsilon", "ζ": r"\zeta", "η": r"\eta", "θ": r"\theta", "ϑ": r"\vartheta", "ι": r"\iota", "κ": r"\kappa",
    "λ": r"\lambda", "μ": r"\mu", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi", "ϖ": r"\varpi", "ρ": r"\rho", "ϱ": r"\varrho", "σ": r"\sigma",
    "ς": r"\varsigma", "τ": r"\tau", "υ": r"\upsilon", "φ": r"\varphi", "ϕ": r"\phi", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega", "Γ": r"\Gamma",
    "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Ξ": r"\Xi", "Π": r"\Pi", "Σ": r"\Sigma", "Υ": r"\Upsilon", "Φ": r"\Phi", "Ψ": r"\Psi",
    "Ω": r"\Omega",
}  # fmt: skip
_FACES = (
    ("DOUBLE-STRUCK", "mathbb"), ("FRAKTUR", "mathfrak"), ("BLACK-LETTER", "mathfrak"), ("SCRIPT", "mathcal"), ("MONOSPACE", "mathtt"),
    ("SANS-SERIF", "mathsf"), ("BOLD", "mathbf"),
)  # fmt: skip
"""What the Unicode name of a letter says of its face, and the command of that face. The first that fits counts."""
FUNCTIONS = frozenset({
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim", "exp", "gcd", "hom", "inf", "ker", "lg", "lim",
    "liminf", "limsup", "ln", "log", "max", "min", "Pr", "sec", "sin", "sinh", "sup", "tan", "tanh",
})  # fmt: skip
"""Names of functions that LaTeX knows as commands."""
_LETTERLIKE = re.compile("[ℂℍℕℙℚℝℤℬℰℱℋℐℒℳℛℊℯℴℭℌℑℜℨℼℽℾℿ⅀ⅅ-ⅉ]")
_MATHEMATICAL = re.compile("[\U0001d400-\U0001d7ff]")
_COMMAND_AT_END = re.compile(r"\\[A-Za-z]+$")


def latex_signs(text: str) -> str:
    """A text of a formula, those of its signs that TeX has a command for as it; `μ` of the Latin-1 block is the letter of the Greek one."""
    if text.isascii() and not any(sign in COMMANDS for sign in text):
        return text
    parts: list[str] = []
    for face, group in groupby(text.replace("µ", "μ"), key=_face):
        signs = [COMMANDS.get(plain, plain) for sign in group for plain in (unicodedata.normalize("NFKC", sign) if face is not None else sign)]
        shown = joined(signs)
        parts.append(rf"\{face}{{{shown}}}" if face else shown)
    return joined(parts)


def joined(parts: Iterable[str]) -> str:
    """Parts of a formula as one; a command ends before a letter or digit only at a space."""
    found: list[str] = []
    for part in parts:
        if part and found and part[0].isalnum() and _COMMAND_AT_END.search(found[-1]):
            found.append(" ")
        if part:
            found.append(part)
    return "".join(found)


def _face(sign: str) -> str | None:
    """The command of a letter's face; empty for a mathematical letter of the usual one, None for any other character."""
    if not (_MATHEMATICAL.match(sign) or _LETTERLIKE.match(sign)):
        return None
    name = unicodedata.name(sign, "")
    return next((command for word, command in _FACES if word in name), "")
