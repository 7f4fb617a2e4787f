"""Folds page events into document state, and pages into a whole document: furniture, joins, headings, renderings.

Rooms, each importing only those named after it: `state` (what is known of a document, by pure transitions), `finish` (which document is
finished when, in a child process) → `document` (one document of its pages) → `render`, `tables` → `text`. `logic` runs one partition on
`state` and `finish`; `worker` puts it on Kafka.
"""
