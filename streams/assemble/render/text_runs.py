"""The text of a block in runs: plain, over a hyperlink, or the mark of a footnote. Both renderers of text go by it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from schemas.content import Link
from schemas.document import NoteReference
from streams.assemble.render.links import runs


class Run(NamedTuple):
    """A piece of text; `target` is where it links to, `note` the id of the footnote whose mark it is. At most one of the two is there."""

    text: str
    target: str | None = None
    note: str | None = None


def text_runs(text: str, links: Sequence[Link], notes: Sequence[NoteReference], start: int = 0) -> Iterator[Run]:
    """The runs of a text that begins at `start` of its block's. A mark within a hyperlink stays part of the link."""
    at = start
    for run, target in runs(text, links) if links else ((text, None),):
        if target is None and notes:
            yield from _marked(run, at, notes)
        elif run:
            yield Run(run, target)
        at += len(run)


def _marked(text: str, at: int, notes: Sequence[NoteReference]) -> Iterator[Run]:
    """A plain run that begins at `at`, cut at the marks in it."""
    done = 0
    for reference in notes:
        begin = reference.offset - at
        if begin < done or begin + reference.length > len(text):
            continue
        if begin > done:
            yield Run(text[done:begin])
        yield Run(text[begin : begin + reference.length], note=reference.note)
        done = begin + reference.length
    if done < len(text):
        yield Run(text[done:])
