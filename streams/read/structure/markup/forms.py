"""Form controls of HTML as fields: name, and the value that the page shows. Values that a page hides are not read.

Pure of elements. A group of radio buttons is one field, whose value is the chosen option.
"""

from collections.abc import Sequence
from functools import cached_property

from schemas.content import FormField
from streams.read.characters.normalise import collapse
from streams.read.structure.markup.inline_text import normalised
from streams.read.structure.markup.tree import Element, name_of, plain_text, value_of

MAX_VALUE = 20_000
MAX_NAME = 500
"""Characters, as of a PDF's fields."""

_NO_FIELD = frozenset({"hidden", "submit", "button", "reset", "image", "password", "file"})
CHECKED, UNCHECKED = "☑", "☐"


def field_of(control: Element, label: str = "") -> FormField | None:
    """The field of an `input`, `select`, `textarea`, `output`, `meter` or `progress`; None for buttons, hidden values and passwords.

    `label`: what the page calls it, where that stands in an element of its own.
    """
    tag = name_of(control)
    kind = value_of(control, "type").strip().lower() if tag == "input" else tag
    if kind in _NO_FIELD or kind == "radio":
        return None
    shown = label or _said_of(control, ("aria-label", "title", "placeholder"))
    name = _said_of(control, ("name", "id")) or shown
    if kind == "checkbox":
        return FormField(name=name, value="on" if is_checked(control) else "off", label=shown) if name else None
    return FormField(name=name, value=_value(control, tag), label=shown)


def radio_field(group: list[Element]) -> FormField:
    """The field of all radio buttons of one name: the value, or the label, of the one that is chosen."""
    chosen = next((button for button in group if is_checked(button)), None)
    return FormField(name=normalised(value_of(group[0], "name"))[:MAX_NAME], value="" if chosen is None else _option(chosen))


def is_checked(control: Element) -> bool:
    """Whether a box or button is on as the page is loaded."""
    return control.get("checked") is not None


class FormIndex:
    """What a control has elsewhere on its page: its label, and the other buttons of its group. Looked up once a page, when first asked."""

    def __init__(self, root: Element) -> None:
        self._root = root
        self.groups_read: set[str] = set()

    @cached_property
    def _labels(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for node in self._root.iter():
            if name_of(node) == "label" and (identity := value_of(node, "for")):
                found.setdefault(identity, normalised(plain_text(node))[:MAX_NAME])
        return found

    @cached_property
    def _groups(self) -> dict[str, list[Element]]:
        found: dict[str, list[Element]] = {}
        for node in self._root.iter():
            if name_of(node) == "input" and value_of(node, "type").strip().lower() == "radio":
                found.setdefault(value_of(node, "name"), []).append(node)
        return found

    def label_of(self, control: Element) -> str:
        """What the page calls a control: the label that names it, or the beginning of the one around it."""
        if named := self._labels.get(value_of(control, "id")):
            return named
        parent = control.getparent()
        return normalised(parent.text or "")[:MAX_NAME] if parent is not None and name_of(parent) == "label" else ""

    def group_of(self, button: Element) -> list[Element]:
        """All radio buttons of the group of one."""
        return self._groups.get(value_of(button, "name"), [button])


def _said_of(control: Element, attributes: Sequence[str]) -> str:
    """The first of some attributes that says something."""
    found = (normalised(value_of(control, attribute)[: 4 * MAX_NAME]) for attribute in attributes)
    return next((name for name in found if name), "")[:MAX_NAME]


def _option(button: Element) -> str:
    value = collapse(value_of(button, "value"))
    if value and value.lower() != "on":
        return normalised(value)[:MAX_VALUE]
    return normalised(button.tail or "")[:MAX_VALUE] or "on"


def _value(control: Element, tag: str) -> str:
    if tag == "select":
        options = [option for option in control.iter() if name_of(option) == "option"]
        chosen = [option for option in options if option.get("selected") is not None]
        shown = chosen or (options[:1] if control.get("multiple") is None else [])
        return ", ".join(normalised(plain_text(option)) for option in shown)[:MAX_VALUE]
    if tag in ("textarea", "output"):
        return normalised(plain_text(control))[:MAX_VALUE]
    return normalised(value_of(control, "value"))[:MAX_VALUE]
