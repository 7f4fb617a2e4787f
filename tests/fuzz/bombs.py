"""Small files that claim or become much, made in code: one for each way that is known. Each says how it may end, and in what time."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import cache

from tests.unit.ingest import documents
from tests.unit.read.structure.epub import made_books

CATALOG, TREE = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
REFUSED = frozenset({"corrupt", "too_large", "too_many_pages", "too_many_pixels", "no_pages", "unknown_type", "encrypted"})
READ = frozenset({"complete", "partial"})
STOPPED = frozenset({"timed_out", "out_of_memory", "crashed"})
"""By the limits of the child process: for what cannot be told before it is opened."""
LAUGHS = "<!DOCTYPE x [<!ENTITY a0 'ha'>" + "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 12)) + "]>"
"""Entities that stand for 10**11 times two characters."""

WIDE = '<w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr>'


def stream(data: bytes, extra: bytes = b"", *, packed: bool = True) -> bytes:
    """A stream object."""
    if packed:
        data, extra = zlib.compress(data, 9), extra + b"/Filter/FlateDecode"
    return b"<<%b/Length %d>>stream\n%b\nendstream" % (extra, len(data), data)


def page(resources: bytes, *objects: bytes, size: bytes = b"0 0 612 792") -> bytes:
    """A PDF of one page; its content is object 4, the given objects follow from there."""
    shown = b"<</Type/Page/Parent 2 0 R/MediaBox[%b]/Contents 4 0 R/Resources<<%b>>>>" % (size, resources)
    return documents.raw_pdf([CATALOG, TREE, shown, *objects])


def picture(width: int, height: int, data: bytes, extra: bytes) -> bytes:
    """A PDF that shows one picture."""
    described = b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 1%b" % (width, height, extra)
    return page(b"/XObject<</I 5 0 R>>", stream(b"600 0 0 700 0 0 cm /I Do"), b"<<%b/Length %d>>stream\n%b\nendstream" % (described, len(data), data))


def claimed_pages() -> bytes:
    """A page tree that counts two billion."""
    shown = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>"
    return documents.raw_pdf([CATALOG, b"<</Type/Pages/Kids[3 0 R]/Count 2147483647>>", shown])


def shared_pages() -> bytes:
    """A tree of ten levels of ten kids each, which are all the same node: ten billion pages in a kilobyte."""
    levels = [b"<</Type/Pages/Kids[%b]/Count %d>>" % (b"%d 0 R " % (number + 1) * 10, 10 ** (12 - number)) for number in range(2, 12)]
    return documents.raw_pdf([CATALOG, *levels, b"<</Type/Page/Parent 11 0 R/MediaBox[0 0 99 99]>>"])


def deep_tree() -> bytes:
    """Nodes one below the other, twenty thousand."""
    nodes = [b"<</Type/Pages/Kids[%d 0 R]/Count 1/Parent %d 0 R>>" % (number + 1, max(1, number - 1)) for number in range(2, 20_000)]
    return documents.raw_pdf([CATALOG, *nodes, b"<</Type/Page/Parent 19999 0 R/MediaBox[0 0 99 99]>>"])


def deep_arrays() -> bytes:
    """Brackets in brackets, in an object and in a content stream."""
    return page(b"/X" + b"[" * 100_000 + b"]" * 100_000, stream(b"[" * 100_000 + b"] TJ"))


def inflated_content() -> bytes:
    """A content stream of 64 MB, packed twice: four million lines."""
    data = zlib.compress(zlib.compress(b"0 0 m 9 9 l S\n" * (64 * 2**20 // 14)))
    return page(b"", b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n%b\nendstream" % (len(data), data))


def nested_forms(levels: int = 40) -> bytes:
    """Forms that show the next one twice: 2**40 drawings."""
    forms = [
        stream(b"/F Do /F Do", b"/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</F %d 0 R>>>>" % (number + 1))
        for number in range(5, 5 + levels)
    ]
    last = stream(b"0 0 m 9 9 l S", b"/Type/XObject/Subtype/Form/BBox[0 0 99 99]")
    return page(b"/XObject<</F 5 0 R>>", stream(b"/F Do"), *forms, last)


def form_of_itself() -> bytes:
    """A form that shows itself."""
    return page(b"/XObject<</F 5 0 R>>", stream(b"/F Do"), stream(b"/F Do", b"/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 5 0 R>>>>"))


def object_stream() -> bytes:
    """A cross-reference stream whose objects are in an object stream that claims a billion, and is in itself."""
    held = stream(b"1 0 <</Type/Catalog/Pages 2 0 R>>", b"/Type/ObjStm/N 1000000000/First 4/Extends 3 0 R")
    out = b"%PDF-1.5\n3 0 obj\n" + held + b"\nendobj\n"
    rows = b"".join(struct.pack(">BIH", *row) for row in ((0, 0, 65535), (2, 3, 0), (2, 3, 1), (2, 3, 2), (1, len(out), 0)))
    crossed = stream(rows, b"/Type/XRef/Size 5/W[1 4 2]/Root 1 0 R")
    return out + b"4 0 obj\n" + crossed + b"\nendobj\nstartxref\n%d\n%%%%EOF" % len(out)


def jbig2() -> bytes:
    """A picture whose JBIG2 data claims a page of 2**31 by 2**31, and a region as large."""
    side = 0x7FFFFFFF
    information = struct.pack(">IIIIBH", side, side, 0, 0, 0, 0)
    region = struct.pack(">IIIIB", side, side, 0, 0, 0) + bytes([0, 3, 255, 253, 255, 2, 254, 254, 254]) + bytes(40)
    data = b"".join(struct.pack(">IBBBI", n, kind, 0, 1, len(body)) + body for n, (kind, body) in enumerate(((48, information), (38, region))))
    return picture(2**31 - 1, 2**31 - 1, data, b"/Filter/JBIG2Decode")


def recursive_type3() -> bytes:
    """A font whose glyph is drawn with itself, many times."""
    font = b"<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/CharProcs<</a 6 0 R>>/Encoding<</Differences[97/a]>>"
    font += b"/FirstChar 97/LastChar 97/Widths[9]/Resources<</Font<</F 5 0 R>>>>>>"
    glyph = stream(b"9 0 0 0 9 9 d1 BT /F 9 Tf " + b"(aaaaaaaaaa) Tj " * 10 + b"ET")
    return page(b"/Font<</F 5 0 R>>", stream(b"BT /F 9 Tf 9 9 Td (aaaaaaaaaa) Tj ET"), font, glyph)


def inflated_font() -> bytes:
    """A font program of 64 MB of zeros, and a CMap that maps every code of four bytes."""
    font = b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 8 0 R>>"
    kid = b"<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(A)/Ordering(I)/Supplement 0>>/FontDescriptor 7 0 R>>"
    descriptor = b"<</Type/FontDescriptor/FontName/A/Flags 4/FontFile2 9 0 R/FontBBox[0 0 9 9]/ItalicAngle 0/Ascent 9/Descent 0/CapHeight 9/StemV 9>>"
    cmap = b"1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 beginbfrange <00000000> <ffffffff> <0041> endbfrange"
    program = stream(b"\0\1\0\0\0\x10" + bytes(64 * 2**20), b"/Length1 67108870")
    return page(b"/Font<</F 5 0 R>>", stream(b"BT /F 9 Tf 9 9 Td <00010002> Tj ET"), font, kid, descriptor, stream(cmap), program)


def dashes() -> bytes:
    """A line of dashes a billionth long, and a pattern of cells as small."""
    tile = b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.0001/YStep 0.0001/Resources<<>>"
    content = b"[0.000001]0 d 0 0 m 612 792 l S /Pattern cs /P scn 0 0 612 792 re f"
    return page(b"/Pattern<</P 5 0 R>>", stream(content), stream(b"0 0 1 1 re f", tile))


def circular_outline() -> bytes:
    """Bookmarks that follow themselves."""
    shown = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>"
    entry = b"<</Title(again)/Next 5 0 R/First 5 0 R/Parent 4 0 R>>"
    return documents.raw_pdf([b"<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>", TREE, shown, b"<</First 5 0 R/Count 9999999>>", entry])


def huge_page() -> bytes:
    """A page of 2**31 points, and 14,400 million to render."""
    return page(b"", stream(b"0 0 9 9 re f"), size=b"0 0 2147483647 2147483647")


def packed_png() -> bytes:
    """A PNG of 60,000 by 60,000 pixels in 4 KB."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(2**20))) + chunk(b"IEND", b"")


def circular_tiff() -> bytes:
    """A TIFF whose second frame is followed by the first."""
    data = bytearray(documents.tiff(2))
    first = struct.unpack_from("<I", data, 4)[0]
    second_at = first + 2 + 12 * struct.unpack_from("<H", data, first)[0]
    second = struct.unpack_from("<I", data, second_at)[0]
    struct.pack_into("<I", data, second + 2 + 12 * struct.unpack_from("<H", data, second)[0], first)
    return bytes(data)


def office(body: str | bytes, *, level: int = 9) -> bytes:
    """A Word file with this document part."""
    parts = io.BytesIO(documents.docx())
    files: dict[str, bytes] = {}
    with zipfile.ZipFile(parts) as archive:
        files = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    files["word/document.xml"] = body if isinstance(body, bytes) else body.encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as target:
        for name, data in files.items():
            target.writestr(name, data)
    return buffer.getvalue()


def word(body: str, before: str = "") -> bytes:
    """A Word file with this body."""
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    return office(f"{before}<w:document {space}><w:body>{body}</w:body></w:document>")


@cache
def inflated_word() -> bytes:
    """A Word file whose text is 300 MB of spaces."""
    space = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    return office(b"<w:document %b><w:body><w:p><w:r><w:t>%b</w:t></w:r></w:p></w:body></w:document>" % (space, b" " * (300 * 2**20)), level=1)


def lying_word() -> bytes:
    """A Word file whose directory says that its text has 10 bytes; it has 300 MB."""
    data = bytearray(inflated_word())
    place = data.rfind(b"word/document.xml")  # in the directory at the end; its size stands 22 bytes before the name
    struct.pack_into("<I", data, place - 22, 10)
    return bytes(data)


def many_parts() -> bytes:
    """An archive whose directory has 100,001 entries, all of one part."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        target.writestr("x", b"")
    data = buffer.getvalue()
    start = data.index(b"PK\1\2")
    end = data.index(b"PK\5\6")
    directory = data[start:end] * 100_001
    return data[:start] + directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, len(directory), start, 0)


def book(opf: str | None = None, body: str = "<p>x</p>") -> bytes:
    """A book with this package document, or this chapter."""
    package = opf or made_books.package([("c1.xhtml", made_books.HTML, "")], ["c1.xhtml"])
    return made_books.archive({"META-INF/container.xml": made_books.CONTAINER, "OPS/book.opf": package, "OPS/c1.xhtml": made_books.chapter(body)})


def sheet(cells: str, extra: str = "", before: str = "") -> bytes:
    """A workbook with these rows."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    related = f'<Relationships xmlns="{relations}"><Relationship Id="r" Type="{kind}/%s" Target="%s"/></Relationships>'
    index = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/a.xml" ContentType="%s"/></Types>'
    listed = f'<workbook xmlns="{main}" xmlns:r="{kind}"><sheets><sheet name="a" sheetId="1" r:id="r"/></sheets></workbook>'
    rows = f'<worksheet xmlns="{main}"><dimension ref="A1:XFD1048576"/><sheetData>{cells}</sheetData>{extra}</worksheet>'
    files = {
        "[Content_Types].xml": index % documents.SHEET,
        "_rels/.rels": related % ("officeDocument", "xl/a.xml"),
        "xl/a.xml": listed,
        "xl/_rels/a.xml.rels": related % ("worksheet", "s.xml"),
        "xl/s.xml": before + rows,
    }
    return documents.archive({name: text.encode() for name, text in files.items()})


def far_cells() -> bytes:
    """A workbook with a cell in each corner, and one merged over all of it."""
    return sheet(
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>',
        '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
    )


def nested_html() -> bytes:
    """Tags in tags, two hundred thousand."""
    return b"<!DOCTYPE html>" + b"<div>" * 200_000 + b"x"


def wide_html() -> bytes:
    """Cells that claim a billion columns and rows, a thousand of them."""
    return b"<!DOCTYPE html><table>" + b"<tr>" + b"<td colspan=999999999 rowspan=999999999>x" * 1000 + b"</table>"


BOMBS: Mapping[str, tuple[str, Callable[[], bytes], frozenset[str]]] = {
    "claimed pages": ("a.pdf", claimed_pages, REFUSED | READ),
    "shared pages": ("a.pdf", shared_pages, REFUSED),
    "deep page tree": ("a.pdf", deep_tree, REFUSED | READ),
    "deep arrays": ("a.pdf", deep_arrays, REFUSED | READ),
    "inflated content": ("a.pdf", inflated_content, REFUSED | READ | STOPPED),
    "nested forms": ("a.pdf", nested_forms, REFUSED | READ | STOPPED),
    "a form of itself": ("a.pdf", form_of_itself, READ),
    "an object stream in itself": ("a.pdf", object_stream, REFUSED),
    "JBIG2": ("a.pdf", jbig2, READ),
    "pixels in a PDF": ("a.pdf", lambda: picture(10**5, 10**5, zlib.compress(bytes(2**20)), b"/Filter/FlateDecode"), READ),
    "a font drawn with itself": ("a.pdf", recursive_type3, READ | STOPPED),
    "an inflated font": ("a.pdf", inflated_font, READ | STOPPED),
    "dashes and tiles": ("a.pdf", dashes, READ | STOPPED),
    "a circular outline": ("a.pdf", circular_outline, READ),
    "a huge page": ("a.pdf", huge_page, READ),
    "pixels of a PNG": ("a.png", packed_png, frozenset({"too_many_pixels"})),
    "a circular TIFF": ("a.tif", circular_tiff, REFUSED | READ),
    "an inflated Word file": ("a.docx", inflated_word, frozenset({"too_large"})),
    "a Word file that lies about its size": ("a.docx", lying_word, REFUSED),
    "too many parts": ("a.docx", many_parts, frozenset({"too_large"})),
    "entities in a Word file": ("a.docx", lambda: word("<w:p><w:r><w:t>&a11;</w:t></w:r></w:p>", LAUGHS), frozenset({"corrupt"})),
    "elements in elements": ("a.docx", lambda: word("<w:sdt><w:sdtContent>" * 20_000), frozenset({"corrupt"})),
    "a cell over a billion columns": ("a.docx", lambda: word(f"<w:tbl><w:tr><w:tc>{WIDE}</w:tc></w:tr></w:tbl>"), READ),
    "entities in a book": ("a.epub", lambda: book(LAUGHS + made_books.package([], [], "<dc:title>&a11;</dc:title>")), REFUSED),
    "entities in a chapter": ("a.epub", lambda: book(body="&a11;"), READ | REFUSED),
    "a spine without end": ("a.epub", lambda: book(made_books.package([("c1.xhtml", made_books.HTML, "")], ["c1.xhtml"] * 50_000)), REFUSED | READ),
    "cells in all corners": ("a.xlsx", far_cells, READ),
    "entities in a workbook": ("a.xlsx", lambda: sheet('<row r="1"><c r="A1" t="str"><v>&a11;</v></c></row>', before=LAUGHS), READ | REFUSED),
    "tags in tags": ("a.html", nested_html, READ),
    "cells without end": ("a.html", wide_html, READ),
    "quotes in quotes": ("a.md", lambda: b">" * 200_000 + b" x\n", READ),
    "brackets": ("a.md", lambda: b"[" * 100_000 + b"](x)" * 1000, READ | STOPPED),
    "a row without end": ("a.csv", lambda: b"a," * 2_000_000, READ | REFUSED),
}  # fmt: skip
"""Name → file name, what makes it, and how it may end."""
