"""Several pieces of work side by side, whose questions are answered together: as soon as every piece that still runs waits for an answer.

So code that reads one page, and asks a model many small questions on its way, gives batches over pages without knowing of them. Deterministic:
questions are handed on in the order of their pieces, whichever thread came first. Knows no model.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from schemas.errors import PageloomError

Question = TypeVar("Question")
Answer = TypeVar("Answer")
Result = TypeVar("Result")


class _Abandoned(Exception):
    """Whoever answers has failed: nobody waits any longer."""


class _Desk(Generic[Question, Answer]):
    """Where pieces of work leave questions and wait. Each piece has at most one open question."""

    def __init__(self, pieces: int) -> None:
        self._at_work = pieces
        self._questions: dict[int, Question] = {}
        self._answers: dict[int, Answer | PageloomError] = {}
        self._closed = False
        self._changed = threading.Condition()

    def ask(self, piece: int, question: Question) -> Answer:
        """Waits for the answer. Raises the PageloomError that is the answer."""
        with self._changed:
            self._questions[piece] = question
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._closed or piece in self._answers)
            if piece not in self._answers:
                raise _Abandoned
            answer = self._answers.pop(piece)
        if isinstance(answer, PageloomError):
            raise answer
        return answer

    def leave(self) -> None:
        """A piece of work ended."""
        with self._changed:
            self._at_work -= 1
            self._changed.notify_all()

    def questions(self) -> dict[int, Question]:
        """All open questions by piece, once every piece at work has one; none when all pieces ended."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._questions) == self._at_work)
            gathered, self._questions = dict(sorted(self._questions.items())), {}
            return gathered

    def reply(self, answers: dict[int, Answer | PageloomError]) -> None:
        """Wakes the pieces whose questions were gathered."""
        with self._changed:
            self._answers.update(answers)
            self._changed.notify_all()

    def close(self) -> None:
        """Wakes whoever still waits, without an answer."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


def gathered(
    works: Sequence[Callable[[Callable[[Question], Answer]], Result]],
    answer: Callable[[Sequence[Question]], Sequence[Answer | PageloomError]],
) -> list[Result]:
    """What each piece of work gives, in order. Each is called with a function that asks one question and gives its answer.

    `answer` runs in the caller's thread, so a model sees one thread alone. An answer that is an error is raised where the question was asked;
    an error that `answer` or a piece of work raises is raised here, after all pieces have ended.
    """
    if not works:
        return []
    desk: _Desk[Question, Answer] = _Desk(len(works))

    def run(piece: int, work: Callable[[Callable[[Question], Answer]], Result]) -> Result:
        try:
            return work(lambda question: desk.ask(piece, question))
        finally:
            desk.leave()

    with ThreadPoolExecutor(len(works)) as pool:
        futures = [pool.submit(run, piece, work) for piece, work in enumerate(works)]
        try:
            while questions := desk.questions():
                desk.reply(dict(zip(questions, answer(list(questions.values())), strict=True)))
        finally:
            desk.close()
    return [future.result() for future in futures]
