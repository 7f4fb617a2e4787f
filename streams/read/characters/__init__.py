"""Characters made readable: what a text layer says in a way that can be undone. Pure functions of strings and of MuPDF's dictionaries."""
