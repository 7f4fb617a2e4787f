"""Large initials that stand beside the first lines of a text: letters of its first word, and no text of their own."""

from collections.abc import Sequence
from itertools import islice

from streams.read.blocks.lines import Fragment

MAX_INITIALS = 40
"""Large initials of one page; more are a display of letters."""
LARGE, LARGER = 1.8, 2.0
"""Times the median size of a page's text, and the size of the lines beside it, from which on a letter is a large initial."""
FEWEST_BESIDE = 2
"""Lines that it stands beside at the least."""


def with_drop_capitals(fragments: Sequence[Fragment]) -> list[Fragment]:
    """Puts a large initial in front of the line that it belongs to: the topmost one right beside it. Changes them, and gives those that are left."""
    if not fragments:
        return []
    large = LARGE * sorted(f.style.size_pt for f in fragments)[len(fragments) // 2]
    initials = (f for f in fragments if f.letters <= 2 and f.style.size_pt > large and f.text.strip().isalpha() and f.text.strip()[0].isupper())
    capitals = list(islice(initials, MAX_INITIALS))
    gone: set[int] = set()
    for capital in capitals:
        beside = [fragment for fragment in fragments if _is_beside(fragment, capital)]
        first = min(beside, key=lambda f: f.y0, default=None)
        if first is not None and len(beside) >= FEWEST_BESIDE:
            first.text = capital.text.strip() + first.text.lstrip()
            first.letters += capital.letters
            first.runs = ((capital.letters, first.runs[0][1]), *first.runs) if first.runs else ()
            for line in beside:  # so that the lines beside the initial are not indented against those below it
                line.x0 = min(line.x0, capital.x0) if (line.y0 + line.y1) / 2 < capital.y1 else line.x0
            gone.add(id(capital))
    return [f for f in fragments if id(f) not in gone]


def _is_beside(line: Fragment, capital: Fragment) -> bool:
    if capital.style.size_pt <= LARGER * line.style.size_pt or line.letters <= 8 or line.y0 >= capital.y1 or line.y1 <= capital.y0:
        return False
    return -0.5 < (line.x0 - capital.x1) / max(line.style.size_pt, 1.0) < 1.5
