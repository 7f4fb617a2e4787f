"""Documents whose tables go on over a break: one function for each way in which they do. All of them must come out whole."""

from collections.abc import Callable
from random import Random

from tests.bench.joins.making import Made, begin, columns_of, introduce, rows_over, table_of, total_row
from tests.bench.joins.tables import Breaks, Span, Table, draw_table
from tests.bench.joins.values import amount, cell, phrase


def _put(made: Made, table: Table, *, caption: bool | None = None, after: bool | None = None) -> Made:
    """Prose, a caption, the table, prose."""
    if made.dice.random() < 0.7:
        introduce(made)
    if caption if caption is not None else made.dice.random() < 0.6:
        made.book.text(made.caption(made.dice.randint(1, 9)), bold=made.dice.random() < 0.4, gap=5)
    draw_table(made.book, table)
    made.tables.append(table)
    if after if after is not None else made.dice.random() < 0.6:
        introduce(made, heading=made.dice.random() < 0.3)
    return made


def _plain(kind: str, dice: Random, breaks: Breaks, *, pages: float | None = None, headless: bool = False) -> Made:
    made = begin(kind, dice)
    pages = pages or dice.uniform(1.2, 3.2)
    return _put(made, table_of(made, columns_of(made), rows_over(made, pages), headless=headless, breaks=breaks))


def repeated_header(dice: Random) -> Made:
    """The header is printed again on every page."""
    return _plain("repeated header", dice, Breaks(closed=dice.random() < 0.7))


def header_once(dice: Random) -> Made:
    """The header is printed on the first page only."""
    return _plain("header once", dice, Breaks(repeat="none", closed=dice.random() < 0.6))


def headless(dice: Random) -> Made:
    """There is no header at all."""
    return _plain("no header", dice, Breaks(repeat="none", closed=dice.random() < 0.6), headless=True)


def continued_caption(dice: Random) -> Made:
    """The caption is printed again with a word that says so."""
    made = begin("continued caption", dice)
    words = phrase(dice, made.language, 4)
    breaks = Breaks(repeat=dice.choice(("all", "none")), again=made.caption(4, words=words, continued=True))
    table = table_of(made, columns_of(made), rows_over(made, dice.uniform(1.2, 3)), breaks=breaks)
    introduce(made)
    made.book.text(made.caption(4, words=words), bold=True, gap=5)
    return _put(made, table, caption=False)


def repeated_title(dice: Random) -> Made:
    """The same title stands above every part, and nothing says that it goes on."""
    made = begin("repeated title", dice)
    title = made.caption(2, words=phrase(dice, made.language, 4)) if dice.random() < 0.5 else phrase(dice, made.language, 4)
    table = table_of(made, columns_of(made), rows_over(made, dice.uniform(1.2, 3)), breaks=Breaks(again=title))
    made.book.text(title, bold=True, gap=6)
    draw_table(made.book, table)
    made.tables.append(table)
    return made


def totals(dice: Random) -> Made:
    """Subtotals inside, a total at the end; a part may end with one."""
    made = begin("totals", dice)
    kinds = columns_of(made)
    per_page = rows_over(made, 0.8)
    table = table_of(made, kinds, per_page * dice.randint(2, 3), breaks=Breaks(repeat=dice.choice(("all", "none"))))
    step = dice.randint(5, 9)
    body = table.rows[1:]
    for place in range(len(body) - len(body) % step, 0, -step):
        body.insert(place, total_row(made, len(kinds)))
    table.rows[1:] = [*body, total_row(made, len(kinds))]
    return _put(made, table)


def carried_forward(dice: Random) -> Made:
    """Every part ends with the sum carried forward and the next begins with it."""
    made = begin("carried forward", dice)
    kinds = columns_of(made)
    per_page = rows_over(made, 0.75)
    table = table_of(made, kinds, per_page * 2 + 5, breaks=Breaks(repeat=dice.choice(("all", "none")), rows_per_frame=per_page + 1))
    carried, brought = made.language.carried
    body, rows = table.rows[1:], []
    for start in range(0, len(body), per_page - 1):
        chunk = body[start : start + per_page - 1]
        value = amount(dice, made.language)
        rows += [*chunk, [carried, *[""] * (len(kinds) - 2), value], [brought, *[""] * (len(kinds) - 2), value]]
    table.rows[1:] = rows[:-2]
    table.rows.insert(1, [brought, *[""] * (len(kinds) - 2), amount(dice, made.language)])
    draw_table(made.book, table)
    made.tables.append(table)
    return made


def shifted(dice: Random) -> Made:
    """Odd and even pages have other margins."""
    made = begin("odd and even margins", dice)
    made.book.paper.inner += dice.randint(15, 50)
    repeat = dice.choice(("all", "none"))
    return _put(made, table_of(made, columns_of(made), rows_over(made, dice.uniform(1.5, 3)), breaks=Breaks(repeat=repeat)))


def empty_column(dice: Random) -> Made:
    """A column is empty on the later pages."""
    made = begin("empty column", dice)
    kinds = columns_of(made, dice.randint(4, 6))
    table = table_of(made, kinds, rows_over(made, 2.4), breaks=Breaks(repeat=dice.choice(("all", "none"))))
    column = dice.randint(1, len(kinds) - 2)
    for row in table.rows[rows_over(made, 0.5) :]:
        row[column] = ""
    return _put(made, table)


def _cut(kind: str, dice: Random, rulings: tuple[str, ...], *, unspaced: bool = False, more: tuple[str, ...] = ()) -> Made:
    """Rows of several lines on low pages: nearly every break cuts one."""
    made = begin(kind, dice, unspaced=unspaced, size_pt=(595, 420))
    made.style.ruling = dice.choice(rulings)
    kinds = [dice.choice(("serial", "code", "name")), "text", *more, dice.choice(("amount", "date"))]
    breaks = Breaks(repeat=dice.choice(("all", "none")), cut_rows=True, closed=dice.random() < 0.5)
    return _put(made, table_of(made, kinds, dice.randint(18, 36), breaks=breaks))


def cut_rows(dice: Random) -> Made:
    """Rows of several lines are cut between their lines."""
    return _cut("cut row", dice, ("grid", "grid", "horizontal", "frame"))


def cut_rows_unspaced(dice: Random) -> Made:
    """The same where words are not spaced."""
    return _cut("cut row, unspaced script", dice, ("grid", "grid", "horizontal", "frame"), unspaced=True)


def cut_rows_unruled(dice: Random) -> Made:
    """The same where no rule stands between rows."""
    return _cut("cut row, no rules", dice, ("booktabs", "bands"))


def cut_rows_of_texts(dice: Random) -> Made:
    """Two cells of a row, or three, run over the break."""
    return _cut("cut row, several texts", dice, ("grid", "horizontal", "frame"), more=dice.choice((("text",), ("text", "words"), ("text", "sparse"))))


def chain(dice: Random) -> Made:
    """Many pages."""
    made = begin("long chain", dice, size_pt=(480, 320))
    repeat = dice.choice(("all", "none"))
    return _put(made, table_of(made, columns_of(made), 12 * dice.randint(10, 25), breaks=Breaks(repeat=repeat)))


def failed_link(dice: Random) -> Made:
    """One page in the middle cannot be read: what stands before and behind it is whole, and they are apart."""
    made = begin("failed link", dice, size_pt=(595, 420))
    table = table_of(made, columns_of(made), 90, breaks=Breaks())
    draw_table(made.book, table)
    made.tables.append(table)
    made.failed.add(len(table.parts) // 2 + 1)
    return made


def section_first(dice: Random) -> Made:
    """Rows of one cell name sections; a part begins with one."""
    made = begin("section row first", dice)
    kinds = columns_of(made)
    per = rows_over(made, 0.7)
    table = table_of(made, kinds, per * 2 + 4, breaks=Breaks(repeat=dice.choice(("all", "none")), rows_per_frame=per))
    rows = []
    for number, row in enumerate(table.rows[1:]):
        if number % (per - 1) == 0 and per > 2:
            rows.append([phrase(dice, made.language, 1), *[""] * (len(kinds) - 1)])
        rows.append(row)
    table.rows[1:] = rows
    draw_table(made.book, table)
    made.tables.append(table)
    return made


def header_outside(dice: Random) -> Made:
    """Later pages print the header above the rules."""
    made = begin("header outside", dice)
    made.style.ruling = "grid"
    return _put(made, table_of(made, columns_of(made), rows_over(made, dice.uniform(1.3, 2.6)), breaks=Breaks(repeat="outside")))


def header_blank(dice: Random) -> Made:
    """Later pages leave a cell of the header blank."""
    return _plain("header cell blank", dice, Breaks(repeat="blank"))


def row_span(dice: Random) -> Made:
    """A cell spans rows over the break."""
    made = begin("row span over the break", dice)
    made.style.ruling = "grid"
    kinds = ["name", *columns_of(made, dice.randint(3, 5))]
    table = table_of(made, kinds, rows_over(made, dice.uniform(1.3, 2.2)), breaks=Breaks(repeat=dice.choice(("all", "none"))))
    at = 1
    while at < len(table.rows):
        count = min(dice.randint(3, 7), len(table.rows) - at)
        if count > 1:
            table.spans.append(Span(at, 0, count, 1))
        for row in table.rows[at + 1 : at + count]:
            row[0] = ""
        at += count
    return _put(made, table)


def blank_between(dice: Random) -> Made:
    """Empty pages stand between the parts."""
    return _plain("blank page between", dice, Breaks(repeat=dice.choice(("all", "none")), blank_page=True), pages=1.6)


def pointing_note(dice: Random) -> Made:
    """A line below each part says that the table goes on."""
    made = begin("pointing note", dice)
    breaks = Breaks(repeat=dice.choice(("all", "none")), below=made.language.goes_on)
    return _put(made, table_of(made, columns_of(made), rows_over(made, dice.uniform(1.3, 2.5)), breaks=breaks))


def header_levels(dice: Random) -> Made:
    """A header of two rows with cells over several columns, printed again."""
    made = begin("header of two rows", dice)
    made.style.ruling = dice.choice(("grid", "grid", "frame"))
    kinds = ["name", "amount", "count", "amount", "count"]
    table = table_of(made, kinds, rows_over(made, dice.uniform(1.3, 2.5)), breaks=Breaks(repeat=dice.choice(("all", "all", "none"))))
    heads = dice.sample(made.language.heads, 5)
    table.rows[0:1] = [[heads[0], "2023", "", "2024", ""], ["", heads[1], heads[2], heads[1], heads[2]]]
    table.header_rows = 2
    table.spans += [Span(0, 0, 2, 1), Span(0, 1, 1, 2), Span(0, 3, 1, 2)]
    return _put(made, table)


def over_columns(dice: Random) -> Made:
    """The table goes on in the next column of the same page."""
    made = begin("over columns of a page", dice, columns=2)
    made.style.ruling = dice.choice(("grid", "grid", "horizontal", "frame"))
    kinds = columns_of(made, 3)
    table = table_of(made, kinds, rows_over(made, dice.uniform(0.9, 1.7)), breaks=Breaks(repeat=dice.choice(("all", "none"))))
    return _put(made, table, after=True)


def tier(dice: Random) -> Made:
    """One part is from the text layer and the next from a model."""
    made = _plain("text layer and recognition", dice, Breaks(repeat=dice.choice(("all", "none"))), pages=2.2)
    made.recognized = {n for n in range(1, len(made.book.document) + 1) if n % 2 == dice.randint(0, 1)}
    return made


def short_tail(dice: Random) -> Made:
    """One or two rows are left for the last page."""
    made = begin("one row left", dice)
    rows = rows_over(made, 1.0)
    table = table_of(made, columns_of(made), rows, breaks=Breaks(repeat=dice.choice(("all", "none")), rows_per_frame=rows - dice.randint(1, 2)))
    draw_table(made.book, table)
    made.tables.append(table)
    introduce(made)
    return made


def serial_rows(dice: Random) -> Made:
    """Text columns only, numbered through."""
    made = begin("words only", dice)
    kinds = ["serial", "name", "words", "words"]
    table = table_of(made, kinds, rows_over(made, dice.uniform(1.2, 2.2)), breaks=Breaks(repeat=dice.choice(("all", "none"))))
    for row in table.rows[1:]:
        row[1] = cell(dice, made.language, "name", 0)
    return _put(made, table)


KINDS: tuple[Callable[[Random], Made], ...] = (
    repeated_header, header_once, headless, continued_caption, repeated_title, totals, carried_forward, shifted, empty_column, cut_rows,
    cut_rows_unspaced, cut_rows_unruled, cut_rows_of_texts, chain, failed_link, section_first, header_outside, header_blank, row_span,
    blank_between, pointing_note, header_levels, over_columns, tier, short_tail, serial_rows,
)  # fmt: skip
"""Every way in which a table goes on."""
