"""When a page is searched for tables, and when the layout model is asked."""

from collections.abc import Sequence

import pymupdf
import pytest

from streams.read import page as page_module
from streams.read.layout import Detail, LayoutBox, LayoutLabel
from streams.read.page import survey_page
from streams.read.page_tables import LayoutWish

NAMES = ["Anna Berg", "Carl Dorn", "Eva Falk", "Gerd Horn", "Ida Jung", "Karl Lang", "Mia Nord"]
NUMBERS = [("North", "12", "14.5"), ("South", "7", "9.1"), ("East", "31", "28.0"), ("West", "4", "5.5"), ("Total", "54", "57.1")]


def page_of(rows: Sequence[Sequence[str]]) -> pymupdf.Page:
    page = pymupdf.open().new_page(width=595, height=842)
    for i in range(3):
        page.insert_text((72, 72 + 14 * i), "A paragraph of prose that stands above whatever the page shows further down.", fontsize=11)
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            page.insert_text((72 + 150 * column, 160 + 18 * row), text, fontsize=11)
    return page


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Detail]:
    """Answers in place of the model that the table is one; keeps what was asked."""
    questions: list[Detail] = []

    def answer(page: pymupdf.Page, detail: Detail) -> tuple[LayoutBox, ...]:
        questions.append(detail)
        return (LayoutBox((60.0, 140.0, 560.0, 300.0), LayoutLabel.TABLE, 0.9),)

    monkeypatch.setattr(page_module, "layout_of", answer)
    return questions


def test_sure_tables_and_prose_ask_no_model(asked: list[Detail]) -> None:
    survey = survey_page(page_of(NUMBERS), LayoutWish.WHERE_DOUBTFUL)
    assert [block.table.rows for block in survey.objects if block.table] == [5]
    assert survey_page(page_of([]), LayoutWish.WHERE_DOUBTFUL).layout == ()
    assert asked == []


def test_a_doubtful_table_stands_or_falls_with_the_model(asked: list[Detail]) -> None:
    names = page_of(list(zip(NAMES, NAMES[::-1], strict=True)))
    assert not [block for block in survey_page(names, LayoutWish.NEVER).objects if block.table]
    assert asked == []
    survey = survey_page(names, LayoutWish.WHERE_DOUBTFUL)
    assert asked == [Detail.TEXT]
    (table,) = [block for block in survey.objects if block.table]
    assert table.table is not None
    assert (table.table.rows, table.table.columns) == (7, 2)
    assert survey.layout[0].label is LayoutLabel.TABLE


def test_a_doubtful_table_is_handed_on_as_a_rest() -> None:
    survey = survey_page(page_of(list(zip(NAMES, NAMES[::-1], strict=True))), LayoutWish.NEVER)
    (rest,) = survey.rests
    assert rest.table is not None
    assert (rest.table.rows, rest.table.columns, len(rest.table.column_edges)) == (7, 2, 3)
    assert survey_page(page_of(NUMBERS), LayoutWish.NEVER).rests == ()


def test_always_means_every_page_with_text(asked: list[Detail]) -> None:
    assert survey_page(page_of([]), LayoutWish.ALWAYS).layout
    survey_page(pymupdf.open().new_page(), LayoutWish.ALWAYS)
    assert asked == [Detail.TEXT_AND_PICTURE]
