"""The changes that nobody notices and nobody has to, each with its reason. Must not judge any itself."""

from __future__ import annotations

from pathlib import Path

import msgspec

SURVIVORS = Path(__file__).with_name("survivors.toml")


class Accepted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change after which the till does the same for everybody, or as good as the same."""

    where: str
    was: str
    becomes: str
    reason: str

    @property
    def key(self) -> str:
        """As a mutant's."""
        return f"{self.where}: {self.was} → {self.becomes}"


class _Page(msgspec.Struct, forbid_unknown_fields=True):
    survivor: list[Accepted] = []


def accepted(path: Path = SURVIVORS) -> list[Accepted]:
    """In the order of the page."""
    return msgspec.toml.decode(path.read_bytes(), type=_Page).survivor
