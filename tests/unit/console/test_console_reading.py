"""Pieces of a finished document: pages, tables whole, places of words."""

from schemas.content import BlockType
from schemas.document import Region
from streams.console.finding import find_places
from streams.console.kept import Kept
from streams.console.views import MAX_BLOCKS, overview_of, page_view
from tests.unit.console.documents import FIGURE, KEY, block, document, table_over_pages


def test_a_page_holds_its_blocks_and_says_where_else_they_stand() -> None:
    regions = (Region(page=1, bbox=(0.0, 700.0, 300.0, 790.0)), Region(page=2, bbox=(0.0, 10.0, 300.0, 60.0)))
    view = page_view(document(block("h", "Yields", kind=BlockType.HEADING), block("p", "over the break", regions=regions), block("q", "else", 2)), 1)
    assert view is not None
    assert [b.id for b in view.blocks] == ["h", "p"]
    assert (view.blocks[1].boxes, view.blocks[1].other_pages) == (((0.0, 700.0, 300.0, 790.0),), (2,))


def test_a_joined_table_is_whole_on_each_of_its_pages() -> None:
    for number in (1, 2, 3):
        view = page_view(document(table_over_pages()), number)
        assert view is not None
        table = view.blocks[0].table
        assert table is not None
        assert (table.rows, len(table.cells), [join.to_page for join in table.joins]) == (4, 8, [2, 3])
        assert {cell.page for cell in table.cells} == {1, 2, 3}


def test_a_block_without_a_place_has_no_box() -> None:
    view = page_view(document(block("p", "text", regions=(Region(page=1, bbox=(0.0, 0.0, 0.0, 0.0)),))), 1)
    assert view is not None
    assert view.blocks[0].boxes == ()


def test_pages_that_are_not_there_and_pages_that_are_too_full() -> None:
    assert page_view(document(), 9) is None
    view = page_view(document(*(block(f"b{n}", "x") for n in range(MAX_BLOCKS + 5))), 1)
    assert view is not None
    assert (len(view.blocks), view.left_out) == (MAX_BLOCKS, 5)


def test_the_outline_is_the_headings() -> None:
    overview = overview_of(document(block("h", "Yields", 2, BlockType.HEADING), table_over_pages()), KEY, drawable=True, low_confidence=0.5)
    assert [(h.title, h.page, h.block) for h in overview.outline] == [("Yields", 2, "h")]
    assert (overview.tables, len(overview.pages), overview.drawable) == (1, 3, True)


def test_a_cell_of_a_joined_table_is_found_on_its_page_with_its_box() -> None:
    places = find_places(document(block("p", "flax is a plant"), table_over_pages("3", "Brown flax")), "brown FLAX")
    assert [(p.page, p.block, p.row, p.column, p.box) for p in places] == [(3, "t1", 3, 1, (60.0, 160.0, 110.0, 180.0))]
    assert [piece.text for piece in places[0].excerpt if piece.hit] == ["Brown", "flax"]


def test_words_spread_over_a_row_find_its_cells() -> None:
    places = find_places(document(table_over_pages("Garrowby", "Sunflower")), "sunflower garrowby")
    assert [(p.row, p.column) for p in places] == [(3, 0), (3, 1)]


def test_furniture_is_not_searched_and_nothing_finds_nothing() -> None:
    found = document(block("f", "flax", kind=BlockType.PAGE_FOOTER), block("g", "", kind=BlockType.FIGURE, figure=FIGURE))
    assert find_places(found, "flax") == []
    assert find_places(found, "  ") == []


def test_words_without_spaces_between_them_are_found() -> None:
    assert [p.block for p in find_places(document(block("c", "今年的收成很好")), "收成")] == ["c"]


def test_what_is_kept_is_bounded_by_bytes_and_the_oldest_goes() -> None:
    kept: Kept[str] = Kept(10)
    kept.put("a", "A", 4)
    kept.put("b", "B", 4)
    assert kept.get("a") == "A"  # asked for last
    kept.put("c", "C", 4)
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == ("A", None, "C")
    kept.put("huge", "H", 11)
    assert kept.get("huge") is None
    kept.put("a", "A2", 1)
    kept.put("d", "D", 5)
    assert (kept.get("a"), kept.get("c"), kept.get("d")) == ("A2", "C", "D")
