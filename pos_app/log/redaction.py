"""Takes secrets and numbers out of text before it is written anywhere. Knows no log."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pos_app.domain.secret import Secret
from pos_app.domain.text import hide_numbers
from pos_app.log.encodings import encodings

REMOVED = "•••"
SHORTEST_SECRET = 4
"""Shorter ones would tear holes into every word; nobody's token is that short."""

# Every repetition is bounded: a hostile reply of one long word must not cost more than a glance.
_BEARER = re.compile(r"(?i)\b(bearer|basic)(?:\s{1,3}|%20|\+)[^\s\"',;]+")
_FIELD = re.compile(
    r"(?i)((?:token|secret|password|psw|passwd|authorization|pin)[\w-]{0,40}[\"']?\s{0,3}[:=]\s{0,3})"
    r"(\"[^\"]*\"|'[^']*'|[^\s,;&}]+)"
)
_DIGITS = re.compile(r"\+?[0-9]{6,}")
_GROUPED_NUMBER = re.compile(r"(?:\+|\b0)[0-9]{1,4}(?:[ ()./-]{1,2}[0-9]{2,5}){2,5}")


class Redactor:
    """Removes the given secrets, in clear and as they are usually encoded, and whatever looks like one.

    Six digits in a row may be a sign-in code, more a phone number: both go. Ids that must stay readable are
    logged as fields of their own (see lines.FIELDS), which only lose the given secrets.
    """

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        self._forms: tuple[str, ...] = ()
        self.learn(secrets)

    def learn(self, secrets: Iterable[Secret]) -> None:
        """These too, beside those known before: what was logged of an old one must not stand there either."""
        texts = {text for secret in secrets if secret for text in encodings(secret.reveal())}
        known = {text for text in texts if len(text) >= SHORTEST_SECRET}.union(self._forms)
        # The longest first: one secret may be the beginning of another's encoding.
        self._forms = tuple(sorted(known, key=len, reverse=True))

    def __repr__(self) -> str:
        return "Redactor(…)"

    def secrets_only(self, text: str) -> str:
        """The text without the given secrets."""
        # One after the other: a pattern of them all takes the window's thread fifty times as long to make.
        for form in self._forms:
            if form in text:
                text = text.replace(form, REMOVED)
        return text

    def __call__(self, text: str) -> str:
        """The text without anything that must not be kept."""
        text = self.secrets_only(text)
        text = _BEARER.sub(rf"\1 {REMOVED}", text)
        text = _FIELD.sub(rf"\1{REMOVED}", text)
        text = _GROUPED_NUMBER.sub(REMOVED, text)
        # What is left is in groups without a mark of a number's beginning, or in digits of another script.
        return hide_numbers(_DIGITS.sub(REMOVED, text))
