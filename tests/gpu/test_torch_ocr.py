"""PP-OCR in torch against PP-OCR on ONNX, with the real weights: the same numbers, the same lines, alone and in a batch."""

import itertools
import re
from typing import Any

import msgspec
import numpy as np
import onnxruntime
import pymupdf
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from inference.engines import ppocr_models, ppocr_weights, rapidocr, torch_ocr
from inference.images import PagePixels, turned
from inference.types import EngineOptions, PageAnswer, PageRead, PageRefused
from schemas.errors import Code, PageloomError
from tests.unit.inference.making import page_image, png_of

PROSE = (
    "The committee met on Tuesday and approved the budget for the coming year. Repairs of the northern bridge begin in April and are to "
    "last until autumn; the school keeps its two classes, and the library will open on Saturdays."
)
ROWS = [("Country", "Area", "People"), ("Norway", "385", "5.5"), ("Sweden", "450", "10.6"), ("Denmark", "43", "5.9")]
OPTIONS = EngineOptions(device="cpu")


def page_of(number: int, texts: list[tuple[float, float, str]], turn: int = 0, width: int = 420) -> PagePixels:
    page = pymupdf.open().new_page(width=width, height=200)
    for x, y, text in texts:
        page.insert_text((x, y), text, fontsize=11, fontname="tiro")
    pixmap = page.get_pixmap(dpi=110, alpha=False)
    bgr = turned(np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3), turn)
    png = png_of(bgr)
    return PagePixels(page_image(number, png, bgr.shape[1], bgr.shape[0], 110), png, 10**8)


def pages() -> list[PagePixels]:
    prose = [(30.0, 40.0 + 16 * row, PROSE[start : start + 62]) for row, start in enumerate(range(0, len(PROSE), 62))]
    table = [(x, 50.0 + 20 * row, text) for row, texts in enumerate(ROWS) for x, text in zip((30.0, 150.0, 280.0), texts, strict=True)]
    return [page_of(1, prose), page_of(2, table), page_of(3, prose, turn=180), page_of(4, []), page_of(5, table[:6], width=300)]


@pytest.fixture(scope="module")
def engine() -> torch_ocr.TorchOcrEngine:
    made = torch_ocr.create_engine(OPTIONS)
    made.warm_up()
    return made


def session(name: str) -> Any:
    return onnxruntime.InferenceSession(str(ppocr_models.model_path(name)), providers=["CPUExecutionProvider"])


def texts(answer: PageAnswer) -> list[str]:
    """All texts of a page, also those of table cells."""
    assert isinstance(answer, PageRead)
    return re.findall(r'"text":"([^"]+)"', msgspec.json.encode(answer.content).decode())


def same(one: PageAnswer, other: PageAnswer, confidence: float) -> None:
    assert isinstance(one, PageRead)
    assert isinstance(other, PageRead)
    assert texts(one) == texts(other)
    for block, twin in zip(one.content.blocks, other.content.blocks, strict=True):
        assert np.abs(np.array(block.bbox) - np.array(twin.bbox)).max() <= 72 / 110  # a pixel
    assert one.confidence == pytest.approx(other.confidence, abs=confidence)


def test_the_detector_gives_the_probabilities_of_the_graph(engine: torch_ocr.TorchOcrEngine) -> None:
    image = pages()[0].bgr[:288, :608]
    pixels = ((image.astype(np.float32) / 255 - 0.5) / 0.5).transpose(2, 0, 1)[None]
    (expected,) = session(ppocr_models.DETECTION).run(None, {"x": pixels})
    with torch.inference_mode():
        found = ppocr_weights.detector()(torch.from_numpy(pixels)).last_hidden_state.numpy()
    assert expected.max() > 0.9  # there is text on it
    assert np.abs(found - expected).max() < 1e-3


def test_the_recognizer_gives_the_probabilities_of_the_graph() -> None:
    pixels = np.random.default_rng(0).uniform(-1, 1, (2, 3, 48, 320)).astype(np.float32)
    runner = session(ppocr_models.RECOGNITION)
    (expected,) = runner.run(None, {runner.get_inputs()[0].name: pixels})
    recognizer, characters = ppocr_weights.recognizer()
    with torch.inference_mode():
        found = recognizer(torch.from_numpy(pixels)).last_hidden_state.numpy()
    assert np.abs(found - expected).max() < 1e-3
    assert len(characters) + 2 == found.shape[2]


def test_pages_are_read_as_on_onnx(engine: torch_ocr.TorchOcrEngine) -> None:
    units = [(page,) for page in pages()]
    onnx = rapidocr.create_engine(OPTIONS)
    found = engine.recognize(units, 1)
    for (one,), (other,) in zip(found, onnx.recognize(units, 1), strict=True):
        same(one, other, confidence=0.02)
    prose, table, on_its_head, blank, _ = (texts(answer) for (answer,) in found)
    assert "approved the budget" in " ".join(prose)
    assert "Denmark" in table
    assert on_its_head == prose
    assert not blank


def test_a_batch_says_what_its_pages_say_alone(engine: torch_ocr.TorchOcrEngine) -> None:
    made = pages()
    together = engine.recognize([(made[0], made[1]), (made[2],), (made[4],)], 1)
    assert [[answer.page for answer in unit] for unit in together] == [[1, 2], [3], [5]]
    for answer in itertools.chain.from_iterable(together):
        ((alone,),) = engine.recognize([(made[answer.page - 1],)], 1)
        same(answer, alone, confidence=0.02)


def test_lines_that_do_not_fit_together_are_read_in_halves(engine: torch_ocr.TorchOcrEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    models = engine._loaded()
    read = models._texts
    expected = engine.recognize([(pages()[1],)], 1)
    sizes: list[int] = []

    def short_of_memory(lines: list[Any]) -> list[tuple[str, float]]:
        sizes.append(len(lines))
        if len(lines) > 1:
            raise torch.OutOfMemoryError("planted")
        return read(lines)

    monkeypatch.setattr(models, "_texts", short_of_memory)
    same(engine.recognize([(pages()[1],)], 1)[0][0], expected[0][0], confidence=0.02)
    assert max(sizes) > 1


@pytest.mark.parametrize("step", ["_texts", "_text_maps"])
def test_only_the_page_that_does_not_fit_is_refused(engine: torch_ocr.TorchOcrEngine, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    models = engine._loaded()
    compute = getattr(models, step)

    def full(images: list[Any]) -> Any:
        if any(np.median(image) == 250 for image in images):
            raise torch.OutOfMemoryError("planted")
        return compute(images)

    marked = pages()[1]
    marked.bgr[marked.bgr > 250] = 250  # its paper is not as white
    monkeypatch.setattr(models, step, full)
    (fits,), (refused,) = engine.recognize([(pages()[0],), (marked,)], 1)
    assert isinstance(fits, PageRead)
    assert isinstance(refused, PageRefused)
    assert (refused.code, refused.page) == (Code.OUT_OF_MEMORY, 2)


def test_weights_that_do_not_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    recognition = ppocr_weights._graph(ppocr_models.RECOGNITION)
    monkeypatch.setattr(ppocr_weights, "_graph", lambda _: recognition)
    with pytest.raises(PageloomError, match="do not fit the classes"):
        ppocr_weights.detector()


@given(st.lists(st.integers(64, 4000), max_size=60), st.integers(1, 10**6))
def test_each_line_is_in_one_batch_within_the_budget_and_hardly_padded(widths: list[int], pixels: int) -> None:
    made = list(torch_ocr.batches(widths, pixels))
    assert sorted(itertools.chain.from_iterable(made)) == list(range(len(widths)))
    for part in made:
        longest, shortest = max(widths[index] for index in part), min(widths[index] for index in part)
        assert longest <= torch_ocr.LINE_PADDING * shortest
        assert len(part) == 1 or len(part) * longest * torch_ocr.LINE_HEIGHT <= pixels
