"""The engines that there are, by the name that a request gives. Importing it imports no engine."""

from types import MappingProxyType

from inference.engines import ppocr_models
from inference.types import EngineCapabilities, EngineSpec

RAPIDOCR = EngineSpec(
    name="rapidocr",
    module="inference.engines.rapidocr",
    # The character set of the recognition model; on a CPU larger batches cost more, not less (13 s for 4 pages at batch 1, 47 s at 48).
    capabilities=EngineCapabilities(scripts=("Latin", "Han", "Hiragana", "Katakana", "Greek"), batch_pages=1),
    version=ppocr_models.version,
)

ENGINES = MappingProxyType({spec.name: spec for spec in (RAPIDOCR,)})
"""All engines by name."""
