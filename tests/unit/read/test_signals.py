"""What is measured on a page: codes without meaning."""

from collections.abc import Callable

from made_pages import Sheet, signals_of, verdict_of


def calling(letter: str, code: str) -> Callable[[str], str]:
    return lambda other: code if other == letter else other


def test_a_stray_code_on_a_short_page_says_nothing() -> None:
    page = Sheet().write(["Short note", "A*B total 55.00"], calling("*", "\x01")).done()
    signals = signals_of(page)
    assert signals.control_share == signals.unmapped_share == 0
    assert verdict_of(page).confidence > 0.9


def test_three_codes_or_a_fifth_of_the_text_count() -> None:
    for lines in (["Short note", "A*B total *55.0*0"], ["a*b"]):
        signals = signals_of(Sheet().write(lines, calling("*", "\x01")).done())
        assert signals.control_share + signals.unmapped_share > 0.05
