"""HTML, XHTML, Markdown and MathML read by what their elements mean."""
