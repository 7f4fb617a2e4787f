"""The layout tier: a model's boxes of what stands where on a page. Its boxes, our words."""

from streams.read.layout.boxes import LayoutBox, LayoutLabel, boxes_of
from streams.read.layout.model import Detail, LayoutUnavailable, layout_of, too_large

__all__ = ["Detail", "LayoutBox", "LayoutLabel", "LayoutUnavailable", "boxes_of", "layout_of", "too_large"]
