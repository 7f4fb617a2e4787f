"""Where torch runs, in which precision, and how much of a batch fits at once."""

from collections.abc import Callable
from typing import TypeVar

import torch

from schemas.errors import Code, PageloomError

Item = TypeVar("Item")
Made = TypeVar("Made")


def best_device(wanted: str) -> torch.device:
    """The device that the settings name, or the best there is. Raises PageloomError for one that is not there."""
    try:
        if wanted:
            device = torch.device(wanted)
            torch.empty(1, device=device)
            return device
    except (RuntimeError, AssertionError) as error:
        raise PageloomError(Code.ENGINE_FAILED, f"the settings name the device {wanted!r}, which torch does not have here") from error
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def best_dtype(device: torch.device) -> torch.dtype:
    """bfloat16 on GPUs that have it, else float16; float32 on a CPU, where halves are slow and less exact."""
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    return torch.float16 if device.type == "mps" else torch.float32


def fitting(compute: Callable[[list[Item]], list[Made]], batch: list[Item], device: torch.device) -> list[Made | None]:
    """What is made of each item: of all together, or of halves where they do not fit into memory; None for one that does not fit even alone."""
    try:
        made: list[Made | None] | None = [*compute(batch)]
    except torch.OutOfMemoryError:
        made = None
    if made is not None:
        return made
    if device.type == "cuda":  # outside of the handler, so that what the failed try held is free
        torch.cuda.empty_cache()
    if len(batch) == 1:
        return [None]
    half = len(batch) // 2
    return fitting(compute, batch[:half], device) + fitting(compute, batch[half:], device)
