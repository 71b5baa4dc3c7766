"""Plays inputs one after the other, counts outcomes, keeps what failed; used with and without a fuzzing engine."""

from __future__ import annotations

import hashlib
import time
import traceback
from collections import Counter
from pathlib import Path

import msgspec

from tests.verification.fuzz.targets import Play, Target

SAVED_EVERY_S = 2.0


class Tally(msgspec.Struct):
    """What a piece of work came to: runs, how often each outcome, the worst time of one, one line per failure."""

    runs: int = 0
    outcomes: dict[str, int] = {}
    worst_ms: float = 0.0
    cpu_s: float = 0.0
    findings: list[str] = []


class Player:
    """Callable by a fuzzing engine. A failure is kept once for each place it comes from, and the playing goes on."""

    def __init__(self, name: str, play: Play, kept: Path, tally: Path | None = None) -> None:
        self._name = name
        self._play = play
        self._kept = kept
        self._tally = tally
        self._outcomes: Counter[str] = Counter()
        self._failed: dict[str, str] = {}
        self._worst_s = 0.0
        self._saved_at = time.perf_counter()
        self._began_s = time.process_time()

    def __call__(self, data: bytes) -> None:
        began = time.perf_counter()
        try:
            outcome = self._play(data)
        except Exception as failure:
            outcome = self._failure(data, failure)
        took_s = time.perf_counter() - began
        self._outcomes[outcome] += 1
        self._worst_s = max(self._worst_s, took_s)
        if self._tally is not None and began - self._saved_at > SAVED_EVERY_S:
            self.save()

    def _failure(self, data: bytes, failure: Exception) -> str:
        place = signature(failure)
        if place not in self._failed:
            self._failed[place] = f"{self._name}: {place}"
            keep(self._kept, place, data, failure)
        return "FAILED"

    def tally(self) -> Tally:
        """So far."""
        runs = sum(self._outcomes.values())
        spent_s = time.process_time() - self._began_s
        return Tally(runs, dict(self._outcomes), self._worst_s * 1000, spent_s, list(self._failed.values()))

    def save(self) -> None:
        """Where whoever started us looks, also when we are killed."""
        self._saved_at = time.perf_counter()
        if self._tally is not None:
            fresh = self._tally.with_suffix(".new")
            fresh.write_bytes(msgspec.json.encode(self.tally()))
            fresh.replace(self._tally)


def signature(failure: Exception) -> str:
    """What failed and where; the same for all inputs that fail alike."""
    frames = traceback.extract_tb(failure.__traceback__)
    last = next((frame for frame in reversed(frames) if "pos_app" in frame.filename), frames[-1])
    text = str(failure)[:160] if isinstance(failure, AssertionError) else ""
    return f"{type(failure).__name__} at {Path(last.filename).name}:{last.lineno} {text}".strip()


def keep(folder: Path, place: str, data: bytes, failure: Exception) -> None:
    """The input that failed, to be played again, and what it brought."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = hashlib.blake2b(place.encode(), digest_size=8).hexdigest()
    (folder / f"{stem}.input").write_bytes(data)
    told = "".join(traceback.format_exception(failure))
    (folder / f"{stem}.txt").write_text(f"{place}\n\n{told}", "utf-8", "backslashreplace")


def replayed(name: str, play: Play, folder: Path) -> list[str]:
    """Plays what failed in earlier runs; what fails no more is put away. One line for each that still does."""
    still = []
    for file in sorted(folder.glob("*.input")):
        try:
            play(file.read_bytes())
        except Exception as failure:
            still.append(f"{name}: {signature(failure)} ({file.name})")
        else:
            file.rename(file.with_suffix(".mended"))
    return still


def lay_seeds(target: Target, corpus: Path) -> None:
    """The inputs we wrote, beside those the engine found."""
    corpus.mkdir(parents=True, exist_ok=True)
    for place, seed in enumerate(target.starts()):
        (corpus / f"seed-{place:03}").write_bytes(seed)
