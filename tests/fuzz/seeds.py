"""Whole documents of every kind that is read, made in code: what mutations start from."""

import io
from collections.abc import Callable, Mapping
from email.message import EmailMessage

import docx
import openpyxl
import pptx
import pymupdf
from openpyxl.comments import Comment
from PIL import Image

from tests.unit.ingest import documents
from tests.unit.read.structure.epub import made_books

WORDS = "The lots of the harvest were counted twice, once by Edmund and once by the steward of Garrowby. "


def picture(width: int = 60, height: int = 40) -> bytes:
    """A PNG with some content."""
    image = Image.new("RGB", (width, height), "white")
    image.paste((30, 90, 200), (5, 5, width // 2, height // 2))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def written_pdf(**save: object) -> bytes:
    """Text, a ruled table, a picture, a form, a link, a note, a curve, an outline."""
    made = pymupdf.open()
    for number in range(3):
        page = made.new_page()
        page.insert_textbox((72, 60, 520, 200), f"{number + 1}. Heading of part {number + 1}\n\n" + WORDS * 3, fontsize=11)
        for row in range(5):
            page.draw_line((72, 220 + 20 * row), (400, 220 + 20 * row))
            for column in range(3 if row < 4 else 0):
                page.insert_text((76 + 110 * column, 234 + 20 * row), f"{row * 13 + column}.5", fontsize=9)
        for column in range(4):
            page.draw_line((72 + 110 * column, 220), (72 + 110 * column, 300))
        page.insert_image((72, 320, 200, 400), stream=picture())
        page.insert_link({"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(72, 410, 200, 425), "uri": "https://example.org/"})
        page.add_text_annot((300, 420), "a note")
        page.draw_bezier((72, 500), (150, 450), (220, 560), (300, 500))
    field = pymupdf.Widget()
    field.field_name, field.field_type, field.field_value, field.rect = "name", pymupdf.PDF_WIDGET_TYPE_TEXT, "value", pymupdf.Rect(72, 600, 200, 620)
    made[0].add_widget(field)
    made.set_toc([[1, "Part 1", 1], [2, "Part 2", 2], [1, "Part 3", 3]])
    made.set_metadata({"title": "A fuzzed document", "author": "Nobody"})
    return bytes(made.tobytes(**save))


def scanned_pdf() -> bytes:
    """A page that is a picture with a hidden text over it."""
    made = pymupdf.open()
    page = made.new_page(width=300, height=400)
    page.insert_image(page.rect, stream=picture(300, 400))
    page.insert_text((40, 60), WORDS[:60], render_mode=3)
    return bytes(made.tobytes(deflate=True))


def word() -> bytes:
    """Headings, lists, a table, a picture, a header."""
    made = docx.Document()
    made.add_heading("A heading", 1)
    made.add_paragraph(WORDS * 2)
    for style in ("List Bullet", "List Number"):
        for number in range(3):
            made.add_paragraph(f"item {number}", style=style)
    table = made.add_table(3, 3)
    for row in table.rows:
        for cell in row.cells:
            cell.text = "cell"
    table.cell(0, 0).merge(table.cell(0, 1))
    made.add_picture(io.BytesIO(picture()))
    made.sections[0].header.paragraphs[0].text = "A running head"
    made.add_page_break()
    made.add_paragraph("The end.")
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def slides() -> bytes:
    """Titles, bullets, a table, a picture, notes."""
    made = pptx.Presentation()
    for number in range(2):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = f"Slide {number}"
        slide.placeholders[1].text = "one\ntwo"
        slide.notes_slide.notes_text_frame.text = "to be said"
    table = slide.shapes.add_table(2, 2, 914400, 914400, 3000000, 1000000).table
    table.cell(0, 0).text = "cell"
    slide.shapes.add_picture(io.BytesIO(picture()), 914400, 3000000)
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def workbook() -> bytes:
    """Numbers, formulas, dates, merged cells, a comment, two sheets."""
    made = openpyxl.Workbook()
    sheet = made.active
    for row in range(1, 12):
        sheet.append([f"row {row}", row * 1.5, f"=B{row}*2", row % 2 == 0])
    sheet.merge_cells("A1:B1")
    sheet["A3"].comment = Comment("a comment", "Nobody")
    sheet["B4"].number_format = "#,##0.00"
    made.create_sheet("Second")["C5"] = "alone"
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def page_of_html() -> bytes:
    """The parts that web pages have."""
    rows = "".join(f"<tr><td rowspan=1>{n}</td><td colspan=2>{n * n}</td></tr>" for n in range(4))
    return (
        "<!DOCTYPE html><html><head><title>A page</title><style>p{color:red}</style></head><body><h1>Heading</h1>"
        f"<p>{WORDS} <a href='https://example.org/a'>link</a> <b>bold</b> &amp; &#233;</p><ul><li>one<ul><li>two</li></ul></li></ul>"
        f"<table><caption>Lots</caption><thead><tr><th>a</th><th colspan=2>b</th></tr></thead><tbody>{rows}</tbody></table>"
        "<pre><code>print(1)</code></pre><math><mfrac><mi>a</mi><mi>b</mi></mfrac></math><dl><dt>t</dt><dd>d</dd></dl>"
        "<form><input name=q value=v><select><option selected>x</option></select></form><script>alert(1)</script></body></html>"
    ).encode()


def markdown() -> bytes:
    """The parts that Markdown has."""
    return (
        b"# Heading\n\ntext *a* **b** `c` [link](https://example.org) ![picture](data:image/png;base64,AAAA)\n\n"
        b"| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n\n"
        b"1. one\n2. two\n   - inner\n\n> quoted\n\n```python\nprint(1)\n```\n\nnote[^1] $x^2$\n\n[^1]: the note\n\n<b>html</b>\n"
    )


def mail() -> bytes:
    """A thread: alternatives of a text, a picture, an attachment, a forwarded message, encoded words."""
    inner = EmailMessage()
    inner["From"], inner["Subject"], inner["Date"] = "Ann <ann@example.org>", "Größen", "Mon, 30 Nov 2026 10:00:00 +0000"
    inner.set_content(f"first\n\n> quoted\n>> twice\n\n{WORDS}", charset="iso-8859-1", cte="quoted-printable")
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Bob <bob@example.org>", "Ann <ann@example.org>, Cy <cy@example.org>", "Re: Größen"
    message.set_content("plain\n")
    message.add_alternative(page_of_html().decode(), subtype="html")
    message.add_attachment(picture(), maintype="image", subtype="png", filename="Skizze ü.png")
    message.add_attachment(inner)
    return message.as_bytes()


SEEDS: Mapping[str, tuple[str, tuple[Callable[[], bytes], ...]]] = {
    "pdf": (
        "a.pdf",
        (
            lambda: written_pdf(expand=255, ascii=True),  # its streams in the clear, so that mutations reach them
            lambda: written_pdf(deflate=True, garbage=4, use_objstms=1),
            scanned_pdf,
            lambda: documents.locked_pdf(user=""),
        ),
    ),
    "docx": ("a.docx", (word, documents.docx)),
    "pptx": ("a.pptx", (slides,)),
    "xlsx": ("a.xlsx", (workbook,)),
    "html": ("a.html", (page_of_html,)),
    "epub": ("a.epub", (lambda: made_books.simple([f"<h1>One</h1><p>{WORDS}</p>", "<table><tr><td>1</td></tr></table>"]),)),
    "md": ("a.md", (markdown,)),
    "eml": ("a.eml", (mail,)),
    "csv": ("a.csv", (lambda: b"name;value;date\n" + b"".join(b'"row, %d";%d,5;2025-01-%02d\r\n' % (n, n, n) for n in range(1, 29)),)),
    "txt": ("a.txt", (lambda: ("HEADING\n=======\n\n" + WORDS * 3 + "\n\n  a   b   c\n  1   2   3\n  4   5   6\n\n- item\n").encode("utf-16"),)),
    "image": (
        "a.image",
        (picture, lambda: documents.picture("JPEG", (90, 60)), lambda: documents.tiff(2), lambda: documents.picture("WEBP", (90, 60))),
    ),
}
"""Kind → the name that its files have, and what makes them."""
