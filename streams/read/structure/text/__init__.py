"""Text files: their encoding, and the structure that people give to plain text."""
