"""Makes the sample documents: `python samples/make_samples.py [FOLDER]` (default: this folder), with fonts that PyMuPDF carries.

* `harvest.pdf`: digital; a ruled table over three pages with a repeated header, running heads, page numbers, headings, a paragraph over a page
  break
* `letter.pdf`: a scan (one picture a page, no text layer)
* `mixed.pdf`: a digital page, then a scanned one
* `broken.pdf`: a file that is no PDF any more
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pymupdf

WIDTH, HEIGHT, MARGIN = 595, 842, 64
SEED = 20
CROPS = ("Barley", "Buckwheat", "Flax", "Lentils", "Millet", "Oats", "Rye", "Spelt", "Sunflower", "Wheat")
VILLAGES = ("Aldersham", "Brackwater", "Corbury", "Dunfold", "Eastmere", "Fenwick", "Garrowby", "Holmstead")
COLUMNS = (("Lot", 40), ("Village", 130), ("Crop", 130), ("Hectares", 80), ("Tonnes", 87))
REMARKS = (
    "The autumn was dry. Carts reached the mill over the old ford until the last week of October, and only the rye of Dunfold was cut after "
    "the first frost. Because the bridge was closed, the lots of three villages were weighed at the"
)
LETTER = """Brackwater, 3 March 1987

Dear Miss Calloway,

the mill has been running again since Tuesday. The new wheel turns quietly, and the
flour is finer than any we had before the flood. Mr Pettigrew counts forty sacks a
day, which is eleven more than last autumn.

You asked about the ledger. It is complete up to lot 112; the pages after that were
wet, and I have copied what could still be read. The originals are in the blue box.

Yours sincerely,
Edmund Harrow"""


def rows() -> Iterator[tuple[str, ...]]:
    """112 data rows, always the same."""
    dice = random.Random(SEED)
    for lot in range(1, 113):
        hectares = dice.randint(4, 95) / 2
        yield str(lot), dice.choice(VILLAGES), dice.choice(CROPS), f"{hectares:.1f}", f"{hectares * dice.uniform(1.2, 5.5):.1f}"


def write_table(page: pymupdf.Page, top: float, lines: list[tuple[str, ...]]) -> None:
    """A ruled table with a header row, 15 points a row."""
    table = [tuple(name for name, _ in COLUMNS), *lines]
    for number, row in enumerate(table):
        x, y = float(MARGIN), top + 15 * number
        for (_, width), text in zip(COLUMNS, row, strict=True):
            page.draw_rect(pymupdf.Rect(x, y, x + width, y + 15), width=0.6)
            page.insert_text((x + 4, y + 11), text, fontsize=9, fontname="hebo" if number == 0 else "helv")
            x += width


def write_text(page: pymupdf.Page, top: float, text: str, size: float = 10.5, font: str = "tiro", height: float = 300) -> None:
    """A paragraph in the text column."""
    box = pymupdf.Rect(MARGIN, top, WIDTH - MARGIN, top + height)
    if page.insert_textbox(box, text, fontsize=size, fontname=font, lineheight=1.25) < 0:
        raise ValueError(f"the text does not fit: {text[:40]}")


def harvest() -> pymupdf.Document:
    """The digital document."""
    document, data = pymupdf.open(), list(rows())
    for number, part in enumerate((data[:34], data[34:78], data[78:]), start=1):
        page = document.new_page(width=WIDTH, height=HEIGHT)
        page.insert_text((MARGIN, 40), "Harvest report of the river villages", fontsize=8, fontname="helv")
        page.insert_text((WIDTH / 2, HEIGHT - 30), str(number), fontsize=8, fontname="helv")
        if number == 1:
            write_text(page, 60, "Harvest of 1986", 20, "hebo")
            write_text(page, 98, "1. Lots and yields", 14, "hebo")
            write_text(page, 124, "Every lot that was threshed is listed once, in the order in which the carts reached the mill. "
                       "Hectares are of the field, tonnes of clean grain. The table goes on over the next pages.")  # fmt: skip
            write_table(page, 186, part)
        else:
            write_table(page, 64, part)
        if number == 3:
            write_text(page, 620, "2. Remarks", 14, "hebo")
            write_text(page, 646, REMARKS)
    page = document.new_page(width=WIDTH, height=HEIGHT)
    page.insert_text((MARGIN, 40), "Harvest report of the river villages", fontsize=8, fontname="helv")
    page.insert_text((WIDTH / 2, HEIGHT - 30), "4", fontsize=8, fontname="helv")
    write_text(page, 64, "station and brought to the mill by rail. The difference between the two scales is below one part in a hundred.")
    document.set_toc([[1, "Harvest of 1986", 1], [2, "1. Lots and yields", 1], [2, "2. Remarks", 3]])
    document.set_metadata({"title": "Harvest of 1986", "author": "Mill of Brackwater"})
    return document


def letter() -> pymupdf.Document:
    """A typed letter, as pages of text; `scanned` makes pictures of them."""
    document = pymupdf.open()
    write_text(document.new_page(width=WIDTH, height=HEIGHT), 90, LETTER, 9, "cour", 500)
    return document


def scanned(source: pymupdf.Document) -> pymupdf.Document:
    """The same pages as pictures at 200 dpi, without a text layer."""
    document = pymupdf.open()
    for page in source:
        picture = page.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
        document.new_page(width=page.rect.width, height=page.rect.height).insert_image(page.rect, stream=picture.tobytes("jpeg", jpg_quality=70))
    return document


def mixed() -> pymupdf.Document:
    """One digital page, one scan."""
    document = pymupdf.open()
    page = document.new_page(width=WIDTH, height=HEIGHT)
    write_text(page, 64, "Copy of a letter", 18, "hebo")
    write_text(page, 110, "The letter on the next page was found in the blue box. It names the lots that the flood made unreadable.")
    document.insert_pdf(scanned(letter()))
    return document


def make(folder: Path) -> list[Path]:
    """Writes all samples into a folder and returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, document in (("harvest.pdf", harvest()), ("letter.pdf", scanned(letter())), ("mixed.pdf", mixed())):
        document.save(folder / name, garbage=3, deflate=True)
        paths.append(folder / name)
    broken = folder / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\n" + (folder / "letter.pdf").read_bytes()[3000:5000])
    return [*paths, broken]


if __name__ == "__main__":
    for made in make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent):
        print(made)
