"""What a verb says on standard output: one JSON object a line, or short lines in our words."""

from __future__ import annotations

import json
import sys
from typing import Any

from pos_app.domain.attempt import Attempt
from pos_app.domain.money import format_amount
from pos_app.ui.words import words


def object_of(attempt: Attempt) -> dict[str, Any]:
    """An attempt as the command line tells it; the amount is exact text."""
    return {
        "sale_id": attempt.sale_id,
        "attempt_id": attempt.attempt_id,
        "wallet_transaction_id": attempt.wallet_transaction_id,
        "kind": attempt.kind.value,
        "amount": str(attempt.amount),
        "currency": attempt.currency,
        "state": attempt.state.value,
        "reason": attempt.reason.value,
        "service_status": attempt.service_status,
        "code": attempt.code or (str(attempt.http_status) if attempt.http_status else ""),
        "qr_text": attempt.qr_text if attempt.qr_showable else "",
    }


def line_of(attempt: Attempt, language: str) -> str:
    """The same for a person."""
    said = words(language)
    parts = [
        f"{attempt.currency} {format_amount(attempt.amount)}",
        f"sale {attempt.sale_id}",
        said.state[attempt.state],
    ]
    because = said.reason[attempt.reason]
    if not because and attempt.code in said.code:
        because = said.code[attempt.code].said
    if attempt.service_status and not attempt.is_final:
        parts.append(f"({attempt.service_status})")
    return " · ".join(parts) + (f" – {because}" if because else "") + f"  [{attempt.attempt_id}]"


class Printer:
    """Writes each thing once; flushes, because somebody may be reading a pipe."""

    def __init__(self, *, as_json: bool, language: str) -> None:
        self._as_json = as_json
        self._language = language
        self._last = ""

    @property
    def as_json(self) -> bool:
        """Whether standard output carries nothing but objects."""
        return self._as_json

    def attempt(self, attempt: Attempt) -> None:
        """An attempt as it now is, unless it was just said."""
        said = json.dumps(object_of(attempt)) if self._as_json else line_of(attempt, self._language)
        if said != self._last:
            self._last = said
            self._write(said)

    def value(self, value: dict[str, Any], line: str) -> None:
        """Anything else: an object, or its line."""
        self._write(json.dumps(value) if self._as_json else line)

    def text(self, text: str) -> None:
        """Something only a person wants to see."""
        if not self._as_json:
            self._write(text)

    def _write(self, text: str) -> None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def printer_of(arguments: Any) -> Printer:
    """The printer the arguments ask for."""
    return Printer(as_json=arguments.json, language=arguments.language or "en")
