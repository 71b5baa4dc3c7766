"""One thing that was looked at, and what to do about it."""

from __future__ import annotations

from typing import Literal

import msgspec

from pos_app.bootstrap.errors import Exit

Verdict = Literal["ok", "warning", "problem"]


class Finding(msgspec.Struct, frozen=True):
    """`exit_code`: what a verb ends with when this is its first problem. No text holds a secret or a number."""

    about: str
    verdict: Verdict
    text: str
    exit_code: Exit = Exit.NOT_PAID


def told(finding: Finding) -> dict[str, str]:
    """As a program reads it."""
    return {"about": finding.about, "verdict": finding.verdict, "text": finding.text}
