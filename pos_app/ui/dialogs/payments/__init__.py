"""Payments that need somebody: the list, what can be done, how they are settled."""
