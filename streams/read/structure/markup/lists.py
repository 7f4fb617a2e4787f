"""Markers of list items as a browser would print them: bullets, numbers, letters, roman numbers. Pure but for the count that runs."""

from streams.read.structure.markup.tree import Element, classes_of, name_of, value_of
from streams.read.structure.numerals import LARGEST_ROMAN, roman

BULLET = "• "
MAX_NUMBER = 1_000_000_000
"""Browsers count on in 32 bits."""


class ListNumbers:
    """The numbers of one list. None, or anything but an `ol`, is a list of bullets, or of items whose text has its marker (class `marked`)."""

    def __init__(self, element: Element | None) -> None:
        self.is_bulleted = element is None or name_of(element) != "ol"
        self._bullet = "" if element is not None and "marked" in classes_of(element) else BULLET
        self._style = value_of(element, "type") if element is not None else ""
        self._step = 1
        self._number = 0
        if element is not None and not self.is_bulleted:
            start = _integer(value_of(element, "start"))
            if element.get("reversed") is not None:
                self._step = -1
                start = sum(name_of(child) == "li" for child in element) if start is None else start
            self._number = (1 if start is None else start) - self._step

    def next_marker(self, item: Element) -> str:
        """What stands before an item, its space included."""
        if self.is_bulleted:
            return self._bullet
        value = _integer(value_of(item, "value"))
        self._number = self._number + self._step if value is None else value
        return f"{_styled(self._number, self._style)}. "


def _styled(number: int, style: str) -> str:
    if style in ("a", "A") and number > 0:
        letters = _letters(number)
        return letters.upper() if style == "A" else letters
    if style in ("i", "I") and 0 < number <= LARGEST_ROMAN:
        return roman(number).upper() if style == "I" else roman(number)
    return str(number)


def _letters(number: int) -> str:
    shown = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        shown = chr(ord("a") + rest) + shown
    return shown


def _integer(text: str) -> int | None:
    digits = text.strip()
    if not digits.lstrip("-").isdigit() or not digits.isascii() or len(digits) > 10:
        return None
    try:
        return max(-MAX_NUMBER, min(MAX_NUMBER, int(digits)))
    except ValueError:
        return None
