"""Form fields and the words beside them: a filled field stands once, where its label is printed."""

import pymupdf

from schemas.content import BlockType, PageContent
from tests.unit.read.pages import made, prose, read, texts, wrap, write


def form(*fields: tuple[str, str], boxes: tuple[tuple[str, bool], ...] = ()) -> PageContent:
    def draw(page: pymupdf.Page) -> None:
        write(page, 60, 80, wrap(prose(300), 400))
        for number, (label, value) in enumerate(fields):
            page.insert_text((60, 200 + 30 * number), label, fontsize=10)
            field = pymupdf.Widget()
            field.field_type, field.field_name, field.field_value = pymupdf.PDF_WIDGET_TYPE_TEXT, f"text{number}", value
            field.rect = pymupdf.Rect(180, 188 + 30 * number, 330, 206 + 30 * number)
            page.add_widget(field)
        for number, (label, on) in enumerate(boxes):
            page.insert_text((80, 410 + 30 * number), label, fontsize=10)
            box = pymupdf.Widget()
            box.field_type, box.field_name, box.field_value = pymupdf.PDF_WIDGET_TYPE_CHECKBOX, f"box{number}", on
            box.rect = pymupdf.Rect(60, 400 + 30 * number, 72, 412 + 30 * number)
            page.add_widget(box)
        write(page, 60, 500, wrap(prose(300, 5), 400))

    return read(made(draw))


def test_a_filled_field_stands_in_the_place_of_its_label_and_the_label_once() -> None:
    content = form(("Name of owner:", "Jane Roe"), ("Tonnage", "420"), boxes=(("The owner agrees to the rules", True),))
    kinds = [block.type for block in content.blocks]
    assert kinds == [BlockType.PARAGRAPH, BlockType.FORM_FIELD, BlockType.FORM_FIELD, BlockType.FORM_FIELD, BlockType.PARAGRAPH]
    fields = [(block.field.label, block.field.value) for block in content.blocks if block.field]
    assert fields == [("Name of owner:", "Jane Roe"), ("Tonnage", "420"), ("The owner agrees to the rules", "on")]
    assert not {"Name of owner:", "Tonnage"} & set(texts(content))


def test_labels_of_empty_fields_stay_in_the_text() -> None:
    content = form(("Name of owner:", ""), boxes=(("The owner agrees to the rules", False),))
    shown = [block.text for block in content.blocks if block.type is not BlockType.FORM_FIELD]
    assert "Name of owner:" in shown
    assert "The owner agrees to the rules" in shown


def test_two_fields_of_one_label_take_its_place_once_and_lose_nothing() -> None:
    content = form(("Tonnage", "420"), ("Tonnage", "77"), ("Port", "Lyme"))
    fields = [(block.field.label, block.field.value) for block in content.blocks if block.field]
    assert sorted(fields) == [("Port", "Lyme"), ("Tonnage", "420"), ("Tonnage", "77")]
    assert [value for _, value in fields] == ["420", "77", "Lyme"]
