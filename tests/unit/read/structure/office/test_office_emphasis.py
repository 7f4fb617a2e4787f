"""Bold, italic and struck out text of text documents and slides, by runs and by styles."""

from pathlib import Path

import pytest
from lxml import etree

from schemas.content import Block
from streams.read.structure.office.pptx_text import blocks_of
from tests.unit.read.structure.office.making import SPACES, blocks, r, word

STYLES = (
    '<w:style w:type="character" w:styleId="base"><w:rPr><w:b/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="both"><w:basedOn w:val="base"/><w:rPr><w:i/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="h1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="quote"><w:rPr><w:i/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="strong"><w:basedOn w:val="quote"/><w:rPr><w:b/><w:i w:val="0"/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="h4"><w:name w:val="heading 4"/><w:basedOn w:val="quote"/></w:style>'
)


def emphasised(block: Block) -> list[tuple[str, str]]:
    """How the parts of a block are set, and their text."""
    return [("b" * s.bold + "i" * s.italic + "s" * s.struck, block.text[s.offset : s.offset + s.length]) for s in block.spans]


@pytest.mark.parametrize(
    ("properties", "wanted"),
    [
        ("<w:b/>", [("b", "word here")]),
        ("<w:i/>", [("i", "word here")]),
        ("<w:strike/>", [("s", "word here")]),
        ("<w:dstrike/><w:b/>", [("bs", "word here")]),
        ('<w:b w:val="0"/>', []),
        ('<w:rStyle w:val="both"/>', [("bi", "word here")]),
        ('<w:rStyle w:val="both"/><w:b w:val="false"/>', [("i", "word here")]),
    ],
)
def test_runs_of_a_text_document(tmp_path: Path, properties: str, wanted: list[tuple[str, str]]) -> None:
    (block,) = blocks(tmp_path, word(f"<w:p>{r('a ')}{r('word here', properties)}{r(' ends')}</w:p>", styles=STYLES))
    assert block.text == "a word here ends"
    assert emphasised(block) == wanted


@pytest.mark.parametrize(
    ("style", "properties", "wanted"),
    [
        ("quote", "", [("i", "so a word here ends")]),
        ("quote", '<w:rStyle w:val="both"/>', [("i", "so a"), ("b", "word here"), ("i", "ends")]),
        ("quote", '<w:rStyle w:val="both"/><w:i/>', [("i", "so a"), ("bi", "word here"), ("i", "ends")]),
        ("quote", '<w:i w:val="0"/>', [("i", "so a"), ("i", "ends")]),
        ("strong", '<w:rStyle w:val="base"/>', [("b", "so a"), ("b", "ends")]),
        ("h4", '<w:rStyle w:val="both"/>', []),
        ("nowhere", "<w:b/>", [("b", "word here")]),
    ],
)
def test_what_styles_of_paragraphs_and_characters_say_twice_is_undone(
    tmp_path: Path, style: str, properties: str, wanted: list[tuple[str, str]]
) -> None:
    styled = f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{r("so a ")}{r("word here", properties)}{r(" ends")}</w:p>'
    (block,) = blocks(tmp_path, word(styled, styles=STYLES))
    assert emphasised(block) == wanted


def test_what_the_default_style_sets_is_no_emphasis(tmp_path: Path) -> None:
    default = '<w:style w:type="paragraph" w:default="1" w:styleId="n"><w:rPr><w:b/></w:rPr></w:style>'
    plain = f"<w:p>{r('Bold as ')}{r('all of it', '<w:i/>')}{r(' is', '<w:b/>')}</w:p>"
    named = f'<w:p><w:pPr><w:pStyle w:val="n"/></w:pPr>{r("Bold as the others")}</w:p>'
    first, second = blocks(tmp_path, word(plain + named, styles=default))
    assert (emphasised(first), second.spans) == ([("i", "all of it")], ())


def test_an_accent_belongs_to_the_letter_before_it(tmp_path: Path) -> None:
    (block,) = blocks(tmp_path, word(f"<w:p>{r('the cafe')}{r(chr(0x301) + ' noir', '<w:b/>')}{r(chr(0x301) + ' is')}</w:p>"))
    assert (block.text, emphasised(block)) == ("the café noiŕ is", [("b", "noiŕ")])


def test_one_struck_out_sign_is_struck_out(tmp_path: Path) -> None:
    (block,) = blocks(tmp_path, word(f"<w:p>{r('a price of ')}{r('5', '<w:strike/>')}{r(' or ')}{r('4', '<w:b/>')}{r(' €')}</w:p>"))
    assert emphasised(block) == [("s", "5")]


def test_a_typed_marker_and_a_heading(tmp_path: Path) -> None:
    heading = f'<w:p><w:pPr><w:pStyle w:val="h1"/></w:pPr>{r("All bold ", "<w:b/>")}{r("Homo", "<w:b/><w:i/>")}</w:p>'
    first, second = blocks(tmp_path, word(f"{heading}<w:p>{r('1. ')}{r('First', '<w:b/>')}{r(' item')}</w:p>", styles=STYLES))
    assert emphasised(first) == [("i", "Homo")]
    assert emphasised(second) == [("b", "First")]


def test_runs_of_a_slide() -> None:
    runs = '<a:r><a:rPr b="1"/><a:t>Bold</a:t></a:r><a:r><a:t> or </a:t></a:r><a:r><a:rPr i="true" strike="sngStrike"/><a:t>gone</a:t></a:r>'
    item = '<a:pPr><a:buChar char="•"/></a:pPr>'
    body = etree.fromstring(f"<p:txBody {SPACES}><a:p>{runs}</a:p><a:p>{item}{runs}</a:p></p:txBody>")
    first, second = blocks_of(body, (0.0, 0.0, 1.0, 1.0), {}, ())
    assert emphasised(first) == emphasised(second) == [("b", "Bold"), ("is", "gone")]
    assert second.text == "• Bold or gone"
