"""What a page holds, as MuPDF says it: its text, as far as it could be made readable and is shown, what is drawn beside it, and how far to trust it.

Everything is asked of MuPDF once (one text pass, one drawing pass). An error in one part of a page is a warning, and of the text layer a reason for
recognition; only a page whose content is missing from the file is an error. Knows no blocks.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import pymupdf
from msgspec import Struct

from schemas.errors import Code, PageloomError
from schemas.geometry import BBox
from streams.read.hidden.covered import COVERED, uncovered
from streams.read.hidden.lost_parts import LOST, LOST_TRUST, Loss, loss_of
from streams.read.hidden.overprint import without_copies
from streams.read.hidden.unseen import unseen_places
from streams.read.parser_errors import PARSER_ERRORS
from streams.read.text_pass import TextPass, empty_pass, read_text, recover
from streams.read.trust.confidence import Verdict, judge
from streams.read.trust.signals import collect_signals
from streams.read.turning import Matrix
from streams.read.vectors import drawings_of

T = TypeVar("T")


class PageLayer(Struct):
    """The text of a page, as far as it could be made readable, what is drawn beside it, and how far the text is trusted."""

    text: TextPass
    drawings: Sequence[dict[str, Any]]
    images: Sequence[dict[str, Any]]
    verdict: Verdict
    confidence: float
    reasons: tuple[str, ...]


def layer_of(page: pymupdf.Page, figures: bool, warnings: list[str]) -> PageLayer:
    """Asks MuPDF for all that a page holds, and judges its text. `figures`: pictures of text on a sound page are looked for.

    Raises what MuPDF raises when the page cannot be drawn at all, and PageloomError (CORRUPT) where its content is missing from the file.
    """
    pymupdf.TOOLS.reset_mupdf_warnings()
    text = or_warn(lambda: read_text(page), empty_pass(), "the text layer cannot be read", warnings)
    loss = _loss(page, text, warnings)
    drawings = None if text.vectors is None else drawings_of(text.vectors)
    if drawings is None:
        drawings = or_warn(page.get_cdrawings, list[dict[str, Any]](), "drawings cannot be read", warnings)
    images = _images(page, text, warnings)
    judged = partial(_judged, page, drawings, images, figures)
    verdict = judged(text.content)
    confidence, reasons = recover(page, text, verdict, judged)
    if text.textpage is None and not verdict.blank:
        confidence, reasons = 0.0, (*reasons, "text_layer_error")
    if loss is Loss.SOME:
        if verdict.blank or LOST in reasons:
            raise PageloomError(Code.CORRUPT, "what is left of its content shows nothing; the rest is missing from the file")
        confidence, reasons = min(confidence, LOST_TRUST), (*reasons, LOST)
        warnings.append("parts of its content are missing from the file, which is cut off or damaged")
    return PageLayer(text, drawings, images, verdict, confidence, reasons)


def only_shown(page: pymupdf.Page, layer: PageLayer, matrix: Matrix | None, warnings: list[str]) -> tuple[str, ...]:
    """Takes what the page does not show, and what it prints twice, out of its text: the reasons for the first."""
    text = layer.text
    reasons = _leave_unseen(page, text, layer.drawings, layer.images, matrix, warnings)
    if (single := without_copies(text.content, text.raw_characters)) is not None:
        text.take(single)
    return reasons


def _leave_unseen(
    page: pymupdf.Page,
    text: TextPass,
    drawings: Sequence[dict[str, Any]],
    images: Sequence[dict[str, Any]],
    matrix: Matrix | None,
    warnings: list[str],
) -> tuple[str, ...]:
    """Takes text that the page does not show out of its text pass: the reasons."""
    unseen = or_warn(lambda: unseen_places(page, text.content, drawings, images, matrix), dict[BBox, str](), "the page cannot be drawn", warnings)
    if unseen:
        text.without(unseen)
    reasons = tuple(sorted(set(unseen.values())))
    if not text.vectors and not images:
        return reasons
    ask = partial(uncovered, page, text.content, text.vectors or (), images, text.raw_characters, matrix)
    visible = or_warn(ask, None, "the page cannot be drawn", warnings)
    if visible is None:
        return reasons
    text.take(visible)
    return (*reasons, COVERED)


def _judged(
    page: pymupdf.Page, drawings: Sequence[dict[str, Any]], images: Sequence[dict[str, Any]], figures: bool, content: Mapping[str, Any]
) -> Verdict:
    """The verdict on a page whose text is read as `content`."""
    return judge(collect_signals(page, content, drawings, images, figures=figures))


def _loss(page: pymupdf.Page, text: TextPass, warnings: list[str]) -> Loss:
    """Whether parts of a page are missing. Raises PageloomError (CORRUPT) where all of it is."""
    doubtful = not text.content["blocks"] or bool(pymupdf.TOOLS.mupdf_warnings())
    loss = or_warn(lambda: loss_of(page, doubtful=doubtful), Loss.NOTHING, "its objects cannot be looked at", warnings)
    if loss is Loss.ALL:
        raise PageloomError(Code.CORRUPT, "its content is missing from the file, which is cut off or damaged")
    return loss


def _images(page: pymupdf.Page, text: TextPass, warnings: list[str]) -> list[dict[str, Any]]:
    """Pictures with their places. This costs as much as the text does, so a page with text whose resources name no picture is not asked."""
    has_text = bool(text.content["blocks"])
    if has_text and page.parent.is_pdf and not or_warn(page.get_images, [None], "pictures cannot be listed", warnings):
        return []
    images: list[dict[str, Any]] = or_warn(page.get_image_info, [], "pictures cannot be read", warnings)
    return images


def or_warn(question: Callable[[], T], otherwise: T, what: str, warnings: list[str]) -> T:
    """MuPDF's answer, or a warning in its place: one damaged part of a page leaves the others."""
    try:
        return question()
    except PARSER_ERRORS:
        warnings.append(f"{what}; that part of the file is damaged")
        return otherwise
