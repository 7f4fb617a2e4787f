"""Regions that a model read, put into the page that the text layer gave."""

from hypothesis import given
from hypothesis import strategies as st

from schemas.content import Block, BlockType, PageContent, Source
from schemas.events import DoubtfulRegion
from schemas.geometry import BBox, center, contains_point
from streams.assemble.finish.regions import with_regions

REGION: BBox = (50.0, 100.0, 300.0, 200.0)
GARBLED = DoubtfulRegion(bbox=REGION, confidence=0.1, reasons=("control_characters",), requested=True)
PICTURE = DoubtfulRegion(bbox=REGION, confidence=0.1, reasons=("ink_without_text",), requested=True)


def block(text: str, y: float, x: float = 60.0, kind: BlockType = BlockType.PARAGRAPH) -> Block:
    return Block(type=kind, bbox=(x, y, x + 200, y + 10), text=text)


def page(*blocks: Block, source: Source = Source.TEXT_LAYER) -> PageContent:
    return PageContent(page=1, width_pt=600, height_pt=800, rotation=0, source=source, blocks=blocks)


def texts(content: PageContent) -> list[str]:
    return [one.text for one in content.blocks]


def test_what_was_read_stands_where_the_text_layer_stood() -> None:
    layer = page(block("above", 50), block("#$%&", 120), block("&%$#", 140), block("below", 300))
    assert texts(with_regions(layer, page(block("read", 121)), [GARBLED])) == ["above", "read", "below"]


def test_a_region_in_which_nothing_was_read_stays() -> None:
    layer = page(block("above", 50), block("#$%&", 120))
    assert texts(with_regions(layer, page(block("   ", 121)), [GARBLED])) == ["above", "#$%&"]


def test_what_a_model_says_outside_of_the_regions_is_dropped() -> None:
    layer = page(block("above", 50), block("#$%&", 120))
    assert texts(with_regions(layer, page(block("made up", 500), block("read", 121)), [GARBLED])) == ["above", "read"]


def test_text_of_a_figure_follows_the_figure() -> None:
    figure = Block(type=BlockType.FIGURE, bbox=REGION)
    layer = page(block("above", 50), block("beside", 120, x=400), figure, block("below", 300))
    found = with_regions(layer, page(block("in the figure", 150)), [GARBLED])
    assert [(one.type, one.text) for one in found.blocks[2:4]] == [(BlockType.FIGURE, ""), (BlockType.PARAGRAPH, "in the figure")]


def test_sound_text_over_a_picture_stays_and_is_not_said_twice() -> None:
    layer = page(block("a title over the picture", 110), block("beside", 120, x=400))
    read = page(block("tle over the pic", 111, x=90), block("in the picture", 150))
    assert texts(with_regions(layer, read, [PICTURE])) == ["a title over the picture", "in the picture", "beside"]
    assert texts(with_regions(layer, page(block("tle over the pic", 111, x=90)), [PICTURE])) == texts(layer)


def test_without_text_or_figure_it_comes_after_what_is_above_it() -> None:
    layer = page(block("above", 50), block("below", 300))
    assert texts(with_regions(layer, page(block("read", 150)), [GARBLED])) == ["above", "read", "below"]


positions = st.lists(st.tuples(st.integers(0, 780), st.sampled_from([60.0, 350.0])), max_size=12)


@given(positions, positions)
def test_nothing_outside_of_the_regions_is_lost_or_moved(layer_at: list[tuple[int, float]], read_at: list[tuple[int, float]]) -> None:
    layer = page(*(block(f"layer {i}", y, x) for i, (y, x) in enumerate(layer_at)))
    found = texts(with_regions(layer, page(*(block(f"read {i}", y, x) for i, (y, x) in enumerate(read_at))), [GARBLED]))
    outside = [one.text for one in layer.blocks if not contains_point(REGION, *center(one.bbox))]
    assert [text for text in found if text in outside] == outside
    inside = {f"read {i}" for i, (y, x) in enumerate(read_at) if contains_point(REGION, x + 100, y + 5)}
    assert {text for text in found if text.startswith("read")} == inside
    assert len(found) == len(set(found))
