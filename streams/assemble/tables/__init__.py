"""Parts of tables made one: regular grids, the evidence that two fragments belong together, and the account of their rows. Values only."""
