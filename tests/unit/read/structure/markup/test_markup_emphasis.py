"""Bold, italic and struck out text of HTML, and the language of its code."""

import pytest
from made_markup import html_blocks

from schemas.content import Block


def emphasised(block: Block) -> list[tuple[str, str]]:
    """How the parts of a block are set, and their text."""
    return [("b" * s.bold + "i" * s.italic + "s" * s.struck, block.text[s.offset : s.offset + s.length]) for s in block.spans]


def test_elements_inside_each_other() -> None:
    (block,) = html_blocks("<p>a <strong>bold and\n\t<em>both</em></strong>, <del>gone</del>, <i>leaning</i> end</p>")
    assert block.text == "a bold and both, gone, leaning end"
    assert emphasised(block) == [("b", "bold and"), ("bi", "both"), ("s", "gone"), ("i", "leaning")]


def test_items_and_headings() -> None:
    heading, item = html_blocks("<h2><b>Of <i>Homo</i></b></h2><ul><li><b>First</b> item</li></ul>")
    assert emphasised(heading) == [("i", "Homo")]
    assert (item.text, emphasised(item)) == ("• First item", [("b", "First")])


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ('<b style="font-weight:normal">plain</b> text', []),
        ('<b style="color:red; FONT-WEIGHT : 400"><i>leaning</i></b> text', [("i", "leaning")]),
        ('<span style="font-weight:700;text-decoration:line-through">both</span> ends', [("bs", "both")]),
        ('<em style="font-style:normal">plain</em> and <span style="font-style: oblique 10deg">leaning</span>', [("i", "leaning")]),
        ('<del style="text-decoration:none">kept</del> and <s>gone<span style="text-decoration:none"> all</span></s>', [("s", "gone all")]),
        ('<b>bold <span style="font-weight:lighter">less</span> <span style="font-weight:inherit">more</span></b>', [("b", "bold"), ("b", "more")]),
        ('<span style="my-font-weight:bold">plain</span> <span style="font-weight:99999">text</span>', []),
        ("a price of <s>5</s> or <b>4</b>", [("s", "5")]),
    ],
)
def test_the_style_of_an_element_wins_over_its_name(markup: str, wanted: list[tuple[str, str]]) -> None:
    (block,) = html_blocks(f"<p>{markup}</p>")
    assert emphasised(block) == wanted


def test_the_language_of_code_is_kept_and_nothing_else_in_its_place() -> None:
    named, wild = html_blocks('<pre><code class="language-c++">x</code></pre><pre><code class="language-a`b">y</code></pre>')
    assert (named.language, wild.language) == ("c++", "")


def test_code_and_keys_in_a_line_are_code() -> None:
    (block,) = html_blocks("<p>Run <code>git -v</code>, <kbd>Ctrl</kbd>, <tt>--x</tt> or <b><samp>y_1</samp></b></p>")
    assert [(block.text[s.offset : s.offset + s.length], s.code, s.bold) for s in block.spans] == [
        ("git -v", True, False), ("Ctrl", True, False), ("--x", True, False), ("y_1", True, True),
    ]  # fmt: skip


def test_code_spans_beside_each_other_are_two() -> None:
    """`a` `b` was one span, `a b`, and so one key where two were named."""
    (block,) = html_blocks("<p><code>a</code> <code>b</code> <code>c</code> or <code>d<i>e</i>f</code> and <b>one</b> <b>two</b></p>")
    assert [block.text[s.offset : s.offset + s.length] for s in block.spans if s.code and not s.italic] == ["a", "b", "c", "d", "f"]
    assert [block.text[s.offset : s.offset + s.length] for s in block.spans if s.bold] == ["one two"]


def test_a_bullet_typed_into_an_item_is_not_doubled() -> None:
    found = html_blocks("<ul><li>• <b>One</b> two</li><li>•</li></ul><ol><li>• x</li></ol>")
    assert [block.text for block in found] == ["• One two", "• •", "1. • x"]
    assert [(span.offset, span.length) for span in found[0].spans] == [(2, 3)]
