"""Markers of lists as Word counts them."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streams.read.structure.office.docx_numbering import Numbering
from streams.read.structure.office.number_words import spelled
from streams.read.structure.office.package import parse_xml
from tests.unit.read.structure.office.making import SPACES, blocks, p, word


def level(number: int, form: str, text: str, more: str = "") -> str:
    return f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/>{more}</w:lvl>'


OUTLINE = (
    level(0, "upperRoman", "%1.") + level(1, "lowerLetter", "%2)") + level(2, "decimal", "%1.%2.%3", "<w:isLgl/>") + level(3, "bullet", "\uf0b7")
)
LISTS = (
    f'<w:abstractNum w:abstractNumId="0">{OUTLINE}</w:abstractNum>'
    f'<w:abstractNum w:abstractNumId="1">{level(0, "decimal", "%1.")}</w:abstractNum>'
    f'<w:abstractNum w:abstractNumId="2">{level(0, "none", "")}</w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="4"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>'
    '<w:num w:numId="5"><w:abstractNumId w:val="2"/></w:num>'
)


def item(text: str, identity: int, depth: int = 0) -> str:
    return p(text, f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{identity}"/></w:numPr>')


def markers(folder: Path, *items: str) -> list[str]:
    return [block.text for block in blocks(folder, word("".join(items), numbering=LISTS))]


def test_nested_levels_restart_below_a_higher_one(tmp_path: Path) -> None:
    asked = [(0, "x"), (1, "x"), (1, "x"), (2, "x"), (3, "x"), (0, "x"), (1, "x"), (2, "x")]
    found = blocks(tmp_path, word("".join(item(text, 1, depth) for depth, text in asked), numbering=LISTS))
    assert [b.text for b in found] == ["I. x", "a) x", "b) x", "1.2.1 x", "• x", "II. x", "a) x", "2.1.1 x"]
    assert [b.list_depth for b in found] == [depth for depth, _ in asked]


def test_lists_of_one_definition_go_on_counting_and_an_override_begins_anew(tmp_path: Path) -> None:
    assert markers(tmp_path, item("a", 2), item("b", 3), item("c", 4), item("d", 4), item("e", 2)) == ["1. a", "2. b", "5. c", "6. d", "7. e"]


def test_list_zero_and_a_list_without_a_sign_are_no_items(tmp_path: Path) -> None:
    found = blocks(tmp_path, word(item("a", 0) + item("b", 5) + item("c", 99), numbering=LISTS))
    assert [(b.type.value, b.text) for b in found] == [("paragraph", "a"), ("paragraph", "b"), ("paragraph", "c")]


def test_a_style_brings_its_list_and_numbers_headings(tmp_path: Path) -> None:
    second = '<w:pStyle w:val="H2"/>'
    numbering = f'<w:abstractNum w:abstractNumId="0">{level(0, "decimal", "%1")}{level(1, "decimal", "%1.%2", second)}'
    numbering += '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    number = '<w:numPr><w:numId w:val="1"/></w:numPr>'
    styles = f'<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr>{number}</w:pPr></w:style>'
    styles += f'<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:pPr>{number}</w:pPr></w:style>'
    body = p("Intro", '<w:pStyle w:val="H1"/>') + p("Scope", '<w:pStyle w:val="H2"/>') + p("Terms", '<w:pStyle w:val="H2"/>')
    assert [b.text for b in blocks(tmp_path, word(body, styles=styles, numbering=numbering))] == ["1 Intro", "1.1 Scope", "1.2 Terms"]


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (4, "lowerRoman", "iv"), (1999, "upperRoman", "MCMXCIX"), (1, "upperLetter", "A"), (27, "lowerLetter", "aa"), (0, "lowerLetter", "0"),
        (7, "decimalZero", "07"), (12, "ordinal", "12th"), (23, "ordinal", "23rd"), (21, "chineseCounting", "二十一"), (3, "ganada", "다"),
        (2, "russianLower", "б"), (5000, "upperRoman", "5000"), (3, "decimalEnclosedCircle", "③"), (9, "nonsense", "9"), (5, "hindiNumbers", "५"),
    ],
)  # fmt: skip
def test_numbers_as_word_spells_them(value: int, form: str, text: str) -> None:
    assert spelled(value, form) == text


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 8), max_size=40))
def test_any_order_of_levels_counts_each_paragraph_once(depths: list[int]) -> None:
    levels = "".join(level(n, "decimal", f"%{n + 1}") for n in range(9))
    root = parse_xml(
        f'<w:numbering {SPACES}><w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'.encode()
    )
    numbering = Numbering(root)
    open_counts: dict[int, int] = {}
    for depth in depths:
        open_counts = {d: n for d, n in open_counts.items() if d <= depth}
        open_counts[depth] = open_counts.get(depth, 0) + 1
        marker = numbering.marker("1", depth)
        assert marker is not None
        assert marker.text == str(open_counts[depth])
        for above in range(depth):
            open_counts.setdefault(above, 1)
