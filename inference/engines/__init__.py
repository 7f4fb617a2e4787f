"""Engines: the protocol they keep, the registry by name, and the process that an engine with native code runs in."""
