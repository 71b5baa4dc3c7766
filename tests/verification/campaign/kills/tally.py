"""What the Figures do not hold: deaths by point and how soon the till was back, kept beside them over all runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from tests.support.figures import KEPT

_PATH = KEPT / "kills.tally.json"


class Tally(msgspec.Struct):
    """`back`: starts by tenths of a second."""

    deaths: dict[str, int] = {}
    back: dict[int, int] = {}

    def add(self, deaths: Counter[str], back: Iterable[float]) -> None:
        """One career more; it is on the disk when this returns."""
        self.deaths = dict(Counter(self.deaths) + deaths)
        tenths = Counter(round(seconds * 10) for seconds in back)
        self.back = dict(Counter(self.back) + tenths)
        _PATH.parent.mkdir(parents=True, exist_ok=True)
        fresh = _PATH.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(self))
        fresh.replace(_PATH)

    def back_s(self, share: float) -> float:
        """Within this time so many (0–1) of the starts were back; 0 before the first."""
        seen, wanted = 0, share * sum(self.back.values())
        for tenths, count in sorted(self.back.items()):
            seen += count
            if seen >= wanted:
                return tenths / 10
        return 0.0

    def table(self, points: Iterable[str]) -> str:
        """Deaths by point, those never come to included."""
        names = dict.fromkeys([*points, *self.deaths])
        return "\n".join(f"{self.deaths.get(name, 0):6,}  {name}" for name in names)


def tally(*, resume: bool) -> Tally:
    """Of the earlier runs, or a new one. Raises msgspec.DecodeError for a file that is not ours."""
    if resume and _PATH.exists():
        return msgspec.json.decode(_PATH.read_bytes(), type=Tally)
    return Tally(deaths={}, back={})
