"""Runs the flow: one queue in, the journal first, then the calls. Knows no window and no thread class."""
