"""How two parts of one text meet where a column, page or cell break stood between them: what is cut off, and what is put in.

Hyphens and dashes are judged by `schemas.text`, as inside a page. U+00AD always goes (`wording.clean_text` has removed it by then).
"""

from schemas.text import HYPHENS, Words, cut_word, dash_holds, hyphen_goes, is_suspended
from streams.assemble.text.wording import glue


def seam(left: str, right: str, words: Words) -> tuple[int, str]:
    """How many characters to cut from the end of `left`, and what to put between. `words` is asked only where a hyphen may have cut one."""
    parts = cut_word(left, right)
    if parts is None:
        return 0, "" if dash_holds(left, right) else glue(left, right)
    if is_suspended(*parts, right[len(parts[1]) :], words):
        return 0, " "
    return (1, "") if hyphen_goes(*parts, words) else (0, "")


def join_cells(upper: str, lower: str) -> str:
    """The text of a cell that a page break cut. A cell's hyphen stays: codes and names are more common there than cut words."""
    if not upper or not lower:
        return upper or lower
    cut = cut_word(upper, lower)
    if cut is not None and len(cut[0]) > 2 and cut[1].islower() and cut[0].islower():
        return upper[:-1] + lower
    return upper + ("" if upper[-1] in HYPHENS + "/" else glue(upper, lower)) + lower
