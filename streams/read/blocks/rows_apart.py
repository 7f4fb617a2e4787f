"""Rows of fragments become lines: two texts that stand side by side on one level, and say nothing to each other, are two. Pure functions."""

from collections.abc import Sequence

from streams.read.blocks.classify import is_label
from streams.read.blocks.joined_rows import lines_of
from streams.read.blocks.lines import Fragment, Line

OTHER_SIZES = ((1.8, 1.5), (1.4, 6.0))
"""Ratio of sizes of texts that are no one line although they stand on one, and the space between them at the least, in the larger size. Sizes of
recognized text differ by half without meaning.
"""


def lines_of_row(row: Sequence[Fragment]) -> list[Line]:
    """The lines of a row; where they are more than one, all but one that is larger and does not stand last are marked as aside."""
    if len(row) < 2:
        return lines_of([row])
    lines = lines_of(parted(row))
    largest = max([line.style.size_pt for line in lines])
    for place, line in enumerate(lines if len(lines) > 1 else ()):
        line.parted = True
        line.aside = line.style.size_pt < largest or place == len(lines) - 1 or line.text.lstrip()[:1].isdecimal()
    return lines


def parted(row: Sequence[Fragment]) -> list[list[Fragment]]:
    """A row of fragments, cut behind a gap where a caption begins, as two figures beside each other have theirs on one line, the label of a form
    field, or type of quite another size, as a title has beside the name and date of its gazette.
    """
    rows: list[list[Fragment]] = []
    letters = 0  # of the last of them, counted along: a row may hold all of a page
    for fragment in sorted(row, key=lambda f: f.x0):
        before = rows[-1][-1] if rows else None
        if before is None or (fragment.x0 - before.x1 > fragment.style.size_pt and _is_another(fragment, rows[-1], letters)):
            rows.append([fragment])
            letters = fragment.letters
        else:
            rows[-1].append(fragment)
            letters += fragment.letters
    return rows if len(rows) > 1 else [list(row)]


def _is_another(fragment: Fragment, row: Sequence[Fragment], letters: int) -> bool:
    """Whether a fragment goes on with something else than the row before it, of so many letters."""
    if fragment.label and (letters > 3 or (letters > 1 and row[-1].text.strip().isalpha())):  # not behind the number of its line
        return True
    sizes = fragment.style.size_pt, max(row[-1].style.size_pt, 0.1)
    ratio, gap = max(sizes) / max(min(sizes), 0.1), (fragment.x0 - row[-1].x1) / max(sizes)
    if any(ratio >= other and gap > wide for other, wide in OTHER_SIZES):
        return min(fragment.letters, letters) > 3
    return is_label(fragment.text) and is_label(row[0].text)
