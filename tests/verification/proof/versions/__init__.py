"""README's two commands as a new user types them, on a Debian and with Pythons that nobody here works with each day.

What was tried, and when, stands in docs/versions.md: `make versions` says whether it still holds.
"""
