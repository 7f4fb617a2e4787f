"""Writes a finished document as Markdown, HTML or JSON."""

from streams.assemble.render.formats import render

__all__ = ["render"]
