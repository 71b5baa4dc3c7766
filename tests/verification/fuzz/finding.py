"""What a target raises when an input had an outcome that must not be; knows no target."""


class Finding(AssertionError):
    """One line: what was expected and what came."""
