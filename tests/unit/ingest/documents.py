"""Small documents of every type, made in code."""

import io
import zipfile

import pymupdf
from PIL import Image

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
SLIDES = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
XPS_MAIN = "application/vnd.ms-package.xps-fixeddocumentsequence+xml"


def pdf(pages: int = 1, **save: object) -> bytes:
    document = pymupdf.open()
    for number in range(pages):
        document.new_page().insert_text((72, 72), f"This is page {number + 1}.")
    return bytes(document.tobytes(**save))


def locked_pdf(user: str = "open sesame", owner: str = "owner", pages: int = 2, permissions: int = pymupdf.PDF_PERM_PRINT) -> bytes:
    return pdf(pages, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=user, owner_pw=owner, permissions=permissions)


def raw_pdf(objects: list[bytes]) -> bytes:
    """A PDF of these object bodies, numbered from 1; the first is the catalog."""
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 30), **save: object) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, "white").save(buffer, kind, **save)
    return buffer.getvalue()


def tiff(frames: int) -> bytes:
    buffer = io.BytesIO()
    images = [Image.new("L", (20 + n, 30), 255) for n in range(frames)]
    images[0].save(buffer, "TIFF", save_all=True, append_images=images[1:])
    return buffer.getvalue()


def archive(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(name, data)
    return buffer.getvalue()


def office(main_type: str) -> bytes:
    index = f'<Types><Override PartName="/main.xml" ContentType="{main_type}"/></Types>'
    return archive({"main.xml": b"<x/>", "[Content_Types].xml": index.encode()})


def docx(paragraphs: int = 3) -> bytes:
    body = "".join(f"<w:p><w:r><w:t>Paragraph {n}</w:t></w:r></w:p>" for n in range(paragraphs))
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    return archive(
        {
            "[Content_Types].xml": (
                '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
                f'<Override PartName="/word/document.xml" ContentType="{WORD}"/></Types>'
            ).encode(),
            "_rels/.rels": (
                f'<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{kind}" Target="word/document.xml"/></Relationships>'
            ).encode(),
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{relations}"/>'.encode(),
            "word/document.xml": f"<w:document {space}><w:body>{body}</w:body></w:document>".encode(),
        }
    )
