"""Whether text is language: statistics of letters, characters and words. Pure functions of strings."""
