"""What lies over the cells of a sheet: charts, text boxes, pictures, remarks."""

from pathlib import Path

from schemas.content import BlockType
from streams.read.structure.documents import XLSX
from streams.read.structure.logical_page import LogicalDocument
from tests.unit.read.structure.office.making import OFFICE, RELATIONSHIPS, SPACES, opened, package, shown

MAIN = "xl/workbook.xml"
DRAWN = 'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"'
THREADS = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"
CELLS = '<s:sheetData><s:row r="1"><s:c r="A1"><s:v>1</s:v></s:c><s:c r="B1"><s:v>2</s:v></s:c></s:row></s:sheetData>'


def links(**targets: str) -> str:
    """A list of relationships by id: `kind target`."""
    written = (f'<Relationship Id="{name}" Type="{OFFICE}/{said.split()[0]}" Target="{said.split()[1]}"/>' for name, said in targets.items())
    return f'<Relationships xmlns="{RELATIONSHIPS}">{"".join(written)}</Relationships>'


def points(kind: str, *values: str) -> str:
    inside = "".join(f'<c:pt idx="{index}"><c:v>{value}</c:v></c:pt>' for index, value in enumerate(values))
    return f"<c:{kind}><c:numRef><c:numCache>{inside}</c:numCache></c:numRef></c:{kind}>"


def chart(title: str, name: str, *values: str) -> str:
    labels = points("cat", *(f"Q{n}" for n in range(1, len(values) + 1)))
    series = f"<c:ser><c:tx><c:v>{name}</c:v></c:tx>{labels}{points('val', *values)}</c:ser>"
    head = f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{title}</a:t></a:r></a:p></c:rich></c:tx></c:title>" if title else ""
    return f"<c:chartSpace {SPACES}><c:chart>{head}<c:plotArea><c:barChart>{series}</c:barChart></c:plotArea></c:chart></c:chartSpace>"


def workbook(folder: Path, drawing: str = "", kind: str = "worksheet", **parts: str) -> LogicalDocument:
    """A workbook of one sheet with a drawing over it. `parts` are further ones, by their names with `__` for `/`."""
    files = {
        MAIN: f'<s:workbook {SPACES}><s:sheets><s:sheet name="Data" sheetId="1" r:id="sheet"/></s:sheets></s:workbook>',
        "xl/sheet1.xml": f"<s:{kind} {SPACES}>{CELLS if kind == 'worksheet' else ''}</s:{kind}>",
        "xl/_rels/sheet1.xml.rels": links(d="drawing drawing1.xml", c="comments comments1.xml", t="threadedComment threads1.xml"),
        "xl/drawing1.xml": f"<xdr:wsDr {DRAWN} {SPACES}>{drawing}</xdr:wsDr>",
        "xl/_rels/drawing1.xml.rels": links(chart="chart chart1.xml"),
        **{name.replace("__", "/") + ".xml": inside for name, inside in parts.items()},
    }
    relations = {"sheet": (kind, "sheet1.xml"), "people": ("person", "people.xml")}
    return opened(folder, package(files, relations, MAIN), XLSX)


FRAME = '<xdr:twoCellAnchor><xdr:graphicFrame><a:graphic><a:graphicData><c:chart r:id="chart"/></a:graphicData></a:graphic></xdr:graphicFrame>'


def test_a_chart_is_a_table_of_its_data_under_its_title(tmp_path: Path) -> None:
    (page,) = workbook(tmp_path, f"{FRAME}</xdr:twoCellAnchor>", xl__chart1=chart("Ducks", "seen", "5", "7")).pages
    assert shown(list(page.blocks)) == [("heading", "Data"), ("table", ""), ("caption", "Ducks"), ("table", "")]
    table = page.blocks[-1].table
    assert table is not None
    assert [cell.text for cell in table.cells] == ["seen", "Q1", "5", "Q2", "7"]
    assert (page.blocks[2].caption_of, page.warnings) == (4, ())


def test_a_sheet_that_is_a_chart_shows_it(tmp_path: Path) -> None:
    (page,) = workbook(tmp_path, f"{FRAME}</xdr:twoCellAnchor>", "chartsheet", xl__chart1=chart("", "seen", "5")).pages
    assert shown(list(page.blocks)) == [("heading", "Data"), ("table", "")]


def test_a_chart_sheet_without_data_is_said(tmp_path: Path) -> None:
    (page,) = workbook(tmp_path, f"{FRAME}</xdr:twoCellAnchor>", "chartsheet").pages
    assert page.blocks == ()
    assert page.warnings == ("a chart without data is left out", "the sheet Data (a chartsheet) holds no cells")


def test_a_shape_that_is_said_twice_comes_once_with_its_formula(tmp_path: Path) -> None:
    formula = "<a14:m><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></a14:m>"
    new = f"<xdr:sp><xdr:txBody><a:p>{formula}</a:p><a:p><a:r><a:t>note</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
    old = "<xdr:sp><xdr:txBody><a:p><a:r><a:t>1/2</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
    both = f'<mc:AlternateContent><mc:Choice Requires="a14">{new}</mc:Choice><mc:Fallback>{old}</mc:Fallback></mc:AlternateContent>'
    (page,) = workbook(tmp_path, f"<xdr:twoCellAnchor>{both}</xdr:twoCellAnchor>").pages
    assert shown(list(page.blocks))[2:] == [("equation", r"\frac{1}{2}"), ("paragraph", "note")]


def test_a_thread_of_remarks_is_read_instead_of_what_stands_for_it(tmp_path: Path) -> None:
    comment = '<s:comment ref="{}" authorId="{}"><s:text><s:r><s:t>{}</s:t></s:r></s:text></s:comment>'
    old = comment.format("A1", 0, "Ann: look") + comment.format("B1", 1, "[Threaded comment] Buy a new version") + comment.format("C1", 9, "who?")
    authors = "<s:authors><s:author>Ann</s:author><s:author>tc={1}</s:author></s:authors>"
    comments = f"<s:comments {SPACES}>{authors}<s:commentList>{old}</s:commentList></s:comments>"
    said = "".join(f'<threadedComment ref="B1" personId="{who}"><text>{text}</text></threadedComment>' for who, text in (("p", "Why?"), ("q", "So.")))
    people = f'<personList xmlns="{THREADS}"><person id="p" displayName="Bo Li"/></personList>'
    (page,) = workbook(
        tmp_path, xl__comments1=comments, xl__threads1=f'<ThreadedComments xmlns="{THREADS}">{said}</ThreadedComments>', xl__people=people
    ).pages
    remarks = [block.text for block in page.blocks if block.type is BlockType.ANNOTATION]
    assert remarks == ["A1, Ann: look", "B1, Bo Li: Why?", "B1: So.", "C1: who?"]
