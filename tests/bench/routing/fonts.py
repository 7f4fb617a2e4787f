"""Fonts for made pages: files of Debian packages, cut down to the letters in use.

Where a file is missing, the package that holds it is named and the run stops: other fonts would make another set.
"""

import random
import unicodedata
from functools import cache
from pathlib import Path

import pymupdf
from msgspec import Struct

from tests.bench.routing.words import LANGUAGES, known_words

FOLDER = Path("/usr/share/fonts")
PACKAGES = {
    "dejavu": "fonts-dejavu-core fonts-dejavu-extra", "liberation": "fonts-liberation", "freefont": "fonts-freefont-ttf", "noto": "fonts-noto-core",
    "culmus": "culmus", "fonts-hosny-amiri": "fonts-hosny-amiri", "wqy": "fonts-wqy-microhei", "arphic": "fonts-arphic-uming",
    "arphic-gkai00mp": "fonts-arphic-gkai00mp", "arphic-gbsn00lp": "fonts-arphic-gbsn00lp", "ipaexfont-mincho": "fonts-ipaexfont-mincho",
    "vlgothic": "fonts-vlgothic", "takao-gothic": "fonts-takao-gothic", "nanum": "fonts-nanum", "unfonts-core": "fonts-unfonts-core",
}  # fmt: skip
"""Debian's packages by the folder of their files."""
_EUROPEAN = (
    "truetype/dejavu/DejaVuSans.ttf", "truetype/dejavu/DejaVuSerif.ttf", "truetype/dejavu/DejaVuSansCondensed.ttf",
    "truetype/dejavu/DejaVuSansMono.ttf",
    "truetype/liberation/LiberationSans-Regular.ttf", "truetype/liberation/LiberationSerif-Regular.ttf",
    "truetype/liberation/LiberationSans-Bold.ttf",
    "truetype/freefont/FreeSerif.ttf", "truetype/freefont/FreeSans.ttf", "truetype/noto/NotoSans-Regular.ttf", "truetype/noto/NotoSerif-Regular.ttf",
)  # fmt: skip
FILES = {
    "latin": _EUROPEAN,
    "cyrillic": _EUROPEAN,
    "greek": _EUROPEAN,
    "hebrew": (
        "truetype/dejavu/DejaVuSans.ttf", "truetype/freefont/FreeSerif.ttf", "truetype/noto/NotoSansHebrew-Regular.ttf",
        "truetype/noto/NotoSerifHebrew-Regular.ttf", "truetype/culmus/FrankRuehlCLM-Medium.ttf", "truetype/culmus/HadasimCLM-Regular.ttf",
        "truetype/culmus/MiriamMonoCLM-Book.ttf", "truetype/culmus/KeterYG-Medium.ttf",
    ),
    "arabic": (
        "opentype/fonts-hosny-amiri/Amiri-Regular.ttf", "opentype/fonts-hosny-amiri/Amiri-Bold.ttf", "truetype/dejavu/DejaVuSans.ttf",
        "truetype/noto/NotoNaskhArabic-Regular.ttf", "truetype/noto/NotoNaskhArabic-Bold.ttf", "truetype/freefont/FreeSerif.ttf",
    ),
    "chinese": (
        "truetype/wqy/wqy-microhei.ttc", "truetype/arphic/uming.ttc", "truetype/arphic-gkai00mp/gkai00mp.ttf",
        "truetype/arphic-gbsn00lp/gbsn00lp.ttf",
    ),
    "japanese": (
        "opentype/ipaexfont-mincho/ipaexm.ttf", "truetype/vlgothic/VL-Gothic-Regular.ttf", "truetype/takao-gothic/TakaoPGothic.ttf",
    ),
    "korean": (
        "truetype/nanum/NanumGothic.ttf", "truetype/nanum/NanumMyeongjo.ttf", "truetype/nanum/NanumBarunGothic.ttf",
        "truetype/unfonts-core/UnBatang.ttf", "truetype/unfonts-core/UnDotum.ttf",
    ),
}  # fmt: skip
PLAIN = "".join(chr(code) for code in range(0x20, 0x7F)) + "•–—“”’…©§°·"
SHARED = "，。、：；？！（）「」・،؛؟ـ"
PLAIN_FONT = "truetype/dejavu/DejaVuSans.ttf"
"""Where a font of another script has no Latin letters or digits, this one writes them."""
ARABIC_FORMS = range(0xFE80, 0xFEFD)
MORE_ARABIC_FORMS = range(0xFB50, 0xFBFF)
_RIGHT_JOINING = frozenset("آأؤإاةدذرزوىڈڑژے")


class Face(Struct, frozen=True):
    """A font cut down: `data` is the file; `glyphs` number and advance (in em) by letter. Numbers are those of the whole font."""

    name: str
    data: bytes
    glyphs: dict[str, tuple[int, float]]

    def width(self, text: str) -> float:
        """Width in em; letters that the font lacks have none."""
        return sum(self.glyphs[letter][1] for letter in text if letter in self.glyphs)


@cache
def letters_in_use(script: str) -> str:
    """Every letter that documents of a script may need."""
    letters = {c for language in LANGUAGES[script] for word, _ in known_words(script, language) for c in word + word.upper()[:1]}
    forms = {chr(code) for code in (*ARABIC_FORMS, *MORE_ARABIC_FORMS)} if script == "arabic" else set[str]()
    return "".join(sorted(letters | forms | set(PLAIN) | set(SHARED)))


@cache
def face(file: str, script: str) -> Face:
    """A font of a script. Raises SystemExit where its file is missing."""
    path = FOLDER / file
    if not path.is_file():
        raise SystemExit(f"the labelled set needs the font {path}: apt-get install {PACKAGES[path.parent.name]}")
    font = pymupdf.Font(fontfile=str(path))
    glyphs = {c: (glyph, font.glyph_advance(ord(c))) for c in letters_in_use(script) if (glyph := font.has_glyph(ord(c)))}
    glyphs.setdefault(" ", (3, 0.3))
    document = pymupdf.open()
    page = document.new_page()
    page.insert_font(fontname="F", fontbuffer=font.buffer)
    content = document.get_new_xref()
    document.update_object(content, "<<>>")
    document.update_stream(content, f"BT /F 9 Tf <{''.join(f'{glyph:04x}' for glyph, _ in glyphs.values())}> Tj ET".encode())
    document.xref_set_key(page.xref, "Contents", f"{content} 0 R")
    document = pymupdf.open("pdf", document.tobytes())
    document.subset_fonts()
    data = document.extract_font(document[0].get_fonts()[0][0])[3]
    return Face(name=path.stem, data=data, glyphs=glyphs)


def faces_of(script: str, rng: random.Random) -> tuple[Face, Face]:
    """(the font of a document's text, the one for Latin letters and digits that it lacks)."""
    return face(rng.choice(FILES[script]), script), face(PLAIN_FONT, "latin")


@cache
def _forms() -> dict[tuple[str, str], str]:
    """Arabic presentation forms by letter and position (`isolated`, `final`, `initial`, `medial`)."""
    found = {}
    for code in (*MORE_ARABIC_FORMS, *ARABIC_FORMS):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2:
            found[chr(int(parts[1], 16)), parts[0].strip("<>")] = chr(code)
    return found


def shaped(text: str, known: Face) -> list[tuple[str, str]]:
    """(glyph's letter, letter of the text) in reading order: Arabic letters in the forms that their neighbours ask for."""
    forms, pairs = _forms(), list[tuple[str, str]]()
    for place, letter in enumerate(text):
        if (letter, "isolated") not in forms:
            pairs.append((letter, letter))
            continue
        before = place > 0 and (text[place - 1], "initial") in forms and text[place - 1] not in _RIGHT_JOINING
        after = place + 1 < len(text) and (text[place + 1], "final") in forms and (letter, "initial") in forms and letter not in _RIGHT_JOINING
        position = {(False, False): "isolated", (True, False): "final", (False, True): "initial", (True, True): "medial"}[before, after]
        form = forms.get((letter, position), letter)
        pairs.append((form if form in known.glyphs else letter, letter))
    return pairs
