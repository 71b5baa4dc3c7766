"""The number of a payment's receipt: given once, with the money, whether or not anything is ever printed. Pure."""

from __future__ import annotations

import re

from pos_app.domain.attempt import Attempt, Environment
from pos_app.domain.ids import ALPHABET, SANDBOX_PREFIX

_FORM = re.compile(rf"(?:{SANDBOX_PREFIX})?T(?P<installation>[{ALPHABET}]{{8}})-R(?P<number>[0-9]{{6,12}})")


def shown_number(attempt: Attempt) -> str:
    """ "T7K3M9QRD-R000123", in the sandbox "SBX-T7K3M9QRD-R000123"; "" for a payment that has none.

    A payment receipt, not a tax receipt. Numbers run by installation, so that no two papers of one shop are alike.
    """
    if not attempt.receipt:
        return ""
    prefix = SANDBOX_PREFIX if attempt.environment is Environment.SANDBOX else ""
    return f"{prefix}T{attempt.receipt_of}-R{attempt.receipt:06d}"


def number_in(text: str) -> tuple[str, int]:
    """The installation and the number that a shown number holds; ("", 0) for a text that is none."""
    match = _FORM.fullmatch(text)
    return (match["installation"], int(match["number"])) if match else ("", 0)
