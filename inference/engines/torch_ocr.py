"""PP-OCR in torch, batched over pages: for a GPU, which reading one line after the other would leave idle.

Guarantees: says what the engine on ONNX says, with the same weights, the same images of lines and the same boxes around them (a line in a batch
may be padded by `LINE_PADDING`, which moves probabilities a little); what does not fit into memory is halved until it does. What is done with
the models stands in `ppocr_page`; the vote on which way up a page stands, seven lines a page, stays with rapidocr's small model on ONNX.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import torch
from msgspec import Struct
from rapidocr.ch_ppocr_det import TextDetector
from rapidocr.ch_ppocr_det.utils import DBPostProcess, DetPreProcess
from rapidocr.ch_ppocr_rec.utils import CTCLabelDecode

from inference.engines import ppocr_weights
from inference.engines.devices import best_device, fitting
from inference.engines.gathering import gathered
from inference.engines.rapidocr import MIN_LINE_WIDTH, pipeline, read_page, reading_of, upside_down
from inference.engines.word_places import LineReading
from inference.images import PagePixels, Pixels, Quad, resized, use_one_thread
from inference.types import EngineOptions, PageAnswer, UnitAnswer
from schemas.errors import Code, PageloomError

LINE_HEIGHT = 48
"""Of the images of lines that the model was trained on."""
LINE_PADDING = 1.1
"""Width of the widest line of a batch over that of the narrowest; the model sees the padding, so little of it is given."""
GPU_PIXELS = 4_000_000
"""Of one batch on a GPU. A pixel of a line costs about 600 bytes (18,710 probabilities every 8 columns, twice), of a page 200: 2.5 GB at most."""
CPU_LINE_PIXELS = 64_000
"""Of one batch of lines on a CPU, where larger ones only cost memory. Pages are looked at one by one there."""


class Detection(Struct, frozen=True):
    """Where are lines on this image, looked at with so many pixels on its longer side?"""

    bgr: Pixels
    long_side: int


class Direction(Struct, frozen=True):
    """Which of these lines stand on their heads?"""

    lines: Sequence[Pixels]


class Reading(Struct, frozen=True):
    """What do these lines say?"""

    lines: Sequence[Pixels]


Question: TypeAlias = Detection | Direction | Reading


class _Asking:
    """The three models as one page sees them: each question waits until those of the other pages are there."""

    def __init__(self, ask: Callable[[Question], Any]) -> None:
        self._ask = ask

    def detect(self, bgr: Pixels, long_side: int) -> list[Quad]:
        return list(self._ask(Detection(bgr, long_side)))

    def upside_down(self, lines: Sequence[Pixels]) -> list[float]:
        return list(self._ask(Direction(lines)))

    def recognize(self, lines: Sequence[Pixels]) -> list[LineReading]:
        return list(self._ask(Reading(lines))) if lines else []


class TorchOcrModels:
    """Detection and recognition in torch, direction on ONNX; each for the questions of several pages at once."""

    def __init__(self, device: torch.device) -> None:
        use_one_thread()
        if device.type == "cpu":
            torch.set_num_threads(1)  # processes are the unit of parallel work; two threads on two busy cores took ten times the CPU time
        steps = pipeline()
        found = steps.cfg.Det
        self._device = device
        self._classifier: Any = steps._load_cls_model()
        self._boxes = DBPostProcess(
            thresh=found.thresh, box_thresh=found.box_thresh, max_candidates=found.max_candidates, unclip_ratio=found.unclip_ratio,
            score_mode=found.score_mode, use_dilation=found.use_dilation,
        )  # fmt: skip
        self._mean, self._deviation = (torch.tensor(list(values), device=device).view(1, 3, 1, 1) for values in (found.mean, found.std))
        self._detector: Any = ppocr_weights.detector().to(device, memory_format=torch.channels_last)
        recognizer, characters = ppocr_weights.recognizer()
        self._recognizer: Any = recognizer.to(device)
        self._decode = CTCLabelDecode(character=characters).decode

    def answers(self, questions: Sequence[Question]) -> list[Any]:
        """The answer to each question; a PageloomError where it does not fit into memory."""
        found: dict[int, Any] = {}
        looks = [(index, question) for index, question in enumerate(questions) if isinstance(question, Detection)]
        found.update(zip((index for index, _ in looks), self.detect([question for _, question in looks]), strict=True))
        asked = [(index, question) for index, question in enumerate(questions) if isinstance(question, Reading)]
        read = iter(self.recognize([line for _, question in asked for line in question.lines]))
        for index, reading in asked:
            texts = list(itertools.islice(read, len(reading.lines)))
            found[index] = _no_memory() if None in texts else texts
        for index, question in enumerate(questions):
            if isinstance(question, Direction):
                found[index] = upside_down(self._classifier, question.lines)
        return [found[index] for index in range(len(questions))]

    def detect(self, looks: Sequence[Detection]) -> list[list[Quad] | PageloomError]:
        """Corners of the lines of each image. Images that are looked at in the same size are looked at together."""
        inputs = [DetPreProcess(look.long_side, "max").resize(look.bgr) for look in looks]
        found: list[list[Quad] | PageloomError] = [[] for _ in looks]  # an image without room for one cell of the grid has no lines
        sizes: dict[tuple[int, ...], list[int]] = {}
        for index, image in enumerate(inputs):
            if image is not None:
                sizes.setdefault(image.shape, []).append(index)
        for (height, width, _), indexes in sizes.items():
            together = max(1, GPU_PIXELS // (height * width)) if self._device.type != "cpu" else 1
            for part in (indexes[first : first + together] for first in range(0, len(indexes), together)):
                maps = fitting(self._text_maps, [inputs[index] for index in part], self._device)
                for index, probabilities in zip(part, maps, strict=True):
                    found[index] = _no_memory() if probabilities is None else self._quads(probabilities, looks[index].bgr)
        return found

    def recognize(self, lines: Sequence[Pixels]) -> list[LineReading | None]:
        """What each line says; None where it does not fit into memory. Lines of about the same width are read together."""
        found: list[LineReading | None] = [None] * len(lines)
        for part in batches([line_width(line) for line in lines], GPU_PIXELS if self._device.type != "cpu" else CPU_LINE_PIXELS):
            texts: list[LineReading | None] = [*fitting(self._texts, [lines[index] for index in part], self._device)]
            for index, text in zip(part, texts, strict=True):
                found[index] = text
        return found

    def _text_maps(self, images: list[Pixels]) -> list[np.ndarray[Any, np.dtype[np.float32]]]:
        """Probability of text of each pixel, (1, height, width) for each image; all images are of one size."""
        with torch.inference_mode():
            pixels = torch.from_numpy(np.stack(images)).to(self._device).permute(0, 3, 1, 2).float()
            found = self._detector((pixels / 255 - self._mean) / self._deviation).last_hidden_state
            return list(found.float().cpu().numpy())

    def _quads(self, probabilities: np.ndarray[Any, np.dtype[np.float32]], bgr: Pixels) -> list[Quad]:
        boxes, _ = self._boxes(probabilities[None], bgr.shape[:2])
        return [np.asarray(box, np.float32) for box in TextDetector.sorted_boxes(boxes)]

    def _texts(self, lines: list[Pixels]) -> list[LineReading]:
        width = max(line_width(line) for line in lines)
        with torch.inference_mode():
            pixels = torch.zeros(len(lines), 3, LINE_HEIGHT, width, device=self._device)
            for row, line in enumerate(lines):
                inked = min(line_width(line), math.ceil(LINE_HEIGHT * line.shape[1] / line.shape[0]))
                image = torch.from_numpy(resized(line, inked, LINE_HEIGHT)).to(self._device)
                pixels[row, :, :, :inked] = image.permute(2, 0, 1).float() / 127.5 - 1
            likeliest = self._recognizer(pixels).last_hidden_state.max(dim=2)
            indices, scores = likeliest.indices.cpu().numpy(), likeliest.values.float().cpu().numpy()
        inked_widths = [min(line_width(line), LINE_HEIGHT * line.shape[1] / line.shape[0]) for line in lines]
        texts, places = self._decode(indices, scores, True, inked_widths, width, remove_duplicate=True)
        return [reading_of(text, score, place) for (text, score), place in zip(texts, places, strict=True)]


def line_width(line: Pixels) -> int:
    """Pixels that a line is wide at the height of the model, as rapidocr counts them."""
    return max(MIN_LINE_WIDTH, int(LINE_HEIGHT * (line.shape[1] / line.shape[0])))


def batches(widths: Sequence[int], pixels: int) -> Iterator[list[int]]:
    """Indexes of lines to be read together, narrow ones first: within a budget of pixels and hardly padded. Each line is in exactly one batch."""
    part: list[int] = []
    for index in sorted(range(len(widths)), key=widths.__getitem__):
        if part and (widths[index] > LINE_PADDING * widths[part[0]] or (len(part) + 1) * widths[index] * LINE_HEIGHT > pixels):
            yield part
            part = []
        part.append(index)
    if part:
        yield part


class TorchOcrEngine:
    """The engine: pages of a batch are read side by side, so that their questions to the models come together."""

    def __init__(self, options: EngineOptions) -> None:
        self._device = best_device(options.device)
        self._models: TorchOcrModels | None = None

    def warm_up(self) -> None:
        """Loads the models and runs them once. Raises PageloomError without the models."""
        models = self._loaded()
        models.detect([Detection(np.full((64, 320, 3), 255, np.uint8), 320)])
        models.recognize([np.full((LINE_HEIGHT, 320, 3), 255, np.uint8)])

    def recognize(self, batch: Sequence[tuple[PagePixels, ...]], _attempt: int, /) -> list[UnitAnswer]:
        """Reads the pages of all units together. There is nothing to change in a second attempt: the answer would be the same."""
        models = self._loaded()

        def read(page: PagePixels, ask: Callable[[Question], Any]) -> PageAnswer:
            return read_page(_Asking(ask), page, "torch-ocr")

        answers = iter(gathered([partial(read, page) for unit in batch for page in unit], models.answers))
        return [tuple(itertools.islice(answers, len(unit))) for unit in batch]

    def close(self) -> None:
        """Gives the models back."""
        self._models = None
        if self._device.type == "cuda":
            torch.cuda.empty_cache()

    def _loaded(self) -> TorchOcrModels:
        if self._models is None:
            self._models = TorchOcrModels(self._device)
        return self._models


def create_engine(options: EngineOptions) -> TorchOcrEngine:
    """The engine, not yet loaded. Of the options it takes the device."""
    return TorchOcrEngine(options)


def _no_memory() -> PageloomError:
    return PageloomError(Code.OUT_OF_MEMORY, "engine torch-ocr: a line or a page does not fit into the memory of the device, even alone")
