"""What ends a verb of the store: the exit code, and what is wrong in words."""

from __future__ import annotations

OK, FINDING, USAGE, MISSING, UNAVAILABLE, CANNOT_CREATE, CONFIGURATION = 0, 1, 2, 4, 69, 73, 78


class StoreError(Exception):
    """`exit_code` is of docs/store-service.md; the text names what, where and what to do."""

    def __init__(self, exit_code: int, text: str) -> None:
        super().__init__(text)
        self.exit_code = exit_code
