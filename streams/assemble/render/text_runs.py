"""The text of a block in runs: plain, emphasised, code or a formula, over a hyperlink, or the mark of a footnote. Both renderers of text go by it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from schemas.content import Link, Span
from schemas.document import NoteReference
from streams.assemble.render.links import runs


class Setting(NamedTuple):
    """How a run is set off from the rest."""

    bold: bool = False
    italic: bool = False
    struck: bool = False
    code: bool = False
    math: bool = False

    @property
    def is_literal(self) -> bool:
        """Whether it is set off as another language and not, or not only, as emphasis."""
        return self.code or self.math


PLAIN = Setting()


def in_elements(written: str, setting: Setting) -> str:
    """What is written of a run, in the elements of HTML that set it off."""
    if setting.is_literal:
        written = f'<code class="math">{written}</code>' if setting.math else f"<code>{written}</code>"
    for element, is_so in (("em", setting.italic), ("strong", setting.bold), ("s", setting.struck)):
        if is_so:
            written = f"<{element}>{written}</{element}>"
    return written


class Run(NamedTuple):
    """A piece of text; `target` is where it links to, `note` the id of the footnote whose mark it is. At most one of the two is there."""

    text: str
    target: str | None = None
    note: str | None = None
    setting: Setting = PLAIN


def text_runs(text: str, links: Sequence[Link], notes: Sequence[NoteReference], start: int = 0, spans: Sequence[Span] = ()) -> Iterator[Run]:
    """The runs of a text that begins at `start` of its block's. A mark within a hyperlink stays part of the link; a hyperlink is emphasised as a
    whole or not at all.
    """
    found = _linked(text, links, notes, start)
    return _emphasised(found, spans, start) if spans else found


def _linked(text: str, links: Sequence[Link], notes: Sequence[NoteReference], start: int) -> Iterator[Run]:
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


def _emphasised(found: Iterable[Run], spans: Sequence[Span], at: int) -> Iterator[Run]:
    """The runs cut at the ends of the spans. Both are in order, so that each is looked at once."""
    place = 0
    for run in found:
        end = at + len(run.text)
        while place < len(spans) and _end(spans[place]) <= at:
            place += 1
        if run.note is not None:
            yield run
        elif run.target is not None:
            within = place < len(spans) and spans[place].offset <= at and _end(spans[place]) >= end
            yield run._replace(setting=_setting(spans[place])) if within else run
        else:
            yield from _cut(run.text, at, spans, place)
        at = end


def _cut(text: str, at: int, spans: Sequence[Span], place: int) -> Iterator[Run]:
    """A run that begins at `at`, cut at the spans from `place` on that stand in it."""
    done, end = at, at + len(text)
    while place < len(spans) and spans[place].offset < end:
        span = spans[place]
        begin, behind = max(span.offset, done), min(_end(span), end)
        if begin > done:
            yield Run(text[done - at : begin - at])
        if behind > begin:
            yield Run(text[begin - at : behind - at], setting=_setting(span))
        done = max(done, behind)
        place += 1
    if done < end:
        yield Run(text[done - at :])


def _end(span: Span) -> int:
    return span.offset + span.length


def _setting(span: Span) -> Setting:
    return Setting(span.bold, span.italic, span.struck, span.code, span.math)
