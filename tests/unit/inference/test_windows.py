"""Windows fall into units and come together again, each answered once with exactly its pages."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from inference.windows import Malformed, Windows
from schemas.events import RecognizedPage
from tests.unit.inference.making import request_of

P, Q = ("windows", 0), ("windows", 1)


def pages_of(key):
    return [RecognizedPage(page=page) for page in range(key[2], key[3] + 1)]


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(1, 6), st.integers(0, 5)), min_size=1, max_size=12),
    st.integers(1, 4),
    st.randoms(),
)
def test_every_window_is_answered_once_with_its_pages(rows, unit_pages, random):
    windows, keys, answered = Windows("v"), [], []
    requests = {(P, offset): request_of(first, first + more, document) for offset, (document, first, more) in enumerate(rows)}
    for position, request in requests.items():
        keys += [unit.key for unit in windows.accept(position, request, unit_pages)]
        while keys and random.random() < 0.3:
            key = keys.pop(random.randrange(len(keys)))
            answered += windows.settle(key, pages_of(key))
    random.shuffle(keys)
    for key in keys:
        answered += windows.settle(key, pages_of(key))
    assert Counter(a.position for a in answered) == Counter(requests.keys())
    for one in answered:
        request = requests[one.position]
        assert [page.page for page in one.event.pages] == list(range(request.first_page, request.last_page + 1))
        assert one.event.document_id == request.document_id
    assert len(windows) == 0


def test_two_requests_for_the_same_pages_share_one_reading():
    windows = Windows("v")
    assert len(windows.accept((P, 1), request_of(), 1)) == 1
    assert windows.accept((Q, 5), request_of(), 1) == []
    assert [a.position for a in windows.settle(("a document", "documents.ingest-0-7", 1, 1), [RecognizedPage(page=1)])] == [(P, 1), (Q, 5)]


def test_units_of_a_lost_partition_go_unless_others_wait_for_them():
    windows = Windows("v")
    windows.accept((P, 1), request_of(1, 2), 1)
    windows.accept((Q, 1), request_of(2, 3), 1)
    assert [key[2] for key in windows.forget({P})] == [1]
    assert windows.settle(("a document", "documents.ingest-0-7", 1, 1), [RecognizedPage(page=1)]) == []
    for page in (2, 3):
        answered = windows.settle(("a document", "documents.ingest-0-7", page, page), [RecognizedPage(page=page)])
    assert [a.position for a in answered] == [(Q, 1)]
    assert windows.forget({Q}) == []


def test_only_submissions_before_a_time_are_found():
    windows = Windows("v")
    windows.accept((P, 1), request_of(1, 2), 1)
    assert windows.units_of("a document", 1_600_000_000_000) == []
    assert windows.units_of("another", 1_800_000_000_000) == []
    assert windows.units_of("a document", 1_700_000_000_000) == []  # as assemble has it: what was logged in the same millisecond goes on
    assert [key[2] for key in windows.units_of("a document", 1_700_000_000_001)] == [1, 2]


@pytest.mark.parametrize(
    "changes",
    [
        {"first_page": 2},
        {"last_page": 10_000},
        {"images": ()},
        {"first_page": 0},
        {"images": tuple(replace(image, width_px=0) for image in request_of(1, 2).images)},
        {"images": tuple(replace(image, height_pt=float("nan")) for image in request_of(1, 2).images)},
        {"images": tuple(replace(image, width_px=10**7) for image in request_of(1, 2).images)},
        {"images": request_of(1, 2).images[::-1]},
    ],
)
def test_a_request_that_contradicts_itself_is_malformed(changes):
    with pytest.raises(Malformed):
        Windows("v").accept((P, 1), replace(request_of(1, 2), **changes), 1)
