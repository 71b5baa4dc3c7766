"""Inputs nobody would send, by the million, at every place where the till reads: `python -m tests.fuzz`."""
