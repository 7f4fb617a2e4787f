"""Lines of text become blocks in reading order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.layout import content_of, page_confidence
from inference.layout.paragraphs import is_equation
from inference.types import PageText, Shade, TextLine, WordPlace
from schemas.content import BlockType, Source
from tests.unit.inference.making import page_image

PAGE = page_image(3, width_px=595, height_px=842)
"""At 72 dpi a pixel is a point."""


def line(text: str, x: float, y: float, size: float = 10.0, width: float | None = None, confidence: float = 0.99) -> TextLine:
    """A line of ink: from the top of its capitals to below its baseline."""
    height = (0.72 if not any(c in "gjpqy,();" for c in text) else 0.92) * size
    return TextLine((x, y, x + (width if width is not None else 0.5 * size * len(text)), y + height), text, confidence)


def column(texts: list[str], x: float, y: float, width: float, pitch: float = 12.5) -> list[TextLine]:
    """Lines that fill a column, the last one only half."""
    return [line(text, x, y + n * pitch, width=width if n < len(texts) - 1 else width / 2) for n, text in enumerate(texts)]


def blocks_of(*lines: TextLine, rotation: int = 0, image=PAGE):
    return content_of(PageText(tuple(lines), rotation), image, image.width_px, image.height_px).blocks


PROSE = [
    "The committee met on Tuesday and approved the bud-",
    "get for the coming year after a long debate about the",
    "bridge, the school and the library of the village.",
]


def test_lines_of_a_paragraph_become_one_block():
    (block,) = blocks_of(*column(PROSE, 50, 100, 250))
    assert block.type is BlockType.PARAGRAPH
    assert block.text == " ".join(PROSE).replace("bud- get", "budget")
    assert block.line_count == 3
    assert block.ends_short
    assert not block.indented
    assert block.confidence == 0.99
    assert 9 < block.style.size_pt < 11
    assert block.column == (50.0, 300.0)
    assert block.bbox[:2] == (50.0, 100.0)


def test_space_indents_and_short_last_lines_end_paragraphs():
    first, second, third = column(PROSE, 50, 100, 250), column(PROSE, 50, 137.5, 250), column(PROSE, 50, 200, 250)
    indented = [line(PROSE[0], 70, 237.5, width=230), *column(PROSE[1:], 50, 250, 250)]
    assert [block.line_count for block in blocks_of(*first, *second, *third, *indented)] == [3, 3, 3, 3]


def test_the_left_column_is_read_before_the_right_one():
    left = column([f"left column line {n} goes on" for n in range(12)], 50, 100, 220)
    right = column([f"right column line {n} goes on" for n in range(12)], 300, 103, 220)
    text = " ".join(block.text for block in blocks_of(*[one for pair in zip(left, right, strict=True) for one in pair]))
    assert text.index("left column line 11") < text.index("right column line 0")


def test_headings_lists_and_captions_are_told_apart():
    blocks = blocks_of(
        line("Annual report", 50, 50, size=18),
        line("3.1 Results", 50, 90),
        *column(PROSE, 50, 120, 250),
        line("• first point of several", 60, 180),
        line("• second point of several", 60, 192.5),
        line("Figure 2: The bridge in April", 50, 240),
    )
    assert [block.type.value for block in blocks] == ["heading", "heading", "paragraph", "list_item", "list_item", "caption"]


def test_pieces_of_one_line_are_put_together():
    (block,) = blocks_of(line("Hello", 50, 100), line("world", 80, 100.5))
    assert block.text == "Hello world"


def test_rows_of_cells_become_a_table_by_rows():
    rows = [("Country", "Area", "People"), ("Norway", "385", "5.5"), ("Sweden", "450", "10.6"), ("Denmark", "43", "5.9")]
    cells = [line(text, x, 100 + 15 * n) for n, row in enumerate(rows) for text, x in zip(row, (50, 200, 300), strict=True)]
    (block,) = blocks_of(*cells)
    table = block.table
    assert block.type is BlockType.TABLE
    assert (table.rows, table.columns, table.header_rows) == (4, 3, 1)
    assert [cell.text for cell in table.cells] == [text for row in rows for text in row]
    assert len(table.column_edges) == 4
    assert table.confidence < block.confidence


def test_a_missing_cell_leaves_its_place_empty():
    rows = [("a", "1", "2"), ("b", None, "4"), ("c", "5", "6"), ("d", "7", None)]
    cells = [line(t, x, 100 + 15 * n) for n, row in enumerate(rows) for t, x in zip(row, (50, 200, 300), strict=True) if t]
    (block,) = blocks_of(*cells)
    assert [(cell.row, cell.column, cell.text) for cell in block.table.cells if cell.row in (1, 3) and cell.text] == [
        (1, 0, "b"),
        (1, 2, "4"),
        (3, 0, "d"),
        (3, 1, "7"),
    ]


def test_text_across_the_page_comes_last_and_keeps_its_rotation():
    across = TextLine((10, 100, 25, 400), "arXiv:2004.04906v3", 0.98, 270)
    blocks = blocks_of(across, *column(PROSE, 50, 100, 250))
    assert [block.rotation for block in blocks] == [0, 270]
    assert blocks[1].bbox == (10, 100, 25, 400)


def test_a_page_that_lies_on_its_side_reads_like_an_upright_one():
    upright = [*column(PROSE, 50, 100, 250), line("• a point of several", 60, 200)]
    turned = [
        TextLine((842 - y1, x0, 842 - y0, x1), text, c, 90) for (x0, y0, x1, y1), text, c in ((one.bbox, one.text, one.confidence) for one in upright)
    ]
    image = page_image(3, width_px=842, height_px=595)
    blocks, straight = blocks_of(*turned, rotation=90, image=image), blocks_of(*upright)
    assert [(block.text, block.type) for block in blocks] == [(block.text, block.type) for block in straight]
    x0, y0, x1, y1 = straight[0].bbox
    assert blocks[0].bbox == (round(842 - y1, 2), x0, round(842 - y0, 2), x1)
    assert {block.rotation for block in blocks} == {90}


def test_a_page_without_lines_has_no_blocks_and_full_confidence():
    content = content_of(PageText(()), PAGE, 595, 842)
    assert content.blocks == ()
    assert content.source is Source.RECOGNITION
    assert page_confidence(content) == 1.0


BOXES = st.tuples(st.floats(0, 595), st.floats(0, 842), st.floats(0, 595), st.floats(0, 842)).map(
    lambda b: (min(b[0], b[2]), min(b[1], b[3]), max(b[0], b[2]), max(b[1], b[3]))
)


@given(
    st.lists(st.tuples(BOXES, st.text(alphabet="ab1,.•- 中", min_size=1, max_size=12), st.floats(0, 1)), max_size=30),
    st.sampled_from([0, 90, 180, 270]),
)
def test_any_lines_make_a_page_with_all_their_characters(rows, rotation):
    lines = [TextLine(box, text, confidence, rotation) for box, text, confidence in rows]
    blocks = blocks_of(*lines, rotation=rotation)
    found = "".join(block.text if block.table is None else "".join(cell.text for cell in block.table.cells) for block in blocks)

    def characters(text: str) -> list[str]:
        return sorted(c for c in text if c not in " -")

    assert characters(found) == characters("".join(text for _, text, _ in rows))
    assert 0 <= page_confidence(content_of(PageText(tuple(lines), rotation), PAGE, 595, 842)) <= 1


def worded(text: str, x: float, y: float, size: float = 10.0) -> TextLine:
    """A line whose words have places."""
    made = line(text, x, y, size)
    words, length, at = [], len(text), 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        words.append(WordPlace(word, start / length, at / length))
    return TextLine(made.bbox, made.text, made.confidence, words=tuple(words))


def ruled_page(skew: float = 0.0) -> PageText:
    """A grid of three columns whose head spans two of them, between two paragraphs."""
    xs, ys = (50.0, 200.0, 350.0, 500.0), (200.0, 220.0, 240.0, 260.0, 280.0)
    texts = [("Valley", 60, 205), ("Both years", 330, 205), ("", 60, 225), ("1999", 240, 225), ("2000", 390, 225)]
    texts += [(f"place {n}", 60, 225 + 20 * n) for n in (1, 2)] + [(f"{n}4.5", x, 225 + 20 * n) for n in (1, 2) for x in (240, 390)]
    rules = [(xs[0], y - 0.5, xs[-1], y + 0.5) for y in ys]
    rules += [(x - 0.5, ys[0] if x != xs[2] else ys[1], x + 0.5, ys[-1]) for x in xs]
    lines = [*column(PROSE, 50, 100, 450), *(worded(text, x, y) for text, x, y in texts if text), *column(PROSE, 50, 320, 450)]
    return PageText(tuple(lines), skew=skew, rules=tuple(rules))


def test_rules_make_cells_and_spans_and_the_table_stands_between_its_paragraphs():
    above, table, below = content_of(ruled_page(), PAGE, 595, 842).blocks
    assert (above.type, table.type, below.type) == (BlockType.PARAGRAPH, BlockType.TABLE, BlockType.PARAGRAPH)
    assert (table.table.rows, table.table.columns) == (4, 3)
    assert [(c.row, c.column, c.column_span) for c in table.table.cells if c.text == "Both years"] == [(0, 1, 2)]
    assert [c.text for c in table.table.cells if c.row == 2] == ["place 1", "14.5", "14.5"]
    assert table.table.ruled > 0.9
    assert table.table.confidence > 0.5
    assert table.bbox == (50.0, 200.0, 500.0, 280.0)


def test_on_a_page_askew_boxes_lie_where_the_page_shows_them():
    straight = content_of(ruled_page(), PAGE, 595, 842).blocks[1]
    askew = content_of(ruled_page(skew=5.0), PAGE, 595, 842).blocks[1]
    assert [c.text for c in askew.table.cells] == [c.text for c in straight.table.cells]
    assert askew.bbox[0] > straight.bbox[0]  # above the middle of the page clockwise moves to the right
    assert askew.bbox[3] - askew.bbox[1] > straight.bbox[3] - straight.bbox[1]
    shifts = [a - b for a, b in zip(askew.table.column_edges, straight.table.column_edges, strict=True)]
    assert all(12 < shift < 18 for shift in shifts)


def test_a_page_in_large_points_is_read_like_any_other():
    """A picture of 72 dpi has a page three times as large; nothing else of it differs."""
    factor = 3.0
    large = PageText(
        tuple(
            TextLine(tuple(factor * v for v in one.bbox), one.text, one.confidence, words=one.words) for one in ruled_page().lines
        ),
        rules=tuple(tuple(factor * v for v in rule) for rule in ruled_page().rules),
    )  # fmt: skip
    blocks = content_of(large, page_image(3, width_px=1785, height_px=2526), 1785, 2526).blocks
    assert [(c.row, c.column, c.text) for c in blocks[1].table.cells] == [
        (c.row, c.column, c.text) for c in content_of(ruled_page(), PAGE, 595, 842).blocks[1].table.cells
    ]
    assert blocks[1].bbox == (150.0, 600.0, 1500.0, 840.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("E(x) = Σ p xi + α2 (1)", True), ("a < b", True), ("Total = 50", False), ("= 7", False), ("x + y", False), ("A = " + "x + " * 60 + "1", False)],
)
def test_an_equation_has_two_sides_and_no_word(text, expected):
    assert is_equation(text) is expected


def test_lines_begin_and_end_where_their_words_do():
    """A detector's box ends up to half a letter beyond the ink; an indent of one type size must show all the same."""
    wide = [WordPlace("Bridge", 0.0, 0.1), WordPlace("village.", 0.9, 1.0)]
    lines = [TextLine(line.bbox, line.text, line.confidence, words=tuple(wide)) for line in column([*PROSE, *PROSE], 50, 100, 250)]
    lines[2] = TextLine((50, 125, 300, 134.2), lines[2].text, 0.99, words=tuple(wide))
    lines[3] = TextLine((50, 137.5, 300, 146.7), lines[3].text, 0.99, words=(WordPlace("The", 0.036, 0.1), wide[1]))
    assert [(block.indented, block.line_count) for block in blocks_of(*lines)] == [(False, 3), (True, 3)]


def test_shaded_rows_part_a_table_whose_cells_have_two_lines():
    cells = [
        (x, 100 + 34 * row + 12 * part, f"{name}{row}{part}") for row in range(4) for part in range(2) for x, name in ((60, "one"), (160, "two"))
    ]
    lines = [line(text, x, y, width=40) for x, y, text in cells]
    shades = tuple(Shade((50.0, 94.0 + 68 * n, 260.0, 128.0 + 68 * n), 226.0) for n in range(2))
    blocks = content_of(PageText(tuple(lines), shades=shades), PAGE, 595, 842).blocks
    (table,) = [block.table for block in blocks if block.table is not None]
    assert (table.rows, table.columns) == (4, 2)
    assert [cell.text for cell in table.cells][:2] == ["one00 one01", "two00 two01"]


def test_a_table_is_not_torn_where_a_scan_lost_a_stripe():
    rows = [
        ("Town", "Houses", "People"),
        *((name, str(17 * n + 3), str(41 * n + 8)) for n, name in enumerate(("Ash", "Elm", "Oak", "Fir", "Yew", "Bay"))),
    ]
    lines = [line(text, x, 100 + 17 * row, width=30) for row, texts in enumerate(rows) for x, text in zip((60, 160, 260), texts, strict=True)]
    stripes = [Shade((50.0, 95.0 + 34 * n, 320.0, 112.0 + 34 * n), 226.0) for n in range(4)]
    for shades in ((), tuple(stripes), tuple(stripes[:2] + stripes[3:])):
        blocks = content_of(PageText(tuple(lines), shades=shades), PAGE, 595, 842).blocks
        assert [(block.table.rows, block.table.columns) for block in blocks if block.table is not None] == [(7, 3)]


def test_what_was_read_in_a_figure_is_its_text_and_its_caption_is_bound():
    above, below = column(PROSE, 50, 60, 250), column(PROSE, 50, 420, 250)
    labels = [line("Scientific", 120, 180), line("32%", 160, 220), line("—", 150, 240, confidence=0.9), line("0.4", 46, 250)]
    caption = line("Figure 2: Shares of pages by kind of document", 60, 340, 8.5, width=230)
    text = PageText((*above, *labels, caption, *below), figures=((60.0, 150.0, 290.0, 330.0),))
    blocks = content_of(text, PAGE, PAGE.width_px, PAGE.height_px).blocks
    assert [block.type for block in blocks] == [BlockType.PARAGRAPH, BlockType.FIGURE, BlockType.CAPTION, BlockType.PARAGRAPH]
    assert blocks[1].text == "Scientific\n32%\n0.4"
    assert blocks[2].caption_of == 2
    assert blocks[1].bbox == (60.0, 150.0, 290.0, 330.0)


def test_a_title_in_two_lines_is_one_heading_and_names_side_by_side_are_none():
    title = [line("A Large Dataset with Human Annotations for", 100, 60, 16, width=400), line("the Analysis of Documents", 190, 80, 16, width=220)]
    names = [line(name, x, 120, 13, width=110) for name, x in (("Birgit Maier", 80), ("Anna Moser", 240), ("Peter Lind", 400))]
    blocks = blocks_of(*title, *names, *column(PROSE * 4, 50, 160, 480))
    assert (blocks[0].type, blocks[0].text) == (BlockType.HEADING, f"{title[0].text} {title[1].text}")
    assert blocks[1].type is BlockType.PARAGRAPH
    assert blocks[1].text.split() == ["Birgit", "Maier", "Anna", "Moser", "Peter", "Lind"]
    (heading, *_) = blocks_of(line("VIII", 50, 60, 14), line("Results of it all", 110, 60, 14), *column(PROSE * 4, 50, 100, 480))
    assert heading.type is BlockType.HEADING


def test_the_halves_of_a_slip_are_read_one_after_the_other():
    left = [line(f"left {n} has a value", 50, 100 + 15 * n) for n in range(8)]
    right = [line(f"right {n} has another one", 190, 100 + 15 * n) for n in range(8)]
    text = PageText(tuple(line for pair in zip(left, right, strict=True) for line in pair), rules=((170.0, 90.0, 171.0, 230.0),))
    said = " ".join(block.text for block in content_of(text, PAGE, PAGE.width_px, PAGE.height_px).blocks)
    assert said.index("left 7") < said.index("right 0")
