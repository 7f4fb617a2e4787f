"""What has the columns of a table and is none: lists, contents pages, forms, numbered equations, letterheads; and how sure a table is.

Decided on the texts of a filled grid whose borders nothing draws. The more of its columns hold numbers, the more rows and the cleaner their
edges, the surer; columns of words alone stay doubtful unless a caption and a row of labels vouch for them.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from schemas.content import Table
from schemas.geometry import BBox
from streams.read.tables.contents import COUNTER, MIN_COUNTERS, is_contents, is_counted
from streams.read.tables.curves import Curve
from streams.read.tables.lines import BULLET_SIGNS, is_number, is_value
from streams.read.tables.rulings import Fill

MARK = re.compile(
    rf"[{BULLET_SIGNS}*–—\-→]|"
    r"\(?(\d{1,3}|[a-zA-Z]|[ivxlc]{1,5}|[IVXLC]{1,5}|[一二三四五六七八九十]{1,3})[.)\]、:]|\[\w{1,6}\]|\d{1,2}(\.\d{1,2})*\.?"
)
"""What stands before an item of a list, a reference or a heading in a contents page."""
MARKS_SHARE = 0.7
LABELS_SHARE = 0.5
AMOUNTS_SHARE = 0.8
"""A list of items has no sum or date beside this share of them."""
BULLET = re.compile(rf"[{BULLET_SIGNS}]\s*\S")
NUMBERED = re.compile(r"(\d{1,2})[.)]\s\S")
"""How the items of a list begin in whose cells their marks stand; dates ("3. Mai") begin with a number too, but seldom count from 1."""
SAID = re.compile(r"[^\W\d][\w.\-]{0,15}\s?:\s*\S")
"""How the lines of an address begin: "Tel.: 12", "IBAN: AT92"."""
BLANKS = re.compile(r"[_.…\-]{4,}|[☐☑☒□]")
COMMENT = re.compile(r"//|/\*|#(?![\d\w])|;;|--\s")
"""How comments of programs begin."""
MAX_FORM_ROWS, FORM_SHARE = 6, 0.25
"""Rows of such boxes, and the share of their places that others run over; a table of many rows may have no number either."""
NUMBER = re.compile(r"-?\d{1,9}(\.\d{1,6})?")
WORDS_ALONE = 0.55
"""Of a table of words without a header or a caption: names in columns, an index, a letterhead look the same."""
CLEAN_SHARE = 0.85
"""From this share of filled cells on the columns are clean."""
MIN_BARS, BAR_SHARE = 4, 0.25
"""This many bars of one thickness and different lengths, each no thicker than this share of the chart."""
MAX_BARS = 500
"""Boxes looked at in one region."""
MIN_CURVE_PARTS = 8
"""Parts of the curves of a chart or a drawing; the diagonal of a cell, or a stroke through an empty one, has fewer."""
CURVE_WIDTH, CURVE_HEIGHT = 0.5, 0.3
"""Share of a chart's width and height that its curves run over; ticks and signs drawn in the cells of a table leave most of both free."""
MIDDLE = 0.5
"""Share of a box's width and height that is its middle: a ring or a frame around a table does not come there."""
FULLY_RULED, MOSTLY_FILLED = 0.95, 0.5
"""Shares of drawn borders and of cells with text; of the panels between the grid lines of a chart most are empty."""
MIN_SCALE = 4
"""Numbers of a scale; three fall by the same step by chance."""
SCALE_SHARE = 0.6
"""The rest is the name of the axis."""
FULL_COLUMNS = 2
"""This many columns with a text beside every number of a scale are those of a table; the labels of one line of a chart may fill one."""
MIN_LABELLED = 3
"""Columns from which on labels over all of them, set off as a header, are those of a table."""
MIN_LABELLED_ROWS = 3
"""Rows below them that say so too."""
QUERY = re.compile(r"(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|CREATE)\b")
CLAUSE = re.compile(
    r"(?:SELECT|FROM|WHERE|AND|OR|ON|(?:LEFT |RIGHT |INNER |OUTER |FULL |CROSS )*JOIN|ORDER|GROUP|HAVING|UNION|VALUES|SET|LIMIT|OFFSET|FETCH|INTO|"
    r"WHEN|THEN|ELSE|END|RETURN|AS|USING|RETURNING|WINDOW)\b"
)
"""Words that a statement of SQL, and each further line of it, begins with."""
LONGEST_LABEL = 40
"""Characters of a column's label in a header of one row."""


def is_lookalike(table: Table, *, captioned: bool = False) -> bool:
    """Whether an unruled grid is a list, a contents page, numbered equations, a form, a listing of code or a chart's scale rather than a
    table.

    `captioned`: a table's caption stands above it. Under one, or with three columns and a header, and with labels over its columns, a table may
    count its rows.
    """
    rows = rows_of_texts(table)
    if (
        _is_form(rows, captioned=captioned)
        or _are_lists(rows, table, captioned=captioned)
        or _has_comments(rows)
        or _is_query(rows)
        or _has_axis(rows, headed=captioned or table.header_rows > 0)
    ):
        return True
    counts_rows = (captioned or (table.header_rows == 1 and table.columns >= MIN_LABELLED)) and has_label_row(table)
    return not counts_rows and (_is_list(rows) or is_counted(rows) or is_contents(rows, table))


def is_form_grid(table: Table) -> bool:
    """Whether a few drawn rows without a header or a number part their width each in its own way: boxes of a form that wait for what is written."""
    if table.header_rows or table.rows > MAX_FORM_ROWS or any(is_number(cell.text) for cell in table.cells):
        return False
    own = Counter(cell.row for cell in table.cells)
    spans = [cell.column_span for cell in table.cells if own[cell.row] > 1]
    return sum(span - 1 for span in spans) >= FORM_SHARE * sum(spans) > 0


def has_label_row(table: Table) -> bool:
    """Whether the first row may be labels of the columns: short texts over all of them, no marks or numbers, and none that comes back below."""
    first, *below = rows_of_texts(table)
    if any(not text or len(text) > LONGEST_LABEL or is_value(text) or is_number(text) or MARK.fullmatch(text) for text in first):
        return False
    return not any(row[column] == text for row in below for column, text in enumerate(first))


def has_bars(box: BBox, fills: Sequence[Fill]) -> bool:
    """Whether filled boxes within a box stand on one line, or hang on one side, and differ in length: the bars of a chart."""
    inside = [f.box for f in fills if box[0] - 2 <= f.box[0] and f.box[2] <= box[2] + 2 and box[1] - 2 <= f.box[1] and f.box[3] <= box[3] + 2]
    lengths: dict[tuple[str, int, int], set[int]] = defaultdict(set)
    for x0, y0, x1, y1 in inside[:MAX_BARS]:
        if x1 - x0 < BAR_SHARE * (box[2] - box[0]):
            lengths["up", round(y1), round(x1 - x0)].add(round(y1 - y0))
        if y1 - y0 < BAR_SHARE * (box[3] - box[1]):
            lengths["along", round(x0), round(y1 - y0)].add(round(x1 - x0))
    return any(len(own) >= MIN_BARS for own in lengths.values())


def has_curves(box: BBox, curves: Sequence[Curve]) -> bool:
    """Whether curves, or lines that slant, run through most of a box: a chart with its grid lines, a plan, a diagram in a frame.

    A long path counts where it runs through the middle of the box itself, and not around it.
    """
    x0, y0, x1, y1 = box
    off_x, off_y = (x1 - x0) * (1 - MIDDLE) / 2, (y1 - y0) * (1 - MIDDLE) / 2
    middle = (x0 + off_x, y0 + off_y, x1 - off_x, y1 - off_y)
    inside = [c for c in curves if _meet(c.box, box) and (not c.pieces or any(_meet(piece, middle) for piece in c.pieces))]
    if sum(curve.parts for curve in inside) < MIN_CURVE_PARTS:
        return False
    across = _covered([(max(x0, c.box[0]), min(x1, c.box[2])) for c in inside])
    down = _covered([(max(y0, c.box[1]), min(y1, c.box[3])) for c in inside])
    return across >= CURVE_WIDTH * (x1 - x0) and down >= CURVE_HEIGHT * (y1 - y0)


def outweighs_curves(table: Table) -> bool:
    """Whether a grid is a table whatever is drawn over it, as a stroke of a pen, a signature, a watermark: by its rules, or by its rows.

    All of its borders are drawn and most of its cells hold text; or nearly all of them do, in several rows below labels of three columns.
    """
    filled = sum(cell.row_span * cell.column_span for cell in table.cells if cell.text) / (table.rows * table.columns)
    if table.ruled >= FULLY_RULED:
        return filled >= MOSTLY_FILLED
    is_labelled = table.header_rows > 0 or has_label_row(table)
    return filled >= CLEAN_SHARE and is_labelled and table.columns >= MIN_LABELLED and table.rows - 1 >= MIN_LABELLED_ROWS


def _meet(a: BBox, b: BBox) -> bool:
    return a[0] < b[2] and a[2] > b[0] and a[1] < b[3] and a[3] > b[1]


def _covered(spans: Sequence[tuple[float, float]]) -> float:
    """How much of a line some spans of it cover together."""
    found, reach = 0.0, float("-inf")
    for start, end in sorted(spans):
        found += max(0.0, end - max(start, reach))
        reach = max(reach, end)
    return found


def open_confidence(table: Table, regularity: float, *, captioned: bool = False) -> float:
    """0..1: how sure a table is that no rule draws. `regularity` is the confidence of its grid as such; `captioned` as for `is_lookalike`."""
    rows = rows_of_texts(table)
    body = rows[table.header_rows :]
    columns = list(zip(*body, strict=True)) if body else []
    numeric = sum(1 for column in columns[1:] if _is_numeric(column))
    filled = sum(1 for row in rows for text in row if text) / (table.rows * table.columns)
    score = 0.25
    score += 0.30 * min(1.0, numeric / max(1.0, 0.5 * (table.columns - 1)))
    score += 0.15 * min(1.0, (len(body) - 1) / 4)
    score += 0.15 * min(1.0, (table.columns - 1) / 3)
    score += 0.10 * (table.header_rows > 0)
    score += 0.10 * (filled >= CLEAN_SHARE)
    score += 0.10 * (table.ruled > 0)
    score += 0.10 * captioned
    if not numeric and not table.header_rows and not (captioned and filled >= CLEAN_SHARE):
        score = min(score, WORDS_ALONE)
    return round(max(0.0, min(1.0, score)) * regularity, 3)


def rows_of_texts(table: Table) -> list[list[str]]:
    """The texts of a table by row and column; a span's text stands once."""
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = cell.text
    return rows


def _is_numeric(column: Sequence[str]) -> bool:
    filled = [text for text in column if text]
    return len(filled) >= 2 and sum(1 for text in filled if is_number(text) or is_value(text)) >= 0.6 * len(filled)


def _is_list(rows: Sequence[Sequence[str]]) -> bool:
    """Marks before texts: two columns, the first of marks alone; in a third there are words, or numbers that may be those of pages."""
    if len(rows[0]) > 3 or (len(rows[0]) == 3 and _are_amounts([row[2] for row in rows])):
        return False
    first = [row[0] for row in rows if row[0]]
    second = [row[1] for row in rows if row[1]]
    marks = sum(1 for text in first if MARK.fullmatch(text))
    values = sum(1 for text in second if is_value(text))
    return marks >= MARKS_SHARE * len(first) and (len(rows[0]) == 2 or not values) and values * 2 < len(second)


def _are_amounts(column: Sequence[str]) -> bool:
    """Whether a column holds numbers in nearly all of its rows, and few that could count something."""
    filled = [text for text in column if text]
    amounts = sum(1 for text in filled if is_number(text) and not COUNTER.fullmatch(text))
    return len(filled) >= AMOUNTS_SHARE * len(column) and amounts >= AMOUNTS_SHARE * len(filled)


def _are_lists(rows: Sequence[Sequence[str]], table: Table, *, captioned: bool) -> bool:
    """Whether most texts, of two columns or more, are items of lists that stand beside each other, or of addresses.

    Not under a caption; and below labels numbers count the ranks or the days of a table.
    """
    if captioned:
        return False
    said = [[bool(SAID.match(text)) for text in column] for column in zip(*rows, strict=True)]
    numbered = not has_label_row(table) or any(NUMBERED.match(text) for text in rows[0])
    return _are_most(_items(rows, numbered=numbered), rows) or _are_most(said, rows)


def _items(rows: Sequence[Sequence[str]], *, numbered: bool) -> list[list[bool]]:
    """For each column which of its texts are items of a list. Numbers are marks where they rise by one down a column, from 1 or from where the
    column before ended."""
    columns, end = [], 0
    for column in zip(*rows, strict=True):
        found = [NUMBERED.match(text) if numbered else None for text in column]
        numbers = [int(own[1]) for own in found if own]
        counts = bool(numbers) and numbers[0] in (1, end + 1) and all(b - a == 1 for a, b in pairwise(numbers))
        end = numbers[-1] if counts else 0
        columns.append([bool(BULLET.match(text) or (counts and own)) for text, own in zip(column, found, strict=True)])
    return columns


def _are_most(signed: Sequence[Sequence[bool]], rows: Sequence[Sequence[str]]) -> bool:
    """Whether two columns or more have several texts with a sign, and half of all texts have one."""
    texts = sum(1 for row in rows for text in row if text)
    return sum(1 for column in signed if sum(column) > 1) > 1 and 2 * sum(sum(column) for column in signed) >= texts


def _has_comments(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the texts of the last column are comments of a program beside its statements."""
    last = [row[-1] for row in rows if row[-1]]
    return len(last) >= MIN_COUNTERS and sum(COMMENT.match(text) is not None for text in last) >= MARKS_SHARE * len(last)


def _is_query(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the texts of the first column are the clauses of a query, written above each other as they are in listings."""
    first = [row[0].upper() for row in rows if row[0]]
    return len(first) > 1 and QUERY.match(first[0]) is not None and all(CLAUSE.match(text) for text in first[1:])


def _has_axis(rows: Sequence[Sequence[str]], *, headed: bool) -> bool:
    """Whether the numbers of an outer column fall by the same step and are the scale of a chart, not years or ranks that count down.

    What stands by a scale stands where the curves are. So columns with a text in each row of the numbers speak for a table: one of them where
    it is `headed`, by labels or a caption, else several.
    """
    for column in (0, -1):
        words = [word for row in rows for word in row[column].split()]
        scale = [number for number in map(_number, words) if number is not None]
        steps = {round(above - below, 6) for above, below in pairwise(scale)}
        if len(scale) >= MIN_SCALE and len(scale) >= SCALE_SHARE * len(words) and len(steps) == 1 and min(steps) > 0:
            beside = [row[1:] if column == 0 else row[:-1] for row in rows if _number(row[column]) is not None]
            if not beside or not all(all(row) for row in beside) or not (headed or len(beside[0]) >= FULL_COLUMNS):
                return True
    return False


def _number(text: str) -> float | None:
    plain = text.replace(",", "").replace("−", "-").rstrip("%")
    return float(plain) if NUMBER.fullmatch(plain) else None


def _is_form(rows: Sequence[Sequence[str]], *, captioned: bool) -> bool:
    """Labels that end in a colon, or places to fill in. Below a row of such labels several rows of numbers, or a caption, speak for a table."""
    texts = [text for row in rows for text in row if text]
    firsts = [row[0] for row in rows if row[0]]
    if len(rows[0]) > 1 and not captioned and all(text.endswith((":", "：")) for text in rows[0]):
        numeric = sum(1 for row in rows[1:] if sum(1 for text in row if is_number(text) or is_value(text)) > 1)
        if numeric < MIN_LABELLED_ROWS:
            return True  # an address, an account, a court: each below its name
    colons = sum(1 for text in firsts if text.endswith((":", "：")))
    blanks = sum(1 for text in texts if BLANKS.search(text))
    return colons >= LABELS_SHARE * len(firsts) or blanks >= 0.2 * len(texts)
