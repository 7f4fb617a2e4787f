"""Letter statistics of a text: how likely its pairs of letters are in the language that fits best.

Promise: pure and dictionary-free; measures, does not decide. Counts pairs of letters inside words under small tables for the languages of five
scripts (`letter_pairs.json`; its origin is in `tests/bench/build_letter_pairs.py`), and, for Han and Hangul, very common characters.
Other scripts, numbers and symbols are not judged, so that they never look bad for being rare. Must not know pages, fonts or PDF.

Method: mean negative log-likelihood per letter pair, as in language identification by n-grams (Cavnar and Trenkle 1994).
"""

import functools
import json
import unicodedata
from importlib.resources import files

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

Codes = NDArray[np.uint16]
"""UTF-16 units: letters outside the first plane are two that belong to no script."""

SHORTEST_WORD = 3
"""Letters; shorter runs are initials, units and variables of formulas, which follow no language."""
RUN = 4
BMP = 0x10000
RANGES = {
    "latin": ((0x41, 0x250), (0x1E00, 0x1F00), (0xFB00, 0xFB07)),
    "greek": ((0x370, 0x400), (0x1F00, 0x2000)),
    "cyrillic": ((0x400, 0x530),),
    "hebrew": ((0x590, 0x600), (0xFB1D, 0xFB50)),
    "arabic": ((0x600, 0x700), (0xFB50, 0xFE00), (0xFE70, 0xFEFD)),
}
"""Where each script's letters are; the tables cover no others."""
STROKED = {"ß": "s", "ς": "σ", "æ": "a", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "t", "ı": "i", "œ": "o", "ی": "ي", "ى": "ي"}
KEPT = "йї"
"""Letters of their own although Unicode takes them apart."""

COMMON_HAN = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前"
    "开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海"
    "通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听"
    "白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运"
    "個們來為國說時會對過發後裡經麼學現當沒動還進樣無與長機關點業將兩間問應戰頭體見產話給門員東聲題爾別變總電數報結務場計資統區隊決馬書則聽達強難權設記覺術領確傳師觀識帶導爭運從實軍條處義認氣"
    "会年本中長出同時政事自行社見月分議後前民生連発間対部東者党地合市業内相方定今回新場金員選立開手米問高代明実円関子動京全目表戦経通外最言氏現理調体化田当約主題下首意法性要用制治度務強気成期公持野協取"
    "都統以機平総加思家話世受区領県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判画海参売利組知案道信策集在件団別物側任引使求所次水品"
    "料款资额债负税股份减润购损存款收付期末余额价值费银单位项投固流币比例增应预收入支出成本营票息租货董监审披露"
)
"""Hand-entered from published rankings of common characters (modern Chinese, traditional forms, Japanese newspapers, business Chinese)."""
COMMON_HANGUL = frozenset(
    "이의다는에로하한기을서가은지사으년대리시스인고일국도자를어아전부제라정해세나들동주장성보수상학과와원공조미여그구선유소진비관경화신만방계안연요되있및적위트었했게치"
    "개체내재생용등분업발문법민현행면물단교무본금간산마모까당후중명거할라른통합"
)
"""Hand-entered: the commonest syllables of Korean prose."""


class Likelihood(Struct, frozen=True, kw_only=True):
    """How well a text fits. `nats`: mean -ln P of its letter pairs under the best language, lower is likelier; 0 when `pairs` is 0.

    `letters`: of that script, `short` of them alone or in twos; `others`: letters of the other scripts, which were not judged.
    """

    script: str = ""
    language: str = ""
    pairs: int = 0
    nats: float = 0.0
    letters: int = 0
    short: int = 0
    others: int = 0


class _Tables(Struct, frozen=True):
    """Lookup by code point (up to U+FFFF) and the costs: `costs[script]` is (languages, n * n) in nats."""

    script_of: NDArray[np.uint8]
    letter_of: NDArray[np.uint8]
    scripts: tuple[str, ...]
    languages: tuple[tuple[str, ...], ...]
    sizes: tuple[int, ...]
    costs: tuple[NDArray[np.float32], ...]


def _fold(code: int) -> str:
    """The base letter of a code point: lower case, no accents, presentation forms undone."""
    lower = unicodedata.normalize("NFKC", chr(code)).lower()
    if not lower:
        return ""
    lower = STROKED.get(lower[0], lower[0])
    lower = lower if lower in KEPT else unicodedata.normalize("NFD", lower)[0]
    return STROKED.get(lower, lower)


@functools.cache
def _tables() -> _Tables:
    """Loads the tables once a process, about 10 ms; not at import."""
    data = json.loads(files(__package__).joinpath("letter_pairs.json").read_text(encoding="utf-8"))
    script_of, letter_of = np.zeros(BMP, np.uint8), np.zeros(BMP, np.uint8)
    languages, sizes, costs = [], [], []
    for number, (script, table) in enumerate(data.items(), start=1):
        index = {STROKED.get(letter, letter): place + 1 for place, letter in enumerate(table["alphabet"])}
        for first, last in RANGES[script]:
            for code in range(first, last):
                if place := index.get(_fold(code), 0):
                    script_of[code], letter_of[code] = number, place
        rows = [np.frombuffer(text.encode("ascii"), np.uint8) for text in table["languages"].values()]
        costs.append(((np.array(rows).astype(np.float32) - 35) / 10).astype(np.float32))
        sizes.append(len(table["alphabet"]) + 1)
        languages.append(tuple(table["languages"]))
    return _Tables(script_of, letter_of, tuple(data), tuple(languages), tuple(sizes), tuple(costs))


def language_costs(script: str) -> NDArray[np.float32]:
    """Nats of each pair of letters in each language of a script, (languages, n, n); letter 0 is the edge of a word."""
    tables = _tables()
    number = tables.scripts.index(script)
    return tables.costs[number].reshape(-1, tables.sizes[number], tables.sizes[number])


def letters_of(codes: Codes, script: str) -> NDArray[np.uint8]:
    """The number of each letter in the tables of a script; 0 for all that is none of its letters."""
    tables = _tables()
    letters = tables.letter_of.take(codes)
    return np.where(tables.script_of.take(codes) == tables.scripts.index(script) + 1, letters, 0).astype(np.uint8)


def codes_of(text: str) -> Codes:
    """A text as an array of UTF-16 units."""
    return np.frombuffer(text.encode("utf-16-le", "surrogatepass"), "<u2").astype(np.uint16, copy=False)


def in_runs(codes: Codes) -> NDArray[np.bool_]:
    """Which codes stand four times in a row or more: dots that lead the eye, rules and blanks, whatever their code."""
    found = np.zeros(len(codes), np.bool_)
    same = codes[1:] == codes[:-1]
    runs = (same[:-2] & same[1:-1] & same[2:]).nonzero()[0]
    for step in range(RUN if len(runs) else 0):
        found[runs + step] = True
    return found


class PairCosts(Struct, frozen=True):
    """The pairs of letters of a text, in its main script. `letters` (n + 2): number of each letter with an edge at both ends, 0 for edges and
    others."""

    script: str
    number: int
    letters: NDArray[np.intp]
    total: int
    others: int

    @property
    def size(self) -> int:
        """Letters of the script with the edge."""
        return _tables().sizes[self.number]

    def pairs(self) -> NDArray[np.intp]:
        """The number of each pair in the tables; pair i is of letters i and i + 1."""
        found: NDArray[np.intp] = self.letters[:-1] * self.size + self.letters[1:]
        return found

    def histogram(self, least: int) -> NDArray[np.float32]:
        """How often each letter follows each other one inside words of at least so many letters, (size, size); row and column 0 are the edge."""
        letters = self.letters.copy()
        edges = (letters == 0).nonzero()[0]
        lengths = edges[1:] - edges[:-1]
        short = (lengths > 1) & (lengths <= least)
        starts, sizes = edges[:-1][short], lengths[short]
        for step in range(1, least):  # a shorter word ends before; its edge is 0 already
            letters[starts + np.minimum(step, sizes)] = 0
        found: NDArray[np.float32] = np.bincount(letters[:-1] * self.size + letters[1:], minlength=self.size**2).astype(np.float32)
        found[0] = 0
        return found.reshape(self.size, self.size)

    def words(self, least: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
        """(start in the text, letters, mean nats a pair) of each word of at least so many letters, under the language that fits the text best."""
        edges = (self.letters == 0).nonzero()[0]
        spans = edges[1:] - edges[:-1]
        chosen = spans > least
        starts, pairs = edges[:-1][chosen], spans[chosen]
        costs = _tables().costs[self.number]
        numbers = self.pairs()
        histogram = np.bincount(numbers, minlength=costs.shape[1]).astype(np.float32)
        histogram[0] = 0
        summed = np.concatenate((np.zeros(1, np.float32), np.cumsum(costs[int((costs @ histogram).argmin())].take(numbers))))
        return starts, pairs - 1, (summed[starts + pairs] - summed[starts]) / pairs

    def best_mean(self, start: int, length: int) -> float:
        """Mean nats a pair of one word under the language that fits that word best."""
        word = self.letters[start : start + length + 2]
        found = _tables().costs[self.number][:, word[:-1] * _tables().sizes[self.number] + word[1:]]
        return float(np.minimum.reduce(np.add.reduce(found, axis=1) / np.float32(found.shape[1])))  # as `mean` and `min` do, for a word at a time


def pair_costs(codes: Codes) -> PairCosts | None:
    """The letters of the script that most of a text's letters belong to; None for a text without any."""
    tables = _tables()
    scripts = tables.script_of.take(codes)
    counts = np.bincount(scripts, minlength=len(tables.scripts) + 1)[1:]
    number = int(counts.argmax())
    total = int(counts[number])
    if not total:
        return None
    others = int(counts.sum()) - total
    # An edge at both ends, and every other character counts as an edge of a word.
    letters = np.zeros(len(codes) + 2, np.intp)
    inner = tables.letter_of.take(codes)
    letters[1:-1] = inner if not others else np.where(scripts == number + 1, inner, 0)
    return PairCosts(tables.scripts[number], number, letters, total, others)


def likelihood(codes: Codes) -> Likelihood:
    """Judges the script that most letters belong to, by the pairs inside its words of three letters or more."""
    return likelihood_of(pair_costs(codes))


def likelihood_of(text: PairCosts | None) -> Likelihood:
    """The same of a text whose letters are looked up already; None is a text without any."""
    if text is None:
        return Likelihood()
    tables, histogram = _tables(), text.histogram(SHORTEST_WORD).reshape(-1)
    pairs = int(histogram.sum())
    edges = (text.letters == 0).nonzero()[0]
    lengths = edges[1:] - edges[:-1]
    short = int((lengths[lengths <= SHORTEST_WORD] - 1).sum())
    found = Likelihood(script=text.script, letters=text.total, short=short, others=text.others)
    if not pairs:
        return found
    costs = tables.costs[text.number] @ histogram / pairs
    best = int(costs.argmin())
    return replace(found, language=tables.languages[text.number][best], pairs=pairs, nats=float(costs[best]))


@functools.cache
def _common() -> NDArray[np.bool_]:
    """Which code points are very common Han or Hangul characters."""
    table = np.zeros(BMP, np.bool_)
    table[[ord(letter) for letter in COMMON_HAN | COMMON_HANGUL]] = True
    return table


def common_share(codes: Codes) -> tuple[int, float]:
    """How many Han and Hangul characters a text has, and which share of them is very common: 0.3-0.7 in real text, below 0.05 in garble."""
    judged = codes[((codes >= 0x4E00) & (codes <= 0x9FFF)) | ((codes >= 0xAC00) & (codes <= 0xD7A3))]
    return len(judged), float(_common()[judged].mean()) if len(judged) else 1.0
