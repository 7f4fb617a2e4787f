"""The dialects that there are, by name, and which one a model speaks."""

from types import MappingProxyType

from inference.dialects import markdown, surya, unlimited
from inference.dialects.dialect import Dialect

SURYA = Dialect(name="surya", prompt=surya.PROMPT, parse=surya.parse, dpi=192, max_tokens=12_288)
UNLIMITED = Dialect(
    name="unlimited",
    prompt=unlimited.PROMPT,
    parse=unlimited.parse,
    repeated=unlimited.PAGE_IMAGE,
    dpi=300,
    max_tokens=8_000,
    window_pages=10,
    # One view of each page: in tiles it loops on tables. The guard stops n-grams that repeat, which is how its loops begin.
    extra={
        "crop_mode": False,
        "custom_params": {"ngram_size": 35, "window_size": 1024},
    },
)
MARKDOWN = Dialect(name="markdown", prompt=markdown.PROMPT, parse=markdown.parse)

DIALECTS = MappingProxyType({dialect.name: dialect for dialect in (SURYA, UNLIMITED, MARKDOWN)})
"""All dialects by name."""

_MODELS = (("surya", SURYA), ("unlimited-ocr", UNLIMITED), ("unlimited_ocr", UNLIMITED))


def dialect_of(model: str) -> Dialect:
    """The dialect of a model, by its name; Markdown for any that is not known."""
    name = model.lower()
    return next((dialect for part, dialect in _MODELS if part in name), MARKDOWN)
