"""Text of shapes and cells (DrawingML, ECMA-376 part 1, 21.1.2): paragraphs with their bullets, numbers and links.

Whether a paragraph has a bullet is said by itself, else by its shape's list style, else by the placeholders that the shape inherits from, else by
the master's text styles; the first that speaks decides.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from schemas.content import Block, BlockType, Link, Span
from schemas.geometry import BBox
from schemas.text import LINE_BREAK
from streams.read.blocks.emphasis import BOLD, CODE, ITALIC, MATH, STRUCK, shifted, solid, spans_of
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.cell_text import CellText, joined_text
from streams.read.structure.markup.inline_text import lowered, raised
from streams.read.structure.office.code_lines import code_text, is_all_code, is_monospace, looks_like_code
from streams.read.structure.office.equations import latex
from streams.read.structure.office.floats import chosen
from streams.read.structure.office.hyperlinks import link_of
from streams.read.structure.office.number_words import spelled
from streams.read.structure.office.package import Element, Relationship, number, qname

LEVELS = 9
MAX_PARAGRAPHS = 5_000
"""Of one shape."""

_PARAGRAPH, _PROPERTIES = qname("a:p"), qname("a:pPr")
_BULLETS = {qname("a:buNone"): "none", qname("a:buChar"): "bullet", qname("a:buBlip"): "bullet", qname("a:buAutoNum"): "number"}
_FORMS: dict[str, str] = {
    "arabic": "decimal", "alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman", "romanUc": "upperRoman",
    "circleNum": "decimalEnclosedCircle", "ea1Chs": "chineseCounting", "ea1Cht": "chineseCounting", "ea1Jpn": "chineseCounting",
}  # fmt: skip
"""Forms of automatic numbers (20.1.10.61) by the beginning of their name; the rest says what stands around the number."""


class TextParagraph(Struct, frozen=True):
    """A paragraph of a shape: its text, its links, the depth of its item, its marker (None for plain text), and its emphasis. `code` is the text with
    all its spaces where a typewriter's font sets all of it; else it is empty.
    """

    text: str
    links: tuple[Link, ...]
    level: int
    marker: str | None
    spans: tuple[Span, ...] = ()
    code: str = ""


class _Bullet(Struct, frozen=True):
    kind: str
    form: str = ""
    start: int = 1


def blocks_of(body: Element, bbox: BBox, relationships: dict[str, Relationship], styles: Sequence[Element]) -> Iterator[Block]:
    """The blocks of a text body: items for paragraphs with a bullet or number; else formulas, lines of code, and paragraphs. `styles` as for
    `paragraphs_of`.
    """
    code: list[str] = []
    for one in paragraphs_of(body, relationships, styles):
        if one.marker is None and looks_like_code(one.code, after_code=bool(code)):
            code.append(one.code)
            continue
        if code:
            yield Block(type=BlockType.CODE, bbox=bbox, text="\n".join(code))
            code = []
        if one.marker is None and [(span.length, span.math) for span in one.spans] == [(len(one.text), True)]:
            yield Block(type=BlockType.EQUATION, bbox=bbox, text=one.text)
        elif one.marker is None:
            yield Block(type=BlockType.PARAGRAPH, bbox=bbox, text=one.text, links=one.links, spans=one.spans)
        else:
            text, spans = f"{one.marker} {one.text}", shifted(one.spans, len(one.marker) + 1)
            yield Block(type=BlockType.LIST_ITEM, bbox=bbox, text=text, list_depth=one.level, links=one.links, spans=spans)
    if code:
        yield Block(type=BlockType.CODE, bbox=bbox, text="\n".join(code))


def paragraphs_of(body: Element, relationships: dict[str, Relationship], styles: Sequence[Element]) -> Iterator[TextParagraph]:
    """The paragraphs of a text body that say something. `styles`: list styles (`a:lvl1pPr` and so on) from the nearest to the master's."""
    counts = [0] * LEVELS
    for index, paragraph in enumerate(body.iterchildren(_PARAGRAPH)):
        if index >= MAX_PARAGRAPHS:
            break
        text, links, spans, code = _text_of(paragraph, relationships)
        if not text:
            continue
        properties = paragraph.find(_PROPERTIES)
        level = min(max(number(properties.get("lvl")) if properties is not None else 0, 0), LEVELS - 1)
        bullet = _bullet(properties, styles, level)
        numbered = bullet.kind == "number"
        counts[level] = max(counts[level] + 1, bullet.start) if numbered else 0
        counts[level + 1 :] = [0] * (LEVELS - level - 1)
        marker = _number_marker(bullet.form, counts[level]) if numbered else "•" if bullet.kind == "bullet" else None
        yield TextParagraph(text, links, level, marker, spans, code)


def flat_text(body: Element, relationships: dict[str, Relationship]) -> str:
    """All paragraphs of a text body on one line each."""
    return rich_text(body, relationships).text


def rich_text(body: Element, relationships: dict[str, Relationship]) -> CellText:
    """All paragraphs of a text body on one line each, with their emphasis."""
    return joined_text((CellText(one.text, one.spans) for one in paragraphs_of(body, relationships, ())), "\n")


def _text_of(paragraph: Element, relationships: dict[str, Relationship]) -> tuple[str, tuple[Link, ...], tuple[Span, ...], str]:
    """The text of a paragraph with its links and its emphasis, and all of it once more where it is set as code."""
    parts: list[str] = []
    links: list[Link] = []
    settings: dict[int, int] = {}
    _walk(paragraph, parts, links, settings, relationships)
    raw = "".join(parts)
    text = LINE_BREAK.join(filter(None, map(collapse, raw.split("\n"))))
    runs = [(solid(part), settings.get(place, 0)) for place, part in enumerate(parts)] if settings else []
    is_code = is_all_code(runs)
    spans = spans_of(text, runs, CODE if is_code else 0) if runs else ()
    return text, tuple(link for link in links if link.text in text), spans, raw.rstrip() if is_code else ""


def _walk(element: Element, parts: list[str], links: list[Link], settings: dict[int, int], relationships: dict[str, Relationship]) -> None:
    """Gathers text, links, and by the places of parts how these are set."""
    for child in element:
        tag = child.tag
        if tag in (qname("a:r"), qname("a:fld")):
            properties = child.find(qname("a:rPr"))
            setting, raw = _setting(properties), child.findtext(qname("a:t")) or ""
            said = code_text(raw) if setting & CODE else _shifted(clean_text(raw, _font(properties)), properties)
            if setting:
                settings[len(parts)] = setting
            parts.append(said)
            if properties is not None and (link := _link(properties, said, relationships)) is not None:
                links.append(link)
        elif tag == qname("a:br"):
            parts.append("\n")
        elif tag == qname("mc:AlternateContent") and (branch := chosen(child)) is not None:
            _walk(branch, parts, links, settings, relationships)
        elif tag == qname("a14:m"):
            for equation in child.iter(qname("m:oMath")):
                settings[len(parts)] = MATH
                parts.append(latex(equation))


def _shifted(text: str, properties: Element | None) -> str:
    """The text of a run, raised or lowered as its baseline is (21.1.2.3.9)."""
    baseline = number((properties.get("baseline") or "0").rstrip("%")) if properties is not None else 0
    return raised(text) if baseline > 0 else lowered(text) if baseline < 0 else text


def _setting(properties: Element | None) -> int:
    """How a run is set by itself (21.1.2.3.9)."""
    if properties is None:
        return 0
    bold = BOLD if properties.get("b") in ("1", "true") else 0
    italic = ITALIC if properties.get("i") in ("1", "true") else 0
    struck = STRUCK if properties.get("strike", "noStrike") != "noStrike" else 0
    return bold | italic | struck | (CODE if is_monospace(_font(properties)) else 0)


def _font(properties: Element | None) -> str:
    if properties is None:
        return ""
    font = properties.find(qname("a:sym"))
    font = font if font is not None else properties.find(qname("a:latin"))
    return font.get("typeface", "") if font is not None else ""


def _link(properties: Element, text: str, relationships: dict[str, Relationship]) -> Link | None:
    click = properties.find(qname("a:hlinkClick"))
    relationship = relationships.get(click.get(qname("r:id"), "")) if click is not None else None
    return link_of(text, relationship.target) if relationship is not None and relationship.external else None


def _bullet(properties: Element | None, styles: Sequence[Element], level: int) -> _Bullet:
    sources = [properties, *(style.find(qname(f"a:lvl{level + 1}pPr")) for style in styles)]
    for source in sources:
        for child in source if source is not None else ():
            kind = _BULLETS.get(child.tag)
            if kind is not None:
                return _Bullet(kind, child.get("type", "arabicPeriod"), max(number(child.get("startAt"), 1), 1))
    return _Bullet("none")


def _number_marker(form: str, value: int) -> str:
    shown = next((spelled(value, ours) for theirs, ours in _FORMS.items() if form.startswith(theirs)), str(value))
    if form.endswith("ParenBoth"):
        return f"({shown})"
    return shown + (")" if form.endswith("ParenR") else "" if form.endswith(("Plain", "Circle", "WdBlackPlain")) else ".")
