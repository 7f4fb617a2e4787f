"""HTML and XHTML as a tree that can be walked safely. The only door to lxml's HTML parser.

Guarantees: nothing is fetched, no entity of a document's own is expanded, scripts are never run; broken markup is repaired and never raises;
names of tags come out in lower case without a namespace. XHTML is parsed as XML where it is well formed, since only so do empty elements
(`<a id="x"/>`) end where they should.
"""

import html
import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from schemas.errors import Code, PageloomError
from streams.read.structure.markup.names import BLOCKS, HIDDEN_CLASSES, INLINE_TAGS
from streams.read.structure.markup.nesting import flattened

Element = Any
"""An lxml element. lxml has no types of its own."""

MAX_CHARACTERS = 64_000_000
"""Of one file: the tree takes some ten times as much memory."""
MAX_DEPTH = 120
"""Nested elements that are told apart. Real pages have up to 60; what lies deeper is kept as text. Python allows some 150 at six calls each."""
MAX_ATTRIBUTES = 200
"""Of one tag: the parser's time grows with their square. Those of programs and drawings have up to 50; what is more is left out."""

_ATTRIBUTE = r"""(?>[\s/]*+[^\s/>][^\s/>=]*+(?>\s*+=\s*+(?>"[^"]*+"|'[^']*+'|[^\s>]*+))?+)"""
_CROWDED = re.compile(
    r"(?is:<!--.*?(?:-->|\Z)|<(script|style|textarea|title|xmp)\b.*?(?:</\1|\Z))"
    rf"|(?P<kept><[A-Za-z][^\s/>]*+{_ATTRIBUTE}{{{MAX_ATTRIBUTES}}})(?:{_ATTRIBUTE})++"
)
"""What holds no tags, to pass over; else a tag with more attributes than are read, of which the first ones are kept."""
_XML_START = re.compile(r"\s*(?:<\?xml[^>]*\?>|<!DOCTYPE\s+html\s+PUBLIC\s+\"-//W3C//DTD XHTML)", re.IGNORECASE)
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")
_XML_OWN = frozenset({"lt", "gt", "amp", "quot", "apos"})
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPACED = frozenset({"text", "title", "desc", "option"})
"""Parts of drawings and controls that stand apart as blocks do."""
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def parse_markup(text: str, *, is_xml: bool = False) -> Element | None:
    """The root element; None where there is no element at all. `is_xml`: it is said to be XHTML. Raises PageloomError: TOO_LARGE."""
    if len(text) > MAX_CHARACTERS:
        raise PageloomError(Code.TOO_LARGE, f"markup of {len(text)} characters; at most {MAX_CHARACTERS} are read")
    text = _CROWDED.sub(lambda found: found["kept"] or found[0], _UNWANTED.sub("", text))
    if (is_xml or _XML_START.match(text[:2_000])) and (root := _as_xml(text)) is not None:
        return root
    return _as_html(text)


def parse_xml(data: bytes) -> Element | None:
    """The root of an XML file, in the encoding it declares; None where it is not well formed. No entity is expanded, nothing is loaded."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True)
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def _as_xml(text: str) -> Element | None:
    """The tree of well-formed XHTML; None for all else."""
    declaration = _DECLARATION.match(text)
    root = parse_xml(_NAMED.sub(_character, text[declaration.end() if declaration else 0 :]).encode("utf-8"))
    return root if root is not None and name_of(root) == "html" else None


def _as_html(text: str) -> Element | None:
    """The tree of HTML. What is nested deeper than the parser keeps, with all that follows it, it drops: then it is given less of that."""
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(text.encode("utf-8") or b" ", parser)
    if not parser.error_log.filter_types([etree.ErrorTypes.ERR_RESOURCE_LIMIT]):
        return root
    return etree.fromstring(flattened(text).encode("utf-8"), parser)


def _character(match: re.Match[str]) -> str:
    """HTML's named characters, which XML does not know, as characters."""
    if match[1] in _XML_OWN:
        return match[0]
    shown = html.unescape(match[0])
    return match[0] if shown == match[0] else html.escape(shown)


def name_of(element: Element) -> str:
    """The name of an element's tag, lower case, without its namespace; empty for what is no element (an entity)."""
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def value_of(element: Element, name: str) -> str:
    """An attribute's value, empty where it is not there."""
    return str(element.get(name) or "")


def classes_of(element: Element) -> list[str]:
    """The classes of an element, in lower case."""
    return value_of(element, "class").lower().split()


def kind_of(element: Element) -> str:
    """What an element says it is: `epub:type` and ARIA role, in lower case."""
    epub = element.get("{http://www.idpf.org/2007/ops}type") or element.get("epub:type") or ""
    return f"{epub} {element.get('role') or ''}".lower().strip()


def is_hidden(element: Element) -> bool:
    """Whether a reader of the page would not see an element. Style sheets are not asked: they differ by device."""
    attributes = element.attrib
    if not attributes:
        return False
    if "hidden" in attributes or ("style" in attributes and _HIDDEN_STYLE.search(attributes["style"])):
        return True
    if attributes.get("aria-hidden") == "true" and (name_of(element) in INLINE_TAGS or "-" in name_of(element)):
        return True
    return "class" in attributes and not HIDDEN_CLASSES.isdisjoint(classes_of(element))


def is_deeper(element: Element, depth: int) -> bool:
    """Whether more than so many elements lie inside each other in an element."""
    level = 0
    for event, _ in _events(element):
        level += 1 if event == "start" else -1
        if level > depth + 1:
            return True
    return False


def plain_text(element: Element) -> str:
    """All text inside an element, without structure: a walk that needs no recursion, whatever the depth."""
    return "".join(_texts(element))


def preformatted_text(element: Element) -> str:
    """All text inside a `pre` as it stands, `br` as a line break, hidden parts left out."""
    return "".join(_texts(element, breaks="\n"))


def _texts(element: Element, breaks: str = " ") -> Iterator[str]:
    """The pieces of text; `breaks` stands where a line ends, and a space before what is a block of its own."""
    skipped: Element | None = None
    for event, node in _events(element):
        if event == "end":
            skipped = None if skipped is node else skipped
            if skipped is None and node is not element and node.tail:
                yield node.tail
        elif skipped is None:
            tag = name_of(node)
            if node is not element and (tag in ("", "script", "style", "template") or is_hidden(node)):
                skipped = node
                continue
            if tag == "br":
                yield breaks
            elif breaks == " " and (tag in BLOCKS or tag in _SPACED):
                yield " "
            if node.text:
                yield node.text


def _events(element: Element) -> Iterator[tuple[str, Element]]:
    """(`start` or `end`, element) in the order of the document."""
    node = element
    while True:
        yield "start", node
        if len(node):
            node = node[0]
            continue
        while True:
            yield "end", node
            if node is element:
                return
            following = node.getnext()
            if following is not None:
                node = following
                break
            node = node.getparent()
