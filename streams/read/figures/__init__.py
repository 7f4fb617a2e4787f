"""What stands on a page besides lines and tables: pictures, charts, equations, links, form fields, notes."""
