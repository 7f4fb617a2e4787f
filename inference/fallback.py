"""A second engine behind the first: it reads what the first one cannot, and is asked for its opinion where the first one is unsure.

Guarantees: what the first engine read stays its reading, unless it is bad and the second one's clearly better; a page that it refused, or a part that
it could not read, is the second one's, if that can read it, and a page of the second one says so; the second engine is started when it is first
needed. A page that no engine could read (its image is damaged, its document was cancelled) is not asked twice.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace
from rapidfuzz.distance import Levenshtein

from inference.guards import DOUBTFUL, UNREAD, UNREAD_SHARE, UNSUPPORTED, Problem, page_text, unread_share
from inference.reading import Reader
from inference.types import EngineSpec, PageAnswer, PageRead, PageRefused, Unit, UnitAnswer
from schemas.content import Block
from schemas.errors import Code
from schemas.geometry import area, intersection_area

ASKED_AGAIN = frozenset({Code.ENGINE_FAILED, Code.SCRIPT_UNSUPPORTED, Code.TIMED_OUT, Code.OUT_OF_MEMORY})
"""Refusals that another engine may not share."""
UNSURE = 0.85
"""Confidence under which the second engine is asked for its opinion: clean scans have 0.95 and more."""
DISAGREEMENT = 0.7
"""Share of equal text under which the engines disagree. On degraded scans that both read well they agree to 0.9 and more."""
CLEARLY_BETTER = 0.2
"""By how much more confident the second engine must be to take the place of a first one that reads badly: Russian, Hebrew and Greek read by a Latin
and Chinese model came with .13 to .64, read by Tesseract with .87 to .94; what both read, however worn, came within .15 of each other."""
MOSTLY = 0.7
"""Share of a block's box within another from which it stands in its place."""
COVERED = 0.4
"""Share of a block that other blocks must cover to say all of it: lines set apart cover half."""
TOUCHED = 0.15
"""Share of a block up to which another one only touches it."""
MAX_PARTS = 100
"""Unread blocks of a page that are looked for in another reading; a page has one or two."""
DOUBTED = 0.75
"""What is left of the confidence of a page whose script is in doubt."""
MAX_COMPARED = 20_000
"""Characters of a page that are compared: the time grows with their square."""


class WithFallback:
    """Two engines as one. Used by one thread; `kill` and `cancel` are for others."""

    def __init__(self, first: Reader, spec: EngineSpec, make_second: Callable[[], Reader]) -> None:
        """`spec` is of the second engine."""
        self._first = first
        self._spec = spec
        self._make_second = make_second
        self._second: Reader | None = None
        self._killed = False

    def recognize(self, units: Sequence[Unit]) -> list[UnitAnswer]:
        """An answer for every unit. Raises what the first engine raises where it cannot work at all."""
        answers = [list(answer) for answer in self._first.recognize(units)]
        open_pages = [(unit, place) for unit, answer in enumerate(answers) for place, page in enumerate(answer) if is_open(page)]
        if open_pages:
            alone = [Unit((units[unit].pages[place],), units[unit].document_id) for unit, place in open_pages]
            for (unit, place), opinion in zip(open_pages, self._started().recognize(alone), strict=True):
                answers[unit][place] = decide(answers[unit][place], opinion[0], self._spec.name)
        return [tuple(answer) for answer in answers]

    def cancel(self) -> None:
        """Ends what is being read now, where the engines can."""
        self._first.cancel()
        if self._second is not None:
            self._second.cancel()

    def kill(self) -> None:
        """Ends both."""
        self._killed = True
        self._first.kill()
        if self._second is not None:
            self._second.kill()

    def close(self) -> None:
        """Gives back what both hold."""
        self._first.close()
        if self._second is not None:
            self._second.close()

    def _started(self) -> Reader:
        if self._second is None:
            self._second = self._make_second()
            if self._killed:
                self._second.kill()
        return self._second


def decide(first: PageAnswer, second: PageAnswer, engine: str) -> PageAnswer:
    """What a page comes to. `engine` is the name of the second engine.

    A refused page is the second engine's reading, and says so: that may be the worse engine, and the first may only have run out of time. Of two
    readings the first stands, unless it is bad or its script is doubtful and the second one reads clearly better; its confidence is lowered by how
    far they disagree. Of a page of which a part is unread, that part is the second one's. Where the second knows the script to be one that it cannot
    read, the page is refused or noted.
    """
    attempts = first.attempts + second.attempts
    if isinstance(second, PageRefused):
        if isinstance(first, PageRefused):
            return replace(first, attempts=attempts)
        return _in_doubt(first, second, attempts) if second.code is Code.SCRIPT_UNSUPPORTED else first
    if isinstance(first, PageRefused):
        why = () if first.code is Code.SCRIPT_UNSUPPORTED else (Problem.FIRST_ENGINE_FAILED.value,)  # which is what a second engine is for
        return replace(second, attempts=attempts, engine=engine, problems=(*second.problems, *why))
    if not page_text(second.content):
        return _doubted(first, 0.0)  # a page without text has nothing to be unsure of
    doubtful = Problem.SCRIPT_DOUBTFUL in first.problems and second.confidence > max(UNSURE, first.confidence)
    if doubtful or (first.confidence < DOUBTFUL and second.confidence >= first.confidence + CLEARLY_BETTER):
        return replace(second, attempts=attempts, engine=engine)
    if Problem.PART_UNREAD in first.problems:
        return _with_parts(first, second, attempts)
    same = agreement(page_text(first.content), page_text(second.content))
    return first if same >= DISAGREEMENT else _doubted(first, same)


def _doubted(first: PageRead, same: float) -> PageRead:
    """A reading that another one has this share in common with."""
    return replace(first, confidence=round(first.confidence * (0.5 + 0.5 * same), 4), problems=(*first.problems, Problem.ENGINES_DISAGREE.value))


def _with_parts(first: PageRead, second: PageRead, attempts: int) -> PageRead:
    """The first reading with what it could not read, as one paragraph in another script, from the second where that reads it clearly better."""
    blocks: list[Block] = []
    left, taken, asked = list(second.content.blocks), list[Block](), 0
    read = [block for block in first.content.blocks if block.confidence >= UNREAD]
    for block in first.content.blocks:
        is_unread = block.confidence < UNREAD and block.table is None and asked < MAX_PARTS
        asked += is_unread
        better = _better_part(block, left, read) if is_unread else []
        left = [part for part in left if part not in better]
        if not better and is_unread and any(intersection_area(part.bbox, block.bbox) > MOSTLY * area(block.bbox) for part in taken):
            continue  # said by what took the place of a neighbour
        taken += better
        blocks += better or [block]
    content = replace(first.content, blocks=tuple(blocks))
    solved = unread_share(content) < UNREAD_SHARE
    problems = tuple(problem for problem in first.problems if not (solved and problem == Problem.PART_UNREAD))
    return replace(first, content=content, attempts=attempts, problems=problems)


def _better_part(block: Block, others: Sequence[Block], read: Sequence[Block]) -> list[Block]:
    """What another reading has in the place of a block, in its order, and beyond it only where nothing else was `read`: of a paragraph in another
    script some lines may have been found alone. Nothing unless it is clearly more confident.
    """
    found = [part for part in others if part.text and _stands_for(part, block, read)]
    for part in others[others.index(found[-1]) + 1 :] if found else []:
        if not (part.text and _goes_on(found[-1], part) and _is_free(part, read)):
            break
        found.append(part)
    if sum(intersection_area(part.bbox, block.bbox) for part in found) <= COVERED * area(block.bbox):
        return []
    confidence = sum(part.confidence * len(part.text) for part in found) / sum(len(part.text) for part in found)
    return found if confidence >= block.confidence + CLEARLY_BETTER else []


def _stands_for(part: Block, block: Block, read: Sequence[Block]) -> bool:
    common = intersection_area(part.bbox, block.bbox)
    return common > MOSTLY * area(part.bbox) or (common > COVERED * area(block.bbox) and _is_free(part, read))


def _is_free(part: Block, read: Sequence[Block]) -> bool:
    return all(intersection_area(part.bbox, other.bbox) <= TOUCHED * area(other.bbox) for other in read)


def _goes_on(above: Block, below: Block) -> bool:
    """Whether a block stands right below another, within the height of its line."""
    line = (below.bbox[3] - below.bbox[1]) / max(1, below.line_count)
    return abs(below.bbox[1] - above.bbox[3]) <= line and below.bbox[0] < above.bbox[2] and above.bbox[0] < below.bbox[2]


def _in_doubt(first: PageRead, second: PageRefused, attempts: int) -> PageAnswer:
    """A page that the first engine was unsure of, and the second knows to be in a script that it cannot read: where the first reads badly its text
    is rubbish (Hebrew taken for Latin), else its script is noted as doubtful (half right Greek came with a confidence of .8).
    """
    if first.confidence < UNSUPPORTED:
        return replace(second, attempts=attempts)
    problems = tuple(dict.fromkeys((*first.problems, Problem.SCRIPT_DOUBTFUL.value)))
    return replace(first, attempts=attempts, confidence=round(first.confidence * DOUBTED, 4), problems=problems)


def agreement(one: str, other: str) -> float:
    """How much two texts of a page have in common, 0..1, without white space and case; blocks in another order count as other text."""
    left, right = ("".join(text.lower().split())[:MAX_COMPARED] for text in (one, other))
    return float(Levenshtein.normalized_similarity(left, right))


def is_open(page: PageAnswer) -> bool:
    """Whether the second engine is asked about a page."""
    if isinstance(page, PageRefused):
        return page.code in ASKED_AGAIN
    return (page.confidence < UNSURE or Problem.PART_UNREAD in page.problems) and bool(page_text(page.content))
