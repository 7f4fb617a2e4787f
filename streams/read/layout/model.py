"""The one door to `pymupdf-layout`: a page in, labelled boxes out.

Guarantees: the model is loaded at the first page that asks for it and kept by the process, with one thread, for every core has a process of
its own; the same page gives the same boxes; PyMuPDF behaves as before afterwards (importing the package would install its own `get_layout`).
A missing package or model, and whatever the model makes of a page it cannot take, is `LayoutUnavailable` with its reason: the tier is then
skipped. The package's own grid of table cells is not used: on tables made in code its cells have an F1 of .85 where ours have .96, and it
costs more than the boxes (`tests/bench/tables`).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import cache
from typing import Any

import numpy as np
import pymupdf

from streams.read.layout.boxes import LayoutBox, boxes_of

MAX_LINES = 1_200
"""Runs of text on a page that is asked about: the model weighs pairs of them. A page with more is a register or a broken font."""
MAX_DRAWINGS = 3_000
"""Paths on such a page: the model reads them once more, and a map takes it seconds."""
MAX_AREA_PT2 = 4e6
"""A page is drawn at 72 dpi: A1 has 4 million points."""


class Detail(str, Enum):
    """How much of a page the model looks at: its text alone (a seventh of a second), or its picture too (three times as long)."""

    TEXT = "rf"
    TEXT_AND_PICTURE = "imf+rf"


class LayoutUnavailable(RuntimeError):
    """The layout tier cannot answer; the message says why, without words of the document."""


def too_large(lines: int, drawings: int, width_pt: float, height_pt: float) -> bool:
    """Whether a page is beyond what the model is asked about."""
    return lines > MAX_LINES or drawings > MAX_DRAWINGS or not 0 < width_pt * height_pt <= MAX_AREA_PT2


def layout_of(page: pymupdf.Page, detail: Detail) -> tuple[LayoutBox, ...]:
    """The boxes of a page as displayed. Raises LayoutUnavailable."""
    model = _model(detail)
    if isinstance(model, str):
        raise LayoutUnavailable(model)
    try:
        with _upright(page) as shown:
            page_box = (0.0, 0.0, shown.rect.width, shown.rect.height)
            return boxes_of(model.answer(shown), page_box)
    except Exception as error:  # the edge of foreign code on an untrusted page: it costs the tier, not the page
        raise LayoutUnavailable("the layout model failed on the page") from error


@contextmanager
def _upright(page: pymupdf.Page) -> Iterator[pymupdf.Page]:
    """The page, or of a turned one a copy that is displayed the same without being turned: the model reads text in unturned coordinates."""
    if not page.rotation:
        yield page
        return
    with pymupdf.open() as copy:
        copy.insert_pdf(page.parent, from_page=page.number, to_page=page.number, annots=False, links=False)
        shown = copy[0]
        shown.remove_rotation()
        yield shown


class _Model:
    """A loaded model with one thread, which also tells how sure it was of the class of each run of text."""

    def __init__(self, detail: Detail) -> None:
        """Raises ImportError without the package, OSError and what onnxruntime raises without its files."""
        from pymupdf.layout.onnx.BoxRFDGNN import BoxRFDGNN  # noqa: PLC0415 - heavy: loaded by the first page that needs it
        from pymupdf.layout.onnx.ImageFeatureExtractorV1 import ImageFeatureExtractorV1  # noqa: PLC0415

        class OneThread(BoxRFDGNN):  # type: ignore[misc] # of foreign code without types
            def load_onnx_model(self, model_path: str) -> None:
                self.session = _Recorded(_session(model_path))

        wants_picture = detail is Detail.TEXT_AND_PICTURE
        # Without a path for it, the picture's model is not loaded; the main one, as a class, once and not again with a thread for each core.
        self._model = OneThread(feature_set_name=detail.value, imf_model_path=None if wants_picture else "", table_grid_model_ver="V1")
        self._nodes: _Recorded = self._model.session
        self._model.feature_extractor = ImageFeatureExtractorV1(_session(self._model.imf_model_path)) if wants_picture else None
        self._model.table_grid_extractor = None

    def answer(self, page: pymupdf.Page) -> list[tuple[list[float], str, float]]:
        """Box, class and confidence of what is on an upright page."""
        return [(g["group_bbox"], g["class_name"], self._nodes.sureness(g["indicies"], g["group_class"])) for g in self._predict(page)]

    def _predict(self, page: pymupdf.Page) -> list[dict[str, Any]]:
        groups: list[dict[str, Any]] = self._model.predict(page, return_raw=True)
        return groups


class _Recorded:
    """An inference session that keeps its last answer about nodes, the runs of text: the package gives no confidences away."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._scores: Any = None

    def run(self, names: Any, inputs: Any) -> Any:
        """The session's own `run`."""
        answer = self._session.run(names, inputs)
        self._scores = answer[0]
        return answer

    def sureness(self, members: Sequence[int], label: int) -> float:
        """The mean probability of a class over some nodes; 0 for none."""
        if not members:
            return 0.0
        scores = self._scores[list(members)]
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return float((odds[:, label] / odds.sum(axis=1)).mean())


def _session(path: str) -> Any:
    """An inference session with one thread that gives memory back after a large page."""
    import onnxruntime  # noqa: PLC0415 - heavy: loaded by the first page that needs it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3  # errors: it warns of the models' own shapes at every run
    return onnxruntime.InferenceSession(path, sess_options=options, providers=["CPUExecutionProvider"])


@cache
def _model(detail: Detail) -> _Model | str:
    """The loaded model, or why there is none: tried once a process."""
    before = pymupdf._get_layout
    pymupdf._get_layout = _model  # else the package loads a model of its own at import, and installs it
    try:
        return _Model(detail)
    except ImportError:
        return "the package pymupdf-layout cannot be imported: install it, or set `layout` to false"
    except Exception:  # noqa: BLE001 - what onnxruntime raises has no common base; the tier is then skipped, with this reason
        return "the layout model cannot be loaded: install pymupdf-layout anew, or set `layout` to false"
    finally:
        pymupdf._get_layout = before
