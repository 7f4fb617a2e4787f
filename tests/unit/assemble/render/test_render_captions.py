"""Captions and pictures: in both markups a caption stands with its object, once, and a picture has words in its place."""

import re

from msgspec.structs import replace

from schemas.content import BlobReference, Block, BlockType
from schemas.document import Document
from streams.assemble.render.html import POLICY, to_html
from streams.assemble.render.markdown import to_markdown
from tests.unit.assemble.made_documents import build, page, paragraph, table

PICTURE = BlobReference(name="runs/aa/b-0-1/figure-0123abcd.png", size_bytes=1, sha256="00")


def figure(y: float, **more: object) -> Block:
    return Block(type=BlockType.FIGURE, bbox=(50, y, 300, y + 80), figure=PICTURE, **more)  # type: ignore[arg-type]


def caption(text: str, y: float, of: int | None) -> Block:
    return Block(type=BlockType.CAPTION, bbox=(50, y, 300, y + 10), text=text, caption_of=of)


def made(*blocks: Block) -> Document:
    return build(page(1, *blocks))


def test_the_finished_document_names_the_object_of_a_caption() -> None:
    document = made(paragraph("Words before.", 60), figure(100), caption("Figure 1. A port", 185, 2), caption("Figure 9", 400, 1))
    assert [block.caption_of for block in document.blocks] == [None, None, "p1-2", None]


def test_markdown_puts_captions_with_their_objects_and_uses_them_as_words_for_pictures() -> None:
    document = made(
        caption("Table 1: sums", 60, 3), paragraph("Words between.", 75), table([["A", "B"], ["1", "2"]], 90, header_rows=1),
        figure(200, text="x y"), paragraph("More words.", 300), caption("Figure 1. A [port]", 320, 4),
    )  # fmt: skip
    assert to_markdown(document) == (
        "Words between.\n\nTable 1: sums\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n"
        f"![Figure 1. A (port)]({PICTURE.name})\n\nx y\n\nFigure 1. A [port]\n\nMore words.\n"
    )


def test_html_puts_captions_into_figures_and_tables() -> None:
    shown = to_html(made(
        caption("Table <1>", 60, 2), table([["A"], ["1"]], 90, header_rows=1), figure(200), caption('Figure "1"', 285, 3),
    ))  # fmt: skip
    assert '<table id="p1-2">\n<caption><p id="p1-1" class="caption">Table &lt;1&gt;</p></caption>' in shown
    figcaption = r'<figcaption><p id="p1-4" class="caption">[^<]*</p></figcaption>'
    assert re.search(rf'<figure id="p1-3">\n<img src="{PICTURE.name}" alt="Figure &quot;1&quot;">\n{figcaption}\n</figure>', shown)
    assert shown.count("Figure &quot;1&quot;") == 2
    assert "img-src data:" in POLICY
    assert "default-src 'none'" in POLICY


def test_a_figure_has_one_figcaption_however_many_captions() -> None:
    shown = to_html(made(caption("Above", 60, 2), figure(100), caption("Below", 190, 2)))
    assert shown.count("<figcaption>") == 1
    assert shown.index("Above") < shown.index("<img") < shown.rindex("Below")


def test_an_equation_is_shown_by_its_picture_and_found_by_its_text() -> None:
    equation = Block(type=BlockType.EQUATION, bbox=(100, 100, 300, 130), text="∑ x\ni=1", figure=PICTURE)
    assert to_markdown(made(equation)) == f"![∑ x i=1]({PICTURE.name})\n"
    assert f'<img src="{PICTURE.name}" alt="∑ x i=1">' in to_html(made(equation))


def test_a_picture_without_words_says_where_it_is() -> None:
    assert to_markdown(made(figure(100))) == f"![Figure on page 1]({PICTURE.name})\n"


def test_captions_of_what_is_no_object_stay_where_they_are() -> None:
    document = made(paragraph("Words.", 60), caption("Figure 1", 100, 1), caption("Figure 2", 120, 77))
    assert to_markdown(document) == "Words.\n\nFigure 1\n\nFigure 2\n"
    assert all(block.caption_of is None for block in document.blocks)


def test_a_caption_beside_its_object_stands_where_it_is_read() -> None:
    """On a page that is turned, a caption over a table has the table's height beside it."""
    aside = Block(type=BlockType.CAPTION, bbox=(20, 150, 30, 300), text="Table 1: sums", caption_of=2)
    grid = replace(table([["A", "B"], ["1", "2"]], 90, header_rows=1), bbox=(40, 60, 200, 500))
    assert to_markdown(made(aside, grid)).startswith("Table 1: sums")
    assert to_markdown(made(grid, replace(aside, caption_of=1))).rstrip().endswith("Table 1: sums")
