"""A secret on its way into a request header: shows itself to nobody who does not ask for it by name."""

from __future__ import annotations

import hmac
from enum import StrEnum
from typing import Any, NoReturn

MAX_LENGTH = 8_192


class SecretProblem(StrEnum):
    """Why a text cannot be a header's value."""

    LONG = "long"
    FOREIGN = "foreign"
    CONTROL = "control"
    SPACE = "space"


class SecretError(ValueError):
    """A text that cannot be a header's value; says why, never what it was.

    `at`: which of its `length` characters it is, the first is 1; 0 where it is none of them.
    """

    def __init__(self, said: str, problem: SecretProblem, *, length: int, at: int = 0) -> None:
        super().__init__(said)
        self.problem = problem
        self.length = length
        self.at = at


class Secret:
    """A password, code or token. `reveal()` is the only way to its text; repr and str hold nothing of it.

    Raises SecretError for what a header cannot carry: beyond Latin-1 (the HTTP library would raise in the
    middle of a payment), control characters (CR and LF would forge headers), spaces at either end.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        length = len(text)
        if length > MAX_LENGTH:
            raise SecretError(f"longer than {MAX_LENGTH} characters", SecretProblem.LONG, length=length)
        for at, character in enumerate(text, 1):
            if ord(character) > 0xFF:
                said, problem = "has a character outside Latin-1", SecretProblem.FOREIGN
            elif character < " " or "\x7f" <= character < "\xa0":
                said, problem = "has a control character or a line break", SecretProblem.CONTROL
            else:
                continue
            raise SecretError(said, problem, length=length, at=at)
        if text != text.strip(" \xa0"):
            at = 1 if text[0] in " \xa0" else length
            raise SecretError("begins or ends with a space", SecretProblem.SPACE, length=length, at=at)
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


TOKENS = frozenset({"access_token", "otp_access_token"})
"""Those that a service reads to the first space."""

_UNSEEN = "\u200b\u200c\u200d\u2060\ufeff"


def typed_secret(name: str, text: str) -> Secret:
    """What a person typed or pasted for this secret, without the blanks around it: a mail brings them along, and
    behind its dots nobody sees them. Raises SecretError.
    """
    text = text.strip()
    while text and (text[0] in _UNSEEN or text[-1] in _UNSEEN):
        text = text.strip(_UNSEEN).strip()
    secret = Secret(text)
    if name in TOKENS and " " in text:
        said = "has a space inside"
        raise SecretError(said, SecretProblem.SPACE, length=len(text), at=text.index(" ") + 1)
    return secret
