"""What the settings say about engines, for those who ask about engines and run none."""

from inference.types import EngineOptions
from streams.settings import Settings


def engine_options(settings: Settings) -> EngineOptions:
    """What the settings tell the engines."""
    return EngineOptions(
        model=settings.engine_model,
        url=settings.engine_url,
        api_key=settings.engine_api_key,
        dialect=settings.engine_dialect,
        prompt=settings.engine_prompt,
        device=settings.engine_device,
        max_tokens=settings.engine_max_tokens,
        page_timeout_s=settings.recognize_timeout_s,
    )
