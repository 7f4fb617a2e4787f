"""The rule by which a word is whole again after a break, wherever the break was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.text import HYPHENS, cut_word, hyphen_goes, is_suspended, is_unspaced, words_of


@pytest.mark.parametrize(
    ("begin", "end", "printed", "goes"),
    [
        ("rea", "sonable", "", True),
        ("fine", "tuned", "was fine-tuned once", False),
        ("well", "known", "a known fact", False),
        ("well", "known", "", False),
        ("self", "contained", "", False),
        ("well", "ness", "", True),
        ("self", "ishness", "", True),
        ("e", "mail", "", False),
        ("e", "mail", "email us", True),
        ("some", "times", "some other times", True),
        ("open", "domain", "the open domain", False),
        ("co", "operation", "cooperation of co and operation", True),
        ("state-of-the", "art", "", False),
        ("state\u2010of", "the", "", False),
        ("Soekarno", "Hatta", "", False),
        ("Trace", "Monkey", "TraceMonkey supports", True),
        ("Trace", "Monkey", "TraceMonkey and Trace-Monkey", False),
        ("Com", "mittee", "the committee", True),
        ("high", "dimensional", "", False),
        ("machine", "readable", "", False),
        ("multi", "dimensional", "two dimensional ones", True),
        ("multi", "dimensional", "multi-dimensional", False),
        ("micro", "scale", "", True),
        ("large", "scale", "", False),
        ("peace", "making", "", True),
        ("film", "making", "making a film", False),
        ("decision", "making", "", False),
        ("inter", "dependent", "", True),
        ("de", "based", "", True),
        ("emotion", "aware", "emotionaware", True),
        ("off", "the", "", False),
        ("infor", "mation", "", True),
        ("Daten", "verarbeitung", "", True),
        ("au", "dessus", "", False),
        ("gouverne", "ment", "", True),
        ("linja", "auto", "sekä junat", False),
        ("kunnal", "lisvaalit", "sekä junat", True),
        ("samen", "werking", "", True),
        ("co", "operate", "", True),
    ],
)
def test_which_hyphen_is_only_a_break(begin: str, end: str, printed: str, goes: bool) -> None:
    assert hyphen_goes(begin, end, words_of([printed])) is goes


@pytest.mark.parametrize(
    ("begin", "end", "after", "printed", "suspended"),
    [
        ("ein", "und", " ausgehend", "", True),
        ("Forschungs", "und", "", "", True),
        ("wun", "under", " it", "", False),
        ("br", "and", "s", "", False),
        ("kurz", "oder", ",", "", False),
        ("short", "and", " long-term", "", True),
        ("brig", "and", " sailed", "", False),
        ("Grosz", "und", " und", "der Groszund", False),
        ("aktu", "eller", " Stand", "der Bericht und die Arbeiten", False),
        ("finanzi", "eller", "", "", False),
        ("vår", "eller", " höst", "det är på hösten", True),
        ("natt", "och", " dag", "på natten", True),
        ("peri", "oder", " och år", "det är", False),
        ("ein", "oder", " ausgehend", "der Brief", True),
    ],
)
def test_a_hyphen_before_a_conjunction_is_no_break(begin: str, end: str, after: str, printed: str, *, suspended: bool) -> None:
    assert is_suspended(begin, end, after, words_of([printed])) is suspended


@pytest.mark.parametrize(
    ("above", "below", "parts"),
    [
        ("a very rea-", "sonable one", ("rea", "sonable")),
        ("the state-of-the-", "art", ("state-of-the", "art")),
        ("pages 12-", "15", None),
        ("a dash -", "and more", None),
        ("no hyphen", "here", None),
        ("-", "x", None),
        ("", "x", None),
        ("x-", "", None),
    ],
)
def test_parts_of_a_cut_word(above: str, below: str, parts: tuple[str, str] | None) -> None:
    assert cut_word(above, below) == parts


def test_parts_of_cut_words_are_no_words() -> None:
    words = words_of(["a very rea-", "sonable one", "soft\u00ad", "ly said, a well\u2011known thing"])
    assert {"very", "one", "said", "well-known", "thing"} <= words
    assert not {"rea", "sonable", "soft", "ly"} & words


@given(st.text(max_size=80), st.text(max_size=80), st.frozensets(st.text(max_size=8)))
def test_no_text_raises_and_parts_stand_where_the_break_was(above: str, below: str, words: frozenset[str]) -> None:
    parts = cut_word(above, below)
    if parts is not None:
        assert above[-1] in HYPHENS
        assert above[:-1].endswith(parts[0])
        assert below.startswith(parts[1])
        assert hyphen_goes(*parts, words) in (True, False)


def test_scripts_without_spaces() -> None:
    assert all(map(is_unspaced, "计。の無ไ，"))
    assert not any(map(is_unspaced, "aя한א1 -"))
