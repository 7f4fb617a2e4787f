"""Files made to do harm: each ends as a document or as an error with its code, in bounded time and memory."""

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.errors import Code, PageloomError
from streams.read.structure.documents import DOCX, PPTX, XLSX, open_structured, page_of, summarize
from streams.read.structure.office import package as office_package
from streams.read.structure.office.package import Package
from tests.unit.read.structure.office.making import OFFICE, RELATIONSHIPS, SPACES, blocks, opened, p, package, shown, word


def code(folder: Path, data: bytes, media_type: str = DOCX) -> Code:
    with pytest.raises(PageloomError) as caught:
        opened(folder, data, media_type)
    return caught.value.code


def test_entities_are_refused_and_nothing_outside_is_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("SECRET")
    for declared in (f'<!ENTITY x SYSTEM "{secret.as_uri()}">', '<!ENTITY a "ha"><!ENTITY x "&a;&a;&a;">'):
        xml = f"<?xml version='1.0'?><!DOCTYPE d [{declared}]><w:document {SPACES}><w:body>{p('&x;')}</w:body></w:document>"
        assert code(tmp_path, package({"word/document.xml": xml})) is Code.CORRUPT


def test_parts_that_unpack_to_too_much_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = word(p("x" * 200_000))
    assert len(data) < 5_000
    monkeypatch.setattr(office_package, "MAX_XML_BYTES", 100_000)
    assert code(tmp_path, data) is Code.TOO_LARGE
    monkeypatch.setattr(office_package, "MAX_UNPACKED_BYTES", 50_000)
    assert code(tmp_path, data) is Code.TOO_LARGE


def test_a_part_counts_once_however_often_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.docx"
    file.write_bytes(word(p("x" * 40_000)))
    monkeypatch.setattr(office_package, "MAX_UNPACKED_BYTES", 60_000)
    with Package(file) as opened_package:
        sizes = {len(opened_package.bytes_of("word/document.xml") or b"") for _ in range(5)}
    assert len(sizes) == 1


def test_deep_nesting(tmp_path: Path) -> None:
    assert code(tmp_path, word("<w:sdt><w:sdtContent>" * 400 + p("x") + "</w:sdtContent></w:sdt>" * 400)) is Code.CORRUPT
    boxes = p("x")
    for _ in range(20):
        boxes = f"<w:p><w:r><w:pict><w:txbxContent>{boxes}</w:txbxContent></w:pict></w:r></w:p>"
    found = opened(tmp_path, word(boxes))
    assert [block.text for block in found.pages[0].blocks] == ["x"]


def test_wide_and_long_tables_are_bounded(tmp_path: Path) -> None:
    cell = '<w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr><w:p/></w:tc>'
    found = blocks(tmp_path, word(f"<w:tbl>{f'<w:tr>{cell}{cell}</w:tr>' * 3}</w:tbl>"))
    assert [(b.table.columns, len(b.table.cells)) for b in found if b.table] == [(2, 6)]
    page = opened(tmp_path, word(f"<w:tbl><w:tr>{'<w:tc><w:p/></w:tc>' * 1_100}</w:tr></w:tbl>")).pages[0]
    assert [b.table.columns for b in page.blocks if b.table] == [1_000]
    assert [warning for warning in page.warnings if "100 cells" in warning]


def test_circles_of_styles_and_numberings_end(tmp_path: Path) -> None:
    styles = "".join(f'<w:style w:type="paragraph" w:styleId="{a}"><w:name w:val="{a}"/><w:basedOn w:val="{b}"/></w:style>' for a, b in ("ab", "ba"))
    numbering = '<w:abstractNum w:abstractNumId="0"><w:styleLink w:val="s"/><w:numStyleLink w:val="s"/></w:abstractNum>'
    numbering += '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    body = p("x", '<w:pStyle w:val="a"/><w:numPr><w:numId w:val="1"/></w:numPr>')
    assert shown(blocks(tmp_path, word(body, styles=styles, numbering=numbering))) == [("paragraph", "x")]


def test_missing_and_damaged_parts(tmp_path: Path) -> None:
    assert code(tmp_path, b"PK\x03\x04 no archive") is Code.CORRUPT
    assert code(tmp_path, package({"word/document.xml": "<w:document"})) is Code.CORRUPT
    assert code(tmp_path, package({})) is Code.CORRUPT
    assert code(tmp_path, package({"word/document.xml": f"<w:document {SPACES}/>"})) is Code.CORRUPT
    for media_type in (PPTX, XLSX):
        assert code(tmp_path, package({}), media_type) is Code.CORRUPT
    body = '<w:p><w:r><w:drawing><wp:inline><a:blip r:embed="gone"/><c:chart r:id="gone"/></wp:inline></w:drawing><w:t>kept</w:t></w:r></w:p>'
    assert shown(blocks(tmp_path, word(body))) == [("paragraph", "kept")]


def test_names_in_an_archive_lead_nowhere(tmp_path: Path) -> None:
    data = package({"word/document.xml": f"<w:document {SPACES}><w:body>{p('x')}</w:body></w:document>"}, {"s": ("styles", "../../../../etc/passwd")})
    assert shown(blocks(tmp_path, data)) == [("paragraph", "x")]


def test_absurd_numbers_of_cells(tmp_path: Path) -> None:
    sheet = (
        f'<worksheet xmlns="{office_package.NAMESPACES["s"]}"><sheetData><row r="99999999999"><c r="A1"><v>1</v></c></row>'
        '<row r="1"><c r="ZZZZ1"><v>2</v></c><c r="A1" s="-5"><v>1e999</v></c><c r="B1" t="s"><v>-7</v></c><c r="C1"><v>x</v></c></row></sheetData>'
        '<mergeCells><mergeCell ref="A1:XFD1048576"/><mergeCell ref="??"/></mergeCells></worksheet>'
    )
    book = f'<workbook xmlns="{office_package.NAMESPACES["s"]}" {SPACES}><sheets><sheet name="S" r:id="s"/></sheets></workbook>'
    found = opened(tmp_path, package({"word/document.xml": book, "word/s.xml": sheet}, {"s": ("worksheet", "s.xml")}), XLSX)
    assert [b.type.value for b in found.pages[0].blocks][:1] == ["heading"]


def test_a_damaged_slide_costs_itself(tmp_path: Path) -> None:
    deck = f'<p:presentation {SPACES}><p:sldIdLst><p:sldId r:id="a"/><p:sldId r:id="b"/></p:sldIdLst></p:presentation>'
    body = "<p:sp><p:txBody><a:p><a:r><a:t>fine</a:t></a:r></a:p></p:txBody></p:sp>"
    good = f"<p:sld {SPACES}><p:cSld><p:spTree>{body}</p:spTree></p:cSld></p:sld>"
    parts = {"word/document.xml": deck, "word/a.xml": "<broken", "word/b.xml": good}
    found = opened(tmp_path, package(parts, {"a": ("slide", "a.xml"), "b": ("slide", "b.xml")}), PPTX)
    with pytest.raises(PageloomError) as caught:
        page_of(found, 1)
    assert caught.value.code is Code.CORRUPT
    assert page_of(found, 2).blocks[0].text == "fine"
    with pytest.raises(PageloomError) as caught:
        page_of(found, 3)
    assert caught.value.code is Code.NO_SUCH_PAGES


def test_a_type_without_structure(tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(b"%PDF-")
    assert summarize(file, "application/pdf") is None
    with pytest.raises(PageloomError) as caught:
        open_structured(file, "application/pdf")
    assert caught.value.code is Code.UNKNOWN_TYPE


NAMES = "p r t tbl tr tc tcPr vMerge pPr numPr ins del sdt sdtContent fldChar drawing sectPr hyperlink"
TAGS = [*(f"w:{name}" for name in NAMES.split()), "m:oMath", "m:f"]


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> str:
    tag = draw(st.sampled_from(TAGS))
    inside = "".join(draw(st.lists(trees(depth=depth - 1), max_size=3))) if depth else draw(st.text("ab ", max_size=4))
    attribute = draw(
        st.sampled_from(["", ' w:val="1"', ' w:val="-9"', ' w:fldCharType="begin"', ' w:fldCharType="end"', ' r:id="x"', ' w:val="restart"'])
    )
    return f"<{tag}{attribute}>{inside}</{tag}>"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(trees(), max_size=4))
def test_any_tree_of_known_elements_is_a_document(tmp_path: Path, found: list[str]) -> None:
    assert opened(tmp_path, word("".join(found))).page_count >= 1


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damaged_bytes_are_a_document_or_an_error_with_its_code(tmp_path: Path, data: st.DataObject) -> None:
    raw = bytearray(word(p("text") * 3))
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    code = None
    try:
        opened(tmp_path, bytes(raw))
    except PageloomError as error:
        code = error.code
    assert code in (None, Code.CORRUPT, Code.TOO_LARGE)


def test_an_archive_of_too_many_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office_package, "MAX_PARTS", 5)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(6):
            archive.writestr(str(number), b"")
    assert code(tmp_path, buffer.getvalue()) is Code.TOO_LARGE


def test_a_damaged_part_beside_the_text_is_a_warning_that_names_it(tmp_path: Path) -> None:
    """The whole document was given up for its styles."""
    found = opened(tmp_path, word(p("kept"), styles="<cut", numbering="<cut", footnotes="<cut"))
    assert [block.text for block in found.pages[0].blocks] == ["kept"]
    assert len(found.warnings) == 3
    assert all(any(f"word/{name}.xml" in warning for warning in found.warnings) for name in ("styles", "numbering", "footnotes"))


def test_a_damaged_part_of_one_slide_is_a_warning_of_that_slide(tmp_path: Path) -> None:
    deck = f'<p:presentation {SPACES}><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>'
    slide = f"<p:sld {SPACES}><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>kept</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>"
    rows = "".join(f'<Relationship Id="{kind}" Type="{OFFICE}/{kind}" Target="{kind}.xml"/>' for kind in ("notesSlide", "comments"))
    parts = {
        "word/document.xml": deck, "word/a.xml": slide, "word/notesSlide.xml": "<cut", "word/comments.xml": "<cut",
        "word/_rels/a.xml.rels": f'<Relationships xmlns="{RELATIONSHIPS}">{rows}</Relationships>',
    }  # fmt: skip
    page = page_of(opened(tmp_path, package(parts, {"a": ("slide", "a.xml")}), PPTX), 1)
    assert [block.text for block in page.blocks] == ["kept"]
    assert sorted(warning.split()[2] for warning in page.warnings) == ["word/comments.xml", "word/notesSlide.xml"]
