"""Where torch runs and in which precision."""

import torch

from schemas.errors import Code, PageloomError


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
