"""What stands in large or bold type and is no heading: authors, addresses, dates, whole sentences. Pure functions of strings.

Title pages and letter heads set all of these as large as headings. Told are only forms that hardly any heading has; a name alone is not told.
"""

import re

MAX_CHARS = 400
"""Longer texts are no headings anyway."""
SENTENCE_WORDS = 10
"""Words from which a text that ends with a full stop is a sentence, whatever it is set in."""
JOINING_LETTERS = 3
"""Of a word alone that joins what stands above and below it on title pages: "and", "by"."""
LEAD_WORDS = 15
"""The same for a text that ends with a colon; shorter ones head lists."""

_SENTENCE_END = re.compile(r"[^.\s]{2}[.。][\"'”’)\]]*[⁰¹²³⁴-⁹,]*$")
_MAIL = re.compile(r"\S@[\w-]+\.\w|^(?:https?://|www\.)\S+$|^[a-z\d-]+(?:\.[a-z\d-]+)+/\S*$")
_CAPITAL = "A-ZÀ-ÖØ-ÞĀ-Ž"
_NAME = re.compile(rf"(?:[{_CAPITAL}][\w’'-]*\.?|(?:[{_CAPITAL}]\.-?)+|d[aeiu]|del|dos|van|von|der|den|le|bin|ibn|al-\w+)")
_SIGNS = "*∗†‡§¶⁰¹²³⁴⁵⁶⁷⁸⁹"
_MARK = re.compile(rf"[a-z\d](?:,[a-z\d{_SIGNS}]+)*[{_SIGNS}]*|[{_SIGNS},]+")
_NEXT = re.compile(r",\s+|,?\s+(?:and|&|und|et|y|e)\s+")
_SIGNED = re.compile(rf"\w(?:[{_SIGNS}]|\s[†‡§¶]| [a-z],[a-z*])(?=[\s,]|$)")
_PARTS = "Appendix|Annex|Part|Section|Chapter|Schedule|Exhibit|Table|Figure|Article"
_INITIAL = re.compile(rf"(?!(?:{_PARTS})\b)[{_CAPITAL}][\w’'-]+(?: [{_CAPITAL}]\.)+ [{_CAPITAL}][\w’'-]+")
_NUMBERING = re.compile(r"\w+ [ABCDILVX]\. .*")
"""A word and a letter that also numbers parts, in any language: "Titre I. Dispositions", "Unit B. Energy"; an author mostly has others."""
_INITIALS = re.compile(rf"(?:^|\s)[{_CAPITAL}]\.")
MOST_NAMES = 6
"""Of one author."""
_MONTH = (
    "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|"
    "янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек"
)
_ORDINAL = r"\.?(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"(?:\w{{3,10}}, )?(?:(?:{_MONTH})\w*\.? \d{{1,2}}{_ORDINAL},? \d{{4}}|\d{{1,2}}{_ORDINAL} (?:de )?(?:{_MONTH})\w*\.?,? (?:de )?\d{{4}})\.?"
    r"|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{4}年\d{1,2}月(?:\d{1,2}日)?",
    re.IGNORECASE,
)
_ROAD = "Street|St|Road|Rd|Avenue|Ave|Boulevard|Blvd|Parkway|Highway"
_OTHER_ROAD = "Drive|Dr|Lane|Court|Place|Square|Plaza"
"""What a numbered heading may end in as well ("2 The Constitutional Court"): an address goes on behind it."""
_STREET = re.compile(
    rf"\d{{1,6}}[a-zA-Z]?,? (?:[\w.'-]+ ){{1,5}}(?:{_ROAD})\b\.?(?:,? (?:NW|NE|SW|SE)\b)?(?:,.*)?"
    rf"|\d{{2,6}}[a-zA-Z]?,? (?:[\w.'-]+ ){{1,5}}(?:{_OTHER_ROAD})\b\.?(?:,? (?:NW|NE|SW|SE)\b.*|,.*)"
    r"|P\.? ?O\.? Box \d.*|[\w.' -]{2,30}, [A-Z]{2} \d{5}(?:-\d{4})?(?:\s.*)?"
)
_ROMAN_PAGE = re.compile(r"(?=[ivxlc]{2})[xlc]{0,6}(?:ix|iv|v?i{0,3})")


def is_no_heading(text: str, *, bold: bool) -> bool:
    """Whether a text is something that large type also sets: an address, authors, a date alone (in bold type it may head a part), a page's number in
    Roman figures, a sentence of some length.
    """
    if len(text) > MAX_CHARS:
        return True
    if text.islower() and text.isalpha() and len(text) <= JOINING_LETTERS:
        return True
    if _MAIL.search(text) or _STREET.fullmatch(text) or _ROMAN_PAGE.fullmatch(text):
        return True
    if not bold and _DATE.fullmatch(text):
        return True
    return is_sentence(text) or is_byline(text)


def is_sentence(text: str) -> bool:
    """Whether a text ends as a sentence does and is as long as one."""
    words = text.count(" ") + 1
    return words >= SENTENCE_WORDS and (_SENTENCE_END.search(text) is not None or (words >= LEAD_WORDS and text.endswith((":", "："))))


def is_byline(text: str) -> bool:
    """Whether a text is names of authors: with the marks of their places, or with initials."""
    if not text[:1].isupper():
        return False
    if _INITIAL.fullmatch(text):
        return not _NUMBERING.fullmatch(text)
    signs = len(_SIGNED.findall(text))
    authors = [author.split() for author in _NEXT.split(text)]
    if signs < 2 and len(authors) < 3:
        return False
    counts = [sum(_is_name(word) for word in author) for author in authors]
    if any(count + _marks(author) < len(author) for count, author in zip(counts, authors, strict=True)):
        return False
    if not signs and not _INITIALS.search(text):
        return False  # a list of things, as like as not
    one = len(authors) == 1  # or several, without commas
    return all(count > 1 for count in counts) and (one or max(counts) <= MOST_NAMES)


def _is_name(word: str) -> bool:
    return _NAME.fullmatch(word.rstrip("," + _SIGNS)) is not None


def _marks(author: list[str]) -> int:
    """How many words of an author are marks of places, behind the name."""
    return sum(_MARK.fullmatch(word) is not None for word in author[1:])
