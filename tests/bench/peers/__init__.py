"""Other document parsers, run beside ours on the same files: each in an environment and a process of its own, so that none can cost the others."""
