"""The values of form fields are what the page shows: of lists the words of the chosen options alone, of a password that there is one."""

from collections.abc import Sequence

import pymupdf
import pytest

from schemas.content import BlockType, PageContent
from streams.read.figures import form_fields
from tests.unit.read.pages import made, prose, read, texts, wrap, write

LANGUAGES = ["Afrikaans", "Breton", "Catalan", "Danish", "Estonian"]
BOX = (60, 200, 260, 300)


def form(kind: int, options: Sequence[object] = (), value: str = "", keys: dict[str, str] | None = None, flags: int = 0) -> PageContent:
    """A page of prose and one field; `keys` of its object are set as the file would."""

    def draw(page: pymupdf.Page) -> None:
        write(page, 60, 80, wrap(prose(300), 400))
        widget = pymupdf.Widget()
        widget.field_name, widget.field_type, widget.field_flags, widget.rect = "tongue", kind, flags, pymupdf.Rect(BOX)
        if options:
            widget.choice_values = list(options)
        widget.field_value = value
        page.add_widget(widget)
        for key, written in (keys or {}).items():
            page.parent.xref_set_key(page.annot_xrefs()[0][0], key, written)

    return read(made(draw))


def values(content: PageContent) -> list[str]:
    return [block.field.value for block in content.blocks if block.field is not None]


def test_a_list_says_its_chosen_options_and_the_page_none_of_the_others() -> None:
    content = form(pymupdf.PDF_WIDGET_TYPE_LISTBOX, LANGUAGES, "Breton", {"V": "[(Breton)(Danish)]"})
    assert values(content) == ["Breton, Danish"]
    assert not any(language in text for language in LANGUAGES for text in texts(content, BlockType.PARAGRAPH, BlockType.HEADING))


def test_a_list_of_which_nothing_is_chosen_shows_nothing() -> None:
    content = form(pymupdf.PDF_WIDGET_TYPE_LISTBOX, LANGUAGES, "Breton", {"V": "null"})
    assert values(content) == [""]
    assert not any(language in text for language in LANGUAGES for text in texts(content))


@pytest.mark.parametrize("kind", [pymupdf.PDF_WIDGET_TYPE_LISTBOX, pymupdf.PDF_WIDGET_TYPE_COMBOBOX])
def test_options_are_said_in_their_words_and_not_in_their_codes(kind: int) -> None:
    pairs = [("af", "Afrikaans"), ("zh", "中文")]
    assert values(form(kind, pairs, "zh")) == ["中文"]


def test_what_is_typed_into_a_choice_is_its_value() -> None:
    assert values(form(pymupdf.PDF_WIDGET_TYPE_COMBOBOX, LANGUAGES, "Latin", flags=1 << 17 | 1 << 18)) == ["Latin"]


def test_no_more_options_are_looked_at_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form_fields, "MAX_OPTIONS", 3)
    assert values(form(pymupdf.PDF_WIDGET_TYPE_COMBOBOX, [(f"c{n}", f"word {n}") for n in range(9)], "c7")) == ["c7"]


def test_a_password_is_not_told() -> None:
    content = form(pymupdf.PDF_WIDGET_TYPE_TEXT, value="open sesame", flags=1 << 13)
    assert values(content) == ["hidden"]
    assert not any("sesame" in text for text in texts(content))
    assert values(form(pymupdf.PDF_WIDGET_TYPE_TEXT, flags=1 << 13)) == [""]


def test_a_signature_is_a_value_of_its_own() -> None:
    signed = {"FT": "/Sig", "V": "<</Type/Sig/Name(Ada)>>"}
    assert values(form(pymupdf.PDF_WIDGET_TYPE_TEXT, keys=signed)) == ["signed"]
    assert values(form(pymupdf.PDF_WIDGET_TYPE_TEXT, keys={"FT": "/Sig"})) == [""]


def test_push_buttons_are_no_fields() -> None:
    assert values(form(pymupdf.PDF_WIDGET_TYPE_BUTTON)) == []
