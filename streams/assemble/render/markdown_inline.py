"""One line of Markdown of a block's text: its hyperlinks, the marks of its notes, and what is bold, italic or struck out, code or a formula.

An emphasis is written with signs where GitHub's Markdown reads them as one (CommonMark 0.31, 6.2: its delimiters must lean on words): spaces and,
beside a word, punctuation at its ends are left outside of it. Where that is not enough, or would tear brackets apart, it is written in tags.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from schemas.content import Link, Span
from schemas.document import NoteReference
from streams.assemble.render.markdown_escape import Pairs, broken, escape_inline, escape_start, escape_target, pairs_of
from streams.assemble.render.markdown_literal import code_span, formula_span
from streams.assemble.render.text_runs import PLAIN, Run, Setting, in_elements, text_runs

Labels = Mapping[str, int]
"""The number of each footnote that a text refers to, by the id of its block."""
MOVABLE = frozenset(".,:;!?…。，、：；！？．“”‘’„«»‹›「」『』《》〈〉（）()")
"""Punctuation that an emphasis does without where a word follows it at once."""
_PAIRED = ("()", "（）", "「」", "『』", "《》", "〈〉", "«»", "‹›")
_QUOTES = frozenset("“”„")
"""Of pairs that languages close by different ones of these signs. Single ones are apostrophes as well."""


class _Part(Struct):
    """Runs that are set alike, or whose emphases have `setting` in common; `tagged`: by tags instead of signs."""

    setting: Setting
    runs: list[Run]
    tagged: bool = False


def inline(
    text: str, links: Sequence[Link], notes: Sequence[NoteReference], spans: Sequence[Span], labels: Labels, start: int = 0, *, begins: bool = True
) -> str:
    """The text without white space at its ends. `start` is where it begins in the text of its block; `begins`: it begins a line of Markdown, and
    opens no other kind of block; its lines stay apart.
    """
    start += len(text) - len(text.lstrip())
    text = text.strip()
    runs = [
        run._replace(note=None) if run.note is not None and run.note not in labels else run for run in text_runs(text, links, notes, start, spans)
    ]
    shown: list[str] = []
    pairs = pairs_of(text)
    if any(span.math for span in spans):
        pairs = pairs._replace(dollars=True)
    for part in _readable(_nested(_parts(runs))):
        written = _written(part, labels, pairs, lines=begins)
        if part.setting != PLAIN:
            emphasis = part.setting._replace(code=False, math=False)
            written = in_elements(written, emphasis) if part.tagged else _delimited(written, emphasis)
        elif begins and not shown and part.runs[0].target is None and part.runs[0].note is None:
            written = escape_start(written)
        if shown and written.startswith("`") and shown[-1].endswith("`") and not shown[-1].endswith("\\`"):
            shown.append(" ")  # the fences of two neighbours would be one, which closes neither, and what stands in them would be markup
        shown.append(written)
    whole = "".join(shown)
    return broken(whole) if begins and "\n" in whole else whole


def _parts(runs: Iterable[Run]) -> list[_Part]:
    """Runs in parts that are set alike, spaces at the ends of emphasised ones put outside; equal neighbours are one."""
    found: list[_Part] = []
    for setting, group in groupby(runs, key=lambda run: run.setting):
        part = _Part(setting, list(group))
        before, behind = (_trimmed(part, str.isspace, at_end=at_end) for at_end in (False, True)) if setting != PLAIN else ("", "")
        found += [_Part(PLAIN, [Run(before)])] if before else []
        found += [part] if any(run.text for run in part.runs) else []
        found += [_Part(PLAIN, [Run(behind)])] if behind else []
    return list(_joined(found))


def _nested(parts: Iterable[_Part]) -> list[_Part]:
    """Emphases that touch and have one in common as one part of that, the rest of each within it: a bold text whose first word leans as well."""
    found: list[_Part] = []
    for part in parts:
        shared = _shared(found[-1], part) if found else PLAIN
        if shared == PLAIN:
            found.append(part)
        else:
            found[-1] = _Part(shared, [*found[-1].runs, *part.runs])
    return found


def _shared(before: _Part, after: _Part) -> Setting:
    """What the emphases of two neighbours have in common, where signs between them are read: one closes behind a letter, and opens before one. Three
    of one letter each would be read in other pairs.
    """
    a, b = before.setting, after.setting
    last, first = before.runs[-1], after.runs[0]
    if any(run.setting.is_literal or run.setting.struck or run.target is not None for run in (last, first)):
        return PLAIN
    shared = Setting(bold=a.bold and b.bold, italic=a.italic and b.italic)
    closes, opens = last.setting != shared, first.setting != shared
    is_read = len(before.runs) == 1 and not (closes and opens) and (last.text[-1:].isalnum() if closes else first.text[:1].isalnum())
    return shared if is_read else PLAIN


def _readable(parts: list[_Part]) -> list[_Part]:
    """The parts such that every emphasis is read as one: what of it need not be so is put outside, and where no signs do, it is tagged."""
    found: list[_Part] = []
    for place, part in enumerate(parts):
        if part.setting == PLAIN:
            found.append(part)
            continue
        before = found[-1] if found else None
        after = parts[place + 1] if place + 1 < len(parts) else None
        bare = _Part(part.setting, list(part.runs))
        goes = _stays if part.setting.is_literal else _is_movable
        lead = _trimmed(bare, goes, at_end=False) if before is not None and not _leaves_room(_last(before)) else ""
        tail = _trimmed(bare, goes, at_end=True) if after is not None and not _leaves_room(_first(after)) else ""
        if not any(run.text for run in bare.runs):  # punctuation alone says nothing by being bold
            found.append(_Part(part.setting, part.runs, tagged=True) if part.setting.struck else _Part(PLAIN, [Run(lead + tail)]))
        elif _tears(bare, part) or not (_opens(bare, before, lead) and _closes(bare, after, tail)):
            found.append(_Part(part.setting, part.runs, tagged=True))
        else:
            found += [_Part(PLAIN, [Run(lead)])] if lead else []
            found.append(bare)
            found += [_Part(PLAIN, [Run(tail)])] if tail else []
    return list(_joined(found))


def _opens(part: _Part, before: _Part | None, lead: str) -> bool:
    """Whether a sign is read as an opening one before a part, behind `before` and the `lead` that was put outside. Right behind the sign of another
    emphasis it is none.
    """
    if lead:
        return not _is_sign(_first(part)) or _leaves_room(lead[-1])
    if before is None:
        return True
    if not _is_emphasised(part):
        return True
    touches = _is_emphasised(before) and not before.tagged
    return not touches and (_leaves_room(_last(before)) or not _edge_is_sign(part, _first(part)))


def _closes(part: _Part, after: _Part | None, tail: str) -> bool:
    """Whether a sign is read as a closing one behind a part, before the `tail` that was put outside and `after`."""
    return after is None or bool(tail) or not _is_emphasised(part) or _leaves_room(_first(after)) or not _edge_is_sign(part, _last(part))


def _is_emphasised(part: _Part) -> bool:
    """Whether delimiters of emphasis stand around it, which have to be read as such; code and formulas alone are read as what they are anywhere."""
    return part.setting.bold or part.setting.italic or part.setting.struck


def _tears(part: _Part, whole: _Part) -> bool:
    """Whether a part that lost its ends has one of two brackets or quotation marks that the whole had both of."""
    text, before = ("".join(run.text for run in one.runs) for one in (part, whole))
    if len(text) == len(before):
        return False
    torn = any(text.count(pair[0]) != text.count(pair[1]) and before.count(pair[0]) == before.count(pair[1]) for pair in _PAIRED)
    return torn or (_quotes(text) % 2 == 1 and _quotes(before) % 2 == 0)


def _quotes(text: str) -> int:
    return sum(text.count(sign) for sign in _QUOTES)


def _is_movable(character: str) -> bool:
    """Whether it may stand outside of an emphasis; a space that a moved sign uncovers has to."""
    return character in MOVABLE or character.isspace()


def _stays(_character: str) -> bool:
    return False


def _edge_is_sign(part: _Part, character: str) -> bool:
    """Whether the outer mark of a part stands beside a sign: its own first or last letter, or the inner mark of two."""
    setting = part.setting
    return setting.is_literal or (setting.struck and (setting.bold or setting.italic)) or _is_sign(character)


def _joined(parts: Iterable[_Part]) -> Iterator[_Part]:
    """Neighbours that are set alike as one, plain text as one run, so that what escapes it sees all of it."""
    for (setting, tagged), group in groupby(parts, key=lambda part: (part.setting, part.tagged)):
        runs: list[Run] = []
        for run in (run for part in group for run in part.runs):
            if runs and run.target is None and run.note is None and run == runs[-1]._replace(text=run.text):
                runs[-1] = runs[-1]._replace(text=runs[-1].text + run.text)
            else:
                runs.append(run)
        yield _Part(setting, runs, tagged)


def _trimmed(part: _Part, goes: Callable[[str], bool], *, at_end: bool) -> str:
    """Takes characters from an end of a part, as far as that is plain text, and gives them back."""
    place = -1 if at_end else 0
    run = part.runs[place]
    if run.target is not None or run.note is not None:
        return ""
    text, count = run.text[::-1] if at_end else run.text, 0
    while count < len(text) and goes(text[count]):
        count += 1
    part.runs[place] = run._replace(text=run.text[: len(text) - count] if at_end else run.text[count:])
    return text[:count][::-1] if at_end else text[:count]


def _first(part: _Part) -> str:
    run = part.runs[0]
    if part.setting.is_literal and not _is_emphasised(part):
        return "[" if run.target is not None else "$" if part.setting.math else "`"
    return "[" if run.target is not None or run.note is not None else run.text[:1]


def _last(part: _Part) -> str:
    """The last character of what is written, its own signs aside."""
    if part.tagged:
        return ">"
    if part.setting.is_literal and not _is_emphasised(part):
        return ")" if part.runs[-1].target is not None else "$" if part.setting.math else "`"
    run = part.runs[-1]
    return ")" if run.target is not None or run.note is not None else run.text[-1:]


def _leaves_room(neighbour: str) -> bool:
    """Whether a delimiter beside this character may have punctuation on its other side. Signs outside of ASCII count only since CommonMark 0.31."""
    return not neighbour or neighbour.isspace() or (neighbour.isascii() and not neighbour.isalnum()) or unicodedata.category(neighbour)[0] == "P"


def _is_sign(character: str) -> bool:
    """Whether a character is punctuation or a symbol by any version of CommonMark."""
    return unicodedata.category(character)[0] in "PS" if character else True


def _written(part: _Part, labels: Labels, pairs: Pairs, *, lines: bool) -> str:
    parts: list[str] = []
    literal = code_span if part.setting.code else formula_span if part.setting.math else None
    for setting, runs in groupby(part.runs, key=lambda run: run.setting):
        mark = _mark(setting.bold and not part.setting.bold, setting.italic and not part.setting.italic)
        parts += [mark] if mark else []
        for run in runs:
            if run.target is not None:
                if parts and parts[-1].endswith("!"):  # an exclamation mark before a link would make an image of it
                    parts[-1] = parts[-1][:-1] + "\\!"
                shown = literal(run.text) if literal else escape_inline(run.text, in_link=True, within=pairs, lines=lines)
                parts.append(f"[{shown}]({escape_target(run.target)})")
            elif run.note is not None:
                parts.append(f"[^{labels[run.note]}]")
            else:
                parts.append(literal(run.text) if literal else escape_inline(run.text, within=pairs, lines=lines))
        parts += [mark] if mark else []
    return "".join(parts)


def _delimited(written: str, setting: Setting) -> str:
    mark = _mark(setting.bold, setting.italic)
    written = f"{mark}{written}{mark}"
    return f"~~{written}~~" if setting.struck else written


def _mark(bold: bool, italic: bool) -> str:
    return "*" * (italic + 2 * bold)
