"""Pages written glyph by glyph, so that what a page shows and what its text layer says can be set apart.

A draft is what a layout makes: lines in reading order, art, pictures. A `Book` writes drafts as pages of one PDF. What the text layer says of a glyph
is in the font's ToUnicode map, which is written here: a `Layer` names any text for a letter, or none.
"""

from collections.abc import Callable, Iterable, Sequence

import pymupdf
from msgspec import Struct

from tests.bench.routing.fonts import Face, shaped

Says = Callable[[str], str | None]
"""What the text layer says for a letter; None: the map leaves it out."""
INVISIBLE = 3
"""Render mode of text that is there and not drawn."""


class Layer(Struct, frozen=True):
    """A way to map glyphs to text. `says` None: the font has no map at all."""

    name: str
    says: Says | None


TRUE = Layer("true", lambda letter: letter)


class Line(Struct, frozen=True, kw_only=True):
    """One line: `x` its left edge, or the right one where it is written from right to left; `y` its baseline from the top; points."""

    x: float
    y: float
    size: float
    text: str
    right_to_left: bool = False
    grey: float = 0.0
    face: int = 0
    mode: int = 0
    stretch: float = 1.0
    layer: Layer = TRUE


class Draft(Struct, kw_only=True):
    """A page before it is written. `pictures` lie under art, and art under the lines, unless `lid`: then pictures lie over all."""

    width: float
    height: float
    lines: list[Line] = []
    art: list[str] = []
    pictures: list[tuple[tuple[float, float, float, float], bytes]] = []
    rotation: int = 0
    lid: bool = False


class Book:
    """One PDF of several pages, all with the same faces: the text's, the one for letters that it lacks, and another text face."""

    def __init__(self, faces: Sequence[Face]) -> None:
        self.document = pymupdf.open()
        self.faces = list(faces)
        self.stored: dict[int, int] = {}
        self.fonts: dict[tuple[int, str], tuple[int, Layer, set[tuple[str, str]]]] = {}

    def add(self, draft: Draft) -> None:
        """Writes a page."""
        page = self.document.new_page(width=draft.width, height=draft.height)
        used: set[tuple[int, str]] = set()
        text = "\n".join(self._drawn(line, draft.height, page, used) for line in draft.lines)
        art = "\n".join(["q", *draft.art, "Q"])
        if draft.lid:
            self._append(page, f"{art}\n{text}")
        for box, picture in draft.pictures:
            page.insert_image(pymupdf.Rect(box), stream=picture, keep_proportion=False)
        if not draft.lid:
            self._append(page, f"{art}\n{text}")
        for number, name in used:
            resources = self.document.xref_get_key(page.xref, "Resources")[1]
            self.document.xref_set_key(int(resources.split()[0]), f"Font/{_resource(number, name)}", f"{self.fonts[number, name][0]} 0 R")
        page.set_rotation(draft.rotation)

    def done(self, *, packed: bool = True) -> bytes:
        """The file, `packed` or quickly. The book cannot be used afterwards."""
        for xref, layer, pairs in self.fonts.values():
            if layer.says is None:
                self.document.xref_set_key(xref, "ToUnicode", "null")
            else:
                said = {glyph: text for glyph, letter in sorted(pairs) if (text := layer.says(letter)) is not None}
                self.document.xref_set_key(xref, "ToUnicode", f"{self._stream(_map_of(said))} 0 R")
        data: bytes = self.document.tobytes(garbage=int(packed), deflate=packed)
        self.document.close()
        return data

    def _drawn(self, line: Line, height: float, page: pymupdf.Page, used: set[tuple[int, str]]) -> str:
        """The operators of one line."""
        pairs = shaped(line.text, self.faces[line.face])
        if line.right_to_left:
            pairs = visual_order(pairs)
        runs: list[tuple[int, list[str]]] = []
        width = 0.0
        for shown, said in pairs:
            number = line.face if shown in self.faces[line.face].glyphs else 1
            glyph, advance = self.faces[number].glyphs.get(shown, (0, 0.3))
            width += advance
            if not runs or runs[-1][0] != number:
                runs.append((number, []))
                self._font(number, line.layer, page)
                used.add((number, line.layer.name))
            runs[-1][1].append(f"{glyph:04x}")
            self.fonts[number, line.layer.name][2].add((f"{glyph:04x}", said))
        x = line.x - width * line.size * line.stretch if line.right_to_left else line.x
        shows = " ".join(f"/{_resource(number, line.layer.name)} {line.size:.2f} Tf <{''.join(codes)}> Tj" for number, codes in runs)
        stretch = f"{100 * line.stretch:.2f} Tz " if line.stretch != 1.0 else "100 Tz "
        return f"BT {line.mode} Tr {line.grey:.2f} g {stretch}1 0 0 1 {x:.2f} {height - line.y:.2f} Tm {shows} ET"

    def _font(self, number: int, layer: Layer, page: pymupdf.Page) -> None:
        if (number, layer.name) in self.fonts:
            return
        if number not in self.stored:
            self.stored[number] = page.insert_font(fontname=f"S{number}", fontbuffer=self.faces[number].data)
        xref = self.document.get_new_xref()
        self.document.update_object(xref, self.document.xref_object(self.stored[number]))
        self.fonts[number, layer.name] = (xref, layer, set())

    def _stream(self, content: str) -> int:
        xref: int = self.document.get_new_xref()
        self.document.update_object(xref, "<<>>")
        self.document.update_stream(xref, content.encode())
        return xref

    def _append(self, page: pymupdf.Page, content: str) -> None:
        have = [f"{number} 0 R" for number in page.get_contents()]
        self.document.xref_set_key(page.xref, "Contents", f"[{' '.join([*have, f'{self._stream(content)} 0 R'])}]")
        if self.document.xref_get_key(page.xref, "Resources")[0] == "dict":
            xref = self.document.get_new_xref()
            self.document.update_object(xref, self.document.xref_get_key(page.xref, "Resources")[1])
            self.document.xref_set_key(page.xref, "Resources", f"{xref} 0 R")


def _resource(number: int, layer: str) -> str:
    return f"F{number}{layer}"


def _map_of(said: dict[str, str]) -> str:
    """A ToUnicode map, by hundreds as the format asks."""
    rows = [f"<{glyph}> <{text.encode('utf-16-be', 'surrogatepass').hex()}>" for glyph, text in sorted(said.items())]
    blocks = [rows[start : start + 100] for start in range(0, len(rows), 100)]
    body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
    return f"/CIDInit /ProcSet findresource begin\nbegincmap\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n{body}\nendcmap\nend"


def visual_order(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Letters of a right-to-left line from left to right; numbers and Latin words keep their own direction."""
    turned: list[tuple[str, str]] = []
    run: list[tuple[str, str]] = []
    for pair in reversed(list(pairs)):
        if pair[1].isascii() and pair[1].isalnum():
            run.insert(0, pair)
        else:
            turned += [*run, pair]
            run = []
    return turned + run


def rendered(draft: Draft, faces: Sequence[Face], dpi: float) -> pymupdf.Pixmap:
    """What a draft shows, in grey."""
    book = Book(faces)
    book.add(draft)
    with pymupdf.open("pdf", book.done(packed=False)) as document:
        return document[0].get_pixmap(dpi=round(dpi), colorspace=pymupdf.csGRAY, alpha=False)
