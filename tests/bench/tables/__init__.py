"""Tables made in code with their truth, pages that only look like tables, and how well the reader tells the two apart."""
