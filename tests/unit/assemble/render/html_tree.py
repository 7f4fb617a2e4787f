"""HTML as a reader of pages sees it: a small tree, made with the parser of the standard library."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "link", "img", "br", "hr", "input", "base"})


@dataclass
class Node:
    """An element with what is in it, in order."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    inside: list["Node | str"] = field(default_factory=list)

    def all(self, *tags: str) -> list["Node"]:
        """Elements of these tags (all elements without any), in order, itself not among them."""
        return [n for n in self.walk() if n is not self and (not tags or n.tag in tags)]

    def walk(self) -> Iterator["Node"]:
        """Itself and every element in it."""
        yield self
        for child in self.inside:
            if isinstance(child, Node):
                yield from child.walk()

    def children(self, tag: str) -> list["Node"]:
        """Its own elements of a tag."""
        return [child for child in self.inside if isinstance(child, Node) and child.tag == tag]

    def text(self) -> str:
        """All text in it."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.inside)


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("")]
        self.wrong: list[str] = []

    def handle_starttag(self, tag, attrs):
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].inside.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag):
        if self.open[-1].tag == tag:
            self.open.pop()
        else:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.open[-1].inside.append(data)

    def handle_comment(self, data):
        self.wrong.append("comment")


def tree_of(html: str) -> Node:
    """The tree of a piece of HTML. Every element must be closed, in order, and there must be no comment."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    assert builder.wrong == []
    assert len(builder.open) == 1
    return builder.open[0]
