"""EPUB books: package, contents, chapters."""
