"""Two engines as one: who is asked when, whose reading stands, and what they say of each other."""

import threading

import pytest
from msgspec.structs import replace

from inference.fallback import UNSURE, WithFallback, agreement, decide, is_open
from inference.types import PageAnswer, PageRead, PageRefused, Unit, UnitAnswer
from schemas.content import Block, BlockType, PageContent, Source
from schemas.errors import Code
from tests.unit.inference.engine_for_tests import spec_of
from tests.unit.inference.making import unit_of

TEXT = "What is printed on this page, in one long sentence that both engines see."


def read(page: int = 1, confidence: float = 0.99, text: str = TEXT, problems: tuple[str, ...] = ()) -> PageRead:
    block = Block(type=BlockType.PARAGRAPH, bbox=(0.0, 0.0, 10.0, 10.0), text=text)
    content = PageContent(page=page, width_pt=10.0, height_pt=10.0, rotation=0, source=Source.RECOGNITION, blocks=(block,) if text else ())
    return PageRead(page=page, content=content, confidence=confidence, problems=problems)


def refused(page: int = 1, code: Code = Code.ENGINE_FAILED) -> PageRefused:
    return PageRefused(page=page, code=code, message="no")


class Scripted:
    """An engine that answers by page."""

    def __init__(self, *answers: PageAnswer) -> None:
        self.answers = {answer.page: answer for answer in answers}
        self.asked: list[tuple[int, ...]] = []
        self.ends: list[str] = []

    def recognize(self, units: list[Unit]) -> list[UnitAnswer]:
        pages = [tuple(page.image.page for page in unit.pages) for unit in units]
        self.asked += pages
        return [tuple(self.answers[page] for page in unit) for unit in pages]

    def cancel(self) -> None:
        self.ends.append("cancel")

    def kill(self) -> None:
        self.ends.append("kill")

    def close(self) -> None:
        self.ends.append("close")


def both(first: Scripted, second: Scripted, *units: Unit) -> list[UnitAnswer]:
    return WithFallback(first, spec_of(), lambda: second).recognize(units)


def test_what_the_first_engine_reads_well_is_asked_once() -> None:
    second = Scripted()
    ((answer,),) = both(Scripted(read()), second, unit_of(1))
    assert (answer, second.asked) == (read(), [])


@pytest.mark.parametrize("code", [Code.ENGINE_FAILED, Code.SCRIPT_UNSUPPORTED, Code.TIMED_OUT])
def test_a_refused_page_is_read_by_the_second_engine_and_says_so(code: Code) -> None:
    first, second = Scripted(read(1), refused(2, code), read(3)), Scripted(read(2, text="by the second"))
    ((one, two, three),) = both(first, second, unit_of(1, 2, 3))
    assert isinstance(two, PageRead)
    assert (two.engine, two.attempts, second.asked) == ("test", 2, [(2,)])
    assert ("first_engine_failed" in two.problems) == (code is not Code.SCRIPT_UNSUPPORTED)
    assert (one, three) == (read(1), read(3))


@pytest.mark.parametrize("code", [Code.CORRUPT, Code.TOO_MANY_PIXELS, Code.CANCELLED])
def test_a_page_that_nobody_can_read_is_not_asked_again(code: Code) -> None:
    second = Scripted()
    ((answer,),) = both(Scripted(refused(code=code)), second, unit_of(1))
    assert (answer, second.asked) == (refused(code=code), [])


def test_a_page_that_both_refuse_keeps_the_first_cause() -> None:
    ((answer,),) = both(Scripted(refused(code=Code.SCRIPT_UNSUPPORTED)), Scripted(refused()), unit_of(1))
    assert isinstance(answer, PageRefused)
    assert (answer.code, answer.attempts) == (Code.SCRIPT_UNSUPPORTED, 2)


def test_an_unsure_reading_that_the_second_engine_shares_stays() -> None:
    unsure = read(confidence=UNSURE - 0.1)
    assert decide(unsure, read(text=TEXT.replace("printed", "prlnted")), "b") == unsure


def test_an_unsure_reading_that_the_second_engine_does_not_share_loses_trust() -> None:
    answer = decide(read(confidence=0.8), read(text="something else altogether is on it"), "b")
    assert isinstance(answer, PageRead)
    assert answer.content == read().content
    assert answer.confidence < 0.6
    assert answer.problems == ("engines_disagree",)


def test_a_page_in_a_doubtful_script_goes_to_the_engine_that_reads_it() -> None:
    doubtful = read(confidence=0.6, problems=("script_doubtful",), text="UJTUN NNNN")
    answer = decide(doubtful, read(text="משרד הבריאות", confidence=0.9), "b")
    assert isinstance(answer, PageRead)
    assert (answer.engine, answer.content.blocks[0].text) == ("b", "משרד הבריאות")
    assert decide(doubtful, read(text="x", confidence=0.4), "b").engine is None  # type: ignore[union-attr]


@pytest.mark.parametrize(("first", "second", "engine"), [(0.13, 0.94, "b"), (0.64, 0.87, "b"), (0.7, 0.75, None), (0.8, 0.99, None)])
def test_a_bad_reading_gives_way_to_a_clearly_better_one(first: float, second: float, engine: str | None) -> None:
    """A clean Russian page, as a model without Cyrillic reads it, names no script: too few of its signs are letters."""
    answer = decide(read(confidence=first, text=". , . 1 25 , ,"), read(confidence=second, text="Отчёт о работе библиотеки"), "b")
    assert isinstance(answer, PageRead)
    assert answer.engine == engine
    assert ("engines_disagree" in answer.problems) == (engine is None)


@pytest.mark.parametrize("problems", [(), ("script_doubtful",), ("part_unread",)])
def test_a_page_in_which_the_second_engine_sees_nothing_keeps_its_text(problems: tuple[str, ...]) -> None:
    first = read(confidence=0.72, text="Draft No. 7", problems=problems)
    answer = decide(first, read(confidence=1.0, text=""), "b")
    assert isinstance(answer, PageRead)
    assert (answer.content, answer.engine) == (first.content, None)
    assert answer.problems == (*problems, "engines_disagree")


def of_blocks(*blocks: tuple[str, float, float], problems: tuple[str, ...] = ()) -> PageRead:
    """A page of blocks of one line, 10 points apart: (text, top, confidence)."""
    parts = tuple(Block(type=BlockType.PARAGRAPH, bbox=(0.0, y, 100.0, y + 8.0), text=text, confidence=trust) for text, y, trust in blocks)
    page = read(confidence=0.95, problems=problems)
    return replace(page, content=replace(page.content, blocks=parts))


def test_a_paragraph_in_a_script_that_the_first_engine_does_not_know_is_the_seconds() -> None:
    first = of_blocks(("Rules and instructions", 0, 0.98), (",YGETREASURE RUO", 10, 0.3), ("Use all accounts", 20, 0.97), problems=("part_unread",))
    second = of_blocks(("Rules and lnstructions", 0, 0.8), ("규칙과 지침", 10, 0.9), ("Use all acounts", 20, 0.8))
    assert is_open(first)
    answer = decide(first, second, "b")
    assert isinstance(answer, PageRead)
    assert [block.text for block in answer.content.blocks] == ["Rules and instructions", "규칙과 지침", "Use all accounts"]
    assert (answer.problems, answer.engine) == ((), None)
    whole = of_blocks(("Rules and instructions 규칙과 지침 Use", 0, 0.9))
    whole = replace(whole, content=replace(whole.content, blocks=(replace(whole.content.blocks[0], bbox=(0.0, 0.0, 100.0, 28.0)),)))
    assert decide(first, whole, "b").content == first.content, "one block for three"  # type: ignore[union-attr]
    little = of_blocks(("7", 12, 0.9))
    little = replace(little, content=replace(little.content, blocks=(replace(little.content.blocks[0], bbox=(0.0, 12.0, 5.0, 16.0)),)))
    assert decide(first, little, "b").content == first.content, "one sign for a paragraph"  # type: ignore[union-attr]
    twice = of_blocks(("rubbish", 10, 0.3), ("again", 10, 0.3), problems=("part_unread",))
    assert [block.text for block in decide(twice, second, "b").content.blocks] == ["규칙과 지침", "Use all acounts"]  # type: ignore[union-attr]
    unsure = of_blocks(("Rules", 0, 0.8), ("sjlfj", 10, 0.4))
    kept = decide(first, unsure, "b")
    assert isinstance(kept, PageRead)
    assert (kept.content, kept.problems) == (first.content, first.problems)


def test_a_paragraph_of_which_the_first_engine_found_some_lines_alone_is_the_seconds_whole() -> None:
    first = of_blocks(("Rules", 0, 0.98), (",YGE", 10, 0.4), ("., ,", 30, 0.1), ("Use all", 60, 0.97), problems=("part_unread",))
    second = of_blocks(("Rules", 0, 0.8), ("안녕하세요", 10, 0.55), ("저희는 그룹 멤버의 팬입니다", 20, 0.8), ("Use all", 60, 0.8))
    tall = replace(second.content.blocks[2], bbox=(0.0, 20.0, 100.0, 55.0), line_count=4)
    second = replace(second, content=replace(second.content, blocks=(*second.content.blocks[:2], tall, second.content.blocks[3])))
    answer = decide(first, second, "b")
    assert [block.text for block in answer.content.blocks] == ["Rules", "안녕하세요", "저희는 그룹 멤버의 팬입니다", "Use all"]  # type: ignore[union-attr]
    reaching = replace(tall, bbox=(0.0, 20.0, 100.0, 68.0))
    second = replace(second, content=replace(second.content, blocks=(*second.content.blocks[:2], reaching, second.content.blocks[3])))
    assert reaching not in decide(first, second, "b").content.blocks, "it would say again what was read"  # type: ignore[union-attr]


def test_agreement_is_symmetric_and_blind_to_space_and_case() -> None:
    assert agreement("A b\nC", "ab c") == 1.0
    assert agreement(TEXT, TEXT[:30]) == agreement(TEXT[:30], TEXT)
    assert agreement("", "") == 1.0
    assert agreement("abc", "") == 0.0


def test_both_engines_are_ended_together() -> None:
    first, second = Scripted(refused()), Scripted(read())
    pair = WithFallback(first, spec_of(), lambda: second)
    pair.kill()
    assert first.ends == ["kill"]
    pair.recognize([unit_of(1)])
    assert second.ends == ["kill"]  # made after the end, and ended at once
    pair.cancel()
    thread = threading.Thread(target=pair.close)
    thread.start()
    thread.join(5)
    assert first.ends[1:] == second.ends[1:] == ["cancel", "close"]


def test_rubbish_in_a_script_that_the_second_engine_knows_it_cannot_read_is_refused() -> None:
    answer = decide(read(confidence=0.3, problems=("low_confidence",)), refused(code=Code.SCRIPT_UNSUPPORTED), "test")
    assert isinstance(answer, PageRefused)
    assert (answer.code, answer.attempts) == (Code.SCRIPT_UNSUPPORTED, 2)


def test_an_unsure_reading_whose_script_the_second_engine_doubts_is_noted() -> None:
    answer = decide(read(confidence=0.8), refused(code=Code.SCRIPT_UNSUPPORTED), "test")
    assert isinstance(answer, PageRead)
    assert (answer.confidence, answer.problems) == (pytest.approx(0.6), ("script_doubtful",))
    assert decide(read(confidence=0.8), refused(), "test") == read(confidence=0.8)
