"""What glyphs mean by the fonts that a page embeds, where its text layer does not say, or lies. Doors to PyMuPDF."""
