"""Pictures that hold no text: something like photographs, and grey pixels as files."""

import io
import random

import numpy as np
from PIL import Image


def photograph(rng: random.Random, level: int = 128, spread: int = 55, width: int = 300) -> bytes:
    """Something like a photograph: clouds of grey at several scales, as JPEG."""
    noise = np.random.default_rng(rng.getrandbits(32))
    total = np.zeros((width, width))
    for cells in (3, 7, 15, 40):
        small = Image.fromarray(noise.normal(0, 1, (cells, cells)).astype(np.float32))
        total += np.asarray(small.resize((width, width), Image.Resampling.BICUBIC)) / cells**0.4
    return as_jpeg(np.clip(level + spread * (total - total.mean()) / total.std(), 0, 255).astype(np.uint8))


def as_jpeg(grey: np.ndarray, quality: int = 70) -> bytes:
    """Grey pixels as JPEG."""
    buffer = io.BytesIO()
    Image.fromarray(grey).save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()
