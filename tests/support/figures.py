"""What a campaign has come to so far, kept in build/ after each piece of work, so that figures add up over runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

KEPT = Path("build/figures")


class Figures(msgspec.Struct):
    """Counts, the worst of each measure, and the findings, of one campaign over all its runs."""

    name: str
    counts: dict[str, int] = {}
    """How often each thing was done or seen."""
    worst: dict[str, float] = {}
    """The largest value of each measure; the name carries the unit (`back_s`)."""
    findings: list[str] = []
    """What must not be, one line each; none is wanted."""
    seconds: float = 0.0
    """Working time of all runs."""

    @property
    def path(self) -> Path:
        """Where these figures lie between runs."""
        return KEPT / f"{self.name}.json"

    def add(
        self,
        counts: Mapping[str, int],
        worst: Mapping[str, float] | None = None,
        findings: Iterable[str] = (),
        seconds: float = 0.0,
    ) -> None:
        """One piece of work more; it is on the disk when this returns."""
        for key, value in counts.items():
            self.counts[key] = self.counts.get(key, 0) + value
        for key, measured in (worst or {}).items():
            self.worst[key] = max(self.worst.get(key, measured), measured)
        self.findings.extend(findings)
        self.seconds += seconds
        self.keep()

    def keep(self) -> None:
        """Replaces the file at once, so that a run that is broken off counts as far as it came."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(self)))
        fresh.replace(self.path)

    def line(self) -> str:
        """The one line a run ends with."""
        parts = [f"{count:,} {key}" for key, count in self.counts.items()]
        parts += [f"{key} at worst {value:.3g}" for key, value in self.worst.items()]
        return f"{self.name}: " + ", ".join(
            [*parts, f"{len(self.findings)} findings", f"{self.seconds:.0f} s"]
        )


def figures(name: str, *, resume: bool) -> Figures:
    """The figures of a campaign: those kept from earlier runs, or none yet.

    Raises: ValueError when the kept file is not what `keep` wrote.
    """
    fresh = Figures(name, counts={}, worst={}, findings=[])
    if not resume or not fresh.path.exists():
        return fresh
    try:
        return msgspec.json.decode(fresh.path.read_bytes(), type=Figures)
    except msgspec.DecodeError as broken:
        raise ValueError(f"{fresh.path}: {broken}; remove it, or run without --resume") from broken
