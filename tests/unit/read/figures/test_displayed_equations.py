"""Displayed formulas become one block; formulas within sentences, items and results stay text."""

from hypothesis import given
from hypothesis import strategies as st

from schemas.content import BlockType, TextStyle
from streams.read.blocks.lines import Fragment
from streams.read.figures.equations import find_equations

SERIF, MATH = "Times-Roman", "CMMI10"


def piece(text: str, x: float, y: float, *, width: float = 0.0, size: float = 10.0, font: str = SERIF) -> Fragment:
    """A piece of a line, of about the width that its characters take."""
    letters = len(text.replace(" ", ""))
    return Fragment(
        x,
        y,
        x + (width or 0.5 * size * len(text)),
        y + 1.1 * size,
        text,
        y + 0.9 * size,
        TextStyle(size_pt=size, font=font),
        False,
        0,
        False,
        letters,
    )


def prose(y: float, x: float = 50.0, words: str = "The ferry leaves the harbour at seven when the clerk has written every label") -> Fragment:
    return piece(words, x, y, width=400)


def texts(fragments: list[Fragment]) -> list[str]:
    blocks, taken = find_equations(fragments)
    assert all(block.type is BlockType.EQUATION for block in blocks)
    assert len(taken) >= len(blocks)
    return [block.text for block in blocks]


def test_a_centred_formula_between_lines_is_an_equation_with_its_number() -> None:
    page = [prose(100), piece("E = mc2", 200, 120, font=MATH), piece("(12)", 430, 120), prose(140)]
    assert texts(page) == ["E = mc2 (12)"]


def test_names_that_a_bracket_or_sign_holds_are_no_prose() -> None:
    page = [prose(100), piece("Attn(H) = softmax(A)V", 200, 120), piece("(4)", 430, 120), prose(140)]
    assert texts(page) == ["Attn(H) = softmax(A)V (4)"]
    assert texts([prose(100), piece("F = (SSEs −SSEc)/(dfc −dfs)", 100, 120), prose(140)]) == ["F = (SSEs −SSEc)/(dfc −dfs)"]
    assert texts([prose(100), piece("Direct (open = true, shared = true)", 100, 120), prose(140)]) == []


def test_pieces_of_a_sum_and_a_fraction_are_one_equation() -> None:
    page = [
        prose(100),
        piece("k", 212, 116, size=7, font=MATH), piece("∑", 210, 122, size=14), piece("i=1", 208, 138, size=7),
        piece("x + 1", 232, 118), piece("y", 240, 132, font=MATH), piece("= z", 262, 125, font=MATH),
        prose(160),
    ]  # fmt: skip
    (only,) = texts(page)
    assert all(part in only for part in ("∑", "k", "i=1", "x + 1", "y", "= z"))


def test_a_fraction_of_sums_whose_boxes_are_those_of_letters_is_one_equation() -> None:
    page = [
        prose(80),
        piece("C(p) =", 200, 118, font=MATH), piece("∑", 256, 97, width=14, font="CMEX10"), piece("q∈A", 250, 114, size=7, width=20, font=MATH),
        piece("w(p, q)d(q)", 276, 100, font=MATH), piece("∑", 262, 125, width=14, font="CMEX10"), piece("q∈B", 256, 143, size=7, width=20, font=MATH),
        piece("w(p, q)", 282, 128, font=MATH), piece("(2)", 430, 118),
        prose(175),
    ]  # fmt: skip
    (only,) = texts(page)
    assert all(part in only for part in ("C(p) =", "q∈A", "w(p, q)d(q)", "q∈B", "(2)"))


def test_a_formula_in_the_midst_of_a_line_stays_there() -> None:
    page = [
        prose(100),
        piece("that", 50, 113),
        piece("s(t) = 4t", 74, 113, font=MATH),
        piece("describes the ferry well enough", 122, 113),
        prose(126),
    ]
    assert texts(page) == []


def test_a_formula_that_ends_a_paragraph_at_its_edge_stays_text() -> None:
    assert texts([prose(100), piece("s(t) = −16t + 100.", 50, 113, font=MATH), prose(140)]) == []


def test_items_results_and_code_are_no_equations() -> None:
    code = piece("x = y + 1", 80, 120)
    code.style = TextStyle(size_pt=10, font="Courier", monospace=True)
    for lone in (piece("3. x = y + z", 80, 120), piece("χ2 = 5.281, v = 3, p = 0.152", 80, 120), code):
        assert texts([prose(100), lone, prose(140)]) == []


def test_cells_side_by_side_are_no_equations() -> None:
    row = [piece(f"n = {number}", 80 + 70 * number, 120) for number in range(4)]
    assert texts([prose(100), *row, prose(140)]) == []


def test_words_with_a_sign_are_no_equation() -> None:
    assert texts([prose(100), piece("Total income = wages + other income", 120, 120), prose(140)]) == []


fragments = st.lists(
    st.builds(
        piece,
        st.sampled_from(["x = y", "∑", "where", "a", "(3)", "+ 1", "The ferry leaves at seven", "α ≤ β"]),
        st.floats(0, 500),
        st.floats(0, 700),
        size=st.sampled_from([7.0, 10.0, 14.0]),
        font=st.sampled_from([SERIF, MATH]),
    ),
    max_size=30,
)


@given(fragments)
def test_every_piece_is_in_one_equation_at_most_and_no_word_is_lost(page: list[Fragment]) -> None:
    blocks, taken = find_equations(page)
    assert sorted("".join(b.text for b in blocks).replace(" ", "").replace("\n", "")) == sorted("".join(page[i].text for i in taken).replace(" ", ""))


def test_a_formula_of_text_type_with_a_fraction_beside_another_column_is_one_equation() -> None:
    """Publishers set formulas in the fonts of the text, so that nothing tells them but signs and places."""
    page = [
        prose(100), prose(100, 300), prose(160), prose(160, 300), prose(130, words="the words of the other column go on beside it"),
        piece("Q = a +", 300, 130), piece("Y", 361, 125), piece("1 +exp", 336, 140), piece("T−Thalf", 370, 138, size=5), piece("S", 379, 145, size=7),
        piece("(5)", 490, 131),
    ]  # fmt: skip
    page[4].x1 = 250
    (only,) = texts(page)
    assert all(part in only for part in ("Q = a +", "Y", "1 +exp", "T−Thalf", "S", "(5)"))


def test_a_flush_formula_with_its_number_at_the_edge_is_one_and_its_neighbours_number_is_not_its_own() -> None:
    page = [prose(100, 290), piece("(3)", 251, 128), piece("Q = a + b", 290, 120), piece("(6)", 490, 120), prose(140, 290)]
    assert texts(page) == ["Q = a + b (6)"]
    assert texts([prose(100, 290), piece("Q = a + b", 290, 120), prose(140, 290)]) == []
