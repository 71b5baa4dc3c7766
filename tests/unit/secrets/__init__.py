"""Secrets through their front door, on real files and key stores of the tests' own."""
