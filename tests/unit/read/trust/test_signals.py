"""What is measured on a page: codes without meaning."""

from collections.abc import Callable

from tests.unit.read.made_pages import Sheet, signals_of, verdict_of


def calling(letter: str, code: str) -> Callable[[str], str]:
    return lambda other: code if other == letter else other


def test_a_stray_code_on_a_short_page_says_nothing() -> None:
    page = Sheet().write(["Short note", "A*B total 55.00"], calling("*", "\x01")).done()
    signals = signals_of(page)
    assert signals.control_share == signals.unmapped_share == 0
    assert verdict_of(page).confidence > 0.9


def test_leader_dots_that_stand_apart_are_none_of_the_codes() -> None:
    """Dots of a private code with a space behind each, as long as the page is wide."""
    rows = [f"Chapter {row} " + "* " * 60 + str(row) for row in range(12)]
    assert verdict_of(Sheet().write(rows, calling("*", "\ue356")).done()).confidence > 0.9


def test_such_dots_do_not_thin_out_the_codes_beside_them() -> None:
    rows = ["Chapter of things " + "* " * 60 + str(row) for row in range(12)]
    page = Sheet().write(rows, lambda letter: chr(0xE000 + ord(letter)) if letter != " " else letter).done()
    assert signals_of(page).private_share > 0.8


def test_three_codes_or_a_fifth_of_the_text_count() -> None:
    for lines in (["Short note", "A*B total *55.0*0"], ["a*b"]):
        signals = signals_of(Sheet().write(lines, calling("*", "\x01")).done())
        assert signals.control_share + signals.unmapped_share > 0.05
