"""The documents of a chaos run, made in code: the same seed and number give the same document, of the same kind, with text that no other has.

Nine in ten have at most three pages, the longest sixty: text, scans, both, some broken, some too large for a message. Pages are small and their
PDFs written by hand, so that a run spends its time on what is tested, which is neither making nor reading.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pymupdf

WIDTH, HEIGHT, MARGIN = 298, 210, 18
"""Points: a page of a quarter of A4, on its side. At 200 dpi it has half a million pixels."""
SCAN_DPI = 110
LONGEST = 60
MESSAGE_BYTES = 2**20
"""The message limit of a chaos run, the least that there is: so that some documents and results are larger."""
WORDS = (
    "river", "mill", "ledger", "harvest", "barley", "wagon", "bridge", "winter", "orchard", "lantern", "parish", "meadow", "copper", "sparrow",
    "timber", "harbour", "market", "kettle", "saddle", "thunder", "village", "cellar", "quarry", "pasture", "candle", "blanket", "chimney",
    "garden", "anchor", "barrel", "feather", "hammer",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Made:
    """A document to publish. `kind` says what it is; `blob`: it goes to the blob store, and its reference is published."""

    document_id: str
    kind: str
    filename: str
    data: bytes
    blob: bool = False


def make_document(seed: int, number: int, *, scans: bool = False) -> Made:
    """The number-th document of a run. `scans`: most have some."""
    dice = random.Random(f"{seed}:{number}")
    weights = [weight * (MORE_SCANS if scans and kind in SCANNED else 1) for kind, (weight, _) in KINDS.items()]
    kind = dice.choices(tuple(KINDS), weights)[0]
    data = KINDS[kind][1](dice, number)
    return Made(f"{kind}-{seed}-{number}", kind, f"{kind}-{number}.pdf", data, blob=len(data) > MESSAGE_BYTES // 2)


def pdf_of(pages: Sequence[tuple[bytes, bytes | None]], width: int = WIDTH, height: int = HEIGHT, bookmarks: int = 0) -> bytes:
    """A PDF. A page is its content stream and, where it has one, a grey JPEG of the whole page that the content shows as /Scan."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"]
    kids = []
    for content, jpeg in pages:
        resources = b"/Font<</F1 3 0 R>>"
        if jpeg is not None:
            size = b"/Width %d/Height %d" % (round(width * SCAN_DPI / 72), round(height * SCAN_DPI / 72))
            objects.append(_stream(b"/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode" + size, jpeg))
            resources += b"/XObject<</Scan %d 0 R>>" % len(objects)
        objects.append(_stream(b"", content))
        box = b"/MediaBox[0 0 %d %d]" % (width, height)
        objects.append(b"<</Type/Page/Parent 2 0 R%b/Resources<<%b>>/Contents %d 0 R>>" % (box, resources, len(objects)))
        kids.append(len(objects))
    objects[1] = b"<</Type/Pages/Count %d/Kids[%b]>>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    if bookmarks:
        first = len(objects) + 2
        objects[0] = b"<</Type/Catalog/Pages 2 0 R/Outlines %d 0 R>>" % (first - 1)
        objects.append(b"<</Type/Outlines/Count %d/First %d 0 R/Last %d 0 R>>" % (bookmarks, first, first + bookmarks - 1))
        for entry in range(first, first + bookmarks):
            after = b"/Next %d 0 R" % (entry + 1) if entry + 1 < first + bookmarks else b""
            objects.append(b"<</Title(%d %b)/Parent %d 0 R/Dest[%d 0 R/Fit]%b>>" % (entry, b"x" * 480, first - 1, kids[0], after))
    return _file(objects)


def _stream(entries: bytes, data: bytes) -> bytes:
    return b"<<%b/Length %d>>stream\n%b\nendstream" % (entries, len(data), data)


def _file(objects: Sequence[bytes]) -> bytes:
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(body))
    return body + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + trailer


def _short(dice: random.Random) -> int:
    return dice.choice((1, 1, 2, 3))


def _long(dice: random.Random) -> int:
    return min(LONGEST, 4 + int(dice.expovariate(1 / 8)))


def _text(dice: random.Random, number: int) -> bytes:
    """The content stream of a page of text: a heading and lines."""
    said = [f"{dice.choice(WORDS).capitalize()} {number} {' '.join(dice.choices(WORDS, k=6))}." for _ in range(6)]
    shown = b" ".join(b"(%b) Tj T*" % line.encode() for line in said)
    heading = f"Report {number} of the {dice.choice(WORDS)}".encode()
    return b"BT /F1 13 Tf %d %d Td (%b) Tj ET BT /F1 8 Tf 11 TL %d %d Td %b ET" % (MARGIN, HEIGHT - 30, heading, MARGIN, HEIGHT - 50, shown)


def _scan(dice: random.Random, number: int) -> tuple[bytes, bytes]:
    """A page that is a picture of text."""
    with pymupdf.open(stream=pdf_of([(_text(dice, number), None)])) as source:
        picture = source[0].get_pixmap(dpi=SCAN_DPI, colorspace=pymupdf.csGRAY)
    return b"%d 0 0 %d 0 0 cm /Scan Do" % (WIDTH, HEIGHT), picture.tobytes("jpeg", jpg_quality=60)


def _pages(dice: random.Random, number: int, count: int, scans: float) -> bytes:
    return pdf_of([_scan(dice, number) if dice.random() < scans else (_text(dice, number), None) for _ in range(count)])


def _with_a_large_file(dice: random.Random, number: int) -> bytes:
    """More bytes than a message may have: a comment before the end that nobody reads."""
    return _pages(dice, number, 1, 0.0).replace(b"endobj\nxref", b"endobj\n%" + dice.randbytes(MESSAGE_BYTES).hex().encode() + b"\nxref")


def _with_a_large_outline(dice: random.Random, number: int) -> bytes:
    """Bookmarks that make its opening too large for a message: it is refused for that."""
    return pdf_of([(_text(dice, number), None)], bookmarks=2300)


def _full(dice: random.Random, number: int) -> bytes:
    """Pages full of long words: the finished document is larger than a message may be, and no dearer to read than others of its length."""
    lines = [b"(%d %b) Tj T*" % (number, " ".join(dice.choice("abcdefgh") * 150 for _ in range(4)).encode()) for _ in range(60)]
    page = b"BT /F1 6 Tf 9 TL %d %d Td %b ET" % (MARGIN, HEIGHT * 3 - 30, b" ".join(lines))
    return pdf_of([(page, None)] * 30, WIDTH * 9, HEIGHT * 3)


def _cut(dice: random.Random, number: int) -> bytes:
    return _pages(dice, number, 2, 0.0)[: dice.randrange(9, 400)]


def _locked(dice: random.Random, number: int) -> bytes:
    with pymupdf.open(stream=_pages(dice, number, 1, 0.0)) as document:
        return document.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="secret", owner_pw="owner")


def _with_a_bad_page(dice: random.Random, number: int) -> bytes:
    """The second of three pages is no page: the document is partial, whatever is done."""
    whole = _pages(dice, number, 3, 0.0)
    return whole.replace(b" 7 0 R ", b" null  ")


Maker = Callable[[random.Random, int], bytes]

KINDS: dict[str, tuple[float, Maker]] = {
    "text": (70.0, lambda dice, number: _pages(dice, number, _short(dice), 0.0)),
    "scan": (6.0, lambda dice, number: _pages(dice, number, _short(dice), 1.0)),
    "mixed": (4.0, lambda dice, number: _pages(dice, number, 3, 0.4)),
    "long": (8.0, lambda dice, number: _pages(dice, number, _long(dice), 0.0)),
    "long-scan": (1.0, lambda dice, number: _pages(dice, number, min(20, _long(dice)), 0.7)),
    "full": (0.2, _full),
    "large-file": (0.5, _with_a_large_file),
    "large-outline": (0.3, _with_a_large_outline),
    "cut": (2.0, _cut),
    "noise": (2.0, lambda dice, _: dice.randbytes(3000)),
    "empty": (1.0, lambda _dice, _number: b""),
    "locked": (1.5, _locked),
    "bad-page": (1.7, _with_a_bad_page),
}
"""Kind → (how often; how it is made)."""
SCANNED, MORE_SCANS = frozenset({"scan", "mixed", "long-scan"}), 15
"""Kinds with pages that are recognized, and how many times as often they come in a run that is about recognition."""
