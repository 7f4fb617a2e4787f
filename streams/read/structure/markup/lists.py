"""Markers of list items as a browser would print them: bullets, numbers, letters, roman numbers. Pure but for the count that runs."""

from streams.read.structure.markup.tree import Element, classes_of, name_of, value_of

BULLET = "• "
MAX_NUMBER = 1_000_000_000
"""Browsers count on in 32 bits."""
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"),
          (1, "i"))  # fmt: skip


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
    if style in ("i", "I") and 0 < number < 4000:
        roman = _roman(number)
        return roman.upper() if style == "I" else roman
    return str(number)


def _letters(number: int) -> str:
    shown = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        shown = chr(ord("a") + rest) + shown
    return shown


def _roman(number: int) -> str:
    shown = ""
    for value, letters in _ROMAN:
        shown += letters * (number // value)
        number %= value
    return shown


def _integer(text: str) -> int | None:
    digits = text.strip()
    if not digits.lstrip("-").isdigit() or not digits.isascii() or len(digits) > 10:
        return None
    try:
        return max(-MAX_NUMBER, min(MAX_NUMBER, int(digits)))
    except ValueError:
        return None
