"""Listings: what is one, on pages made with PyMuPDF; faces that are a typewriter's by their widths; what is prose in typewriter type."""

from typing import Any

import pymupdf
import pytest

from schemas.content import BlockType
from streams.read.blocks.faces import MONOSPACE_FLAG, is_monospace_name
from streams.read.blocks.typewriter import mark_typewriter_faces
from tests.unit.read.pages import block_with, made, prose, read, texts, wrap, write

LISTINGS = {
    "SQL": ["SELECT  function_id,", "        user_name", "FROM    function_usage", "WHERE   function_id='SECADM'", "ORDER BY user_name;"],
    "shell": ["$ make demo", "starting broker ... done", "$ pageloom parse letter.pdf --mode fast", "1 document, 3 pages"],
    "XML": ["<book>", "  <title>Harbours</title>", "  <page n='7'/>", "</book>"],
    "C": ["static int ferry(void)", "{", "    int hour;", "", "    for (hour = 0; hour < 7; hour++) {", "        leave(hour);", "    }", "}"],
    "YAML": ["services:", "  broker:", "    image: kafka", "    ports: [9092]"],
}


@pytest.mark.parametrize("kind", LISTINGS)
@pytest.mark.parametrize("more_code_than_prose", [False, True])
def test_a_listing_between_prose_keeps_lines_and_indents(kind: str, *, more_code_than_prose: bool) -> None:
    code = LISTINGS[kind] * (4 if more_code_than_prose else 1)

    def draw(page: pymupdf.Page) -> None:
        y = write(page, 50, 80, wrap(prose(90), 480)) + 10
        y = write(page, 60, y, code, size=9, font="cour", leading=1.2)
        write(page, 50, y + 14, wrap(prose(90, 5), 480))

    content = read(made(draw))
    assert texts(content, BlockType.CODE) == ["\n".join(code)]
    assert len(texts(content)) == 3


def test_a_page_of_nothing_but_a_listing_is_one_block() -> None:
    code = LISTINGS["C"] * 5
    assert texts(read(made(lambda page: write(page, 60, 80, code, size=9, font="cour", leading=1.2) and None))) == ["\n".join(code)]


def test_prose_in_typewriter_type_stays_prose() -> None:
    letter = wrap(prose(600), 400, font="cour")

    def draw(page: pymupdf.Page) -> None:
        write(page, 50, 60, ["Harbour Office, Pier 7"], size=14)
        y = write(page, 60, 120, letter, font="cour")
        write(page, 60, y + 14, wrap(prose(300, 3), 400, font="cour"), font="cour")

    content = read(made(draw))
    assert not texts(content, BlockType.CODE)
    assert len(texts(content, BlockType.PARAGRAPH)) == 2


def test_a_quoted_letter_in_typewriter_type_is_no_listing() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = write(page, 50, 60, wrap(prose(900), 480)) + 10
        y = write(page, 80, y, wrap(prose(300), 380, font="cour", size=9), font="cour", size=9)
        write(page, 50, y + 10, wrap(prose(900), 480))

    assert not texts(read(made(draw)), BlockType.CODE)


def test_a_lone_command_is_code_and_names_and_addresses_are_not() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = write(page, 50, 80, wrap(prose(500), 480)) + 12
        y = write(page, 50, y, ["pip install --upgrade pageloom"], size=9, font="cour") + 14
        y = write(page, 50, y, wrap(prose(400, 3), 480)) + 12
        y = write(page, 50, y, ["{ann, bob}@harbour.example", "carol@ferry.example"], size=9, font="cour") + 14
        y = write(page, 50, y, wrap(prose(400, 9), 480)) + 12
        y = write(page, 50, y, ["JOHN SMITH"], size=9, font="cour") + 14

    content = read(made(draw))
    assert texts(content, BlockType.CODE) == ["pip install --upgrade pageloom"]
    assert block_with(content, "harbour.example").type is BlockType.PARAGRAPH


def test_names_of_programs_in_a_sentence_stay_in_it() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((50, 80), "Whoever starts ", fontsize=10, fontname="helv")
        page.insert_text((122, 80), "ferry --late", fontsize=10, fontname="cour")
        page.insert_text((198, 80), " at night must wait for the harbour to open again, which it does", fontsize=10, fontname="helv")
        write(page, 50, 93, wrap(prose(300), 480))

    content = read(made(draw))
    found = block_with(content, "--late")
    assert not texts(content, BlockType.CODE)
    assert "starts ferry --late at night" in found.text


def spans(font: str, texts_and_widths: list[tuple[str, float]]) -> dict[str, Any]:
    lines = [{"spans": [{"font": font, "flags": 4, "size": 10.0, "text": text, "bbox": (0.0, 0.0, width, 10.0)}]} for text, width in texts_and_widths]
    return {"blocks": [{"lines": lines}]}


def flags(content: dict[str, Any]) -> set[int]:
    return {span["flags"] & MONOSPACE_FLAG for block in content["blocks"] for line in block["lines"] for span in line["spans"]}


def test_a_face_whose_letters_are_all_as_wide_is_a_typewriter_s() -> None:
    content = spans("Ledger", [(text, 5.0 * len(text)) for text in ("RETURN", "WHEN MANAGER", "THEN ’illicit’", "GO")])
    mark_typewriter_faces(content)
    assert flags(content) == {MONOSPACE_FLAG}


@pytest.mark.parametrize(
    "said",
    [
        [("RETURN", 30.0), ("WHEN MANAGER", 66.0), ("THEN 'illicit'", 60.0)],  # proportional
        [("2.000", 25.0), ("3.000", 25.0), ("4.000", 25.0)],  # digits are as wide as each other in most faces
        [("Step 1", 30.0), ("Step 2", 30.0), ("Step 3", 30.0)],  # the same letters
        [("港口 Wills", 40.0), ("WHEN MANAGER", 60.0), ("THEN 'illicit'", 70.0)],  # half as wide as ideographs
    ],
)
def test_other_faces_are_none(said: list[tuple[str, float]]) -> None:
    content = spans("Ledger", said)
    mark_typewriter_faces(content)
    assert flags(content) == {0}


def test_typewriter_faces_by_their_names() -> None:
    assert all(map(is_monospace_name, ["ABCDEF+NimbusMonL-Regu", "CMTT10", "LetterGothicStd", "SFTT0900", "txtt", "SourceCodePro-Regular"]))
    assert not any(map(is_monospace_name, ["NimbusRomNo9L", "Cottage", "Helvetica", "Batten-Bold"]))
