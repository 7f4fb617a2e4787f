"""What document models write, as blocks of a page: one module for each way of writing. Pure functions of text."""

from inference.dialects.answers import ReadPage, pages_of
from inference.dialects.dialect import Dialect, DialectPage
from inference.dialects.registry import DIALECTS, dialect_of

__all__ = ["DIALECTS", "Dialect", "DialectPage", "ReadPage", "dialect_of", "pages_of"]
