"""Journals of the real engine, changed in every way somebody or a bad disk could; each must be told with its place."""
