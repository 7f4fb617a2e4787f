"""An engine and the guards as one step: units in, an answer for every page out, whatever the engine does short of dying.

Runs where the engine runs. A page whose answer fails a guard is asked for again, alone and with other settings, as often as the engine allows; then
its answer is kept, noted or refused as `guards` says. Raises nothing but CancelledError, from an engine that was told to stop.
"""

from collections.abc import Sequence
from concurrent.futures import CancelledError

import structlog
from msgspec.structs import replace

from inference import guards
from inference.cutting import pictures_of
from inference.engines.protocol import Engine
from inference.guards import Problem
from inference.images import PagePixels
from inference.types import EngineCapabilities, PageAnswer, PageRead, PageRefused, Unit, UnitAnswer
from schemas.errors import Code, PageloomError

log = structlog.get_logger(__name__)

RETRIED = guards.NOT_TO_BE_TRUSTED | {Problem.EMPTY_ON_INK}


def recognize_units(engine: Engine, units: Sequence[Unit], capabilities: EngineCapabilities) -> list[UnitAnswer]:
    """Answers for a batch of units, each page of each unit answered once, in order."""
    pages = [tuple(PagePixels(page.image, page.png, capabilities.max_pixels) for page in unit.pages) for unit in units]
    refused = [_refusals(unit) for unit in pages]
    answers: list[list[PageAnswer]] = [list(refusals or ()) for refusals in refused]
    whole = [index for index, refusals in enumerate(refused) if refusals is None]
    for index, answer in zip(whole, _ask(engine, [pages[index] for index in whole], 1) if whole else [], strict=True):
        answers[index] = [_guarded(a, page, 1) for a, page in zip(answer, pages[index], strict=True)]
    for attempt in range(2, capabilities.attempts + 1):
        again = [(unit, place) for unit in whole for place, answer in enumerate(answers[unit]) if _is_asked_again(answer)]
        if not again:
            break
        # Each bad page alone: a window is as good as its worst page, and a page of it that failed may read well by itself.
        found = _ask(engine, [(pages[unit][place],) for unit, place in again], attempt)
        for (unit, place), answer in zip(again, found, strict=True):
            answers[unit][place] = _guarded(answer[0], pages[unit][place], attempt)
    return [
        tuple(_shown(_settled(answer), page, capabilities) for answer, page in zip(unit, images, strict=True))
        for unit, images in zip(answers, pages, strict=True)
    ]


def _shown(answer: PageAnswer, page: PagePixels, capabilities: EngineCapabilities) -> PageAnswer:
    """An answer with the pictures of its figures."""
    if isinstance(answer, PageRefused):
        return answer
    return replace(answer, pictures=pictures_of(page, answer.content, equations=not capabilities.equations))


def _refusals(unit: tuple[PagePixels, ...]) -> UnitAnswer | None:
    """Refusals of all pages of a unit of which one image cannot be decoded; None where all can."""
    problem: PageloomError | None = None
    for page in unit:
        try:
            _ = page.bgr
        except PageloomError as error:
            problem = error
        except MemoryError:
            problem = PageloomError(Code.OUT_OF_MEMORY, f"image of page {page.image.page} does not fit into memory")
    if problem is None:
        return None
    return tuple(PageRefused(page=page.image.page, code=problem.code, message=str(problem)) for page in unit)


def _ask(engine: Engine, batch: list[tuple[PagePixels, ...]], attempt: int) -> list[UnitAnswer]:
    """The engine's answers, or refusals where it raises or answers other pages than it was asked for."""
    try:
        answers = engine.recognize(batch, attempt)
    except CancelledError:
        raise
    except MemoryError:
        return [_refused(unit, Code.OUT_OF_MEMORY, "the engine ran out of memory", attempt) for unit in batch]
    except Exception as error:  # whatever engine code raises becomes an answer with its cause
        log.exception("engine.raised", pages=[page.image.page for unit in batch for page in unit])
        return [_refused(unit, Code.ENGINE_FAILED, f"the engine raised {type(error).__name__}", attempt) for unit in batch]
    if [[a.page for a in answer] for answer in answers] != [[p.image.page for p in unit] for unit in batch]:
        return [_refused(unit, Code.ENGINE_FAILED, "the engine answered other pages than it was sent", attempt) for unit in batch]
    return answers


def _refused(unit: tuple[PagePixels, ...], code: Code, message: str, attempt: int) -> UnitAnswer:
    return tuple(PageRefused(page=page.image.page, code=code, message=f"page {page.image.page}: {message}", attempts=attempt) for page in unit)


def _guarded(answer: PageAnswer, page: PagePixels, attempt: int) -> PageAnswer:
    if isinstance(answer, PageRefused):
        return answer
    found = guards.check(answer.content, answer.confidence, page.ink)
    problems = tuple(dict.fromkeys((*answer.problems, *(problem.value for problem in found))))
    confidence = 0.0 if Problem.EMPTY_ON_INK in found else answer.confidence
    return PageRead(page=answer.page, content=answer.content, confidence=confidence, problems=problems, attempts=attempt)


def _is_asked_again(answer: PageAnswer) -> bool:
    return isinstance(answer, PageRead) and any(problem in RETRIED for problem in answer.problems)


def _settled(answer: PageAnswer) -> PageAnswer:
    """What a page comes to after the last attempt: text that is not on the page, or in a script the engine cannot read, is refused."""
    if isinstance(answer, PageRefused):
        return answer
    if Problem.SCRIPT_UNSUPPORTED in answer.problems:
        message = f"page {answer.page}: the engine reads nothing of it with confidence ({answer.confidence:.2f})"
        return PageRefused(page=answer.page, code=Code.SCRIPT_UNSUPPORTED, message=message, attempts=answer.attempts)
    untrue = [problem for problem in answer.problems if problem in guards.NOT_TO_BE_TRUSTED]
    if untrue:
        message = f"page {answer.page}: the engine's answer was refused ({', '.join(untrue)})"
        return PageRefused(page=answer.page, code=Code.ENGINE_FAILED, message=message, attempts=answer.attempts)
    return answer
