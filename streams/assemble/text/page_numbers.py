"""Page numbers in a line of text: which numbers it holds, and how they relate to the page it stands on.

Pure functions of folded text. What is proven by them is decided by `furniture`.
"""

import re
from collections.abc import Iterator

from streams.assemble.text.wording import numbers, without_digits

MAX_NUMBERS = 4
"""Numbers of a line that may count its pages: date, volume, page, pages in all."""
LARGEST_PAGE = 10**6
"""A larger number is a date, a price or an identifier."""
_ROMAN = re.compile(r"[\W_]*(?=[ivxlc])(c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3}))[\W_]*")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_WORD = r"(?:page|pages|pg|p|seite|s|página|pagina|pág|pag|strona|str|страница|стр|с|sida|side|第|页|頁|ページ|쪽|페이지|صفحة|עמוד)"
_OF = r"(?:/|\||of|von|de|sur|di|van|z|из|av|af|共|총|من|מתוך|-)"
_PREFIX = r"(?:[a-z]{1,3}[-–.])?"
"""Pages of an appendix or a chapter: `A-5`."""
_PAGE_NUMBER = re.compile(rf"[\W_]*{_WORD}?\.?[\s\W_]*{_PREFIX}\d{{1,6}}[\s\W_]*{_WORD}?(?:[\s\W_]*{_OF}[\s\W_]*\d{{1,6}}[\s\W_]*{_WORD}?)?[\W_]*")
_SELF_EVIDENT = re.compile(rf"[\W_]*{_WORD}\.?[\s\W_]*(\d{{1,6}})[\s\W_]*{_OF}[\s\W_]*(\d{{1,6}})[\s\W_]*{_WORD}?[\W_]*|-\s*1\s*-")


def numbered_pages(text: str, page: int) -> Iterator[tuple[str, int, int]]:
    """Keys that lines have in common which count pages: the words around the numbers, which number it is, and number minus page."""
    key = words_around(text)
    for index, digits in enumerate(numbers(text)[:MAX_NUMBERS]):
        if len(digits) <= 6 and int(digits) <= LARGEST_PAGE:
            yield key, index, int(digits) - page
    roman = roman_number(text)
    if roman is not None:
        yield "roman", 0, roman - page


def words_around(text: str) -> str:
    """What a folded line says beside its numbers: inside it they are `#`, at its ends they are left out, as sides of a book differ in that.

    Without white space, and a lone number is `#` whatever signs are around it: recognition reads `- 2 -` as `-2-`. A Roman number at the end of
    several words is one, too: the pages of a preface have the foot of all others.
    """
    words = text.split()
    if len(words) > 2 and roman_number(words[-1]) is not None:
        words[-1] = "#"
    key = without_digits("".join(words))
    return key.strip("#-–—|·•.,") or ("#" if "#" in key else key)


def is_page_number(text: str, *, alone: bool = False) -> bool:
    """Whether a line is nothing but a page number; `alone`: one that says so without any other page to compare."""
    if len(text) > 40:
        return False
    return (_SELF_EVIDENT if alone else _PAGE_NUMBER).fullmatch(text) is not None or (not alone and roman_number(text) is not None)


def roman_number(text: str) -> int | None:
    """The value of a line that is only a roman number, in the folded (small) form; None for anything else."""
    match = _ROMAN.fullmatch(text) if len(text) <= 16 else None
    if match is None:
        return None
    values = [_ROMAN_VALUES[letter] for letter in match[1]]
    return sum(-value if value < max(values[i:]) else value for i, value in enumerate(values))
