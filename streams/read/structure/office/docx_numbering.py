"""Markers of numbered and bulleted paragraphs (ECMA-376 part 1, 17.9): what Word prints before the text, counted as Word counts.

A document is told paragraph by paragraph, in order. Levels restart below a higher one; lists that share their definition go on counting together,
except where one of them overrides the start. What no table here can spell is spelled in digits.
"""

from msgspec import Struct

from streams.read.characters.normalise import clean_text
from streams.read.structure.office.number_words import spelled
from streams.read.structure.office.package import Element, flag, number, qname

LEVELS = 9
BULLET = "•"
MAX_MARKER = 64
"""Characters of a marker: `Article XVIII.` has 14, and the text before the number is the file's own."""
MAX_LINKS = 8
"""Styles of numbering that refer to each other; more is a cycle."""


class Level(Struct):
    """One level of a list. `text` is the marker with `%1`..`%9` where numbers go; `restart`: the level (from 1) whose step restarts it."""

    form: str = "decimal"
    text: str = ""
    start: int = 1
    restart: int | None = None
    legal: bool = False
    style: str = ""


class Marker(Struct, frozen=True):
    """What stands before a paragraph. `text` is empty where the list prints nothing; `depth` counts from 0."""

    text: str
    depth: int
    is_bullet: bool


class _List(Struct):
    levels: list[Level]
    counters: list[int | None]


class Numbering:
    """The lists of one document, and how far each has counted."""

    def __init__(self, root: Element | None) -> None:
        self._abstract: dict[str, Element] = {}
        self._by_style_link: dict[str, Element] = {}
        self._numbers: dict[str, Element] = {}
        self._lists: dict[str, _List] = {}
        self._started: set[str] = set()
        for abstract in root.iterchildren(qname("w:abstractNum")) if root is not None else ():
            self._abstract.setdefault(abstract.get(qname("w:abstractNumId"), ""), abstract)
            if (link := abstract.find(qname("w:styleLink"))) is not None:
                self._by_style_link.setdefault(link.get(qname("w:val"), ""), abstract)
        for one in root.iterchildren(qname("w:num")) if root is not None else ():
            self._numbers.setdefault(one.get(qname("w:numId"), ""), one)

    def level_of_style(self, identity: str, style: str | None, level: int) -> int:
        """The level of a list that belongs to a paragraph style, else `level`."""
        found = self._list(identity)
        if found is None or not style:
            return level
        return next((index for index, one in enumerate(found.levels) if one.style == style), level)

    def marker(self, identity: str, level: int) -> Marker | None:
        """Counts a paragraph and says its marker; None where there is no such list."""
        listed = self._list(identity)
        if listed is None or not 0 <= level < LEVELS:
            return None
        self._restart_where_told(identity, listed)
        _step(listed, level)
        one = listed.levels[level]
        if one.form == "bullet":
            return Marker(BULLET, level, True)
        if one.form == "none" and "%" not in one.text:
            return Marker(clean_text(one.text).strip()[:MAX_MARKER], level, False)
        return Marker(_marker_text(listed, level), level, False)

    def _list(self, identity: str) -> _List | None:
        """The list of a number, shared by all numbers of one definition but for those that override its levels; None where there is none."""
        one = self._numbers.get(identity)
        reference = one.find(qname("w:abstractNumId")) if one is not None else None
        if one is None or reference is None:
            return None
        key = reference.get(qname("w:val"), "")
        overridden = any(override.find(qname("w:lvl")) is not None for override in one.iterchildren(qname("w:lvlOverride")))
        key = f"{key}/{identity}" if overridden else key
        if key not in self._lists:
            abstract = self._followed(self._abstract.get(reference.get(qname("w:val"), "")))
            if abstract is None:
                return None
            self._lists[key] = _List(_levels(abstract, one if overridden else None), [None] * LEVELS)
        return self._lists[key]

    def _followed(self, abstract: Element | None) -> Element | None:
        """The definition itself where one only names a style of numbering."""
        for _ in range(MAX_LINKS):
            link = abstract.find(qname("w:numStyleLink")) if abstract is not None else None
            if link is None:
                return abstract
            abstract = self._by_style_link.get(link.get(qname("w:val"), ""))
        return None

    def _restart_where_told(self, identity: str, listed: _List) -> None:
        """A list that overrides the start begins anew with its first paragraph (17.9.8)."""
        if identity in self._started:
            return
        self._started.add(identity)
        for override in self._numbers[identity].iterchildren(qname("w:lvlOverride")):
            start, level = override.find(qname("w:startOverride")), number(override.get(qname("w:ilvl")), -1)
            if start is not None and 0 <= level < LEVELS:
                listed.counters[level] = None
                listed.levels[level].start = number(start.get(qname("w:val")), 1)


def _levels(abstract: Element, overriding: Element | None) -> list[Level]:
    levels = [Level() for _ in range(LEVELS)]
    elements: list[Element] = list(abstract.iterchildren(qname("w:lvl")))
    for override in overriding.iterchildren(qname("w:lvlOverride")) if overriding is not None else ():
        elements += override.iterchildren(qname("w:lvl"))
    for element in elements:
        index = number(element.get(qname("w:ilvl")), -1)
        if 0 <= index < LEVELS:
            levels[index] = _level(element)
    return levels


def _level(element: Element) -> Level:
    def value(name: str) -> str | None:
        found = element.find(qname(name))
        return found.get(qname("w:val"), "") if found is not None else None

    restart = value("w:lvlRestart")
    return Level(
        form=value("w:numFmt") or "decimal",
        text=(value("w:lvlText") or "")[: 4 * MAX_MARKER],
        start=number(value("w:start"), 0 if value("w:start") is not None else 1, most=10**7),
        restart=number(restart) if restart is not None else None,
        legal=flag(element.find(qname("w:isLgl"))),
        style=value("w:pStyle") or "",
    )


def _step(listed: _List, level: int) -> None:
    """Counts one paragraph of a level: levels above it that never began are at their start, levels below it begin anew."""
    for index in range(level):
        if listed.counters[index] is None:
            listed.counters[index] = listed.levels[index].start
    count = listed.counters[level]
    listed.counters[level] = listed.levels[level].start if count is None else count + 1
    for index in range(level + 1, LEVELS):
        restart = listed.levels[index].restart
        if restart is None or (restart > 0 and level < restart):
            listed.counters[index] = None


def _marker_text(listed: _List, level: int) -> str:
    text = listed.levels[level].text
    legal = listed.levels[level].legal
    for index in range(level + 1):
        if f"%{index + 1}" in text:
            one, count = listed.levels[index], listed.counters[index]
            shown = one.start if count is None else count
            text = text.replace(f"%{index + 1}", spelled(shown, "decimal" if legal and index < level else one.form))
    return clean_text(text).strip()[:MAX_MARKER]
