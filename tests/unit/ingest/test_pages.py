"""Selections, ranges and windows of pages."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.content import BlobReference
from schemas.errors import Code, PageloomError
from schemas.events import PageImage
from streams.ingest.pages import parse_ranges, plan_ranges, plan_windows, runs, select_pages

page_sets = st.sets(st.integers(1, 300), min_size=1).map(lambda pages: tuple(sorted(pages)))


def image(page: int) -> PageImage:
    blob = BlobReference(name="shared/aa/bb", size_bytes=1, sha256="00")
    return PageImage(page=page, image=blob, pixels_sha256="", width_px=1, height_px=1, dpi=72.0, width_pt=1.0, height_pt=1.0, rotation=0)


def test_a_selection_is_clipped_to_the_document() -> None:
    assert select_pages(None, 3) == ((1, 2, 3), ())
    assert select_pages("1-2, 4", 5) == ((1, 2, 4), ())
    assert select_pages("2,1-2,2", 5) == ((1, 2), ())
    pages, warnings = select_pages("3-20,25", 5)
    assert pages == (3, 4, 5)
    assert "25" in warnings[0]
    assert "5" in warnings[0]


def test_no_page_of_a_selection() -> None:
    with pytest.raises(PageloomError) as caught:
        select_pages("6-9", 5)
    assert caught.value.code is Code.NO_SUCH_PAGES


@pytest.mark.parametrize("text", ["", " ", "a", "0", "1-", "-3", "5-2", "1,,2", "1;2", "1-2-3", "²", "٣", "1" * 8, "1," * 600 + "1", "+1", "1.5"])
def test_what_is_no_selection(text: str) -> None:
    with pytest.raises(PageloomError) as caught:
        parse_ranges(text)
    assert caught.value.code is Code.INVALID_OPTIONS
    assert "pages" in str(caught.value)


def test_a_bomb_of_a_selection_costs_no_more_than_the_document() -> None:
    assert select_pages("1-9999999," * 99 + "1-9999999", 3)[0] == (1, 2, 3)


@given(page_sets, st.integers(1, 20))
def test_ranges_partition_the_pages(pages: tuple[int, ...], length: int) -> None:
    ranges = plan_ranges(pages, length)
    assert [page for first, last in ranges for page in range(first, last + 1)] == list(pages)
    assert all(last - first < length for first, last in ranges)


@given(page_sets, st.integers(1, 20), st.integers(2, 10))
def test_ranges_share_one_page_and_hold_whole_windows(pages: tuple[int, ...], length: int, window: int) -> None:
    ranges = plan_ranges(pages, length, window)
    assert {page for first, last in ranges for page in range(first, last + 1)} == set(pages)
    run_ends = {last for _, last in runs(pages)}
    for first, last in ranges:
        assert last - first + 1 <= max(length, window)
        if last not in run_ends:
            assert (last - first) % (window - 1) == 0
            assert any(other == last for other, _ in ranges), "the next range starts with the shared page"
    assert not any(first == last and first not in {f for f, _ in runs(pages)} for first, last in ranges), "no range of a shared page alone"


@given(page_sets, st.integers(1, 10))
def test_windows_cover_the_images(pages: tuple[int, ...], length: int) -> None:
    windows = [[i.page for i in window] for window in plan_windows([image(page) for page in reversed(pages)], length)]
    assert {page for window in windows for page in window} == set(pages)
    assert all(window == list(range(window[0], window[0] + len(window))) and len(window) <= length for window in windows)
    for before, after in pairwise(windows):
        shared = set(before) & set(after)
        assert len(shared) <= (1 if length > 1 else 0)
        if length > 1 and after[0] == before[-1] + 1:
            pytest.fail("neighbouring windows share no page")


def test_no_image_no_window() -> None:
    assert plan_windows([], 5) == ()
