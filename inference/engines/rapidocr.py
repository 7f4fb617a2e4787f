"""PP-OCR on a CPU through rapidocr, with the models inside its wheel. The only door to rapidocr.

Guarantees: nothing is downloaded (each model is named by its file), one thread a process, rapidocr's own log lines are off. What is done
with the three models stands in `ppocr_page`; what becomes of the lines in `inference.layout`.
"""

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np
from rapidocr import RapidOCR
from rapidocr.ch_ppocr_rec import TextRecInput

from inference.engines import ppocr_models
from inference.engines.ppocr_page import TextModels, read_lines
from inference.engines.word_places import LineReading
from inference.guards import UNREAD, Problem
from inference.images import PagePixels, Pixels, Quad, ink_box, use_one_thread
from inference.layout import content_of, page_confidence
from inference.pictures import INKED, picture_page
from inference.types import EngineOptions, PageAnswer, PageRead, PageRefused, PageText, UnitAnswer
from schemas.content import PageContent
from schemas.errors import Code, PageloomError

MAX_CANDIDATES = 4_000
"""Lines a detection may find: rapidocr's own bound of 1000 loses cells of dense tables."""
UNREAD_LINES = 4
UNREAD_SHARE = 0.15
"""So many lines that cannot be read, and hardly any that can: a script the model does not know. Fewer may be textures of a picture."""
UNREAD_OF_PART = 2
"""Lines without a reading that make, with others that read badly, a part of the page that the model does not know."""
MIN_LINE_WIDTH = 64
"""Line images are padded to this width. At the stock 320 a page of 342 table cells took 13.2 CPU-seconds, at 64 it took 4.5 with equal text."""


class RapidOcrModels:
    """Detection, direction and recognition of lines of text."""

    def __init__(self) -> None:
        use_one_thread()
        steps = pipeline()
        self._detector: Any = steps._load_det_model()
        self._classifier: Any = steps._load_cls_model()
        self._recognizer: Any = steps._load_rec_model()

    def detect(self, bgr: Pixels, long_side: int) -> list[Quad]:
        """Corners of the lines on an image, looked for at the size where its longer side has `long_side` pixels, if that is smaller."""
        self._detector.limit_side_len = long_side
        boxes = self._detector(bgr).boxes
        return [] if boxes is None else [np.asarray(box, np.float32) for box in boxes]

    def upside_down(self, lines: Sequence[Pixels]) -> list[float]:
        """For each image of a line the probability 0..1 that it stands on its head."""
        return upside_down(self._classifier, lines)

    def recognize(self, lines: Sequence[Pixels]) -> list[LineReading]:
        """What each image of a line says."""
        if not lines:
            return []
        output = self._recognizer(TextRecInput(img=list(lines), return_word_box=True))
        return [reading_of(*line) for line in zip(output.txts, output.scores, output.word_results, strict=True)]


class RapidOcrEngine:
    """The engine: pages one by one, since larger batches cost more on a CPU."""

    def __init__(self) -> None:
        self._models: RapidOcrModels | None = None

    def warm_up(self) -> None:
        """Loads the models and runs them once, so that the first page does not pay for it. Raises PageloomError without the models."""
        models = self._loaded()
        models.detect(np.full((64, 320, 3), 255, np.uint8), 320)
        models.recognize([np.full((48, 320, 3), 255, np.uint8)])

    def recognize(self, batch: Sequence[tuple[PagePixels, ...]], _attempt: int, /) -> list[UnitAnswer]:
        """Reads each page of each unit. There is nothing to change in a second attempt: the answer would be the same."""
        models = self._loaded()
        return [tuple(read_page(models, page, "rapidocr") for page in unit) for unit in batch]

    def close(self) -> None:
        """Gives the models back."""
        self._models = None

    def _loaded(self) -> RapidOcrModels:
        if self._models is None:
            self._models = RapidOcrModels()
        return self._models


def create_engine(_options: EngineOptions) -> RapidOcrEngine:
    """The engine, not yet loaded. It has no options: its models are those of its wheel."""
    return RapidOcrEngine()


def read_page(models: TextModels, page: PagePixels, engine: str) -> PageAnswer:
    """What becomes of a page with the three models of PP-OCR, whoever runs them."""
    number = page.image.page
    try:
        text = read_lines(page.bgr, models)
        if text.unread >= UNREAD_LINES and len(text.lines) < UNREAD_SHARE * text.unread:
            message = f"page {number}: {engine} finds {text.unread + len(text.lines)} lines and can read {len(text.lines)} of them"
            return PageRefused(page=number, code=Code.SCRIPT_UNSUPPORTED, message=message)
        if not text.lines and text.unread < UNREAD_LINES and page.ink >= INKED:
            content = picture_page(page.image, ink_box(page.bgr))
        else:
            content = content_of(text, page.image, page.bgr.shape[1], page.bgr.shape[0])
    except PageloomError as error:
        return PageRefused(page=number, code=error.code, message=str(error))
    problems = (Problem.PART_UNREAD.value,) if _lacks_a_part(text, content) else ()
    return PageRead(page=number, content=content, confidence=page_confidence(content), problems=problems)


def _lacks_a_part(text: PageText, content: PageContent) -> bool:
    """Whether lines were found that were not read, beside some that read badly: a paragraph in another script. Alone they are parts of pictures."""
    return text.unread >= UNREAD_OF_PART and any(block.confidence < UNREAD for block in content.blocks)


def reading_of(text: str, score: float, places: Any) -> LineReading:
    """A line as rapidocr's decoder gives it: its text, its confidence, and the columns of the model's output at which characters stand."""
    steps = float(places.line_txt_len)
    columns = [column for word in places.word_cols for column in word]
    return LineReading(str(text), float(score), tuple((column + 0.5) / steps for column in columns) if steps > 0 else ())


def upside_down(classifier: Any, lines: Sequence[Pixels]) -> list[float]:
    """For each image of a line the probability 0..1 that it stands on its head, by rapidocr's classifier."""
    results = classifier(list(lines)).cls_res
    return [float(score) if "180" in label else 1.0 - float(score) for label, score in results]


def pipeline() -> Any:
    """rapidocr on the models of its wheel, none of them loaded yet, and silent. It has no public way to its three steps; its version is pinned."""
    made = RapidOCR(params=_parameters())
    logging.getLogger("RapidOCR").setLevel(logging.CRITICAL)
    return made


def _parameters() -> dict[str, Any]:
    return {
        "Global.log_level": "critical",
        "EngineConfig.onnxruntime.intra_op_num_threads": 1,
        "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        "Det.model_path": str(ppocr_models.model_path(ppocr_models.DETECTION)),
        "Cls.model_path": str(ppocr_models.model_path(ppocr_models.TURNED)),
        "Rec.model_path": str(ppocr_models.model_path(ppocr_models.RECOGNITION)),
        "Det.limit_type": "max",
        "Det.max_candidates": MAX_CANDIDATES,
        "Rec.rec_batch_num": 1,
        "Rec.rec_img_shape": [3, 48, MIN_LINE_WIDTH],
    }
