"""What people remarked on the cells of a sheet: comments, and the threads of them that newer programs write (SpreadsheetML, 18.7; MS-XLSX, 2.6.205).

A thread stands in the file twice, the second time for old programs, with advice to buy a new one: it is read once.
"""

from schemas.content import Block, BlockType
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.logical_page import UNPLACED
from streams.read.structure.office.package import Element, Package, qname

MAX_COMMENTS = 2_000
"""Of one sheet."""
MAX_NAME = 200
_THREAD = "tc="
"""What the author of a comment is called that stands for a thread."""


def remarks(package: Package, part: str, workbook: str, warnings: list[str]) -> list[Block]:
    """The remarks on a sheet in the order of the file, each with its cell and, where it is told, its author. `part`, `workbook`: names of parts;
    `warnings` takes what is left out.
    """
    threads = _threads(package, part, workbook, warnings)
    found: list[Block] = []
    root = package.related_xml(part, "comments", warnings)
    authors = [collapse(clean_text(author.text or ""))[:MAX_NAME] for author in root.iter(qname("s:author"))] if root is not None else []
    comments = list(root.iter(qname("s:comment"))) if root is not None else []
    _warn_of_more(len(comments), warnings)
    for comment in comments[:MAX_COMMENTS]:
        place, index = comment.get("ref", "")[:12], comment.get("authorId", "")
        author = authors[int(index)] if index.isascii() and index.isdigit() and len(index) < 6 and int(index) < len(authors) else ""
        if place in threads:
            found += threads.pop(place)
            continue
        text = collapse(clean_text("".join(t.text or "" for t in comment.iter(qname("s:t")))))
        found += _remark(place, "" if author.startswith(_THREAD) else author, text)
    return found + [block for blocks in threads.values() for block in blocks]


def _threads(package: Package, part: str, workbook: str, warnings: list[str]) -> dict[str, list[Block]]:
    """The threads of a sheet by their cells."""
    threads: dict[str, list[Block]] = {}
    names: dict[str, str] = {}
    for people in package.related(workbook, "person"):
        for person in _children(package.side_xml(people, warnings), "person"):
            names[person.get("id", "")] = collapse(clean_text(person.get("displayName", "")))[:MAX_NAME]
    count = 0
    for name in package.related(part, "threadedComment"):
        for comment in _children(package.side_xml(name, warnings), "threadedComment"):
            place = comment.get("ref", "")[:12]
            text = collapse(clean_text(" ".join(node.text or "" for node in _children(comment, "text"))))
            if count < MAX_COMMENTS:
                threads.setdefault(place, []).extend(_remark(place, names.get(comment.get("personId", ""), ""), text))
            count += 1
    _warn_of_more(count, warnings)
    return threads


def _warn_of_more(comments: int, warnings: list[str]) -> None:
    if comments > MAX_COMMENTS:
        warnings.append(f"a sheet has {comments} comments; read are {MAX_COMMENTS}")


def _children(element: Element | None, name: str) -> list[Element]:
    """The children of an element with a local name."""
    return [child for child in element if str(child.tag).rpartition("}")[2] == name] if element is not None else []


def _remark(place: str, author: str, text: str) -> list[Block]:
    """The block of a remark; programs begin its text with the name of its author."""
    said = text.removeprefix(f"{author}:").strip() if author else text
    if not said:
        return []
    head = ", ".join(part for part in (place, author) if part)
    return [Block(type=BlockType.ANNOTATION, bbox=UNPLACED, text=f"{head}: {said}" if head else said)]
