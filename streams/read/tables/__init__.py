"""Tables from words and drawings. Pure functions: no file, no page object, no library of PDFs."""

from streams.read.tables.cells import FoundTable
from streams.read.tables.finder import TableFinder, find_tables
from streams.read.tables.open_tables import SURE, OpenTables
from streams.read.tables.regions import has_table_candidate
from streams.read.tables.rulings import Rulings, rulings_of
from streams.read.tables.splitting import Glyph

__all__ = ["SURE", "FoundTable", "Glyph", "OpenTables", "Rulings", "TableFinder", "find_tables", "has_table_candidate", "rulings_of"]
