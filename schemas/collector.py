"""Python's search for cycles, put off while values are made that have none.

Promise: it is on or off afterwards as it was before, whatever happens within. For functions that run alone in a child process, on a bounded piece
of work: what has cycles meanwhile stays in memory until they end.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """No search for cycles meanwhile: pages and documents are trees, and going through all of them again and again takes a twentieth of the time of
    reading a page, and made a page of a document of 2,000 pages cost a fifth more to finish than one of 20.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
