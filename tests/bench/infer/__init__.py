"""`make bench-infer`: how fast recognition is alone and through its consumer, and how well it reads scans that are made here."""
