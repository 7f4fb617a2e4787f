"""Lines of text become the blocks of a page in reading order."""

from inference.layout.page import block_weight, content_of, page_confidence

__all__ = ["block_weight", "content_of", "page_confidence"]
