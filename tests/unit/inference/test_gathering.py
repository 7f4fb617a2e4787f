"""Questions of pieces of work side by side come together, are answered in order, and nobody is left waiting."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inference.engines.gathering import gathered
from schemas.errors import Code, PageloomError

Ask = Callable[[int], int]


def asking(numbers: Sequence[int]) -> Callable[[Ask], list[int]]:
    return lambda ask: [ask(number) for number in numbers]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.integers(), max_size=4), max_size=6))
def test_each_piece_gets_its_own_answers_and_questions_come_in_rounds(pieces: list[list[int]]) -> None:
    rounds: list[list[int]] = []

    def double(questions: Sequence[int]) -> list[int]:
        rounds.append(list(questions))
        return [2 * question for question in questions]

    assert gathered([asking(numbers) for numbers in pieces], double) == [[2 * number for number in numbers] for numbers in pieces]
    longest = max((len(numbers) for numbers in pieces), default=0)
    assert rounds == [[numbers[turn] for numbers in pieces if len(numbers) > turn] for turn in range(longest)]


def test_an_answer_that_is_an_error_is_raised_where_it_was_asked_and_nowhere_else() -> None:
    def careful(ask: Ask) -> str:
        try:
            return str(ask(0))
        except PageloomError as error:
            return error.code.value

    refused = PageloomError(Code.OUT_OF_MEMORY, "too large")
    assert gathered([careful, lambda ask: str(ask(1))], lambda questions: [7 if question else refused for question in questions]) == [
        "out_of_memory",
        "7",
    ]


def test_who_cannot_answer_keeps_nobody_waiting() -> None:
    def broken(questions: Sequence[int]) -> list[int]:
        raise RuntimeError("the model is gone")

    with pytest.raises(RuntimeError, match="the model is gone"):
        gathered([asking([1]), asking([2, 3])], broken)


def test_a_piece_that_fails_does_not_hold_up_the_others() -> None:
    asked: list[int] = []

    def fails(ask: Ask) -> list[int]:
        raise RuntimeError("planted")

    def note(questions: Sequence[int]) -> list[int]:
        asked.extend(questions)
        return list(questions)

    with pytest.raises(RuntimeError, match="planted"):
        gathered([fails, asking([1, 2, 3])], note)
    assert asked == [1, 2, 3]
