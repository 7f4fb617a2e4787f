"""The engines that there are, by the name that a request gives. Importing it imports no engine."""

import importlib.metadata
from collections.abc import Callable, Mapping
from types import MappingProxyType

from inference.engines import ppocr_models, served_spec, tesseract_data
from inference.types import EngineCapabilities, EngineOptions, EngineSpec
from schemas.errors import Code, PageloomError

TORCH_BATCH_PAGES = 8
"""Pages of one static batch on a GPU; more make all wait for the longest answer among them."""


PPOCR_SCRIPTS = ("Latin", "Han", "Hiragana", "Katakana")
"""What the recognition model reads. Its character set has Greek letters, for formulas: of Greek prose it got half right (`make bench-infer`)."""


def _rapidocr(options: EngineOptions) -> EngineSpec:
    return EngineSpec(
        name="rapidocr",
        module="inference.engines.rapidocr",
        # On a CPU larger batches cost more, not less (13 s for 4 pages at batch 1, 47 s at 48).
        capabilities=EngineCapabilities(scripts=PPOCR_SCRIPTS, batch_pages=1),
        version=ppocr_models.version,
        options=options,
    )


def _tesseract(options: EngineOptions) -> EngineSpec:
    return EngineSpec(
        name="tesseract",
        module="inference.engines.tesseract",
        capabilities=EngineCapabilities(scripts=tesseract_data.scripts(), batch_pages=1),
        version=lambda: tesseract_data.version(options),
        options=options,
    )


def _openai(options: EngineOptions) -> EngineSpec:
    return EngineSpec(
        name="openai",
        module="inference.engines.served",
        capabilities=served_spec.capabilities(options),
        version=lambda: served_spec.version(options),
        options=options,
        in_process=True,
    )


def _torch_ocr(options: EngineOptions) -> EngineSpec:
    return EngineSpec(
        name="torch-ocr",
        module="inference.engines.torch_ocr",
        capabilities=EngineCapabilities(scripts=PPOCR_SCRIPTS, batch_pages=TORCH_BATCH_PAGES),
        version=lambda: _torch_version("transformers", ppocr_models.version()),
        options=options,
        extra="gpu",
        processes=2,  # on one GPU: one finds boxes and cuts out lines while the other computes
    )


def _transformers(options: EngineOptions) -> EngineSpec:
    return EngineSpec(
        name="transformers",
        module="inference.engines.vlm",
        capabilities=served_spec.capabilities(options, batch_pages=TORCH_BATCH_PAGES),
        version=lambda: _torch_version("transformers", served_spec.version(options)),
        options=options,
        extra="gpu",
        processes=1,  # each would hold the whole model on the same GPU
    )


def _torch_version(package: str, rest: str) -> str:
    """The version of an engine from the extra `gpu`. Raises PageloomError without it."""
    try:
        return f"{importlib.metadata.version(package)}/{importlib.metadata.version('torch')}+{rest}"
    except importlib.metadata.PackageNotFoundError as error:
        raise PageloomError(Code.ENGINE_FAILED, f"needs {error.name}, which the extra gpu installs") from error


ENGINES: Mapping[str, Callable[[EngineOptions], EngineSpec]] = MappingProxyType(
    {"rapidocr": _rapidocr, "tesseract": _tesseract, "torch-ocr": _torch_ocr, "transformers": _transformers, "openai": _openai}
)
"""All engines by name: what each is with the options that the settings give."""


def engines(options: EngineOptions = EngineOptions()) -> Mapping[str, EngineSpec]:  # noqa: B008 - a frozen value
    """The spec of every engine."""
    return MappingProxyType({name: spec(options) for name, spec in ENGINES.items()})
