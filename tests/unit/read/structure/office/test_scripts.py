"""Raised and lowered digits in text, slides and sheets: `10⁶` must never come out as 106."""

import io
from pathlib import Path

import pytest
from lxml import etree

from streams.read.structure.office.pptx_text import flat_text
from streams.read.structure.office.xlsx_cells import read_strings
from tests.unit.read.structure.office.making import SPACES, blocks, r, word


@pytest.mark.parametrize(
    ("properties", "wanted"),
    [
        ('<w:vertAlign w:val="superscript"/>', "10⁶ kg"),
        ('<w:vertAlign w:val="subscript"/>', "10₆ kg"),
        ('<w:vertAlign w:val="baseline"/>', "106 kg"),
        ('<w:position w:val="8"/>', "10⁶ kg"),
        ('<w:position w:val="-8"/>', "10₆ kg"),
        ('<w:position w:val="1"/>', "106 kg"),
        ('<w:rStyle w:val="up"/>', "10⁶ kg"),
        ('<w:rStyle w:val="up"/><w:vertAlign w:val="baseline"/>', "106 kg"),
    ],
)
def test_runs_of_a_text_document(tmp_path: Path, properties: str, wanted: str) -> None:
    styles = (
        '<w:style w:type="character" w:styleId="base"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="up"><w:basedOn w:val="base"/></w:style>'
    )
    (block,) = blocks(tmp_path, word(f"<w:p>{r('10')}{r('6', properties)}{r(' kg')}</w:p>", styles=styles))
    assert block.text == wanted


def test_raised_words_stay_words(tmp_path: Path) -> None:
    raised = r("th", '<w:vertAlign w:val="superscript"/>')
    (block,) = blocks(tmp_path, word(f"<w:p>{r('the 5')}{raised}{r(' day')}</w:p>"))
    assert block.text == "the 5th day"


@pytest.mark.parametrize(("baseline", "wanted"), [("30000", "10⁶ kg"), ("-25000", "10₆ kg"), ("0", "106 kg"), ("30%", "10⁶ kg")])
def test_runs_of_a_slide(baseline: str, wanted: str) -> None:
    runs = f'<a:r><a:t>10</a:t></a:r><a:r><a:rPr baseline="{baseline}"/><a:t>6</a:t></a:r><a:r><a:t> kg</a:t></a:r>'
    assert flat_text(etree.fromstring(f"<p:txBody {SPACES}><a:p>{runs}</a:p></p:txBody>"), {}) == wanted


@pytest.mark.parametrize(("script", "wanted"), [("superscript", "10⁶ kg"), ("subscript", "10₆ kg"), ("baseline", "106 kg")])
def test_runs_of_a_cell(script: str, wanted: str) -> None:
    runs = f'<r><t>10</t></r><r><rPr><vertAlign val="{script}"/></rPr><t>6</t></r><r><t xml:space="preserve"> kg</t></r>'
    assert read_strings(io.BytesIO(f"<sst><si>{runs}</si></sst>".encode())) == [wanted]
