"""Where the PP-OCR models lie that the rapidocr wheel carries, and the name of their exact bytes. Imports no model library."""

import hashlib
import importlib.metadata
import importlib.util
from functools import cache
from pathlib import Path

from schemas.errors import Code, PageloomError

DETECTION = "PP-OCRv6_det_small.onnx"
RECOGNITION = "PP-OCRv6_rec_small.onnx"
TURNED = "ch_ppocr_mobile_v2.0_cls_mobile.onnx"

OPTIONS = "4"
"""Raised with every change of our own code that changes what is recognized: it is part of the version, so the cache forgets."""


def model_path(name: str) -> Path:
    """The file of a model inside the wheel. Raises PageloomError where it is missing: nothing is ever downloaded."""
    spec = importlib.util.find_spec("rapidocr")
    path = Path(spec.origin).parent / "models" / name if spec is not None and spec.origin else None
    if path is None or not path.is_file():
        raise PageloomError(Code.ENGINE_FAILED, f"rapidocr is not installed with its model {name}; install the package again")
    return path


@cache
def version() -> str:
    """Code, weights and options in a short name."""
    digest = hashlib.sha256()
    for name in (DETECTION, RECOGNITION, TURNED):
        digest.update(model_path(name).read_bytes())
    return f"rapidocr-{importlib.metadata.version('rapidocr')}+{digest.hexdigest()[:12]}.{OPTIONS}"
