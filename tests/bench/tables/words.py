"""Words of several scripts for made pages: syllables put together, so that no text is copied from anywhere."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pymupdf

NOTO = Path("/usr/share/fonts/truetype/noto")


@dataclass(frozen=True)
class Script:
    """A script: its syllables, whether spaces part its words, and the font file that draws it (empty: one that comes with PyMuPDF)."""

    name: str
    syllables: Sequence[str]
    spaced: bool = True
    file: str = ""

    def font(self, bold: bool = False) -> pymupdf.Font:
        """The font, from Debian's fonts-noto-core where PyMuPDF has none."""
        return _font(self.file, bold)


@cache
def _font(file: str, bold: bool) -> pymupdf.Font:
    if not file:
        return pymupdf.Font("hebo" if bold else "helv")
    if file == "cjk":
        return pymupdf.Font("cjk")
    path = NOTO / f"{file}-{'Bold' if bold else 'Regular'}.ttf"
    if not path.exists():
        raise SystemExit(f"the font {path.name} is missing: install the Debian package fonts-noto-core")
    return pymupdf.Font(fontfile=str(path))


SCRIPTS = (
    Script(
        "latin", ["ta", "re", "mon", "sil", "var", "ken", "do", "pla", "stri", "ga", "lu", "ren", "ness", "ti", "ver", "an", "co", "mer", "lin", "os"]
    ),
    Script(
        "latin",
        ["schaft", "un", "ver", "keit", "ein", "stra", "ge", "ben", "wal", "der", "hof", "ran", "mit", "tung", "lich", "ober"],
        file="NotoSerif",
    ),
    Script("cyrillic", ["ста", "про", "ко", "ри", "вал", "ден", "ство", "на", "мир", "гор", "ли", "тель", "вка", "ре", "по", "за"], file="NotoSans"),
    Script("greek", ["κα", "τα", "λο", "γος", "μα", "στη", "ρι", "ον", "πε", "δι", "νο", "σης", "βα", "λει"], file="NotoSans"),
    Script("cjk", list("年度報告收入支出合計項目人口地區數量平均增長企業部門銷售成本利潤資產負債現金投資教育"), spaced=False, file="cjk"),
)


def phrase(rng: random.Random, script: Script, words: int) -> str:
    """A few words, the first with a capital where the script has them."""
    if not script.spaced:
        return "".join(rng.choice(script.syllables) for _ in range(2 * words + rng.randint(0, 1)))
    made = " ".join("".join(rng.choice(script.syllables) for _ in range(rng.randint(2, 3))) for _ in range(words))
    return made[0].upper() + made[1:]


def sentence(rng: random.Random, script: Script) -> str:
    """A sentence of prose."""
    return phrase(rng, script, rng.randint(8, 18)) + ("." if script.spaced else "。")


def number(rng: random.Random) -> str:
    """A number as tables have them."""
    kind = rng.randrange(6)
    if kind == 0:
        return str(rng.randint(0, 999))
    if kind == 1:
        return f"{rng.randint(1, 99)},{rng.randint(0, 999):03d}"
    if kind == 2:
        return f"{rng.uniform(0, 100):.1f}%"
    if kind == 3:
        return f"({rng.randint(1, 999)})"
    if kind == 4:
        return rng.choice(("–", "-", "n/a", str(rng.randint(1, 9))))
    return f"{rng.uniform(-10, 200):.2f}"
