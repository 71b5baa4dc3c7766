"""Verdicts kept in the copy from one run to the next. Which code and tests they are of is part of what is kept."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from tests.verification.mutants.mutant import NOTICED, Verdict


class Results:
    """Verdicts by a text that stands for a mutant and for the code it is of; on the disk after each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept: dict[str, Verdict] = {}
        if path.exists():
            self._kept = msgspec.json.decode(path.read_bytes(), type=dict[str, Verdict])

    def get(self, key: str) -> Verdict:
        """UNTRIED when nothing is known of it."""
        return self._kept.get(key, Verdict.UNTRIED)

    def put(self, key: str, verdict: Verdict) -> None:
        """It is on the disk when this returns."""
        self._kept[key] = verdict
        fresh = self._path.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(self._kept))
        fresh.replace(self._path)

    def forget_survivors(self, keys: Iterable[str] | None = None) -> None:
        """New tests may notice what the old ones did not."""
        doomed = self._kept if keys is None else set(keys)
        self._kept = {
            key: verdict for key, verdict in self._kept.items() if verdict in NOTICED or key not in doomed
        }
