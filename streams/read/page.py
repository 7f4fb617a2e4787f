"""One page of a document that MuPDF opens: what it holds, how far its text layer may be trusted, and its blocks.

Two steps, so that the words of neighbouring pages can decide about hyphens: `survey_page` asks MuPDF everything once (one text pass, one
drawing pass), `page_content` is pure. An error in the text layer is a reason for recognition, not a failed page; only a page that
cannot be loaded raises. Knows no events, no blob store and no settings.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import pymupdf
from msgspec import Struct
from msgspec.structs import replace

from schemas.content import Block, PageContent, Source
from schemas.geometry import BBox, rounded
from streams.read.blocks.building import EDGE_ZONE, Surroundings, build_blocks
from streams.read.blocks.captions import bind_captions
from streams.read.blocks.classify import add_size, body_size
from streams.read.blocks.joining import KnownWords
from streams.read.blocks.lines import Fragment, fragments_of
from streams.read.blocks.margins import find_furniture
from streams.read.blocks.typewriter import mark_typewriter_faces
from streams.read.characters.repairs import whole_text
from streams.read.figures.elements import Hyperlink, Notes, find_links, find_notes, link_text
from streams.read.figures.field_places import in_the_flow
from streams.read.figures.hyperlinks import with_links
from streams.read.figures.labels import Labelled, with_labels, with_lines_of_labels
from streams.read.figures.page_objects import objects_of_page
from streams.read.figures.panels import find_panels, groups_panels
from streams.read.figures.said_twice import without_said
from streams.read.layout import Detail, LayoutBox, LayoutUnavailable, layout_of, too_large
from streams.read.page_layer import layer_of, only_shown, or_warn
from streams.read.page_tables import AskLayout, LayoutWish, PageTables, TextSource, tables_of_page
from streams.read.placed_words import Word, texts_inside
from streams.read.sideways import rulings_outside, sideways_tables, with_turned_lines, words_outside
from streams.read.straddling import outside_tables, stands_in
from streams.read.tables import rulings_of
from streams.read.text_pass import TextPass
from streams.read.tilt import displayed, levelled, middle_of, tilt_of
from streams.read.trust.confidence import Verdict
from streams.read.turning import Matrix, to_page

MAX_FRAGMENTS = 20_000
"""Runs of text laid out on one page; the densest real page (a newspaper of A2) has about 5,000. More is cut off, with a warning."""

TRUSTED = 0.5
"""Where the text is trusted less, recognition reads the page, and the layout of wrong text is of no use."""

ENOUGH_LETTERS = 1500
"""Letters of neighbouring pages from which they say how their body is set: half a page."""


class Survey(Struct):
    """Everything that was found on a page, its text in fragments, before it is laid out. `box` is of the page as displayed; `images` are MuPDF's
    pictures with their places; `layout` are the layout model's boxes where it was asked. `back` takes blocks of a page that was levelled to where
    they are displayed.
    """

    number: int
    box: BBox
    rotation: int
    verdict: Verdict
    confidence: float
    reasons: tuple[str, ...]
    fragments: list[Fragment]
    objects: list[Block]
    notes: Sequence[Labelled]
    links: list[tuple[Hyperlink, str]]
    warnings: list[str]
    images: Sequence[Mapping[str, Any]] = ()
    panels: list[BBox] = []
    layout: tuple[LayoutBox, ...] = ()
    rests: tuple[Block, ...] = ()
    back: Callable[[Block], Block] | None = None


def survey_page(page: pymupdf.Page, wish: LayoutWish = LayoutWish.NEVER, *, figures: bool = False) -> Survey:
    """Reads what is on a page. `figures`: pictures of text on a sound page are looked for, which draws them.

    Raises what MuPDF raises when the page cannot be drawn at all, and PageloomError (CORRUPT) where its content is missing from the file.
    """
    warnings: list[str] = []
    sheet, rotation = page.rect, page.rotation
    matrix: Matrix | None = tuple(page.rotation_matrix) if rotation else None
    box = rounded((0.0, 0.0, sheet.width, sheet.height))
    layer = layer_of(page, figures, warnings)
    text, drawings, verdict, confidence = layer.text, layer.drawings, layer.verdict, layer.confidence
    if verdict.blank:
        if any(map(str.isalpha, whole_text(text.content))):
            warnings.append("the page shows nothing: the text of its text layer is left out")
        return Survey(page.number + 1, box, rotation, verdict, confidence, layer.reasons, [], [], (), [], warnings)
    reasons = (*layer.reasons, *only_shown(page, layer, matrix, warnings))
    if tilt := tilt_of(text.content):
        text.take(levelled(text.raw_characters(), tilt))
    fragments = _fragments(text, matrix, warnings)
    runs = len(fragments)
    notes = or_warn(lambda: find_notes(page, matrix), Notes(()), "annotations cannot be read", warnings)
    furniture = find_furniture(fragments)
    if furniture.taken:
        fragments = [f for index, f in enumerate(fragments) if index not in furniture.taken]
        notes = replace(notes, blocks=(*furniture.blocks, *notes.blocks))
    shown_lines = [to_page(f.box, f.angle) if f.angle else (f.x0, f.y0, f.x1, f.y1) for f in fragments] if drawings else []
    panels = find_panels(drawings, shown_lines, box, matrix)
    wish = wish if confidence >= TRUSTED else LayoutWish.NEVER
    words = cache(partial(text.words, matrix))  # for tables and for links: each asks only where it has need of them
    ask = partial(_ask_layout, page, wish, runs, len(drawings), warnings)
    found = PageTables([]) if text.textpage is None else _tables(text, words, drawings, fragments, box, matrix, wish, ask)
    tables = [table for table in found.blocks if not groups_panels(table, panels)]
    links = _links(page, words, warnings)
    if tables:
        fragments = outside_tables(fragments, [table.bbox for table in tables], found.held, words)
    if notes.covered:
        fragments = [f for f in fragments if not stands_in(f, notes.covered)]
    fragments = without_said(fragments, notes.said)
    rest = objects_of_page(drawings, layer.images, tables, fragments, panels, notes.controls, box, matrix)
    labelled = with_labels(notes.blocks, rest.fragments, notes.pushed)
    fragments = with_lines_of_labels(rest.fragments, labelled)
    return Survey(
        page.number + 1, box, rotation, verdict, confidence, reasons, fragments, rest.blocks, labelled, links, warnings, layer.images, rest.panels,
        found.layout, found.rests, partial(displayed, tilt=tilt, middle=middle_of(text.content), matrix=matrix) if tilt else None,
    )  # fmt: skip


def _fragments(text: TextPass, matrix: Matrix | None, warnings: list[str]) -> list[Fragment]:
    """The runs of a page's text, `MAX_FRAGMENTS` at most."""
    mark_typewriter_faces(text.content)
    fragments = fragments_of(text.content, matrix)
    if len(fragments) > MAX_FRAGMENTS:
        warnings.append(f"only the first {MAX_FRAGMENTS} of {len(fragments)} runs of text were laid out")
    return fragments[:MAX_FRAGMENTS]


def _links(page: pymupdf.Page, words: Callable[[], list[Word]], warnings: list[str]) -> list[tuple[Hyperlink, str]]:
    """The links of a page with the text that each lies on."""
    links: list[Hyperlink] = or_warn(lambda: find_links(page), list[Hyperlink](), "links cannot be read", warnings)
    texts = texts_inside([link.bbox for link in links], words()) if links else []
    return [(link, link_text(text, link.target)) for link, text in zip(links, texts, strict=True)]


def surroundings_of(surveys: Iterable[Survey]) -> Surroundings:
    """What neighbouring pages tell about each other."""
    texts: list[str] = []
    sizes: dict[float, int] = {}
    typed = 0
    for survey in surveys:
        top, bottom = EDGE_ZONE * survey.box[3], (1 - EDGE_ZONE) * survey.box[3]
        for fragment in survey.fragments:
            texts.append(fragment.text)
            style, letters = fragment.style, fragment.letters
            if not fragment.angle and not top < fragment.baseline < bottom:
                continue  # running heads, and fine print that may be longer than the text
            add_size(sizes, style.size_pt, letters)
            typed += letters if style.monospace else 0
    total = sum(sizes.values())
    return Surroundings(KnownWords(texts), body_size(sizes), 2 * typed > total) if total > ENOUGH_LETTERS else Surroundings(KnownWords(texts))


def page_content(survey: Survey, around: Surroundings) -> PageContent:
    """The blocks of a surveyed page: the flow in reading order, form fields where they stand, then furniture and annotations."""
    confidence = round(survey.confidence, 4)
    flow: Sequence[Block] = build_blocks(survey.fragments, survey.objects, survey.box, around, confidence, survey.panels)
    rests = survey.rests
    if survey.back is not None:
        flow, rests = [survey.back(block) for block in flow], tuple(survey.back(block) for block in rests)
    return PageContent(
        page=survey.number,
        width_pt=survey.box[2],
        height_pt=survey.box[3],
        rotation=survey.rotation,
        source=Source.TEXT_LAYER,
        blocks=in_the_flow(bind_captions(with_links(flow, survey.links)), survey.notes),
        rests=rests,
    )


def _tables(
    text: TextPass,
    words: Callable[[], list[Word]],
    drawings: Sequence[dict[str, Any]],
    fragments: Sequence[Fragment],
    box: BBox,
    matrix: Matrix | None,
    wish: LayoutWish,
    ask: AskLayout,
) -> PageTables:
    """The tables of a page: those of turned text, and outside of them those of the others."""
    rulings, characters = rulings_of(drawings, matrix), partial(text.characters, matrix)
    if not any(fragment.angle in (90, 180, 270) for fragment in fragments):
        return tables_of_page(TextSource(text.content, words, characters), rulings, fragments, box, wish, ask)
    aside = sideways_tables(text.content, text.words, text.characters, drawings, fragments, box, matrix)
    places = [table.bbox for table in aside]
    source = TextSource(text.content, lambda: with_turned_lines(words_outside(words(), places), text.content, matrix), characters)
    rest = [fragment for fragment in fragments if not stands_in(fragment, places)]
    found = tables_of_page(source, rulings_outside(rulings, places), rest, box, wish, ask)
    return replace(found, blocks=[*aside, *found.blocks])


def _ask_layout(page: pymupdf.Page, wish: LayoutWish, runs: int, drawings: int, warnings: list[str]) -> tuple[LayoutBox, ...] | None:
    """The layout model's boxes; None for a page that is none for it, and, with a warning, where there is no model."""
    if not runs or too_large(runs, drawings, page.rect.width, page.rect.height):
        return None
    try:
        return layout_of(page, Detail.TEXT_AND_PICTURE if wish is LayoutWish.ALWAYS else Detail.TEXT)
    except LayoutUnavailable as error:
        warnings.append(f"read without the layout tier: {error}")
        return None
