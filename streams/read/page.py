"""One page of a document that MuPDF opens: what it holds, how far its text layer may be trusted, and its blocks.

Two steps, so that the words of neighbouring pages can decide about hyphens: `survey_page` asks MuPDF everything once (one text pass, one
drawing pass), `page_content` is pure. An error in the text layer is a reason for recognition, not a failed page; only a page that
cannot be loaded raises. Knows no events, no blob store and no settings.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import pymupdf
from msgspec import Struct
from msgspec.structs import replace

from schemas.content import Block, BlockType, Link, PageContent, Source
from schemas.geometry import BBox, area, center, contains_point, rounded
from streams.read.blocks import Surroundings, build_blocks
from streams.read.charts import find_charts
from streams.read.classify import add_size, body_size
from streams.read.confidence import Verdict, judge
from streams.read.elements import Hyperlink, Notes, find_figures, find_links, find_notes
from streams.read.joining import KnownWords
from streams.read.language import Shift, unshift
from streams.read.lines import ARABIC, Fragment, fragments_of, restore_ligature_order
from streams.read.placed_words import Word, bold_indexes, characters_of, text_inside, words_from_characters, words_from_tuples
from streams.read.signals import collect_signals
from streams.read.tables import find_tables, has_table_candidate, rulings_of
from streams.read.turning import Matrix, to_page

TEXT_FLAGS = (pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES) | pymupdf.TEXT_COLLECT_VECTORS
"""Vectors cost the text pass a tenth of what the drawing pass costs: a page without any is spared that (a quarter of all pages)."""
MAX_FRAGMENTS = 20_000
"""Runs of text laid out on one page; the densest real page (a newspaper of A2) has about 5,000. More is cut off, with a warning."""

PARSER_ERRORS = (RuntimeError, ValueError, TypeError, LookupError, OSError, pymupdf.mupdf.FzErrorBase)
"""What PyMuPDF raises for damaged files; it has no common base."""

T = TypeVar("T")


class Survey(Struct):
    """Everything that was found on a page, its text in fragments, before it is laid out. `box` is of the page as displayed."""

    number: int
    box: BBox
    rotation: int
    verdict: Verdict
    confidence: float
    reasons: tuple[str, ...]
    fragments: list[Fragment]
    objects: list[Block]
    notes: Notes
    links: list[tuple[Hyperlink, str]]
    warnings: list[str]


class _Text(Struct):
    """The text pass: MuPDF's dictionary of blocks, lines and spans, and the pass itself to ask for words.

    `shifts`: by font, the shifts that were undone in `content`; the pass itself still has them.
    """

    content: dict[str, Any]
    textpage: Any
    has_arabic: bool
    has_vectors: bool
    shifts: Mapping[str, Shift]


def survey_page(page: pymupdf.Page) -> Survey:
    """Reads what is on a page. Raises what MuPDF raises when the page cannot be drawn at all."""
    warnings: list[str] = []
    sheet, rotation = page.rect, page.rotation
    matrix: Matrix | None = tuple(page.rotation_matrix) if rotation else None
    box = rounded((0.0, 0.0, sheet.width, sheet.height))
    text = _or_warn(lambda: _text_pass(page), _Text({"blocks": []}, None, False, True, {}), "the text layer cannot be read", warnings)
    drawings: list[dict[str, Any]] = _or_warn(page.get_cdrawings, [], "drawings cannot be read", warnings) if text.has_vectors else []
    images = _images(page, text, warnings)
    verdict = judge(collect_signals(page, text.content, drawings, images))
    confidence, reasons = _repaired(text, verdict)
    if text.textpage is None and not verdict.blank:
        confidence, reasons = 0.0, (*reasons, "text_layer_error")
    if verdict.blank:
        return Survey(page.number + 1, box, rotation, verdict, confidence, reasons, [], [], Notes((), ()), [], warnings)
    fragments = fragments_of(text.content, matrix)
    if len(fragments) > MAX_FRAGMENTS:
        warnings.append(f"only the first {MAX_FRAGMENTS} of {len(fragments)} runs of text were laid out")
        fragments = fragments[:MAX_FRAGMENTS]
    notes = _or_warn(lambda: find_notes(page, matrix), Notes((), ()), "annotations cannot be read", warnings)
    tables = _tables(text, drawings, matrix, box)
    figures = [
        f
        for f in find_figures(images, box, matrix)
        if not any(contains_point(t.bbox, *center(f.bbox)) for t in tables) and not _is_background(f.bbox, fragments)
    ]
    links: list[Hyperlink] = _or_warn(lambda: find_links(page), list[Hyperlink](), "links cannot be read", warnings)
    words = _displayed_words(text, matrix) if links and text.textpage is not None else []
    shown = [(link, text_inside(link.bbox, words)) for link in links]
    taken = [table.bbox for table in tables] + list(notes.covered)
    if taken:
        fragments = [f for f in fragments if not _stands_in(f, taken)]
    charts, labels = find_charts(drawings, fragments, [block.bbox for block in (*tables, *figures)], box, matrix)
    if labels:
        fragments = [f for index, f in enumerate(fragments) if index not in labels]
    objects = [*tables, *figures, *charts]
    return Survey(page.number + 1, box, rotation, verdict, confidence, reasons, fragments, objects, notes, shown, warnings)


def surroundings_of(surveys: Iterable[Survey]) -> Surroundings:
    """What neighbouring pages tell about each other."""
    texts: list[str] = []
    sizes: dict[float, int] = {}
    for survey in surveys:
        for fragment in survey.fragments:
            texts.append(fragment.text)
            add_size(sizes, fragment.style.size_pt, fragment.letters)
    return Surroundings(KnownWords(texts), body_size(sizes) if sum(sizes.values()) > 1500 else None)


def page_content(survey: Survey, around: Surroundings) -> PageContent:
    """The blocks of a surveyed page: the flow in reading order, then form fields and annotations."""
    confidence = round(survey.confidence, 4)
    flow = build_blocks(survey.fragments, survey.objects, survey.box, around, confidence)
    return PageContent(
        page=survey.number,
        width_pt=survey.box[2],
        height_pt=survey.box[3],
        rotation=survey.rotation,
        source=Source.TEXT_LAYER,
        blocks=(*_with_links(flow, survey.links), *survey.notes.blocks),
    )


def _or_warn(question: Callable[[], T], otherwise: T, what: str, warnings: list[str]) -> T:
    """MuPDF's answer, or a warning in its place: one damaged part of a page leaves the others."""
    try:
        return question()
    except PARSER_ERRORS as error:
        warnings.append(f"{what} ({type(error).__name__})")
        return otherwise


def _text_pass(page: pymupdf.Page) -> _Text:
    textpage = page.get_textpage(flags=TEXT_FLAGS)
    content = textpage.extractDICT()
    blocks = [block for block in content["blocks"] if block["type"] == 0]
    vectors = len(blocks) < len(content["blocks"])
    content["blocks"] = blocks
    texts = (span["text"] for span in _spans(content))
    arabic = any(not text.isascii() and ARABIC.search(text) for text in texts)
    if arabic:
        restore_ligature_order(content, _raw(textpage))
    return _Text(content, textpage, arabic, vectors, {})


def _raw(textpage: Any, shifts: Mapping[str, Shift] | None = None) -> dict[str, Any]:
    """The text pass by characters, of the same blocks as its dictionary; shifts are undone in it."""
    raw: dict[str, Any] = textpage.extractRAWDICT()
    raw["blocks"] = [block for block in raw["blocks"] if block["type"] == 0]
    if shifts:
        for span in _spans(raw):
            if shift := shifts.get(span["font"]):
                for char in span["chars"]:
                    char["c"] = unshift(char["c"], shift)
    return raw


def _spans(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    return (span for block in content["blocks"] for line in block.get("lines", ()) for span in line["spans"])


def _images(page: pymupdf.Page, text: _Text, warnings: list[str]) -> list[dict[str, Any]]:
    """Pictures with their places. This costs as much as the text does, so a page with text whose resources name no picture is not asked."""
    has_text = bool(text.content["blocks"])
    if has_text and page.parent.is_pdf and not _or_warn(page.get_images, [None], "pictures cannot be listed", warnings):
        return []
    images: list[dict[str, Any]] = _or_warn(page.get_image_info, [], "pictures cannot be read", warnings)
    return images


def _repaired(text: _Text, verdict: Verdict) -> tuple[float, tuple[str, ...]]:
    """Undoes shifted codes in place where that makes sound text of it: (confidence, reasons) after the repair."""
    if not verdict.shifts or verdict.recovered_confidence <= verdict.confidence:
        return verdict.confidence, verdict.reasons
    text.shifts = {found.font: found.shift for found in verdict.shifts}
    for span in _spans(text.content):
        if shift := text.shifts.get(span["font"]):
            span["text"] = unshift(span["text"], shift)
    return verdict.recovered_confidence, (*verdict.reasons, "recovered:shift")


def _tables(text: _Text, drawings: Sequence[Mapping[str, Any]], matrix: Matrix | None, box: BBox) -> list[Block]:
    """Ruled tables as finished blocks. Words are asked for only where rulings could make one."""
    rulings = rulings_of(drawings, matrix)
    if text.textpage is None or not has_table_candidate(rulings):
        return []
    words = _displayed_words(text, matrix)
    characters = cache(lambda: characters_of(_raw(text.textpage, text.shifts), matrix))
    found = find_tables(words, rulings, box, bold_indexes(text.content, words), characters)
    return [Block(type=BlockType.TABLE, bbox=table.bbox, table=table.table, confidence=table.table.confidence) for table in found]


def _displayed_words(text: _Text, matrix: Matrix | None) -> list[Word]:
    if text.has_arabic or text.shifts:
        return words_from_characters(_raw(text.textpage, text.shifts), matrix)
    return words_from_tuples(text.textpage.extractWORDS(), matrix)


def _stands_in(fragment: Fragment, boxes: Sequence[BBox]) -> bool:
    x, y = center(to_page(fragment.box, fragment.angle))
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in boxes)


def _is_background(box: BBox, fragments: Sequence[Fragment]) -> bool:
    """Whether lines of prose run over a picture: then it is decoration, or the scan that the text was recognised from."""
    prose = (fragment for fragment in fragments if fragment.letters > 30)
    return sum(contains_point(box, *center(to_page(fragment.box, fragment.angle))) for fragment in prose) > 2


def _with_links(blocks: Sequence[Block], links: Sequence[tuple[Hyperlink, str]]) -> list[Block]:
    """Gives each link to the smallest block that it lies on."""
    linked: dict[int, list[Link]] = {}
    for link, text in links:
        x, y = center(link.bbox)
        on = [index for index, block in enumerate(blocks) if contains_point(block.bbox, x, y)]
        if on:
            linked.setdefault(min(on, key=lambda index: area(blocks[index].bbox)), []).append(Link(text=text, target=link.target))
    return [replace(block, links=tuple(linked[index])) if index in linked else block for index, block in enumerate(blocks)]
