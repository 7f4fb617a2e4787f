"""What people type, as a value that every index understands alike. Pure; any text is a legal query.

All that is asked for must be there, `a OR b` is one of both, `-word` must not be, `"a phrase"` stands together, and `field:value` asks a field.
What cannot be understood is left out or taken as words, and `problems` says so in words for a person.
"""

import re
from enum import Enum

from msgspec import Struct

from streams.index.words import UNSPACED, fold, words_in

MAX_QUERY_CHARS = 1_000
"""Anybody may ask anything: matching costs with the length."""


class Field(Enum):
    """What may be asked for; the value is the name that people type."""

    ANY = ""
    """Text, headings and file name."""
    FILENAME = "filename"
    HEADING = "heading"
    TYPE = "type"
    DOCUMENT = "document"
    METADATA = "metadata"
    PAGE = "page"
    CONFIDENCE = "confidence"


NUMBERS = frozenset({Field.PAGE, Field.CONFIDENCE})
EXACT = frozenset({Field.TYPE, Field.DOCUMENT, Field.METADATA})
"""Fields whose value is compared as a whole."""
NAMES: dict[str, Field] = {field.value: field for field in Field if field.value} | {"headings": Field.HEADING}


class Words(Struct, frozen=True, kw_only=True):
    """One word, or several that stand together. `words` are folded, `text` is what was typed; `name` is of a metadata field."""

    field: Field
    text: str
    words: tuple[str, ...]
    name: str = ""


class Range(Struct, frozen=True, kw_only=True):
    """A number within bounds, both included; None is no bound."""

    field: Field
    low: float | None
    high: float | None


Term = Words | Range


class Clause(Struct, frozen=True, kw_only=True):
    """One of these must be there, or, `negated`, none may."""

    any_of: tuple[Term, ...]
    negated: bool = False


class Query(Struct, frozen=True, kw_only=True):
    """All clauses hold. `problems` are sentences for whoever asked."""

    clauses: tuple[Clause, ...]
    problems: tuple[str, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether anything can be found: something is asked for, not only forbidden."""
        return any(not clause.negated for clause in self.clauses)

    @property
    def words(self) -> frozenset[str]:
        """The folded words to highlight; of scripts without spaces the whole run."""
        found: set[str] = set()
        for clause in self.clauses:
            for term in clause.any_of if not clause.negated else ():
                if isinstance(term, Words) and term.field not in EXACT:
                    found.update([fold(term.text)] if UNSPACED.search(term.text) else term.words)
        return frozenset(found)


_TOKEN = re.compile(
    r"""(?P<sign>[+-]?)(?:(?P<name>[A-Za-z][\w.\-]*):(?=[^\s/]))?(?:"(?P<phrase>[^"]*)(?P<closed>"?)|(?P<plain>[^\s"]+))|(?P<other>["+-])"""
)
_RANGE = re.compile(r"(?P<low>\d+(?:\.\d+)?)?(?P<dots>\.\.)?(?P<high>\d+(?:\.\d+)?)?")


def parse_query(typed: str) -> Query:
    """Understands a query as far as it goes."""
    return _Parser(typed).parsed()


class _Parser:
    """A query being read. Lives for one call."""

    def __init__(self, typed: str) -> None:
        self._problems: dict[str, None] = {}
        self._clauses: list[Clause] = []
        self._negate = self._alternative = False
        if len(typed) > MAX_QUERY_CHARS:
            self._problem(f"only the first {MAX_QUERY_CHARS} characters are searched for")
        self._typed = typed[:MAX_QUERY_CHARS]

    def parsed(self) -> Query:
        for token in _TOKEN.finditer(self._typed):
            if token["other"] or self._operator(token):
                continue
            term = self._term(token)
            if term is not None:
                self._add(term, negated=token["sign"] == "-" or self._negate)
        if self._alternative:
            self._problem("OR stands between two words: a OR b")
        query = Query(clauses=tuple(self._clauses))
        if not query.asks and self._typed.strip():
            self._problem("only exclusions; add a word to look for" if self._clauses else "no word to look for")
        return Query(clauses=query.clauses, problems=tuple(self._problems))

    def _operator(self, token: re.Match[str]) -> bool:
        """Whether a token is one of AND, OR, NOT, and what it does."""
        word = token["plain"] if not token["name"] and not token["sign"] else None
        if word == "OR":
            if self._clauses and not self._clauses[-1].negated and not self._alternative:
                self._alternative = True
            else:
                self._problem("OR stands between two words: a OR b")
        elif word == "NOT":
            self._negate = True
        return word in ("AND", "OR", "NOT")

    def _add(self, term: Term, *, negated: bool) -> None:
        if self._alternative and not negated:
            self._clauses[-1] = Clause(any_of=(*self._clauses[-1].any_of, term))
        else:
            self._clauses.append(Clause(any_of=(term,), negated=negated))
        self._alternative = self._negate = False

    def _term(self, token: re.Match[str]) -> Term | None:
        text = token["phrase"] if token["phrase"] is not None else token["plain"] or ""
        if token["phrase"] is not None and not token["closed"]:
            self._problem("a quotation mark is not closed; the phrase was taken to go on to the end")
        if token["phrase"] is None and re.search(r"[()\[\]{}]", text) and not words_in(text):
            self._problem("brackets mean nothing in a query; they were left out")
        name, _, metadata = (token["name"] or "").partition(".")
        field = NAMES.get(name.lower()) if name else Field.ANY
        if field is None or (field is Field.METADATA) != bool(metadata):
            known = ", ".join(f"{known.value}:" if known is not Field.METADATA else "metadata.NAME:" for known in Field if known.value)
            self._problem(f"there is no field {token['name']!r}; it was searched for as a word. Fields are {known}")
            field, metadata, text = Field.ANY, "", f"{token['name']} {text}"
        if field in NUMBERS:
            return self._number(field, text)
        whole = {Field.DOCUMENT: text.strip(), Field.TYPE: fold(text.strip()), Field.METADATA: " ".join(words_in(text))}
        words = (whole[field],) if field in EXACT else tuple(words_in(text))
        return Words(field=field, text=text, words=words, name=fold(metadata)) if any(words) else None

    def _number(self, field: Field, text: str) -> Range | None:
        match = _RANGE.fullmatch(text)
        if match is None or not (match["low"] or match["high"]):
            self._problem(f"{field.value}:{text} was left out; a number is written like {field.value}:3, a range like {field.value}:3..7")
            return None
        low, high = (float(match[end]) if match[end] else None for end in ("low", "high"))
        if low is not None and high is not None and low > high:
            turned = f"{field.value}:{match['high']}..{match['low']}"
            self._problem(f"{field.value}:{text} was left out; a range goes from the smaller number to the larger: {turned}")
            return None
        return Range(field=field, low=low, high=high if match["dots"] else low)

    def _problem(self, text: str) -> None:
        self._problems[text] = None
