"""From an ingest record to an opened document: what was submitted, what type it is, whether it may be read, and in which ranges."""
