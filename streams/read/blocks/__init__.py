"""From lines to blocks: paragraphs, headings, lists, captions, in reading order. Pure functions."""
