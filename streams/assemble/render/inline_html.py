"""Running text as HTML that is safe anywhere: its hyperlinks, the marks of its notes and back from notes, emphasis, code and formulas."""

from collections.abc import Iterator, Sequence
from html import escape

from schemas.content import Link, Span
from schemas.document import NoteReference
from streams.assemble.render.text_runs import in_elements, text_runs

MAX_BACKLINKS = 50
"""Of one note: a sign in a table may stand in some dozens of cells."""


class Marks:
    """The marks of notes within one block, counted as they are written, so that each has an id of its own."""

    def __init__(self, identity: str) -> None:
        self._identity, self._count = identity, 0

    def next_id(self) -> str:
        """The id of the next mark."""
        self._count += 1
        return f"{self._identity}-note{self._count}"


def marks_of(identity: str, text: str, links: Sequence[Link], notes: Sequence[NoteReference]) -> Iterator[tuple[str, str]]:
    """The ids of the marks that are written of a text, each with the id of its note. One within a hyperlink is no link of its own."""
    marks = Marks(identity)
    for run in text_runs(text, links, notes):
        if run.note is not None:
            yield marks.next_id(), run.note


def inline_html(text: str, links: Sequence[Link], notes: Sequence[NoteReference], spans: Sequence[Span], marks: Marks, start: int = 0) -> str:
    """Text with its links, the marks of its notes and its emphasis. `start` is where it begins in the text of its block."""
    if not links and not notes and not spans:
        return lines_html(text)
    parts = []
    for run in text_runs(text, links, notes, start, spans):
        if run.target is not None:
            link = f'<a href="{escape(run.target)}" rel="noopener noreferrer nofollow">{lines_html(run.text)}</a>'
            parts.append(in_elements(link, run.setting))
        elif run.note is not None:
            mark = f'<a id="{escape(marks.next_id())}" href="#{escape(run.note)}" rel="footnote" role="doc-noteref">{escape(run.text.strip())}</a>'
            parts.append(f"<sup>{mark}</sup>" if run.text.isascii() else mark)  # superscript digits are raised as they are
        else:
            parts.append(in_elements(lines_html(run.text), run.setting))
    return "".join(parts)


def lines_html(text: str) -> str:
    """Text with the ends of its lines."""
    return escape(text).replace("\n", "<br>")


def backlinks_html(marks: Sequence[str]) -> str:
    """Links from a note back to its marks, by their ids; those after the first are numbered. With a space before them."""
    shown = []
    for number, identity in enumerate(marks[:MAX_BACKLINKS], 1):
        label = "Back to the text" if number == 1 else f"Back to the text, place {number}"
        sign = "↩" if number == 1 else f"↩{number}"
        shown.append(f' <a href="#{escape(identity)}" role="doc-backlink" aria-label="{label}">{sign}</a>')
    return "".join(shown)
