"""Markdown by its structure: CommonMark with the tables, footnotes, struck text and formulas of GitHub, read through the reader of HTML.

Guarantees: what front matter says is metadata and no text; HTML inside is read as HTML files are, so nothing of it runs or is fetched, and a tag
that is never closed does not swallow the rest. Raises PageloomError: TOO_LARGE. The only door to markdown-it here.
"""

import html
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from schemas.errors import Code, PageloomError
from streams.read.structure.logical_page import LogicalDocument
from streams.read.structure.markup.forms import CHECKED, UNCHECKED
from streams.read.structure.markup.html import MAX_METADATA_VALUE, read_html
from streams.read.structure.markup.inline_text import normalised
from streams.read.structure.text.encodings import Decoded, decode_text

MAX_CHARACTERS = 4_000_000
"""A book of 1,200 pages. Parsing takes some 4 s a million on a good core and three times that on a slow one; a page is given 60 s."""
MAX_LINES = 80_000
"""Lines that say something: lists of one word a line take 0.15 ms each on a good core."""
MAX_TABLE_CELLS = 60_000
"""Of all tables together, at some 0.1 ms each: what 2,000 printed pages hold. Rows beyond are left out and said."""
MAX_NESTING = 100
"""Of blocks: fifty lists inside each other. Python allows few more calls; what lies deeper is kept as paragraphs."""
MAX_FRONT_MATTER = 20_000
MAX_BRACKETS = 1_000
"""Open brackets of one block that may begin links: the parser's time grows with their square, and a page of references has some hundred."""
_DELIMITERS = re.compile(r"[ >]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_BLOCK = re.compile(r"(?:[^\n]+\n?)+")

_FRONT_MATTER = re.compile(r"\A\ufeff?(-{3}|\+{3})[ \t]*\n(.*?)^(?:\1|\.{3})[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"^([A-Za-z][\w-]{0,60})\s*[:=]\s*(.*)$")
_LIST_ENTRY = re.compile(r"^\s*-\s+(.+)$")
_NAMES = {
    "title": "title", "author": "author", "authors": "author", "date": "created", "created": "created", "modified": "modified", "updated": "modified",
    "lastmod": "modified", "keywords": "keywords", "tags": "keywords", "description": "subject", "summary": "subject", "abstract": "subject",
    "lang": "language", "language": "language", "publisher": "publisher",
}  # fmt: skip
"""Keys of front matter, and ours."""
_SWALLOWS = re.compile(r"<(?=/?(title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext|select|svg|math|template|head)\b)", re.IGNORECASE)
"""Tags that hide or swallow what follows until they are closed (GitHub's "disallowed raw HTML", and a few more)."""
_IS_CUT = "is_cut"
"""What the parser's environment holds where nesting was cut."""
_LEVELS_OF_ONE = 3
"""By which one more list, its item and the text in it nest deeper."""
_NESTED_SIGNS = re.compile(r"(?:>|[-*+](?:[ \t]+|\Z)|[ \t]+)*+")
_TASK = re.compile(r"\A\[([ xX])\](?=\s)")


def read(path: Path) -> LogicalDocument:
    """The document. Raises PageloomError: TOO_LARGE."""
    return read_markdown(decode_text(path.read_bytes()))


def read_markdown(decoded: Decoded) -> LogicalDocument:
    """The document of a text in Markdown."""
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_CHARACTERS:
        raise PageloomError(Code.TOO_LARGE, f"Markdown of {len(text)} characters; at most {MAX_CHARACTERS} are read: split the file at a heading")
    metadata, body = split_front_matter(text)
    body, rows_left_out = bounded_tables(body)
    if (lines := sum(not line.isspace() and line != "" for line in body.split("\n"))) > MAX_LINES:
        raise PageloomError(Code.TOO_LARGE, f"Markdown of {lines} lines; at most {MAX_LINES} are read: split the file at a heading")
    markup, is_cut = to_html(body)
    warnings = [*decoded.warnings]
    if rows_left_out:
        warnings.append(f"{rows_left_out} rows of tables are left out: the file has more than {MAX_TABLE_CELLS} cells; send large tables as CSV")
    if is_cut:
        warnings.append(f"blocks nested deeper than some {MAX_NESTING // 2} are kept as plain paragraphs")
    document = read_html(replace(decoded, text=markup, warnings=tuple(warnings)))
    return replace(document, metadata=metadata)


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """(metadata, the text below it): YAML between dashes or TOML between plus signs, of which only plain entries and lists are read."""
    found = _FRONT_MATTER.match(text)
    if found is None or len(found[2]) > MAX_FRONT_MATTER or not any(_ENTRY.match(line) for line in found[2].splitlines()):
        return {}, text
    values: dict[str, list[str]] = {}
    key = ""
    for line in found[2].splitlines():
        if entry := _ENTRY.match(line):
            key = _NAMES.get(entry[1].lower(), "")
            parts = entry[2].strip().removeprefix("[").removesuffix("]").split(",") if entry[2].strip().startswith("[") else [entry[2]]
            values.setdefault(key, []).extend(parts)
        elif item := _LIST_ENTRY.match(line):
            values.setdefault(key, []).append(item[1])
    values.pop("", None)
    cleaned = {
        name: ", ".join(part for part in (normalised(value.strip().strip("\"'")) for value in parts) if part) for name, parts in values.items()
    }
    return {name: value[:MAX_METADATA_VALUE] for name, value in cleaned.items() if value}, text[found.end() :]


def bounded_tables(text: str) -> tuple[str, int]:
    """The text with at most `MAX_TABLE_CELLS` cells of tables in it, and how many of their rows that leaves out."""
    if text.count("|") <= MAX_TABLE_CELLS:
        return text, 0
    kept: list[str] = []
    cells = left_out = 0
    is_table = False
    before = ""
    for line in text.split("\n"):
        is_table = "|" in line and (is_table or (_DELIMITERS.fullmatch(line) is not None and "|" in before))
        cells += line.count("|") if is_table else 0
        if is_table and cells > MAX_TABLE_CELLS:
            left_out += 1
        else:
            kept.append(line)
        before = line
    return "\n".join(kept), left_out


def _without_bracket_runs(block: re.Match[str]) -> str:
    return block[0].replace("[", "&#91;") if block[0].count("[") > MAX_BRACKETS else block[0]


def to_html(text: str) -> tuple[str, bool]:
    """The body as HTML, its raw HTML made harmless to what stands around it; and whether it is nested deeper than is read."""
    parser = _parser()
    told: dict[str, Any] = {}
    tokens = parser.parse(_BLOCK.sub(_without_bracket_runs, text), told)
    _mark_tasks(tokens)
    for token in tokens:
        if token.type == "html_block":
            token.content = _closed(token.content)
        for inner in token.children or ():
            if inner.type == "html_inline":
                inner.content = _SWALLOWS.sub("&lt;", inner.content)
    return f"<body>{parser.renderer.render(tokens, parser.options, {})}</body>", _IS_CUT in told


@cache
def _parser() -> Any:
    """The parser, made once a process; it keeps nothing of a document."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - loaded only where Markdown is read
    from mdit_py_plugins.dollarmath import dollarmath_plugin  # noqa: PLC0415 - as above
    from mdit_py_plugins.footnote import footnote_plugin  # noqa: PLC0415 - as above

    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    parser.block.ruler.before("table", "depth", _flat)
    parser.use(footnote_plugin).use(dollarmath_plugin, allow_digits=False, allow_space=False, renderer=_formula)
    return parser


def _flat(state: Any, first: int, end: int, silent: bool) -> bool:
    """A rule of the parser: at the depth where it would drop what comes, each line is a paragraph without its bullets and signs of quotation."""
    if silent or state.level < MAX_NESTING - _LEVELS_OF_ONE:
        return False
    state.env[_IS_CUT] = True
    state.line = first
    while state.line < end and (state.isEmpty(state.line) or state.sCount[state.line] >= state.blkIndent):
        line = state.src[state.bMarks[state.line] + state.tShift[state.line] : state.eMarks[state.line]]
        state.push("flat_open", "p", 1)
        text = state.push("inline", "", 0)
        text.content, text.children = _NESTED_SIGNS.sub("", line, count=1), []
        state.push("flat_close", "p", -1)
        state.line += 1
    return True


def _formula(tex: str, options: dict[str, Any]) -> str:
    """A formula as the reader of HTML takes it."""
    mode = "; mode=display" if options.get("display_mode") else ""
    inert = tex.replace("</", "< /")  # the only characters that could end the element
    return f'<script type="math/tex{mode}">{inert}</script>'


def _mark_tasks(tokens: Sequence[Any]) -> None:
    """The boxes of a list of tasks as signs."""
    for item, paragraph, line in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if item.type == "list_item_open" and paragraph.type == "paragraph_open" and line.children and line.children[0].type == "text":
            first = line.children[0]
            first.content = _TASK.sub(lambda box: UNCHECKED if box[1] == " " else CHECKED, first.content, count=1)


def _closed(block: str) -> str:
    """A block of raw HTML in which a tag that swallows what follows is text, unless it is closed in the same block."""
    return _SWALLOWS.sub(lambda tag: "<" if f"</{tag[1].lower()}" in block.lower() else html.escape("<"), block)
