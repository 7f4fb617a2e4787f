"""Lines of a paragraph: hyphens, spaces, scripts without spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.blocks.joining import KnownWords, join_lines

NONE = KnownWords([])


@pytest.mark.parametrize(
    ("lines", "known", "wanted"),
    [
        (["a very rea-", "sonable strategy"], [], "a very reasonable strategy"),
        (["are then fine-", "tuned jointly"], ["was fine-tuned once"], "are then fine-tuned jointly"),
        (["an open-", "domain question"], ["the open domain"], "an open-domain question"),
        (["der aktu-", "eller Stand"], ["der Bericht und die Arbeiten"], "der aktueller Stand"),
        (["ein-", "und ausgehend"], [], "ein- und ausgehend"),
        (["a multi-", "dimensional one"], [], "a multidimensional one"),
        (["some-", "times it is"], ["some other times"], "sometimes it is"),
        (["in Trace-", "Monkey the"], ["TraceMonkey supports"], "in TraceMonkey the"),
        (["Soekarno-", "Hatta airport"], [], "Soekarno-Hatta airport"),
        (["the year 2019-", "20 was"], [], "the year 2019-20 was"),
        (["a dash -", "then words"], [], "a dash - then words"),
        (["no. 6, 406– ", "415"], [], "no. 6, 406–415"),
        (["737–", "9 and M–", "30"], [], "737–9 and M–30"),
        (["from 5 %–", "10 % and (a)–", "(c)"], [], "from 5 %–10 % and (a)–(c)"),
        (["Bonn – ", "Berlin"], [], "Bonn – Berlin"),
        (["a turn– ", "so it was"], [], "a turn– so it was"),
        (["Donau\u00ad", "dampf"], [], "Donaudampf"),
        (["soft\u00adly spoken"], [], "softly spoken"),
        (["state-of-the-", "art work"], [], "state-of-the-art work"),
        (["and/", "or"], [], "and/or"),
        (["plain line", "next line"], [], "plain line next line"),
        (["重新计量设定受益计", "划净负债"], [], "重新计量设定受益计划净负债"),
        (["日本語の", "Text の行"], [], "日本語の Text の行"),
        (["委员会决定将", "35%的收入用于教育"], ["于2024年讨论了"], "委员会决定将35%的收入用于教育"),
        (["生徒数は4.7%", "増加した"], ["2024年に市の"], "生徒数は4.7%増加した"),
        (["决定将 ", "35%的收入"], ["于2024年讨论了"], "决定将 35%的收入"),
        (["决定将", "35% 的收入"], ["于 2024 年讨论了"], "决定将 35% 的收入"),
        (["ภาษาไทย", "ไม่มีช่องว่าง"], [], "ภาษาไทยไม่มีช่องว่าง"),
        (["the same-", "", "  ", "day"], [], "the sameday"),
    ],
)
def test_lines_become_one_text(lines: list[str], known: list[str], wanted: str) -> None:
    assert join_lines(lines, KnownWords([*known, *lines])) == wanted


def test_korean_words_cut_at_line_ends_are_whole_where_spaces_are_written_at_line_ends() -> None:
    spaced = KnownWords(["진자는 나타났다. ", "보아야 할지 ", "코로나바이러스감염", "단계에 돌입한 ", "있는 한 "])
    assert join_lines(["코로나바이러스감염", "증이다"], spaced) == "코로나바이러스감염증이다"
    assert join_lines(["보아야 할지 ", "이슈가"], spaced) == "보아야 할지 이슈가"


def test_korean_lines_without_written_spaces_are_joined_by_known_words() -> None:
    known = KnownWords(["감염증이다 그리고", "국내 확", "진자는"])
    assert join_lines(["코로나 감염", "증이다"], known) == "코로나 감염증이다"
    assert join_lines(["국내", "상황"], known) == "국내 상황"


def test_parts_of_cut_words_are_not_known_words() -> None:
    known = KnownWords(["a very rea-", "sonable one"])
    assert "rea" not in known
    assert "sonable" not in known
    assert "very" in known


@given(st.lists(st.text(max_size=20), max_size=8))
def test_joining_loses_no_letter(lines: list[str]) -> None:
    joined = join_lines(lines, NONE)
    letters = [c for line in lines for c in line if c.isalnum()]
    assert [c for c in joined if c.isalnum()] == letters
    assert joined == joined.strip()
    assert "  " not in joined


@pytest.mark.parametrize(
    ("lines", "words", "text"),
    [
        (["die Ein-", "und Ausgänge"], "", "die Ein- und Ausgänge"),
        (["in the thous-", "and isles"], "a thousand", "in the thousand isles"),
        (["a high-", "dimensional space"], "", "a high-dimensional space"),
    ],
)
def test_hyphens_that_stay_at_line_ends(lines: list[str], words: str, text: str) -> None:
    assert join_lines(lines, KnownWords([words])) == text
