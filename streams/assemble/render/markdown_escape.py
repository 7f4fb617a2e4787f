r"""Text of a document as Markdown text that means the same: a sign is escaped only where GitHub's Markdown would read it as markup.

Escaping every sign would be as right, but a reader, a search index and a language model all see the raw text too, so what needs no backslash
gets none: `snake_case`, `2 * 3`, `[11, 37]` and `a < b` stay as they are.
"""

import re
from typing import NamedTuple

_MARKS = re.compile(r"[\\`*_\[\]<&~$|]")
_BACKSLASH = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$|\n)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
ENTITY = re.compile(r"&(?=#?\w{1,32};)")
_STAR = re.compile(r"(?<=\S)\*|\*(?=\S)")
_UNDERSCORE = re.compile(r"(?<![^\W_])_(?=\S)|(?<=\S)_(?![^\W_])")
_PAIRED = re.compile(r"[*~]|(?<![^\W_])_|_(?![^\W_])")
"""Signs that could pair with one in another run; an underscore within a word pairs with none (CommonMark 0.31, 6.2)."""
_REFERENCES = ("](", "][", "]:", "[^", "^[")
"""What makes of brackets a link, a definition or the mark of a note."""
_BRACKET = re.compile(r"[\[\]]")
_MATH = re.compile(r"\$\S(?:[^$]*\S)?\$(?!\d)")
_LINE_START = re.compile(r"(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|[-=]+\s*$|(?:[-]\s*){3,}$|(?:_\s*){3,}$|:?-+:?\s*\||\d{1,9}(?=[.)](?:\s|$)))")
_TASK = re.compile(r"\[[ xX]\](?=\s)")


class Pairs(NamedTuple):
    """What a text holds that only the whole of it tells: whether its brackets make a link, a mark or a box, and its dollar signs a formula."""

    brackets: bool
    dollars: bool


def pairs_of(text: str) -> Pairs:
    """Looks through a text once, for all its runs."""
    brackets = "[" in text and (any(sign in text for sign in _REFERENCES) or _TASK.match(text) is not None)
    return Pairs(brackets, "$" in text and _MATH.search(text) is not None)


def escape_inline(text: str, *, in_link: bool = False, within: Pairs | None = None, lines: bool = False) -> str:
    """The text for the inside of a heading, a cell or (`in_link`) a link's brackets: one line, no markup but what is ours.

    `within`: of the whole text of which this is a run; signs in other runs could pair with those in this one. `lines`: its lines stay apart, for
    `broken` to write.
    """
    if "\n" in text and not lines:
        text = " ".join(text.split())
    if _MARKS.search(text) is None:
        return text
    text = _BACKSLASH.sub(r"\\\\", text)
    text = text.replace("`", "\\`")
    pairs = pairs_of(text) if within is None else within
    if within is not None:
        text = _PAIRED.sub(r"\\\g<0>", text)
    else:
        text = _STAR.sub(r"\\*", text)
        text = _UNDERSCORE.sub(r"\\_", text)
    text = _TAG.sub(r"\\<", text)
    text = ENTITY.sub(r"\\&", text)
    if within is None and text.count("~") > 1:
        text = text.replace("~", "\\~")
    if in_link or pairs.brackets:
        text = _BRACKET.sub(r"\\\g<0>", text)
    if pairs.dollars:
        text = text.replace("$", "\\$")
    return text


def escape_block(text: str) -> str:
    """The text for a paragraph or a list item of its own: as inside, and its beginning opens no other kind of block."""
    return broken(escape_inline(text, lines=True).strip())


def broken(text: str) -> str:
    """Escaped lines as lines of one paragraph, none of which opens a block: two spaces at their ends keep them apart (CommonMark 0.31, 6.7)."""
    if "\n" not in text:
        return escape_start(text)
    return "  \n".join(escape_start(line.strip()) for line in text.split("\n") if line.strip())


def continued(text: str, prefix: str) -> str:
    """The lines of a block behind the first, each behind a prefix: what an item or a quotation is told by."""
    return text.replace("\n", f"\n{prefix}")


def escape_start(text: str) -> str:
    """Escaped text whose beginning opens no heading, quote, list, rule or table."""
    match = _LINE_START.match(text)
    if match is None:
        return text
    if match[0][0].isdigit():
        return match[0] + "\\" + text[match.end() :]
    return "\\" + text


def escape_cell(text: str) -> str:
    """The text for a cell of a pipe table."""
    return escape_inline(text).replace("|", "\\|")


def escape_target(target: str) -> str:
    """A link's target between parentheses."""
    return target.replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C").replace(" ", "%20")
