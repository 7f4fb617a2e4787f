"""What all made documents share: a random setting (language, paper, type, rules) and the parts that any of them may have."""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.bench.joins.drawing import Book, Paper, face
from tests.bench.joins.tables import Breaks, Style, Table, least_widths, roomy
from tests.bench.joins.values import Language, amount, cell, language, prose

SIZES = ((595, 842), (612, 792), (420, 595), (842, 595), (612, 1008), (500, 700))
"""A4, Letter, A5, landscape A4, Legal, a book."""
KINDS_OF_COLUMNS = ("name", "code", "amount", "count", "share", "date", "words", "sparse")
NUMERIC = frozenset({"serial", "amount", "count", "share"})
SMALLEST = 5.5
"""Points of the smallest type."""
RULINGS = ("grid", "grid", "grid", "horizontal", "frame", "booktabs", "bands")


@dataclass
class Made:
    """A document with its truth. `tables` stand in order; `failed` and `recognized` are pages to be treated so after reading."""

    kind: str
    dice: Random
    language: Language
    book: Book
    style: Style
    tables: list[Table] = field(default_factory=list)
    failed: set[int] = field(default_factory=set)
    recognized: set[int] = field(default_factory=set)
    counter: int = 0

    def save(self, path: Path) -> int:
        """Writes the PDF; returns its pages."""
        self.book.finish()
        self.book.document.save(path)
        pages = len(self.book.document)
        self.book.document.close()
        return pages

    def caption(self, number: int, *, words: str = "", continued: bool = False) -> str:
        """A table's caption in the language."""
        text = self.language.caption.format(number) + (words or prose(self.dice, self.language, 1))
        return self.language.continued.format(text.rstrip(".。 ")) if continued else text


def begin(kind: str, dice: Random, *, unspaced: bool = False, columns: int = 1, size_pt: tuple[int, int] | None = None) -> Made:
    """An empty document in a random setting, its first page begun."""
    of = language(dice, unspaced=unspaced)
    width, height = size_pt or (dice.choice(SIZES) if columns == 1 else (595, 842))
    margin = dice.randint(40, 70)
    paper = Paper(width, height, dice.randint(55, 80), dice.randint(55, 80), margin, margin)
    size = dice.choice((8.5, 9.5, 10, 11))
    book = Book(paper, face(dice, of.script), size, columns=columns)
    if dice.random() < 0.7:
        book.head = prose(dice, of, 1)[:40]
    if dice.random() < 0.8:
        book.foot = dice.choice(("{}", "- {} -", "{} / 99"))
    style = Style(
        ruling=dice.choice(RULINGS), size=size * dice.choice((0.85, 0.95, 1.0)), bold_header=of.script not in ("han", "kana", "hangul"),
        filled_header=dice.random() < 0.3, line_pt=dice.choice((0.4, 0.7, 1.0)),
    )  # fmt: skip
    book.next_page()
    return Made(kind, dice, of, book, style)


def introduce(made: Made, *, heading: bool = True) -> None:
    """A heading and some prose before what follows."""
    if heading:
        made.counter += 1
        made.book.text(f"{made.counter}. {made.dice.choice(made.language.nouns)}", size=made.book.size * 1.4, bold=True)
    made.book.text(prose(made.dice, made.language, made.dice.randint(1, 4)))


def columns_of(made: Made, count: int | None = None, first: str | None = None) -> list[str]:
    """Kinds of columns: a key first, then at least one with numbers."""
    count = count or made.dice.randint(3, 6)
    kinds = [first or made.dice.choice(("serial", "name", "code"))]
    kinds += [made.dice.choice(KINDS_OF_COLUMNS) for _ in range(count - 2)] + [made.dice.choice(("amount", "count"))]
    return kinds


def table_of(
    made: Made, kinds: list[str], rows: int, *, headless: bool = False, breaks: Breaks | None = None, heads: list[str] | None = None
) -> Table:
    """A table of `rows` data rows over the width of a column."""
    dice, of = made.dice, made.language
    header = heads or dice.sample(of.heads, len(kinds)) if len(kinds) <= len(of.heads) else [f"{of.heads[0]} {n}" for n in range(len(kinds))]
    start = dice.randint(0, 3)
    data = [[cell(dice, of, kind, start + row) for kind in kinds] for row in range(rows)]
    weights = [{"serial": 0.6, "text": 3.0, "words": 1.8, "name": 1.6}.get(kind, 1.2) for kind in kinds]
    share = dice.uniform(0.8, 1.0) if len(kinds) > 3 else dice.uniform(0.6, 1.0)
    rows_of_all = data if headless else [header, *data]
    widths = _widths(made, rows_of_all, weights, made.book.frame.width * share)
    right = frozenset(i for i, kind in enumerate(kinds) if kind in NUMERIC) if dice.random() < 0.6 else frozenset()
    return Table(
        header_rows=0 if headless else 1,
        rows=rows_of_all,
        widths=widths,
        style=made.style,
        breaks=breaks or Breaks(),
        right=right,
    )


def _widths(made: Made, rows: list[list[str]], weights: list[float], width: float) -> list[float]:
    """Widths of columns by their weights; smaller type where the words have no room on the page."""
    frame, style = made.book.frame.width, made.style
    while sum(least := least_widths(made.book, rows, style)) > frame and style.size > SMALLEST:
        style.size *= 0.92
    return roomy([width * weight / sum(weights) for weight in weights], least, frame)


def rows_over(made: Made, pages: float) -> int:
    """About how many one-line rows fill so many frames."""
    return max(4, int(pages * made.book.frame.height / (made.style.size * 1.2 + 6)))


def total_row(made: Made, columns: int, label: str | None = None) -> list[str]:
    """A row of sums: a label, gaps, an amount."""
    return [label or made.language.total, *[""] * (columns - 2), amount(made.dice, made.language)]
