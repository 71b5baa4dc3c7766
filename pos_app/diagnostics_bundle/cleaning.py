"""Takes out of diagnostics what must not leave the shop: secrets, numbers, names, this account's folders."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from pos_app.domain.secret import Secret
from pos_app.log.lines import FIELDS
from pos_app.log.redaction import REMOVED, Redactor

_SHORTEST_NAME = 2
_OURS = re.compile(
    r"(?:SBX-)?[A-Z][A-Z0-9]{4,15}-[0-9]{4,6}-[0-9]{1,3}"  # an attempt
    r"|[0-9]{4,5}|[A-Za-z_ ]{1,40}"  # a sale, a code, a word
    r"|[0-9T:.+-]{20,32}|\w{1,40}:[0-9]{1,5}"  # a time, a place
)


class Cleaner:
    """One shop's."""

    def __init__(self, secrets: Iterable[Secret], names: Iterable[str]) -> None:
        self._redact = Redactor(secrets)
        # The longest first: one name may be a part of another.
        told = sorted({name for name in names if len(name) >= _SHORTEST_NAME}, key=len, reverse=True)
        self._names = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, told))})(?!\w)") if told else None
        # Of an account without one: "~" itself.
        self._home = os.path.expanduser("~")  # noqa: PTH111 - Path's own raises there

    def plain(self, text: str) -> str:
        """A text of ours with ids and counts in it: loses secrets, names and the account's own folder."""
        told = self._redact.secrets_only(text)
        if self._names is not None:
            told = self._names.sub(REMOVED, told)
        return told.replace(self._home, "~") if len(self._home) > 1 else told

    def is_clean(self, text: str) -> bool:
        """Whether none of the secrets stands in it."""
        return self._redact.secrets_only(text) == text

    def anything(self, text: str) -> str:
        """A text from wherever: loses whatever looks like a secret or a number too."""
        return self.plain(self._redact(text))

    def value(self, value: Any, text: Callable[[str], str] | None = None) -> Any:
        """Whatever JSON can hold, with every text in it, keys included, cleaned as `plain`, or by `text`."""
        text = text or self.plain
        match value:
            case str():
                return text(value)
            case dict():
                return {text(str(key)): self.value(each, text) for key, each in value.items()}
            case list() | tuple():
                return [self.value(each, text) for each in value]
            case _:
                return value

    def log_line(self, line: str) -> str:
        """A line of our log once more, by what its fields may hold; "" for what is no line of ours."""
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return ""
        if not isinstance(found, dict):
            return ""
        return json.dumps({str(key): self._field(str(key), each) for key, each in found.items()})

    def _field(self, key: str, value: Any) -> Any:
        if isinstance(value, str):
            # An id of ours, a code, a time: what is anything else in its place loses what looks like a number.
            is_ours = key in (*FIELDS, "at", "where") and _OURS.fullmatch(value)
            return self.plain(value) if is_ours else self.anything(value)
        if isinstance(value, list):
            return [self._field("", each) for each in value]
        if isinstance(value, dict):
            return {str(name): self._field("", each) for name, each in value.items()}
        return value if isinstance(value, int | float) and key in (*FIELDS, "") else None
