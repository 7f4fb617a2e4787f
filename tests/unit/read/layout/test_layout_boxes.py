"""The layout model's boxes: what is taken of an answer, and what they settle about tables."""

from hypothesis import given
from hypothesis import strategies as st

from schemas.content import Table
from schemas.geometry import BBox
from streams.read.layout.boxes import MAX_BOXES, LayoutBox, LayoutLabel, boxes_of, share_within
from streams.read.layout.settling import settled
from streams.read.tables import FoundTable

PAGE: BBox = (0.0, 0.0, 600.0, 800.0)
SPOT: BBox = (50.0, 100.0, 550.0, 300.0)
ELSEWHERE: BBox = (50.0, 500.0, 550.0, 700.0)


def table(bbox: BBox = SPOT, confidence: float = 0.7, ruled: float = 0.0, words: range = range(10)) -> FoundTable:
    return FoundTable(bbox, Table(rows=2, columns=2, cells=(), confidence=confidence, ruled=ruled), frozenset(words))


def seen(bbox: BBox = SPOT, label: LayoutLabel = LayoutLabel.TABLE, confidence: float = 0.9) -> LayoutBox:
    return LayoutBox(bbox, label, confidence)


def nothing(_: BBox) -> None:
    return None


def test_odd_boxes_are_left_out() -> None:
    answer = [
        ((10, 10, 20, 20), "table", 0.9),
        ((10, 10, 20, 20), "unheard of", 0.9),
        ((10, 10, 10, 20), "text", 0.9),
        ((float("nan"), 10, 20, 20), "text", 0.9),
        ((10, 10, 20), "text", 0.9),
        ((-50, 700, 900, 9000), "text", 1.5),
    ]
    assert boxes_of(answer, PAGE) == (
        LayoutBox((10.0, 10.0, 20.0, 20.0), LayoutLabel.TABLE, 0.9),
        LayoutBox((0.0, 700.0, 600.0, 800.0), LayoutLabel.TEXT, 1.0),
    )
    assert len(boxes_of(answer[:1] * (MAX_BOXES + 5), PAGE)) == MAX_BOXES


@given(st.tuples(*[st.floats(0, 100)] * 4), st.tuples(*[st.floats(0, 100)] * 4))
def test_a_share_is_a_share(a: BBox, b: BBox) -> None:
    assert 0.0 <= share_within(a, b) <= 1.0 + 1e-9


def test_agreement_makes_a_table_surer_and_dissent_less_sure() -> None:
    (agreed,) = settled([], [table()], [seen()], nothing)
    assert agreed.table.confidence > 0.7
    (ruled,) = settled([table(confidence=1.0, ruled=0.9)], [], [seen(ELSEWHERE, LayoutLabel.TEXT)], nothing)
    assert ruled.table.confidence == 0.75


def test_words_alone_do_not_stand_against_the_model_unless_they_are_sure() -> None:
    text = [seen(SPOT, LayoutLabel.TEXT)]
    assert settled([], [table(confidence=0.7)], text, nothing) == []
    assert len(settled([], [table(confidence=0.95)], text, nothing)) == 1


def test_a_table_in_a_picture_is_a_chart_unless_it_is_drawn_as_a_table() -> None:
    picture = [seen((40.0, 90.0, 560.0, 310.0), LayoutLabel.PICTURE)]
    assert settled([table(ruled=0.2)], [table(confidence=0.95)], picture, nothing) == []
    assert len(settled([table(ruled=0.9)], [], picture, nothing)) == 1


def test_where_only_the_model_sees_a_table_words_are_looked_at_again() -> None:
    asked: list[BBox] = []

    def look(box: BBox) -> FoundTable:
        asked.append(box)
        return table(box, words=range(20, 30))

    found = settled([table(ruled=0.9)], [], [seen(), seen(ELSEWHERE)], look)
    assert asked == [ELSEWHERE]
    assert [t.bbox for t in found] == [SPOT, ELSEWHERE]


def test_a_part_gives_way_to_the_whole_that_holds_its_words() -> None:
    part = table((50.0, 100.0, 550.0, 150.0), words=range(5))
    assert settled([], [part], [seen()], lambda box: table(box, words=range(20)))[0].words == frozenset(range(20))
    assert settled([], [part], [seen()], lambda box: table(box, words=range(3, 20)))[0].words == part.words


def test_what_the_model_doubts_settles_nothing() -> None:
    assert settled([], [], [seen(confidence=0.3)], table) == []
