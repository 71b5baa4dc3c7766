"""Inputs nobody would send, by the million, wherever the till reads: `python -m tests.verification.fuzz`."""
