"""Plain text: paragraphs, headings, lists, tables and listings by the way they are typed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.content import Block, BlockType
from schemas.errors import Code, PageloomError
from streams.read.structure.text import plain_text
from streams.read.structure.text.encodings import Decoded
from streams.read.structure.text.plain_text import read_plain_text

WRAPPED = """\
This is a paragraph of plain text that somebody wrapped at about seventy
columns, so that it could be read on the terminals of the seventies and
eighties without a thought about the width of the window it is shown in.
"""
JOINED = (
    "This is a paragraph of plain text that somebody wrapped at about seventy columns, so that it could be read on the terminals of the "
    "seventies and eighties without a thought about the width of the window it is shown in."
)


def blocks_of(text: str) -> list[Block]:
    return [block for page in read_plain_text(Decoded(text=text, encoding="utf-8")).pages for block in page.blocks]


def said(text: str) -> list[tuple[str, str]]:
    return [(block.type.value, block.text) for block in blocks_of(text)]


def test_wrapped_lines_are_one_paragraph_and_blank_lines_end_it() -> None:
    assert said(f"{WRAPPED}\n\n\n{WRAPPED}") == [("paragraph", JOINED), ("paragraph", JOINED)]
    assert said(WRAPPED.replace("\n", "\r\n")) == said(WRAPPED.replace("\n", "\r")) == [("paragraph", JOINED)]


def test_a_hyphen_at_the_end_of_a_line_goes_where_the_word_is_whole_without_it() -> None:
    text = WRAPPED.replace("the seventies and\neighties", "the well-known sev-\nenties")
    assert "the well-known seventies without" in said(text)[0][1]


def test_an_indented_line_begins_a_paragraph() -> None:
    book = "   " + WRAPPED + "   " + WRAPPED
    assert said(book) == [("paragraph", JOINED), ("paragraph", JOINED)]


def test_lines_that_nobody_wrapped_are_paragraphs_of_their_own() -> None:
    long = "One whole paragraph in a line without any break, as editors write that wrap only on the screen and never in the file. " * 3
    assert [text for _, text in said(f"{long}\n{long}\n")] == [long.strip(), long.strip()]
    verse = "Roses are red,\nViolets are blue,\nSugar is sweet,\nAnd so are you."
    assert [text for _, text in said(f"{WRAPPED}\n{verse}")][1:] == verse.split("\n")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The Title\n=========\n", ("The Title", 1)),
        ("The Part\n--------\n", ("The Part", 2)),
        ("=========\nThe Title\n=========\n", ("The Title", 1)),
        ("1. Introduction\n", ("1. Introduction", 2)),
        ("2.1.3 Scope and purpose\n", ("2.1.3 Scope and purpose", 4)),
        ("CHAPTER II. The Return\n", ("CHAPTER II. The Return", 2)),
        ("PART ONE\n", ("PART ONE", 2)),
        ("第三章 结论\n", ("第三章 结论", 2)),
        ("Глава 2\n", ("Глава 2", 2)),
        ("TERMS AND CONDITIONS\n", ("TERMS AND CONDITIONS", 2)),
    ],
)
def test_headings(text: str, wanted: tuple[str, int]) -> None:
    first = blocks_of(f"{text}\n{WRAPPED}")[0]
    assert (first.type, first.text, first.level) == (BlockType.HEADING, *wanted)


@pytest.mark.parametrize("text", ["A sentence in one line.", "1. a sentence that ends.", "12 monkeys", "OK", "I. E.", "2024-05-01", "Name: value"])
def test_what_only_looks_like_a_heading(text: str) -> None:
    assert all(block.type is not BlockType.HEADING for block in blocks_of(f"{text}\n\n{WRAPPED}"))


def test_lists_are_nested_by_indentation_and_their_lines_joined() -> None:
    text = "- first item that goes on\n  in the next line\n  * nested\n    1) deeper\n  * again\n- second\n\n10. ten\n11. eleven\n\na) x\nb) y\n"
    assert [(block.list_depth, block.text) for block in blocks_of(text)] == [
        (0, "• first item that goes on in the next line"), (1, "• nested"), (2, "1) deeper"), (1, "• again"), (0, "• second"), (0, "10. ten"),
        (0, "11. eleven"), (0, "a) x"), (0, "b) y"),
    ]  # fmt: skip


def test_a_list_may_follow_its_introduction_without_a_blank_line() -> None:
    assert [block.type.value for block in blocks_of(f"{WRAPPED}\nIt needs:\n- one\n- two\n")][1:] == ["paragraph", "list_item", "list_item"]


def test_initials_and_dashes_in_prose_are_no_items() -> None:
    assert [kind for kind, _ in said("J. Smith wrote it, and nobody else did\nA. Jones read it, or so he says.")] == ["paragraph", "paragraph"]


def test_listings_keep_their_lines() -> None:
    code = "    def f(x):\n        return x + 1;\n\n    if (y) {\n        g();\n    }"
    assert said(code) == [("code", "def f(x):\n    return x + 1;\n\nif (y) {\n    g();\n}")]
    log = "2024-01-02 10:00:01 INFO started\n2024-01-02 10:00:02 INFO ready\n2024-01-02 10:00:03 WARN slow"
    assert said(log) == [("code", log)]
    art = "  +---+    +---+\n  | a |===>| b |\n  +---+    +---+"
    assert said(art)[0][0] == "code"


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1,2,{"b": "c"}]}\n' * 5,
        '{"id": 1, "name": "x"}\n{"id": 2, "name": "y"}',
        '{\n  "a": [\n    1,\n    2\n  ],\n\n  "name": "x"\n}',
        "[1, 2, 3]\n[4, 5, 6]\n[7, 8, 9]",
        '{"cells":[{"cell_type":"markdown","source":["# T"]}],"nbformat":4}',
        "def f(x):\n    return x * 2\n\nclass A:\n    pass",
        'import os\n\n\nclass A(B):\n    name = "x"\n\n    def g(self, a):\n        print(a)',
        "#include <stdio.h>\n\nint main(void) {\n    int x = 1;\n\n    return x;\n}",
        "function f(a) {\n  const b = [1, 2];\n\n  for (const c of b) {\n    g(c);\n  }\n}",
    ],
)
def test_data_and_programs_are_one_listing(text: str) -> None:
    assert said(text) == [("code", text.strip())]


@pytest.mark.parametrize(
    "text",
    [
        "[1] Smith, J. A book on something.\n[2] Jones, A. Another one.\n",
        f"{WRAPPED}\nimport it if you can:\n\n{WRAPPED}",
        "class warfare is what he wrote about,\nfor as long as anybody could read:\nif nobody did, he went on.\n",
    ],
)
def test_brackets_and_words_of_programs_in_prose_make_no_listing(text: str) -> None:
    assert all(kind != "code" for kind, _ in said(text))


def test_a_long_listing_goes_on_in_another_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_text, "MAX_CODE", 40)
    text = '{"id": 1, "name": "x"}\n' * 7
    assert len(said(text)) > 1
    assert "\n".join(shown for _, shown in said(text)) == text.strip()


def test_form_feeds_are_pages_that_the_file_marks() -> None:
    pages = read_plain_text(Decoded(text="one\n\ftwo\n\fthree", encoding="utf-8")).pages
    assert [page.blocks[0].text for page in pages] == ["one", "two", "three"]
    assert not any(page.logical for page in pages)
    (single,) = read_plain_text(Decoded(text="one", encoding="utf-8")).pages
    assert single.logical


def test_a_quotation_stands_apart_from_what_is_said_around_it() -> None:
    """Its marks stood in the text, and each line was a paragraph, where an answer followed without a blank line."""
    text = "On Monday Bob wrote:\n> Shall we sell lot 92?\n>\n> It is the best one.\n>> We have three lots.\nNo.\n"
    paragraphs = ["On Monday Bob wrote:", "Shall we sell lot 92?", "It is the best one.", "We have three lots.", "No."]
    assert said(text) == [("paragraph", paragraph) for paragraph in paragraphs]
    assert said("a\n> 5 is true\nb\n") == [("paragraph", "a"), ("paragraph", "> 5 is true"), ("paragraph", "b")]
    prompt = ">>> f(1)\n2\n>>> g(3)\n4"
    assert said(prompt) == [("code", prompt)]


def test_limits_and_what_a_shell_shows_are_no_quotations() -> None:
    assert " ".join(text for _, text in said("Dose:\n> 5 mg\n> 10 mg\n")) == "Dose: > 5 mg > 10 mg"
    assert "> out" in " ".join(text for _, text in said("$ ls\n> out\n> more\n"))


def test_quoted_mail_is_its_text() -> None:
    assert said("> quoted line one\n> and two\n") == [("paragraph", "quoted line one"), ("paragraph", "and two")]


def test_chinese_lines_are_joined_without_spaces() -> None:
    line = "这是一个很长的段落" * 5
    assert said(f"{line}\n{line}\n{line}。") == [("paragraph", f"{line}{line}{line}。")]


def test_what_is_known_of_the_encoding_stands_on_the_pages() -> None:
    decoded = Decoded(text="x", encoding="cp1252", confidence=0.5, reasons=("guessed_encoding",), warnings=("guessed",))
    (page,) = read_plain_text(decoded).pages
    assert (page.confidence, page.reasons, page.warnings) == (0.5, ("guessed_encoding",), ("guessed",))


def test_more_than_is_read_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_text, "MAX_CHARACTERS", 10)
    with pytest.raises(PageloomError) as error:
        blocks_of("x" * 11)
    assert error.value.code is Code.TOO_LARGE


LINES = st.lists(st.text(alphabet="abc XYZ.,-*+|=1\t>()中é", max_size=40), max_size=14)


@settings(max_examples=300, deadline=None)
@given(LINES)
def test_no_letter_is_lost_and_none_comes_twice(lines: list[str]) -> None:
    text = "\n".join(lines)
    letters = sorted(character for character in text if character.isalnum())
    out: list[str] = []
    for block in blocks_of(text):
        shown = " ".join(cell.text for cell in block.table.cells) if block.table else block.text
        out += [character for character in shown if character.isalnum()]
    assert sorted(out) == letters
