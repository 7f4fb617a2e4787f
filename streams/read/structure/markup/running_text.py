"""What the elements of running text mean: headings, links, raised digits, lists, terms, code. Each function reads one element."""

from collections.abc import Callable, Mapping

from schemas.content import BlockType
from schemas.text import CODE_LANGUAGE, LINE_BREAK
from streams.read.blocks.emphasis import BOLD, CODE, ITALIC, MATH, STRUCK
from streams.read.structure.markup import names
from streams.read.structure.markup.inline_styles import styled
from streams.read.structure.markup.inline_text import lowered, raised
from streams.read.structure.markup.lists import ListNumbers
from streams.read.structure.markup.reader import BlockReader, Handler
from streams.read.structure.markup.tree import Element, classes_of, kind_of, name_of, preformatted_text, value_of

PERMALINKS = frozenset({"¶", "§", "#", "🔗", "↩", "↩︎", "⚓"})
"""Signs that tools put beside headings and behind notes, linking inside the page."""
SETTINGS: Mapping[str, int] = {
    **dict.fromkeys(("b", "strong"), BOLD), **dict.fromkeys(("i", "em", "dfn"), ITALIC), **dict.fromkeys(("s", "del", "strike"), STRUCK),
    **dict.fromkeys(("code", "tt", "samp", "kbd"), CODE),
}  # fmt: skip
"""How elements set their text. `cite` and `var` lean by convention alone."""
PLAIN_LEVEL = 2
"""Of a heading by role alone that names no level (WAI-ARIA, `heading`)."""


def read_heading(reader: BlockReader, element: Element) -> None:
    """`h1` to `h6`. Inside a caption or a note it is part of it; inside a list item it is a heading and no item."""
    level = names.HEADINGS.get(name_of(element)) or _aria_level(element)
    if reader.kind is not BlockType.PARAGRAPH:
        reader.block(element)
    else:
        reader.block(element, BlockType.HEADING, level)


def read_break(reader: BlockReader, _element: Element) -> None:
    """A line break ends a line; two of them end a paragraph."""
    reader.line_breaks += 1
    if reader.line_breaks > 1:
        reader.flush()
    else:
        reader.line.add(LINE_BREAK)


def read_link(reader: BlockReader, element: Element) -> None:
    """A hyperlink; one from a note back to its mark, or from a heading to itself, says nothing."""
    if set(kind_of(element).split()) & names.BACK_LINK_KINDS or set(classes_of(element)) & names.BACK_LINK_CLASSES:
        return
    href = value_of(element, "href").strip()
    if href.startswith("#") and len(element) == 0 and (element.text or "").strip() in PERMALINKS:
        return
    reader.line.open_link(reader.resolve(href) if href else None)
    reader.children(element)
    reader.line.close_link()


def read_superscript(reader: BlockReader, element: Element) -> None:
    """Raised digits stay raised."""
    _read_shifted(reader, element, raised)


def read_subscript(reader: BlockReader, element: Element) -> None:
    """Lowered digits stay lowered."""
    _read_shifted(reader, element, lowered)


def _read_shifted(reader: BlockReader, element: Element, script: Callable[[str], str]) -> None:
    before, reader.script = reader.script, script
    reader.children(element)
    reader.script = before


def read_emphasis(reader: BlockReader, element: Element) -> None:
    """Bold, leaning, struck out text and code, however deep inside each other; what an element's own style says of it wins over its name."""
    before = reader.line.setting
    own = SETTINGS.get(name_of(element), 0)
    setting = before | (MATH if own == CODE and "math" in classes_of(element) else own)
    reader.line.setting = styled(value_of(element, "style"), setting, before) if "style" in element.attrib else setting
    reader.children(element)
    reader.line.setting = before


def read_quotation(reader: BlockReader, element: Element) -> None:
    """A short quotation, whose marks the browser writes."""
    reader.say("“")
    reader.children(element)
    reader.say("”")


def read_reading(reader: BlockReader, element: Element) -> None:
    """How a character is read aloud (ruby), in brackets behind it."""
    reader.say("(")
    reader.children(element)
    reader.say(")")


def read_code(reader: BlockReader, element: Element) -> None:
    """Preformatted text, its lines and spaces kept. The item of a list that begins with it loses its marker to nothing."""
    reader.flush()
    text = preformatted_text(element)
    if not text.strip():
        return
    if "equation" in classes_of(element) or _language_of(element) == "math":
        reader.add(BlockType.EQUATION, text.strip())
    else:
        language = _language_of(element)
        reader.add(BlockType.CODE, text.strip("\r\n").rstrip(), language=language if CODE_LANGUAGE.fullmatch(language) else "")


def read_list(reader: BlockReader, element: Element) -> None:
    """An ordered or plain list, or one of terms; one inside an item is nested."""
    reader.flush()
    reader.marker = None
    reader.lists.append(ListNumbers(element))
    reader.children(element)
    reader.flush()
    reader.lists.pop()


def read_item(reader: BlockReader, element: Element) -> None:
    """An item: its first paragraph carries its marker, others follow as paragraphs. One without a list has a bullet, as browsers show it."""
    reader.flush()
    numbers = reader.lists[-1] if reader.lists else ListNumbers(None)
    reader.marker = numbers.next_marker(element)
    kind = reader.kind_in(element)
    if kind is BlockType.FOOTNOTE and numbers.is_bulleted:
        reader.marker = None
    reader.block(element, kind)
    reader.marker = None


def read_term(reader: BlockReader, element: Element) -> None:
    """A term: an item without a sign of its own."""
    reader.flush()
    reader.marker = ""
    reader.block(element)
    reader.marker = None


def read_definition(reader: BlockReader, element: Element) -> None:
    """What defines the term above it. One inside another is its neighbour, whose end the page left out."""
    parent = element.getparent()
    if parent is not None and name_of(parent) == "dd":
        read_term(reader, element)
        return
    reader.flush()
    reader.lists.append(ListNumbers(None))
    read_term(reader, element)
    reader.lists.pop()


def _language_of(element: Element) -> str:
    """The language that a `pre`, or the `code` in it, is said to be in; empty where none is said."""
    for node in (element, *(child for child in element if name_of(child) == "code")):
        for name in classes_of(node):
            for prefix in names.LANGUAGE_PREFIXES:
                if name.startswith(prefix) and (language := name.removeprefix(prefix)) not in names.PLAIN_LANGUAGES:
                    return language
    return ""


def _aria_level(element: Element) -> int:
    level = value_of(element, "aria-level")
    return min(6, max(1, int(level))) if level.isascii() and level.isdigit() and len(level) < 3 else PLAIN_LEVEL


TEXT_HANDLERS: Mapping[str, Handler] = {
    **dict.fromkeys(names.HEADINGS, read_heading),
    "br": read_break,
    "a": read_link,
    "sup": read_superscript,
    "sub": read_subscript,
    **dict.fromkeys((*SETTINGS, "span", "font"), read_emphasis),
    "q": read_quotation,
    "rt": read_reading,
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), read_code),
    **dict.fromkeys(("ul", "ol", "menu", "dir", "dl"), read_list),
    "li": read_item,
    "dt": read_term,
    "dd": read_definition,
}
"""How each element of running text is read."""
