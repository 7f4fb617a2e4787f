"""Pages whose file says what each block is: nothing is concluded from places, sizes or repetition.

Each case is one that a page of print decides otherwise.
"""

from typing import Any

import pytest
from msgspec.structs import replace

from schemas.content import Block, BlockType, Source
from schemas.document import OutlineEntry
from schemas.geometry import EMPTY
from streams.assemble.document.build import build_document
from streams.assemble.document.headings import SLIDES
from streams.assemble.document.pages import PageInput
from tests.unit.assemble.made_documents import block, build, heading, opened, page, paragraph, rows, table, tables, texts


def by_structure(number: int, *blocks: Block, **more: Any) -> PageInput:
    made = page(number, *blocks, logical=True, **more)
    assert made.content is not None
    return replace(made, content=replace(made.content, source=Source.STRUCTURE))


def unplaced(one: Block) -> Block:
    return replace(one, bbox=EMPTY, column=None)


PRINTED, STRUCTURED = page, by_structure


@pytest.mark.parametrize(("of", "kept"), [(PRINTED, 0), (STRUCTURED, 4)])
def test_what_every_page_repeats_is_text(of: Any, kept: int) -> None:
    pages = [of(n, block("Exercise", 20.0), paragraph(f"Number {n} of the text.", 300.0)) for n in range(1, 5)]
    assert texts(build(*pages)).count("Exercise") == kept


@pytest.mark.parametrize(("of", "count"), [(PRINTED, 1), (STRUCTURED, 2)])
def test_tables_of_two_pages_stay_apart(of: Any, count: int) -> None:
    first, second = rows(1, 20), rows(21, 20)
    document = build(of(1, table(first, bottom=800.0)), of(2, table(second)))
    assert len(tables(document)) == count


@pytest.mark.parametrize(("of", "count"), [(PRINTED, 1), (STRUCTURED, 2)])
def test_paragraphs_of_two_pages_stay_apart(of: Any, count: int) -> None:
    assert len(texts(build(of(1, paragraph("The sentence is not", 700.0)), of(2, paragraph("over yet.", 60.0))))) == count


def test_headings_keep_their_levels_whatever_they_look_like() -> None:
    looks = (("A", 8.0, 1), ("B", 30.0, 3), ("C", 20.0, 2), ("D", 9.0, 9))
    headings = (unplaced(replace(heading(text, size=size), level=level)) for text, size, level in looks)
    found = build(by_structure(1, *headings, unplaced(block("text"))))
    assert [(b.text, b.level, b.heading_path) for b in found.blocks] == [
        ("A", 1, ()), ("B", 3, ("A",)), ("C", 2, ("A",)), ("D", 6, ("A", "C")), ("text", None, ("A", "C", "D")),
    ]  # fmt: skip
    assert found.metadata["title"] == "A"


@pytest.mark.parametrize(("media_type", "path"), [(SLIDES, ()), ("application/epub+zip", ("A slide",))])
def test_a_slide_without_a_title_stands_under_no_other_s(media_type: str, path: tuple[str, ...]) -> None:
    pages = [by_structure(1, unplaced(replace(heading("A slide"), level=1)), unplaced(block("on it"))), by_structure(2, unplaced(block("next")))]
    found = build_document(replace(opened((1, 2)), media_type=media_type), pages, 1)
    assert [b.heading_path for b in found.blocks] == [(), ("A slide",), path]


def test_an_outline_names_headings_that_the_file_does_not() -> None:
    blocks = (unplaced(replace(heading("One"), level=2)), unplaced(block("Second chapter")))
    found = build(by_structure(1, *blocks), outline=[OutlineEntry(level=1, title="Second chapter", page=1)])
    assert [(b.type, b.level) for b in found.blocks] == [(BlockType.HEADING, 2), (BlockType.HEADING, 1)]


def test_furniture_of_the_file_stays_furniture_without_a_place() -> None:
    found = build(by_structure(1, unplaced(block("Company", kind=BlockType.PAGE_HEADER)), unplaced(block("text"))))
    assert [b.type for b in found.blocks] == [BlockType.PAGE_HEADER, BlockType.PARAGRAPH]


def test_logical_pages_say_so() -> None:
    assert [p.logical for p in build(by_structure(1, block("a")), page(2, block("b"))).pages] == [True, False]
