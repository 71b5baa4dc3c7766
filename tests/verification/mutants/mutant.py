"""One small wrong change, and what came of it. Values only."""

from __future__ import annotations

import difflib
from enum import StrEnum

import msgspec


class Verdict(StrEnum):
    """What became of a mutant."""

    UNTRIED = "untried"
    KILLED = "killed"
    TIMEOUT = "timeout"
    SURVIVED = "survived"


NOTICED = frozenset({Verdict.KILLED, Verdict.TIMEOUT})


class Mutant(msgspec.Struct, frozen=True):
    """`name` is its maker's; `where`, `was` and `becomes` find it again after the code around it has changed."""

    name: str
    where: str
    """The module and the function or class, or only the module."""
    was: str
    becomes: str
    verdict: Verdict = Verdict.UNTRIED

    @property
    def key(self) -> str:
        """The same for the same change at the same place."""
        return f"{self.where}: {self.was} → {self.becomes}"


def change(before: list[str], after: list[str]) -> tuple[str, str]:
    """The lines that went and the lines that came, each as one line."""
    went: list[str] = []
    came: list[str] = []
    for line in difflib.ndiff(before, after):
        if line.startswith("- "):
            went.append(line[2:].strip())
        elif line.startswith("+ "):
            came.append(line[2:].strip())
    return " ".join(went), " ".join(came)
