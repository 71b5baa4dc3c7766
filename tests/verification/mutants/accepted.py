"""The changes that nobody notices and nobody has to, each with its reason. Must not judge any itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from tests.verification.mutants.mutant import Mutant, Verdict

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


class Capitals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Texts that mean the same in capitals and in small letters; `pattern` finds the lines they stand in."""

    pattern: str
    reason: str


class Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """survivors.toml."""

    survivor: tuple[Accepted, ...] = ()
    capitals: tuple[Capitals, ...] = ()

    def explains(self, mutant: Mutant) -> bool:
        """Whether it is known why nobody has to notice this one."""
        if any(mutant.key == each.key for each in self.survivor):
            return True
        only_capitals = mutant.was.casefold() == mutant.becomes.casefold()
        return only_capitals and any(re.search(each.pattern, mutant.was) for each in self.capitals)

    def unexplained(self, mutants: Iterable[Mutant]) -> list[Mutant]:
        """Survivors nobody has given a reason for."""
        return [
            mutant for mutant in mutants if mutant.verdict is Verdict.SURVIVED and not self.explains(mutant)
        ]


def accepted(path: Path = SURVIVORS) -> Page:
    """Raises msgspec.ValidationError for a page that is not one."""
    return msgspec.toml.decode(path.read_bytes(), type=Page)
