"""Documents with tables on both sides of a break that are not one table: one function for each way. None may be joined."""

from collections.abc import Callable
from random import Random

from tests.bench.joins.making import Made, begin, columns_of, introduce, rows_over, table_of, total_row
from tests.bench.joins.tables import Table, draw_table
from tests.bench.joins.values import phrase, prose


def _draw(made: Made, *tables: Table) -> Made:
    for table in tables:
        draw_table(made.book, table)
        made.tables.append(table)
    return made


def _alike(made: Made, *, fill: float = 0.9, count: int = 2, kinds: list[str] | None = None) -> list[Table]:
    """Tables of the same columns and header, the first as long as what is left of its page."""
    kinds = kinds or columns_of(made)
    rows = int(fill * made.book.left_below / (made.style.size * 1.2 + 6)) - 3
    first = table_of(made, kinds, max(4, rows))
    others = [table_of(made, kinds, max(4, rows_over(made, made.dice.uniform(0.3, 0.8))), heads=first.rows[0]) for _ in range(count - 1)]
    for other in others:
        other.widths, other.right = first.widths, first.right
    return [first, *others]


def captions_differ(dice: Random) -> Made:
    """Like tables on facing pages, each with its own number."""
    made = begin("captions differ", dice)
    for number, table in enumerate(_alike(made, count=dice.randint(2, 3)), 1):
        if number > 1:
            made.book.next_page()
        made.book.text(made.caption(number, words=phrase(dice, made.language, 4)), bold=dice.random() < 0.5, gap=5)
        _draw(made, table)
    return made


def captions_below(dice: Random) -> Made:
    """The same with captions below their tables."""
    made = begin("captions below differ", dice)
    for number, table in enumerate(_alike(made, fill=0.8, count=dice.randint(2, 3)), 1):
        if number > 1:
            made.book.next_page()
        _draw(made, table)
        made.book.text(made.caption(number, words=phrase(dice, made.language, 4)), gap=5)
    return made


def heading_between(dice: Random) -> Made:
    """A heading stands above the second one."""
    made = begin("heading between", dice)
    for number, table in enumerate(_alike(made), 1):
        if number > 1:
            made.book.next_page()
        made.book.text(f"{number}. {dice.choice(made.language.nouns)}", size=made.book.size * 1.4, bold=True)
        _draw(made, table)
    return made


def prose_between(dice: Random) -> Made:
    """Prose stands below the first one or above the second."""
    made = begin("prose between", dice)
    below = dice.random() < 0.5
    first, second = _alike(made, fill=0.75 if below else 0.9)
    _draw(made, first)
    if below:
        made.book.text(prose(dice, made.language, 2))
    made.book.next_page()
    if not below:
        made.book.text(prose(dice, made.language, 2))
    return _draw(made, second)


def other_header(dice: Random) -> Made:
    """The same columns under another header."""
    made = begin("another header", dice)
    kinds = ["name", "amount", "count", "amount"]
    first, second = _alike(made, kinds=kinds)
    second.rows[0] = [f"{a}" for a in dice.sample([h for h in made.language.heads if h not in first.rows[0]], 4)]
    _draw(made, first)
    made.book.next_page()
    return _draw(made, second)


def total_then_header(dice: Random) -> Made:
    """The first one ends with a total, the second begins with its own header."""
    made = begin("total, then a header", dice)
    kinds = ["name", *columns_of(made, dice.randint(3, 4), first="count")]
    first, second = _alike(made, kinds=kinds)
    first.rows.append(total_row(made, len(kinds)))
    others = [h for h in made.language.heads if h not in first.rows[0]]
    second.rows[0] = dice.sample(others, len(kinds)) if len(others) >= len(kinds) else second.rows[0][::-1]
    _draw(made, first)
    made.book.next_page()
    return _draw(made, second)


def restarts(dice: Random) -> Made:
    """The first one ends with a total; the second has the same header and counts its rows from 1 again."""
    made = begin("numbers begin again", dice)
    kinds = columns_of(made, first="serial")
    first, second = _alike(made, kinds=kinds)
    for table in (first, second):
        for number, row in enumerate(table.rows[1:], 1):
            row[0] = str(number)
        table.rows.append(total_row(made, len(kinds)))
    _draw(made, first)
    made.book.next_page()
    return _draw(made, second)


def sideways(dice: Random) -> Made:
    """The same rows go on with further columns; the caption may say that it is continued."""
    made = begin("sideways", dice)
    kinds = ["name", "amount", "count", "amount"]
    first, second = _alike(made, kinds=kinds)
    stubs = [f"{dice.choice(made.language.nouns)} {n}" for n in range(1, 60)]
    for table in (first, second):
        table.rows[1:] = [[stub, *row[1:]] for stub, row in zip(stubs, (first.rows[1:] * 9)[: len(first.rows) - 1], strict=False)]
    second.rows[0] = [first.rows[0][0], *dice.sample([h for h in made.language.heads if h not in first.rows[0]], 3)]
    says = dice.random() < 0.6
    words = phrase(dice, made.language, 4)
    if says:
        made.book.text(made.caption(3, words=words), gap=5)
        del first.rows[-3:], second.rows[-3:]
    _draw(made, first)
    made.book.next_page()
    if says:
        made.book.text(made.caption(3, words=words, continued=True), gap=5)
    return _draw(made, second)


def space_below(dice: Random) -> Made:
    """The first one ends high on its page with nothing below, and the next page begins with another one."""
    made = begin("space below", dice)
    kinds = ["name", "amount", "count", "amount"]
    first, second = _alike(made, fill=0.4, kinds=kinds)
    if dice.random() < 0.7:
        second.rows[0] = dice.sample([h for h in made.language.heads if h not in first.rows[0]], 4)
    else:
        second.widths = second.widths[::-1]
        second.rows[0] = second.rows[0][::-1]
    _draw(made, first)
    made.book.next_page()
    _draw(made, second)
    made.book.next_page()
    introduce(made)
    made.book.text(prose(dice, made.language, 40))
    return made


def other_columns(dice: Random) -> Made:
    """Other columns at other places."""
    made = begin("other columns", dice)
    (first,) = _alike(made, count=1)
    second = table_of(made, columns_of(made, len(first.widths) + dice.choice((2, 3))), rows_over(made, 0.5))
    _draw(made, first)
    made.book.next_page()
    return _draw(made, second)


def other_year(dice: Random) -> Made:
    """The header is the same but for its year."""
    made = begin("another year", dice)
    kinds = ["name", "amount", "count", "amount"]
    first, second = _alike(made, kinds=kinds)
    year = dice.randint(1999, 2022)
    heads = first.rows[0][1:]
    for offset, table in enumerate((first, second)):
        table.rows[0] = [first.rows[0][0], *(f"{head} {year + offset}" for head in heads)]
    _draw(made, first)
    made.book.next_page()
    return _draw(made, second)


def forms(dice: Random) -> Made:
    """One form a page, each with its own number and the same table."""
    made = begin("forms", dice)
    kinds = columns_of(made, first="serial")
    word = dice.choice(made.language.nouns)
    for number, table in enumerate(_alike(made, fill=0.7, count=3, kinds=kinds), 1):
        if number > 1:
            made.book.next_page()
        made.book.text(f"{word} {dice.randint(1000, 9999)}-{number}", bold=True, size=made.book.size * 1.2)
        made.book.text(prose(dice, made.language, 1))
        table.rows.append(total_row(made, len(kinds)))
        _draw(made, table)
    return made


def titles(dice: Random) -> Made:
    """Each has a short title without a number."""
    made = begin("titles without numbers", dice)
    nouns = dice.sample(made.language.nouns, 3)
    for noun, table in zip(nouns, _alike(made, count=3), strict=True):
        if noun is not nouns[0]:
            made.book.next_page()
        made.book.text(noun + " " + phrase(dice, made.language, 2), bold=True, gap=5)
        _draw(made, table)
    return made


def in_columns(dice: Random) -> Made:
    """Two tables in the two columns of a page, each with its caption."""
    made = begin("two columns, two tables", dice, columns=2)
    made.style.ruling = dice.choice(("grid", "grid", "horizontal", "frame"))
    for number, table in enumerate(_alike(made, fill=0.8, kinds=columns_of(made, 3)), 1):
        if number > 1:
            made.book.next_frame()
        made.book.text(made.caption(number, words=phrase(dice, made.language, 3)), gap=5)
        _draw(made, table)
    introduce(made)
    return made


def source_between(dice: Random) -> Made:
    """A source line closes the first one; the second has its own header."""
    made = begin("source between", dice)
    kinds = ["name", "amount", "count", "amount"]
    first, second = _alike(made, fill=0.85, kinds=kinds)
    second.rows[0] = dice.sample([h for h in made.language.heads if h not in first.rows[0]], 4)
    _draw(made, first)
    made.book.text(made.language.source, size=made.book.size * 0.85)
    made.book.next_page()
    return _draw(made, second)


def recognized(dice: Random) -> Made:
    """One page was read by a model, and captions differ."""
    made = captions_differ(dice)
    made.kind = "captions differ, recognized"
    made.recognized = {dice.choice((1, 2))}
    return made


def series(dice: Random) -> Made:
    """Key columns of the same words under the same header: one table for each year, with its caption continued nowhere."""
    made = begin("series of years", dice)
    first, second = _alike(made, kinds=["name", "amount", "count"])
    year = dice.randint(1990, 2020)
    for offset, table in enumerate((first, second)):
        if offset:
            made.book.next_page()
        made.book.text(f"{phrase(dice, made.language, 2)}, {year + offset}", bold=True, gap=5)
        _draw(made, table)
    return made


KINDS: tuple[Callable[[Random], Made], ...] = (
    captions_differ, captions_below, heading_between, prose_between, other_header, total_then_header, restarts, sideways, space_below,
    other_columns, other_year, forms, titles, in_columns, source_between, recognized, series,
)  # fmt: skip
"""Every way in which tables only look as if they were one."""
