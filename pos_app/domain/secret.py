"""A secret on its way into a request header: shows itself to nobody who does not ask for it by name."""

from __future__ import annotations

import hmac
from typing import Any, NoReturn

MAX_LENGTH = 8_192


class SecretError(ValueError):
    """A text that cannot be a header's value; says why, never what it was."""


class Secret:
    """A password, code or token. `reveal()` is the only way to its text; repr and str hold nothing of it.

    Raises SecretError for what a header cannot carry: beyond Latin-1 (the HTTP library would raise in the
    middle of a payment), control characters (CR and LF would forge headers), spaces at either end.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise SecretError(f"longer than {MAX_LENGTH} characters")
        if any(ord(character) > 0xFF for character in text):
            raise SecretError("has a character outside Latin-1")
        if any(character < " " or "\x7f" <= character < "\xa0" for character in text):
            raise SecretError("has a control character or a line break")
        if text != text.strip(" \xa0"):
            raise SecretError("begins or ends with a space")
        self._text = text

    def reveal(self) -> str:
        """The text itself: for a header, for nothing else."""
        return self._text

    def __repr__(self) -> str:
        return "Secret()"

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._text.encode("latin-1"), other._text.encode("latin-1"))

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not serialised")

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Secret:
        return self
