"""Scorers of parsed documents: outputs and truth in, numbers out. They read no PDF, start no worker and know nothing of how an output was made."""
