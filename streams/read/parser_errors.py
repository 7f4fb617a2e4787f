"""What PyMuPDF raises for damaged files. A door to PyMuPDF; knows no document."""

import pymupdf

PARSER_ERRORS = (RuntimeError, ValueError, TypeError, LookupError, OSError, pymupdf.mupdf.FzErrorBase)
"""They have no common base. TypeError and LookupError come from PyMuPDF's own code where MuPDF gives it less than it expects."""
