"""What of an Office file cannot be read is said, with the part that it is in and what to do."""

import io
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pptx
import pytest
from pptx.util import Inches

from schemas.errors import Code, PageloomError
from streams.read.structure.documents import DOCX, PPTX, XLSX
from streams.read.structure.logical_page import LogicalDocument
from streams.read.structure.office import pptx_shapes
from tests.unit.read.structure.office.making import SPACES, opened, p, word


def saved(made: Any) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def with_part(data: bytes, name: str, content: bytes) -> bytes:
    """An archive with one part written anew."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for entry in old.infolist():
            new.writestr(entry.filename, content if entry.filename == name else old.read(entry))
    return buffer.getvalue()


def sheet(rows: str) -> bytes:
    made = openpyxl.Workbook()
    made.active.append(["first"])
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return with_part(saved(made), "xl/worksheets/sheet1.xml", f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>'.encode())


def read(folder: Path, data: bytes, media_type: str) -> LogicalDocument:
    return opened(folder, data, media_type)


def refusal(folder: Path, data: bytes, media_type: str) -> str:
    with pytest.raises(PageloomError) as caught:
        _ = [page.blocks for page in read(folder, data, media_type).pages]
    assert caught.value.code is Code.CORRUPT
    return str(caught.value)


def test_a_part_that_is_nested_too_deeply_is_named(tmp_path: Path) -> None:
    deep = word("<w:sdt><w:sdtContent>" * 200 + p("x") + "</w:sdtContent></w:sdt>" * 200)
    said = refusal(tmp_path, deep, DOCX)
    assert "word/document.xml" in said
    assert "nested too deeply" in said


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    said = refusal(tmp_path, with_part(word(p("x")), "word/document.xml", b"<w:document><w:body>"), DOCX)
    assert "word/document.xml" in said
    assert "no well-formed XML" in said
    assert "save it again" in said
    assert "xl/worksheets/sheet1.xml" in refusal(tmp_path, sheet("<row></cell>"), XLSX)


def test_a_part_that_cannot_be_unpacked_is_named(tmp_path: Path) -> None:
    data = bytearray(with_part(word(p("x")), "word/document.xml", f"<w:document {SPACES}><w:body>{p('here')}</w:body></w:document>".encode()))
    place = data.index(b">here<") + 1
    data[place : place + 4] = b"gone"
    said = refusal(tmp_path, bytes(data), DOCX)
    assert "word/document.xml" in said
    assert "cannot be unpacked" in said


def test_parts_that_are_there_twice_are_said(tmp_path: Path) -> None:
    buffer = io.BytesIO(word(p("first")))
    with zipfile.ZipFile(buffer, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("word/document.xml", f"<w:document {SPACES}><w:body>{p('second')}</w:body></w:document>")
    found = read(tmp_path, buffer.getvalue(), DOCX)
    assert found.pages[0].blocks[0].text == "second"
    assert found.warnings == ("the file holds word/document.xml more than once; the last one is read",)
    assert read(tmp_path, word(p("once")), DOCX).warnings == ()


def test_text_in_groups_of_any_depth_is_read_and_shapes_beyond_the_bound_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deck = pptx.Presentation()
    shapes = deck.slides.add_slide(deck.slide_layouts[6]).shapes
    shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1)).text_frame.text = "outside"
    for _ in range(60):
        shapes = shapes.add_group_shape().shapes
    shapes.add_textbox(Inches(1), Inches(3), Inches(2), Inches(1)).text_frame.text = "deep inside"
    data = saved(deck)
    (page,) = read(tmp_path, data, PPTX).pages
    assert sorted(block.text for block in page.blocks) == ["deep inside", "outside"]
    assert page.warnings == ()
    monkeypatch.setattr(pptx_shapes, "MAX_SHAPES", 1)
    (page,) = read(tmp_path, data, PPTX).pages
    assert "more than 1 shapes" in page.warnings[0]


def test_cells_without_a_place_and_without_their_text_are_said(tmp_path: Path) -> None:
    rows = (
        '<row r="1"><c r="A1"><v>1</v></c><c r="??"><v>2</v></c><c r="ZZZZ1"><v>3</v></c></row>'
        '<row r="2"><c r="A2" t="s"><v>99</v></c></row><row r="0"><c r="A0"><v>4</v></c></row>'
    )
    (page,) = read(tmp_path, sheet(rows), XLSX).pages
    assert any(warning.startswith("3 cells of the sheet Sheet are left out") for warning in page.warnings)
    assert any(warning.startswith("1 cells of the sheet Sheet are empty") for warning in page.warnings)
    (page,) = read(tmp_path, sheet('<row r="1"><c r="A1"><v>1</v></c></row>'), XLSX).pages
    assert page.warnings == ()
