"""The tour in every language and theme."""
