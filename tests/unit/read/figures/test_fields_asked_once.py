"""What fields inherit is asked of the file once for a page, however many fields stand below one another's parent."""

from collections import Counter
from typing import Any

import pymupdf
import pytest

from streams.read.figures.elements import find_notes

FIELDS = 12


def test_no_key_of_an_object_is_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for number in range(FIELDS):
        widget = pymupdf.Widget()
        widget.field_name, widget.field_type, widget.field_value = f"f{number}", pymupdf.PDF_WIDGET_TYPE_TEXT, f"v{number}"
        widget.rect = pymupdf.Rect(50, 50 + 30 * number, 200, 70 + 30 * number)
        page.add_widget(widget)
    above = document.get_new_xref()
    document.update_object(above, "<</FT/Tx/T(section)/TU(All of it)>>")
    for widget in page.widgets():
        document.xref_set_key(widget.xref, "Parent", f"{above} 0 R")
    page = pymupdf.open("pdf", document.tobytes()).load_page(0)
    asked: Counter[tuple[int, str]] = Counter()
    real = pymupdf.Document.xref_get_key

    def counted(self: pymupdf.Document, xref: int, key: str) -> Any:
        asked[xref, key] += 1
        return real(self, xref, key)

    monkeypatch.setattr(pymupdf.Document, "xref_get_key", counted)
    fields = [block.field for block in find_notes(page, None).blocks if block.field is not None]
    assert [(field.name, field.value) for field in fields] == [(f"section.f{number}", f"v{number}") for number in range(FIELDS)]
    assert max(asked.values()) == 1
