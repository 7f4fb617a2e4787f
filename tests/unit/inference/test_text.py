"""Lines made readable, and made one text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.text import begins_item, clean_line, join_lines
from schemas.text import words_of


@pytest.mark.parametrize(
    ("read", "clean"),
    [
        ("Ｈello，world：x", "Hello, world:x"),
        ("Hello,world; and 3,500 or x,y", "Hello, world; and 3,500 or x,y"),
        ("安全，第一：（注）", "安全，第一：（注）"),
        ("ﬁne oﬃce", "fine office"),
        ("a\ue000b\x00c\ufffd", "a b c"),
        ("  two \u3000 spaces ", "two spaces"),
        ("CHF 3`667.35 and 1’250’000", "CHF 3'667.35 and 1'250'000"),
        ("in the ’90s, 5’ by 12’", "in the ’90s, 5’ by 12’"),
    ],
)
def test_characters_are_made_readable(read, clean):
    assert clean_line(read) == clean


@given(st.text(max_size=60))
def test_cleaning_twice_changes_nothing_more(text):
    once = clean_line(text)
    assert clean_line(once) == once
    assert not any(c in once for c in "\ufffd\ue000\x00")


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["the com-", "mittee met"], "the committee met"),
        (["a well-", "known man and a well-known dog"], "a well-known man and a well-known dog"),
        (["Soekarno-", "Hatta airport"], "Soekarno-Hatta airport"),
        (["pages 12-", "15 of it"], "pages 12-15 of it"),
        (["soft\u00ad", "hyphen"], "softhyphen"),
        (["a dash -", "and more"], "a dash - and more"),
        (["end.", "Begin"], "end. Begin"),
        (["这是一个", "段落"], "这是一个段落"),
        (["", "only"], "only"),
        ([], ""),
    ],
)
def test_lines_become_one_text(lines, text):
    assert join_lines(lines, words_of(lines)) == text


ITEMS = ("• point", "•point", "1. First", "1.First", "(a) item", "- dash", "①一")
PROSE = ("3.5 percent", "2020", "a word", "-5", "1.", "A. ", "")


@pytest.mark.parametrize(("text", "expected"), [*((text, True) for text in ITEMS), *((text, False) for text in PROSE)])
def test_list_marks(text, expected):
    assert begins_item(text) is expected
