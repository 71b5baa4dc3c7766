"""The manager’s settings: sections, fields, test of both services."""
