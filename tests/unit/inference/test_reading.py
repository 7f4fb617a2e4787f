"""A unit from request to answer: cache, images, engine, large contents, a store that is away."""

import threading

import pytest
from msgspec.structs import replace

from inference import reading
from inference.cache import RecognitionCache
from inference.layout import page_confidence
from inference.pictures import picture_page
from inference.reading import Interrupted, UnitReader
from inference.types import PageRead, PageRefused, Picture
from inference.windows import WaitingUnit
from schemas import codec
from schemas.blobs import BlobStore
from schemas.content import Block, BlockType, PageContent, Source
from schemas.errors import Code, PageloomError
from tests.unit.inference.making import SUBMISSION, page_image, request_of

TEXT = "a page of text"


class Engine:
    """Answers at once; remembers what it was sent."""

    def __init__(self, text: str = TEXT, problems: tuple[str, ...] = (), refuse: bool = False) -> None:
        self.text, self.problems, self.refuse = text, problems, refuse
        self.units = []

    def recognize(self, units):
        self.units += units
        return [tuple(self.read(page.image) for page in unit.pages) for unit in units]

    def read(self, image):
        if self.refuse:
            return PageRefused(page=image.page, code=Code.TIMED_OUT, message="too slow", attempts=2)
        block = Block(type=BlockType.PARAGRAPH, bbox=(0.0, 0.0, 10.0, 10.0), text=self.text, confidence=0.75)
        content = PageContent(
            page=image.page, width_pt=image.width_pt, height_pt=image.height_pt, rotation=0, source=Source.RECOGNITION, blocks=(block,)
        )
        return PageRead(page=image.page, content=content, confidence=0.75, problems=self.problems)

    def kill(self):
        pass


@pytest.fixture
def store(tmp_path):
    return BlobStore(tmp_path.as_uri())


def unit(store, *pages, data=b"png", document="d"):
    images = []
    for page in pages:
        reference = store.put_run(document, SUBMISSION, f"page-{page}.png", data + str(page).encode())
        images.append(replace(page_image(page), image=reference))
    request = replace(request_of(pages[0], pages[-1], document), images=tuple(images))
    return WaitingUnit((document, SUBMISSION.id, pages[0], pages[-1]), tuple(images), request)


def reader(store, engine, version="1", inline=16 * 1024):
    return UnitReader(store, RecognitionCache(store, "test", version), engine, inline, threading.Event())


def test_a_page_is_read_once_and_then_comes_from_the_cache(store):
    engine = Engine()
    ((first,),) = reader(store, engine).read([unit(store, 1)])
    ((again,),) = reader(store, engine).read([unit(store, 1)])
    assert (first.cached, again.cached) == (False, True)
    assert again.content == first.content
    assert again.confidence == first.confidence == 0.75
    assert len(engine.units) == 1
    assert (engine.units[0].document_id, engine.units[0].pages[0].png) == ("d", b"png1")


def test_the_same_picture_as_another_page_comes_from_the_cache_under_its_own_number(store):
    engine = Engine()
    one = unit(store, 1)
    reader(store, engine).read([one])
    other = WaitingUnit(("d", SUBMISSION.id, 8, 8), (replace(one.images[0], page=8),), one.request)
    ((page,),) = reader(store, engine).read([other])
    assert page.cached
    assert page.page == page.content.page == 8


def test_another_version_scale_or_window_is_another_answer(store):
    engine = Engine()
    reader(store, engine).read([unit(store, 1)])
    reader(store, engine, version="2").read([unit(store, 1)])
    one = unit(store, 1)
    scaled = WaitingUnit(one.key, (replace(one.images[0], width_pt=999.0),), one.request)
    reader(store, engine).read([scaled])
    reader(store, engine).read([unit(store, 1, 2)])
    assert len(engine.units) == 4


def test_answers_with_problems_and_refusals_are_not_kept(store):
    for engine in (Engine(problems=("low_confidence",)), Engine(refuse=True)):
        reader(store, engine).read([unit(store, 1)])
        ((page,),) = reader(store, engine).read([unit(store, 1)])
        assert len(engine.units) == 2
        assert not page.cached
    assert page.failure.code is Code.TIMED_OUT
    assert page.attempts == page.failure.attempts == 2
    assert "'d'" in page.failure.message


def test_a_damaged_entry_of_the_cache_is_read_again(store, tmp_path):
    engine = Engine()
    reader(store, engine).read([unit(store, 1)])
    (entry,) = [path for path in (tmp_path / "recognized").rglob("*") if path.is_file()]
    entry.write_bytes(b"damaged")
    ((page,),) = reader(store, engine).read([unit(store, 1)])
    assert not page.cached
    assert page.content.blocks[0].text == TEXT


def test_large_content_goes_to_the_store_by_reference(store):
    ((page,),) = reader(store, Engine("long " * 5000)).read([unit(store, 1)])
    assert page.content is None
    assert codec.decode(store.get(page.content_reference, 10**6), PageContent).blocks[0].text.startswith("long long")
    assert page.content_reference.name.startswith("runs/")


def test_a_missing_image_fails_its_unit_only(store, tmp_path):
    here, gone = unit(store, 1), unit(store, 2)
    (tmp_path / gone.images[0].image.name).unlink()
    ((ok,), (failed,)) = reader(store, Engine()).read([here, gone])
    assert ok.failure is None
    assert failed.failure.code is Code.BLOB_MISSING
    assert failed.failure.retryable


def test_an_image_that_is_not_what_its_reference_says_is_never_read(store, tmp_path):
    engine = Engine()
    one = unit(store, 1)
    (tmp_path / one.images[0].image.name).write_bytes(b"evil")
    ((failed,),) = reader(store, engine).read([one])
    assert failed.failure.code is Code.BLOB_MISSING
    assert engine.units == []


def test_a_store_that_comes_back_is_waited_for(store, monkeypatch):
    monkeypatch.setattr(reading, "STORE_PAUSE_S", 0.01)
    one, left = unit(store, 1), [3]
    get = store.get

    def away(reference, max_bytes):
        if left[0]:
            left[0] -= 1
            raise PageloomError(Code.STORE_UNAVAILABLE, "away")
        return get(reference, max_bytes)

    monkeypatch.setattr(store, "get", away)
    ((page,),) = reader(store, Engine()).read([one])
    assert page.failure is None


def test_a_store_that_stays_away_fails_the_pages_as_retryable(store, monkeypatch):
    monkeypatch.setattr(reading, "STORE_PATIENCE_S", 0.02)
    monkeypatch.setattr(reading, "STORE_PAUSE_S", 0.01)
    one = unit(store, 1)

    def away(*_):
        raise PageloomError(Code.STORE_UNAVAILABLE, "away")

    monkeypatch.setattr(store, "get", away)
    monkeypatch.setattr(store, "find", away)
    ((page,),) = reader(store, Engine()).read([one])
    assert page.failure.code is Code.STORE_UNAVAILABLE
    assert page.failure.retryable


def test_a_stop_while_the_store_is_away_leaves_the_pages_to_the_next_owner(store, monkeypatch):
    """They were answered as failed, and their documents ended as partial."""
    one, stop = unit(store, 1), threading.Event()

    def away(*_):
        stop.set()
        raise PageloomError(Code.STORE_UNAVAILABLE, "away")

    monkeypatch.setattr(store, "get", away)
    with pytest.raises(Interrupted):
        UnitReader(store, RecognitionCache(store, "test", "1"), Engine(), 10**6, stop).read([one])


class Looker(Engine):
    """Finds a picture on every page."""

    def read(self, image):
        content = picture_page(image, (0.0, 0.0, 10.0, 10.0))
        return PageRead(page=image.page, content=content, confidence=page_confidence(content))


def test_a_page_that_is_a_picture_shows_the_image_of_its_own_document_from_the_cache_too(store):
    engine, one, other = Looker(), unit(store, 1, document="one"), unit(store, 1, document="other")
    ((first,),) = reader(store, engine).read([one])
    ((again,),) = reader(store, engine).read([other])
    assert again.cached
    assert first.content.blocks[0].figure == one.images[0].image
    assert again.content.blocks[0].figure == other.images[0].image
    assert first.confidence == again.confidence


def test_pictures_of_figures_are_stored_with_the_submission_also_from_the_cache(store):
    class Draws(Engine):
        def read(self, image):
            read = super().read(image)
            figure = Block(type=BlockType.FIGURE, bbox=(5.0, 20.0, 60.0, 70.0))
            return replace(read, content=replace(read.content, blocks=(*read.content.blocks, figure)), pictures=(Picture(figure.bbox, b"a PNG"),))

    engine = Draws()
    for times in range(2):
        ((page,),) = reader(store, engine).read([unit(store, 1)])
        assert (len(engine.units), page.cached) == (1, times == 1)
        assert page.content.blocks[0].figure is None
        assert store.get(page.content.blocks[1].figure, 100) == b"a PNG"
    without = UnitReader(store, RecognitionCache(store, "test", "1"), engine, 10**6, threading.Event(), keeps_figures=False)
    ((page,),) = without.read([unit(store, 1)])
    assert page.content.blocks[1].figure is None
