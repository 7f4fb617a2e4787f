"""Code and formulas within a line of Markdown: what stands in them is no markup, whichever reader of Markdown reads it.

A formula stands between dollar signs. Where these are not known, its LaTeX is text: so signs that would open a tag, an entity or a link in it are
written otherwise, with the same meaning in LaTeX.
"""

import re

from streams.assemble.render.markdown_escape import ENTITY

_TICKS = re.compile(r"`+")
_BRACKETS = re.compile(r"(?<=\])(?=[(\[:])|(?<=\[)(?=\^)")
"""Between two signs of which a reader of Markdown makes a link, a definition or the mark of a note."""
_DOLLAR_OR_END = re.compile(r"(?<!\\)(?:\\\\)*(?:\$|\\$)")
"""What would end a formula early, or not at its end."""


def code_span(text: str) -> str:
    """Text as code: between so many ticks as it has not got itself (CommonMark 0.31, 6.1)."""
    text = " ".join(text.split())
    fence = "`" * (max(map(len, _TICKS.findall(text)), default=0) + 1)
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{room}{text}{room}{fence}" if text else ""


def formula_span(latex: str) -> str:
    """A formula; as code where its dollar signs or ticks would end it before its end."""
    latex = " ".join(latex.split())
    if "`" in latex or _DOLLAR_OR_END.search(latex):
        return code_span(latex)
    latex = ENTITY.sub("& ", _BRACKETS.sub(" ", latex.replace("<", r"\lt "))).strip()
    return f"${latex}$" if latex else ""
