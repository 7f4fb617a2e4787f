"""What a person is told of a page that was read in part."""

from inference.guards import Problem
from streams.assemble.finish.reading_notes import _NOTES, notes_of


def test_lost_text_is_told_and_doubts_alone_are_not() -> None:
    said = notes_of(["engines_disagree", "part_unread", "low_confidence"])
    assert len(said) == 1
    assert "could not be read" in said[0]


def test_the_words_are_those_of_the_guards() -> None:
    assert set(_NOTES) <= {problem.value for problem in Problem}
