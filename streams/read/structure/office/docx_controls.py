"""Form controls of text documents: what a legacy field shows (ECMA-376 part 1, 17.16) and what a content control holds (17.5.2). Pure."""

from schemas.content import FormField
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.office.package import Element, flag, number, qname

CHECKED, UNCHECKED = "☒", "☐"
MAX_NAME = 500
VAL = qname("w:val")
SILENT = frozenset(qname(f"w:{name}") for name in ("pPr", "bookmarkStart", "bookmarkEnd", "proofErr", "permStart", "permEnd"))
"""What stands in a paragraph and says nothing."""


def legacy_control(begin: Element) -> str:
    """What a legacy form control shows: its box, or the entry chosen from its list; empty for text, which is the field's result."""
    data = begin.find(qname("w:ffData"))
    if data is None:
        return ""
    box, listed = data.find(qname("w:checkBox")), data.find(qname("w:ddList"))
    if box is not None:
        state = box.find(qname("w:checked"))
        return CHECKED if flag(state if state is not None else box.find(qname("w:default"))) else UNCHECKED
    if listed is not None:
        entries = [entry.get(VAL, "") for entry in listed.iterchildren(qname("w:listEntry"))]
        result = listed.find(qname("w:result"))
        chosen_entry = number(result.get(VAL)) if result is not None else 0
        return clean_text(entries[chosen_entry]) if 0 <= chosen_entry < len(entries) else ""
    return ""


def form_field(paragraph: Element, text: str) -> FormField | None:
    """The form control that a paragraph consists of; None where there is other text, or the control has no name."""
    controls = [child for child in paragraph if child.tag not in SILENT]
    if len(controls) != 1 or controls[0].tag != qname("w:sdt"):
        return None
    properties = controls[0].find(qname("w:sdtPr"))
    label = next((e.get(VAL, "") for name in ("w:alias", "w:tag") if properties is not None and (e := properties.find(qname(name))) is not None), "")
    box = properties.find(qname("w14:checkbox")) if properties is not None else None
    value = collapse(text)
    if box is not None:
        value = "on" if flag(box.find(qname("w14:checked")), "w14:val") else "off"
    return FormField(name=collapse(clean_text(label))[:MAX_NAME], value=value) if label.strip() else None
