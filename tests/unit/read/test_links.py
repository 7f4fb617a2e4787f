"""What a hyperlink of a page shows."""

import pymupdf
import pytest

from schemas.content import Link
from streams.read.elements import link_text
from streams.read.page import page_content, surroundings_of, survey_page


@pytest.mark.parametrize(
    ("words", "target", "wanted"),
    [
        ("Form 101-04.", "https://a.org/f", "Form 101-04"),
        ("the licence,", "https://a.org/l", "the licence"),
        ("https://a.org/x.", "https://a.org/x.", "https://a.org/x."),
        ("Why?", "https://a.org/why", "Why"),
        ("...", "https://a.org", "..."),
        ("", "https://a.org", ""),
    ],
)
def test_the_sign_behind_a_link_is_none_of_it(words: str, target: str, wanted: str) -> None:
    assert link_text(words, target) == wanted


def test_a_link_of_a_page_ends_before_the_full_stop() -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((50, 100), "Read the form. It says all.", fontsize=11)
        box = page.search_for("form")[0]
        page.insert_link({"kind": pymupdf.LINK_URI, "from": box, "uri": "https://example.org/form"})
        survey = survey_page(document.reload_page(page))
        content = page_content(survey, surroundings_of([survey]))
    assert [block.links for block in content.blocks] == [(Link(text="form", target="https://example.org/form"),)]
