"""Signs alone in their cells that a detector of lines passes over."""

import numpy as np

from inference.images import bounds_of, quad_of
from inference.missed import MAX_SIGNS, Sign, dash_of, missed_signs, stands_out

SIZE = 28.0
LINE = [(100, 200 + 60 * n, 400, 240 + 60 * n) for n in range(4)]


def signs(marks: np.ndarray, rules=()) -> list[Sign]:
    return missed_signs(marks, [quad_of(box) for box in LINE], rules, SIZE)


def found(marks: np.ndarray, rules=()) -> list[tuple[int, ...]]:
    return sorted(tuple(round(v) for v in bounds_of(sign.place)) for sign in signs(marks, rules))


def page() -> np.ndarray:
    marks = np.zeros((800, 1000), np.uint8)
    for x0, y0, x1, y1 in LINE:
        marks[y0 + 8 : y1 - 8, x0 + 5 : x1 - 5] = 1
    return marks


def test_a_dash_and_a_digit_alone_in_a_row_are_found_with_the_height_of_the_row():
    marks = page()
    marks[219:222, 600:614] = 1
    marks[268:290, 700:712] = 1
    dash, digit = found(marks)
    assert dash == (593, 200, 621, 240)
    assert digit == (693, 260, 719, 300)


def test_two_digits_are_one_sign():
    marks = page()
    marks[268:290, 700:712] = marks[268:290, 716:728] = 1
    assert [(box[0], box[2]) for box in found(marks)] == [(693, 735)]


def test_dirt_rules_full_stops_pictures_and_what_stands_in_no_row_are_no_signs():
    marks = page()
    marks[220:223, 600:603] = 1  # a speck
    marks[234:238, 403:408] = 1  # a full stop behind its line
    marks[340:343, 500:900] = 1  # a rule
    marks[600:700, 600:760] = 1  # a picture
    marks[650:672, 300:312] = 1  # a sign in no row
    marks[262:300, 560:562] = 1  # a short rule that is known
    assert found(marks, [(559.0, 260.0, 563.0, 302.0)]) == []


def test_a_texture_gives_nothing():
    marks = page()
    for y in range(205, 440, 6):
        for x in range(420, 990, 22):
            marks[y : y + 2, x : x + 9] = 1
    assert len(found(marks)) <= MAX_SIGNS


def test_a_dash_is_told_by_its_shape_in_the_middle_of_its_row():
    marks = page()
    marks[219:222, 600:614] = 1  # a dash
    marks[278:282, 700:706] = 1  # the shortest hyphen of a worn scan
    marks[349:352, 600:614] = 1  # an underscore
    marks[388:412, 700:712] = 1  # a digit
    told = {tuple(round(v) for v in sign.ink): sign.is_dash for sign in signs(marks)}
    assert told == {(600, 219, 614, 222): True, (700, 278, 706, 282): True, (600, 349, 614, 352): False, (700, 388, 712, 412): False}


def test_which_dash_it_is_its_width_says():
    assert [dash_of(width, 10.0) for width in (2.5, 3.4, 5.0, 6.0, 10.0)] == ["-", "-", "–", "–", "—"]


def test_the_worn_edge_of_a_shade_is_no_dash():
    gray = np.full((200, 400), 240, np.uint8)
    gray[100:] = 222
    gray[98:101, 150:165] = 216
    gray[40:43, 150:165] = 60
    gray[160:163, 150:165] = 60
    signs = [Sign(quad_of(box), box, True) for box in ((150.0, y, 165.0, y + 3) for y in (40.0, 98.0, 160.0))]
    assert [stands_out(gray, sign, 25.0) for sign in signs] == [True, False, True]
