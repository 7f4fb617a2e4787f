"""Folds page events into document state, and pages into a whole document: furniture, joins, headings, renderings."""
