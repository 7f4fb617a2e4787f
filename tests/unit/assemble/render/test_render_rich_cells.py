"""What is set off or linked within cells: written in Markdown and HTML where it stands, and nowhere else."""

from schemas.content import Block, BlockType, Cell, Link, Span, Table
from schemas.events import Format
from streams.assemble.render import render
from tests.unit.assemble.made_documents import build, page

BOX = (50.0, 100.0, 300.0, 200.0)


def table(*rows: tuple[Cell | str, ...], header_rows: int = 1, links: tuple[Link, ...] = ()) -> Block:
    cells = tuple(
        Cell(row=r, column=c, text=cell) if isinstance(cell, str) else Cell(row=r, column=c, text=cell.text, spans=cell.spans)
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
    )
    made = Table(rows=len(rows), columns=max(map(len, rows)), cells=cells, header_rows=header_rows)
    return Block(type=BlockType.TABLE, bbox=BOX, table=made, links=links)


def cell(text: str, *spans: Span) -> Cell:
    return Cell(row=0, column=0, text=text, spans=spans)


def test_emphasis_code_and_formulas_stand_in_their_cells() -> None:
    rich = cell("so bold a|b x^2", Span(offset=3, length=4, bold=True), Span(offset=8, length=3, code=True), Span(offset=12, length=3, math=True))
    document = build(page(1, table(("A", "B"), ("plain", rich), ("", cell("end", Span(offset=0, length=3, italic=True))))))
    assert render(document, Format.MARKDOWN) == ("| A | B |\n| --- | --- |\n| plain | so **bold** `a\\|b` $x^2$ |\n|  | *end* |\n")
    html = render(document, Format.HTML)
    assert '<td>so <strong>bold</strong> <code>a|b</code> <code class="math">x^2</code></td>' in html
    assert [document.blocks[0].text[s.offset : s.offset + s.length] for s in document.blocks[0].spans] == ["bold", "a|b", "x^2", "end"]


def test_a_header_is_bold_as_it_is() -> None:
    head = cell("Name", Span(offset=0, length=4, bold=True))
    lean = cell("Age", Span(offset=0, length=3, bold=True, italic=True))
    document = build(page(1, table((head, lean), ("Ann", "5"))))
    assert render(document, Format.MARKDOWN).startswith("| Name | *Age* |\n")


def test_spans_follow_a_text_that_is_made_one_line_and_bad_ones_are_dropped() -> None:
    broken = cell("one\n  two", Span(offset=6, length=3, bold=True), Span(offset=40, length=3, bold=True))
    document = build(page(1, table(("A", "B"), (broken, "x"))))
    assert "| one **two** | x |" in render(document, Format.MARKDOWN)


def test_links_stand_in_the_cells_that_hold_their_text() -> None:
    links = (
        Link(text="gone", target="https://g.example/"),
        Link(text="two", target="https://t.example/"),
        Link(text="two", target="https://u.example/"),
    )
    document = build(page(1, table(("A", "B"), ("one", "two, two"), ("two", "three"), links=links)))
    text = render(document, Format.MARKDOWN)
    assert "| one | [two](https://t.example/), [two](https://u.example/) |\n| two | three |" in text
    assert render(document, Format.HTML).count("<a href=") == 2


def test_a_link_that_starts_a_program_is_no_link_in_a_cell() -> None:
    document = build(page(1, table(("A", "B"), ("one", "two"), links=(Link(text="two", target="javascript:x"),))))
    assert "javascript" not in render(document, Format.MARKDOWN) + render(document, Format.HTML)
