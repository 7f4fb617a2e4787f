"""The budget of a chunk in every script: tokens, not characters."""

from hypothesis import given, settings
from hypothesis import strategies as st

from streams.index.chunks import CHUNK_CHARS, chunks_of, size_of
from tests.unit.assemble.made_documents import build, page, paragraph, whole_page


def test_a_sign_is_a_token_and_four_letters_are_one():
    assert size_of("river") == 5
    assert size_of("河流") == 8
    assert size_of("река") == 8
    assert size_of("rivière") == 7


@given(st.text(alphabet="ab 川は。река", max_size=600), st.integers(16, 120))
@settings(max_examples=60, deadline=None)
def test_no_part_of_a_text_is_larger_than_the_budget(text, budget):
    chunks = chunks_of(build(page(1, paragraph(text))), budget)
    assert all(size_of(chunk.text) <= budget for chunk in chunks)
    assert "".join("".join(chunk.text for chunk in chunks).split()) == "".join(text.split())


def test_a_long_table_of_signs_repeats_its_header_within_the_budget():
    header = ["项目", "金额", "备注"]
    made = whole_page([header, *[[f"港口{n}", f"{n}.5", "学校图书馆" * 3] for n in range(200)]], header_rows=1)
    chunks = chunks_of(build(page(1, made)))
    assert len(chunks) > 5
    assert all(chunk.text.startswith(" | ".join(header)) and size_of(chunk.text) <= CHUNK_CHARS + 1 for chunk in chunks)
