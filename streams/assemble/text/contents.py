"""Words and lines of contents pages: what such a list is called in many languages, and an entry with the page that it leads to."""

import re
from typing import NamedTuple

from streams.assemble.text.page_numbers import roman_number
from streams.assemble.text.wording import fold

LONGEST_TITLE = 40
LONGEST_ENTRY = 300
"""Characters of the title of a contents list, and of one of its entries."""
_TITLE = re.compile(
    r"(?:table of |list of )?contents|inhalt(?:sverzeichnis|sübersicht)?|table des matières|sommaire|(?:tabla de )?contenidos?|"
    r"índice(?: general)?|"
    r"indice|sommario|sumário|inhoud(?:sopgave)?|spis treści|innehåll(?:sförteckning)?|indhold(?:sfortegnelse)?|innhold(?:sfortegnelse)?|"
    r"sisällys(?:luettelo)?|obsah|tartalom(?:jegyzék)?|içindekiler|cuprins|оглавление|содержание|зміст|съдържание|περιεχόμενα|"
    r"目\s*[录錄次]|もくじ|차\s*례|목\s*차|(?:فهرس )?المحتويات|الفهرس|תוכן(?: ה?עניינים)?"
)
_ENTRY = re.compile(r"(?P<title>.*\S)[\s.…·‥_]+(?P<page>\d{1,4}|[ivxlc]{1,8})\s*", re.IGNORECASE | re.DOTALL)


class Entry(NamedTuple):
    """A line of a contents page: what it names, folded and without spaces, and the page number that is printed behind it."""

    key: str
    title: str
    page: int


def is_contents_title(text: str) -> bool:
    """Whether a line is the title of a contents list."""
    return len(text) <= LONGEST_TITLE and _TITLE.fullmatch(fold(text).strip(" .:：")) is not None


def contents_entry(text: str) -> Entry | None:
    """A line of a contents page; None for a text that does not end in a page number."""
    match = _ENTRY.fullmatch(text[:LONGEST_ENTRY]) if len(text) <= LONGEST_ENTRY else None
    if match is None:
        return None
    page = int(match["page"]) if match["page"].isdigit() else roman_number(match["page"].lower())
    title = match["title"].rstrip(" .…·‥_")
    return Entry(title_key(title), title, page) if page is not None and any(map(str.isalpha, title)) else None


def title_key(title: str) -> str:
    """What two printings of one title have in common."""
    return "".join(fold(title).split()).strip(".…·‥_:")
