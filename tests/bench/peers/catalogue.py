"""The readers that are measured, as one table: the package each needs, and its function in `runner`. None may use recognition."""

from msgspec import Struct


class Reader(Struct, frozen=True):
    """One side of the comparison. `requirement` is what pip installs into an environment of its own; None for what our own environment runs."""

    name: str
    requirement: str | None
    remark: str = ""


BASELINE = Reader("PyMuPDF baseline", None, 'get_text("dict") without images, and get_cdrawings()')
OURS = Reader("pageloom reader", None, "read_range, in ranges as through Kafka")
PEERS = (
    Reader("liteparse", "liteparse==2.*", "Markdown, no recognition"),
    Reader("kreuzberg", "kreuzberg==4.*", "Markdown, no recognition"),
    Reader("opendataloader", "opendataloader-pdf==2.*", "Markdown, all files by one Java process whose start counts"),
    Reader("pymupdf4llm", "pymupdf==2.*", "Markdown with its layout model, no recognition"),
)
"""`pymupdf4llm` 2.0 is part of the package `pymupdf` 2.0; the package of its name is empty."""
