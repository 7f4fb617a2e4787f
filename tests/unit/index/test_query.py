"""Queries are understood as far as they go and say what was not; excerpts show the words that were asked for."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.index.highlight import ROW_SEPARATOR, Piece, excerpt, on_one_line
from streams.index.query import MAX_QUERY_CHARS, Field, Range, Words, parse_query
from streams.index.words import MAX_TERM_CHARS, MAX_TERMS, MAX_WORD_CHARS, WORD, fold, metadata_terms, words_in


def shown(pieces: tuple[Piece, ...]) -> str:
    return "".join(f"[{piece.text}]" if piece.hit else piece.text for piece in pieces)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Grey HERON", ["the", "grey", "heron"]),
        ("naïve café, Straße", ["naive", "cafe", "strasse"]),
        ("cafe\u0301", ["cafe"]),
        ("ﬁnal ２０２６", ["final", "2026"]),
        ("annual_report-v2.pdf", ["annual", "report", "v2", "pdf"]),
        ("负债 ab", ["负", "债", "ab"]),
        ("が", ["が"]),
        ("שָׁלוֹם", ["שלום"]),
        ("— … !", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert words_in(text) == words


@given(st.text(max_size=200))
def test_folding_twice_is_folding_once_for_what_is_found_in_text(text: str) -> None:
    for word in words_in(text):
        assert words_in(word) == [word] or not word.isascii()


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=200))
def test_the_quick_way_through_ascii_finds_the_same_words(text: str) -> None:
    assert words_in(text) == [word[:MAX_WORD_CHARS] for word in WORD.findall(fold(text))]


def test_metadata_terms_are_bounded_and_hold_words_and_whole_values() -> None:
    assert metadata_terms({"Author": "Edmund Härrow"}) == ["author=edmund harrow", "author=edmund", "author=harrow"]
    many = metadata_terms({"x": " ".join(f"word{n}" for n in range(10_000))})
    assert len(many) == MAX_TERMS
    assert max(map(len, many)) <= MAX_TERM_CHARS


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ('"a phrase', "quotation mark is not closed"),
        ("a ( b )", "brackets mean nothing"),
        ("OR a", "OR stands between"),
        ("a OR", "OR stands between"),
        ("author:smith", "there is no field 'author'"),
        ("metadata:smith", "there is no field 'metadata'"),
        ("page:three", "a number is written like page:3"),
        ("page:3..1", "from the smaller number to the larger: page:1..3"),
        ("confidence:0.9..0.25 a", "confidence:0.25..0.9"),
        ("-a", "only exclusions"),
        ("NOT a", "only exclusions"),
        ("!!", "no word to look for"),
        ("a" * (MAX_QUERY_CHARS + 1), "only the first"),
    ],
)
def test_what_is_not_understood_is_said(typed: str, problem: str) -> None:
    assert any(problem in said for said in parse_query(typed).problems)


@pytest.mark.parametrize("typed", ["", "a b", '"a b" -c', "+a", "a AND b", "a OR b", "Re: 12:30 http://host/x", "page:3..7 a", "type:list_item a"])
def test_what_is_understood_has_no_problems(typed: str) -> None:
    assert parse_query(typed).problems == ()


def test_a_query_is_its_clauses() -> None:
    query = parse_query('filename:report "Blue Box" -red AND +green metadata.Author:"E. Harrow" page:3.. a OR b type:list_item')
    assert [clause.negated for clause in query.clauses] == [False, False, True, False, False, False, False, False]
    assert query.clauses[0].any_of == (Words(field=Field.FILENAME, text="report", words=("report",)),)
    assert query.clauses[4].any_of == (Words(field=Field.METADATA, text="E. Harrow", words=("e harrow",), name="author"),)
    assert query.clauses[5].any_of == (Range(field=Field.PAGE, low=3, high=None),)
    assert [term.words for term in query.clauses[6].any_of if isinstance(term, Words)] == [("a",), ("b",)]
    assert query.clauses[7].any_of == (Words(field=Field.TYPE, text="list_item", words=("list_item",)),)
    assert query.words == {"report", "blue", "box", "green", "a", "b"}


@given(st.text(max_size=200))
def test_any_text_is_a_query(typed: str) -> None:
    query = parse_query(typed)
    assert all(clause.any_of for clause in query.clauses)
    assert query.asks or query.problems or not typed.strip()


@given(st.text(max_size=300), st.text(max_size=20))
def test_an_excerpt_is_the_text_in_pieces(text: str, query: str) -> None:
    flat = on_one_line(text)
    assert flat.replace(ROW_SEPARATOR, " ").split() == text.replace(ROW_SEPARATOR, " ").split()
    assert "".join(piece.text for piece in excerpt(text, parse_query(query).words, 10_000)) == flat
    assert "".join(piece.text for piece in excerpt(text, parse_query(query).words, 50)).strip("…") in flat


def test_rows_of_a_table_do_not_run_together_and_a_hit_begins_its_row() -> None:
    rows = "\n".join(f"{lot} | {'Garrowby' if lot == 92 else 'Fenwick'} | Millet | {lot / 2}" for lot in range(60, 120))
    pieces = excerpt(f"1. Lots and yields\nLot | Village | Crop | Yield\n{rows}\nwith the remarks", {"garrowby"}, 80)
    assert shown(pieces).startswith("…92 | [Garrowby] | Millet | 46.0 ‖ 93 | Fenwick | Millet")
    assert on_one_line("a\n | b\n c | d\n\ne | f\ng") == "a | b c | d ‖ e | f g"


def test_an_excerpt_shows_all_words_rather_than_one_of_them_often() -> None:
    text = "heron heron heron " + "and more " * 40 + "the heron met a swan " + "and more " * 40
    assert "the [heron] met a [swan]" in shown(excerpt(text, {"heron", "swan"}, 80))


def test_an_excerpt_marks_the_words() -> None:
    text = "nothing here " * 40 + "the Grey HERON stands in 浅水 " + "and more " * 40
    pieces = excerpt(text, parse_query('grey heron "浅水"').words, 80)
    assert "the [Grey] [HERON] stands in [浅水]" in shown(pieces)
    assert sum(len(piece.text) for piece in pieces) < 90


def test_accents_and_case_do_not_matter_for_marks() -> None:
    assert shown(excerpt("Die Überlieferung im Café", parse_query("uberlieferung CAFE").words)) == "Die [Überlieferung] im [Café]"


def test_an_excerpt_of_a_word_a_thousand_times_is_quick_and_short() -> None:
    pieces = excerpt("heron " * 50_000, {"heron"})
    assert sum(piece.hit for piece in pieces) == 40
    assert fold("HERON") == "heron"


def test_accents_without_end_are_folded_in_little_time() -> None:
    began = process_time()
    assert fold("e" + "\u0301\u0316" * 20_000) == "e"
    assert process_time() - began < 0.5, "normally 0.02 s; 1.6 s in one piece"
