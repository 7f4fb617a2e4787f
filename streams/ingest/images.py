"""Image files as documents: frames counted, pixels bounded before anything is decoded. Runs in a child process.

Guarantees: the size of every frame is known from its header before its pixels are unpacked; the first frame was decoded once, so that
a broken file is refused here and not after its document was announced.
"""

import struct
from pathlib import Path

from PIL import Image

from schemas.errors import Code, PageloomError
from streams.ingest.sniff import JPEG, TIFF

BROKEN = (OSError, SyntaxError, ValueError, TypeError, LookupError, EOFError, ArithmeticError, struct.error)
"""What Pillow raises for damaged files; it has no error of its own for all of them."""


def count_frames(path: Path, media_type: str, max_pixels: int, max_frames: int) -> int:
    """Pages of an image file: all frames of a TIFF, one of anything else.

    Raises PageloomError: TOO_MANY_PIXELS, TOO_MANY_PAGES, CORRUPT.
    """
    Image.MAX_IMAGE_PIXELS = None  # Pillow's own bound is fixed and warns; ours comes from the settings
    frames = 0
    try:
        with Image.open(path) as image:
            while True:
                _check_pixels(image.size, frames + 1, max_pixels)
                frames += 1
                if media_type != TIFF:
                    break
                if frames > max_frames:
                    raise PageloomError(Code.TOO_MANY_PAGES, f"the image has more than {max_frames} frames")
                try:
                    image.seek(frames)
                except EOFError:
                    break
            image.seek(0)
            _decode(image, media_type)
    except BROKEN:
        raise PageloomError(Code.CORRUPT, f"frame {max(frames, 1)} of the image cannot be decoded: its data is damaged or cut off") from None
    return frames


def _check_pixels(size: tuple[int, int], frame: int, max_pixels: int) -> None:
    width, height = size
    if width * height > max_pixels:
        raise PageloomError(Code.TOO_MANY_PIXELS, f"frame {frame} of the image has {width} x {height} pixels; the limit is {max_pixels}")


def _decode(image: Image.Image, media_type: str) -> None:
    if media_type == JPEG:
        # Reads all of the file but builds an eighth of the picture: enough to know that it is whole.
        image.draft("L", (image.size[0] // 8, image.size[1] // 8))
    image.load()
