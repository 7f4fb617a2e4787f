"""What is found as a table, with which cells; and what looks like one and is none."""

import itertools
import random
import time

import pytest
from drawn_tables import LINE_PT, PAGE, box, ends_at, grid_lines, in_cells, line, rows_of, spans_of, words

from streams.read.tables import find_tables

XS = [60.0, 160.0, 260.0, 360.0]
YS = [100.0, 120.0, 140.0, 160.0, 180.0]
ROWS = [["City", "Year", "Value"], ["Rome", "1990", "12.5"], ["Oslo", "1991", "7"], ["Bern", "", "8.25"]]


def only(page, drawings, **more):
    (found,) = find_tables(page, drawings, PAGE, **more)
    return found


def prose(x, y, lines, text="the quick brown fox jumps over the lazy dog and runs on"):
    return [w for i in range(lines) for w in words(x, y + i * LINE_PT, text)]


def test_a_ruled_table():
    found = only(in_cells(XS, YS, ROWS), grid_lines(XS, YS))
    table = found.table
    assert rows_of(table) == ROWS
    assert (table.header_rows, table.ruled, table.closed_top, table.closed_bottom, table.confidence) == (1, 1.0, True, True, 1.0)
    assert table.column_edges == tuple(XS)
    assert found.bbox == (60, 100, 360, 180)
    assert len(found.words) == 11
    assert table.cells[0].bbox == (60, 100, 160, 120)


def test_the_order_of_words_and_drawings_does_not_matter():
    page, drawings = in_cells(XS, YS, ROWS), grid_lines(XS, YS)
    first = only(page, drawings).table
    for seed in range(5):
        random.Random(seed).shuffle(page)
        random.Random(seed).shuffle(drawings)
        assert only(page, drawings).table == first


def test_outer_borders_may_be_missing():
    drawings = [line(XS[0], y, XS[-1], y) for y in YS[1:-1]] + [line(x, YS[0], x, YS[-1]) for x in XS[1:-1]]
    table = only(in_cells(XS, YS, ROWS), drawings).table
    assert rows_of(table) == ROWS
    assert not table.closed_top
    assert not table.closed_bottom


def test_cells_of_several_lines_and_hyphens_stay_simple():
    ys = [100.0, 120.0, 160.0, 200.0]
    rows = [["Name", "Text", "No"], ["alpha|beta", "some longer|text here", "1"], ["gamma", "soft-|ware", "2"]]
    table = only(in_cells(XS, ys, rows), grid_lines(XS, ys)).table
    assert rows_of(table)[1:] == [["alpha beta", "some longer text here", "1"], ["gamma", "soft- ware", "2"]]


def test_cjk_lines_join_without_a_space():
    ys = [100.0, 120.0, 160.0, 180.0]
    rows = [["项目", "金额", "说明"], ["重新计量设定|受益计划", "12", "无"], ["其他", "7", "无"]]
    assert rows_of(only(in_cells(XS, ys, rows), grid_lines(XS, ys)).table)[1][0] == "重新计量设定受益计划"


def test_overprinted_words_count_once():
    page = in_cells(XS, YS, ROWS)
    doubled = page + [(w[0] + 0.4, w[1] + 0.3, w[2] + 0.4, w[3] + 0.3, *w[4:]) for w in page]
    assert rows_of(only(doubled, grid_lines(XS, YS)).table) == ROWS


def test_only_horizontal_rules():
    page = words(70, 84, "Table 1. Something about cities")
    for i, (name, a, b) in enumerate([("City", "Old", "New"), ("Rome", "1,234", "56.7"), ("Oslo", "7", "8.9"), ("Bern in the Alps", "-", "10.1")]):
        y = 102.0 + 16 * i
        page += words(70, y, name) + ends_at(300, y, a) + ends_at(400, y, b)
    page += words(70, 175, "Note: numbers are made up and say nothing at all about these cities")
    drawings = [line(66, y, 404, y) for y in (100.0, 116.0, 168.0)]
    found = only(page, drawings)
    assert rows_of(found.table) == [["City", "Old", "New"], ["Rome", "1,234", "56.7"], ["Oslo", "7", "8.9"], ["Bern in the Alps", "-", "10.1"]]
    assert found.table.header_rows == 1
    assert found.table.ruled < 0.3


def test_spanning_headings_over_their_rules():
    page = words(70, 112, "City") + words(225, 101, "Before") + words(345, 101, "After")
    for x, text in ((230, "men"), (280, "women"), (340, "men"), (390, "women")):
        page += ends_at(x, 117, text)
    for i in range(4):
        y = 134.0 + 14 * i
        page += words(70, y, f"Town{i}")
        for x in (230, 280, 340, 390):
            page += ends_at(x, y, f"{i + 3}.{i}")
    drawings = [line(66, 99, 394, 99), line(205, 114, 282, 114), line(315, 114, 394, 114), line(66, 131, 394, 131), line(66, 190, 394, 190)]
    table = only(page, drawings).table
    assert table.header_rows == 2
    assert rows_of(table)[:3] == [["City", "Before", "", "After", ""], ["", "men", "women", "men", "women"], ["Town0", "3.0", "3.0", "3.0", "3.0"]]
    assert {(0, 0, 2, 1), (0, 1, 1, 2), (0, 3, 1, 2)} <= spans_of(table)
    assert table.rows == 6


def test_wrapped_labels_and_section_rows_of_an_open_table():
    page = words(70, 102, "Item") + ends_at(300, 102, "1990") + ends_at(400, 102, "2000")
    lines = [
        ("Northern part", "", ""),
        ("First of the long", "", ""),
        ("labels here", "12", "13"),
        ("Second", "14", "15"),
        ("Southern part", "", ""),
        ("Third", "1", "2"),
    ]
    for i, (name, a, b) in enumerate(lines):
        page += words(70, 120 + LINE_PT * i, name) + (ends_at(300, 120 + LINE_PT * i, a) + ends_at(400, 120 + LINE_PT * i, b) if a else [])
    table = only(page, [line(66, y, 404, y) for y in (100.0, 117.0, 195.0)]).table
    assert rows_of(table)[1:] == [
        ["Northern part", "", ""],
        ["First of the long labels here", "12", "13"],
        ["Second", "14", "15"],
        ["Southern part", "", ""],
        ["Third", "1", "2"],
    ]


def test_rows_without_rules_between_column_lines():
    ys = [100.0, 120.0, 180.0]
    page = in_cells(XS, ys, [["City", "Year", "Value"], ["", "", ""]])
    for i, row in enumerate((["Rome", "1990", "12.5"], ["Oslo", "1991", "7"], ["Bern", "1992", "8"], ["Ulm", "1993", "9"])):
        page += in_cells(XS, [123.0 + 14 * i, 137.0 + 14 * i], [row])
    assert [r[0] for r in rows_of(only(page, grid_lines(XS, ys)).table)] == ["City", "Rome", "Oslo", "Bern", "Ulm"]


def test_a_drawn_row_of_several_lines_is_not_cut_unless_all_columns_agree():
    ys = [100.0, 120.0, 160.0, 200.0, 240.0]
    rows = [["No", "Number", "Code"], ["1", "62,785|11,200", "ab"], ["2", "1,200", "c1|c2"], ["3", "5", "d"]]
    assert len(rows_of(only(in_cells(XS, ys, rows), grid_lines(XS, ys)).table)) == 4
    rows[2] = ["7|8", "100|200", "3.5|4.5"]
    cut = rows_of(only(in_cells(XS, ys, rows), grid_lines(XS, ys)).table)
    assert cut[2:4] == [["7", "100", "3.5"], ["8", "200", "4.5"]]


def test_zebra_rows_without_a_line():
    drawings = [box(60, 100 + 20 * i, 360, 120 + 20 * i, fill=(0.9, 0.9, 0.9)) for i in range(0, 6, 2)]
    rows = [["City", "Year", "Value"], *[[f"Town{i}", str(1990 + i), f"{i}.5"] for i in range(5)]]
    found = only(in_cells(XS, [100.0 + 20 * i for i in range(7)], rows), drawings)
    assert rows_of(found.table)[1:5] == rows[1:5]


def test_a_shaded_header_above_the_lines_belongs_to_the_table():
    drawings = grid_lines(XS, YS[1:])
    drawings += [box(a, 100, b, 120, fill=(0.1, 0.2, 0.5)) for a, b in itertools.pairwise(XS)]
    table = only(in_cells(XS, YS, ROWS), drawings).table
    assert rows_of(table) == ROWS
    assert table.header_rows == 1


def test_shading_behind_the_text_of_a_cell_is_no_border():
    ys = [100.0, 130.0, 160.0, 190.0, 220.0]
    drawings = grid_lines(XS, ys)
    drawings += [box(x + 4, y + 4 + 10 * k, x + 90, y + 14 + 10 * k, fill=(1.0, 0.9, 0.7)) for x in XS[:-1] for y in ys[:-1] for k in (0, 1)]
    assert rows_of(only(in_cells(XS, ys, ROWS), drawings).table) == ROWS


def test_words_over_a_border_are_cut_there():
    page = [w for w in in_cells(XS, YS, ROWS) if w[4] not in ("Oslo", "1991")]
    glued = (130.0, 142.0, 180.0, 153.0, "Oslocity91", 0, 0, 0)
    characters = [(130 + 5 * i, 142.0, 135 + 5 * i, 153.0, c) for i, c in enumerate("Oslocity91")]
    asked = []
    table = only([*page, glued], grid_lines(XS, YS), glyphs=lambda: asked.append(1) or characters).table
    assert rows_of(table)[2] == ["Osloci", "ty91", "7"]
    assert asked == [1]
    assert rows_of(only([*page, glued], grid_lines(XS, YS)).table)[2][2] == "7"
    only(in_cells(XS, YS, ROWS), grid_lines(XS, YS), glyphs=lambda: pytest.fail("nothing to cut"))


def test_a_caption_in_the_frame_and_notes_below_are_not_rows():
    drawings = [*grid_lines(XS, YS), line(60, 80, 360, 80), line(60, 80, 60, 210), line(360, 80, 360, 210), line(60, 210, 360, 210)]
    page = words(70, 84, "Exhibit 9 Cities") + in_cells(XS, YS, ROWS) + words(70, 184, "Source: nobody knows where these come from")
    assert rows_of(only(page, drawings).table) == ROWS


def test_two_tables_with_a_caption_between_are_two():
    page, drawings = [], []
    for top in (100.0, 200.0):
        page += in_cells(XS, [y + top - 100 for y in YS], ROWS)
        drawings += [line(60, y + top - 100, 360, y + top - 100) for y in (YS[0], YS[1], YS[-1])]
    page += words(60, 185, "Table 2. Cities again")
    found = find_tables(page, drawings, PAGE)
    assert [rows_of(t.table) for t in found] == [ROWS, ROWS]


def test_tables_that_share_a_rule_part_where_their_columns_change():
    lower = [180.0, 200.0, 220.0, 240.0]
    others = [60.0, 110.0, 210.0, 310.0, 360.0]
    page = in_cells(XS, YS, ROWS) + in_cells(others, lower, [["A", "B", "C", "D"], ["1", "2", "3", "4"], ["5", "6", "7", "8"]])
    found = find_tables(page, grid_lines(XS, YS) + grid_lines(others, lower), PAGE)
    assert [(t.table.rows, t.table.columns) for t in found] == [(4, 3), (3, 4)]


def test_a_table_without_a_closing_rule_goes_on_while_its_columns_do():
    page = words(70, 102, "City") + ends_at(300, 102, "Old") + ends_at(400, 102, "New")
    for i in range(8):
        page += words(70, 120 + 14 * i, f"Town{i}") + ends_at(300, 120 + 14 * i, f"{i}.5") + ends_at(400, 120 + 14 * i, f"{i * i}")
    page += prose(70, 250, 4)
    found = only(page, [line(66, 100, 404, 100), line(66, 116, 404, 116)])
    assert [r[0] for r in rows_of(found.table)] == ["City", *(f"Town{i}" for i in range(8))]
    assert not found.table.closed_bottom


HEADED = [["Name", "Amount", "Rate"], ["ab", "12", "1.5"], ["cd", "13", "2.5"], ["ef", "14", "3.5"]]


@pytest.mark.parametrize(
    ("rows", "bold", "expected"),
    [
        (HEADED, (), 1),
        (HEADED[1:], (), 0),
        ([["Item", "1996", "2000"], ["ab", "12", "1.5"], ["cd", "13", "2.5"]], (), 1),
        ([["ab", "cd", "ef"], ["gh", "ij", "kl"], ["mn", "op", "qr"]], (), 0),
        ([["ab", "cd", "ef"], ["gh", "ij", "kl"], ["mn", "op", "qr"]], (0, 1, 2), 1),
        ([["Total assets", "", ""], ["ab", "12", "1.5"], ["cd", "13", "2.5"]], (), 0),
        (
            [
                ["Group A", "Code", "No"],
                ["x", "1", "2"],
                ["y", "3", "4"],
                ["Group B", "Code", "No"],
                ["z", "5", "6"],
                ["u", "5", "6"],
                ["v", "5", "6"],
            ],
            (),
            0,
        ),
    ],
    ids=[
        "words over numbers",
        "numbers from the first row on",
        "years over other numbers",
        "all words",
        "bold words",
        "a lone label",
        "labels that come back",
    ],
)
def test_header_rows(rows, bold, expected):
    ys = [100.0 + 20 * i for i in range(len(rows) + 1)]
    assert only(in_cells(XS, ys, rows), grid_lines(XS, ys), bold_words=frozenset(bold)).table.header_rows == expected


def test_what_is_no_table():
    frame = [box(60, 100, 400, 200, stroke=(0.0,))]
    assert find_tables(prose(70, 110, 6), frame, PAGE) == [], "a box around a paragraph"
    rules = [line(60, 80, 540, 80), line(60, 700, 540, 700)]
    assert find_tables(prose(60, 100, 40), rules, PAGE) == [], "prose between the rules of head and foot"
    columns = prose(60, 100, 40, "the quick brown fox jumps over lazy dogs") + prose(310, 100, 40, "and then it sleeps under the old oak tree")
    assert find_tables(columns, [*rules, line(60, 400, 540, 400)], PAGE) == [], "two columns of prose"
    underlined = prose(60, 100, 3) + words(60, 160, "some underlined words")
    assert find_tables(underlined, [line(60, 171, 150, 171), line(60, 111, 110, 111)], PAGE) == [], "underlines"
    assert find_tables([], grid_lines(XS, YS), PAGE) == [], "an empty grid"
    assert find_tables(in_cells(XS, YS, ROWS), [], PAGE) == [], "no rulings"


def test_a_chart_is_no_table():
    drawings = [line(100, 100 + 20 * i, 500, 100 + 20 * i) for i in range(10)] + [line(100, 100, 100, 280), line(500, 100, 500, 280)]
    drawings += [box(120 + 60 * i, 280 - 25 * i, 150 + 60 * i, 280, fill=(0.8, 0.1, 0.1)) for i in range(6)]
    page = (
        [w for i in range(10) for w in ends_at(95, 94 + 20 * i, str(90 - 10 * i))] + words(220, 285, "1990 1995 2000 2005") + words(140, 104, "Cases")
    )
    assert find_tables(page, drawings, PAGE) == []


def test_a_form_of_boxes_is_no_table():
    drawings, page = [], []
    for i, (label, wide) in enumerate(
        [("Surname", 200), ("Given name", 260), ("Date of birth", 90), ("Street and number", 330), ("Town", 150), ("Telephone", 120)]
    ):
        y = 100.0 + 30 * i
        drawings.append(box(180 + 7 * i, y, 180 + 7 * i + wide, y + 20, stroke=(0.0,)))
        page += words(70, y + 5, label)
    drawings.append(box(60, 90, 560, 300, stroke=(0.0,)))
    assert find_tables(page, drawings, PAGE) == []


def test_no_word_is_in_two_tables():
    page = in_cells(XS, YS, ROWS) + words(400, 110, "side note")
    drawings = [*grid_lines(XS, YS), *grid_lines([50.0, 370.0, 500.0], [90.0, 190.0, 300.0])]
    used = [index for found in find_tables(page, drawings, PAGE) for index in found.words]
    assert len(used) == len(set(used))


def test_damaged_words_are_passed_over():
    odd = [(5, 5, 5, 9, "flat"), (9, 9, 2, 12, "inverted"), (0, 0, 9, 9, ""), (0, 0, 9, 9, "  ")]
    rows = rows_of(only([*[(*w, 0, 0, 0) for w in odd], *in_cells(XS, YS, ROWS)], grid_lines(XS, YS)).table)
    assert rows == ROWS


def test_large_tables_take_little_time():
    xs, ys = [20.0 + 45 * c for c in range(13)], [20.0 + 13 * r for r in range(61)]
    page = in_cells(xs, ys, [[f"{r}.{c}" for c in range(12)] for r in range(60)])
    drawings = grid_lines(xs, ys)
    began = time.process_time()
    assert only(page, drawings).table.rows == 60
    assert time.process_time() - began < 0.5, "normally below 0.02 s"
