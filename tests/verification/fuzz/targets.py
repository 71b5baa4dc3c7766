"""The places where the till reads something from outside, by name; each is loaded only when it is played."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable

import msgspec

Blind = Callable[[bytes, int], bytes]
"""Changes bytes without knowing what they mean."""

Play = Callable[[bytes], str]
Mutate = Callable[[bytes, int, int, Blind], bytes]


class Target(msgspec.Struct, frozen=True):
    """`module` has `play(data)`, which answers with the outcome in a word or raises."""

    name: str
    module: str
    seeds: str
    """The module with `seeds()`, and `WORDS` for the dictionary where it has any."""
    share: float
    """Of the time of a run over all targets."""
    watched: tuple[str, ...]
    """The packages whose branches guide the engine."""
    most_bytes: int = 700
    mutator: str = ""
    """The module with `mutated`, where bytes are not just bytes."""

    def play(self) -> Play:
        """Imported here, so that a child can watch what the import brings in."""
        found: Play = importlib.import_module(self.module).play
        return found

    def starts(self) -> list[bytes]:
        """What to start from."""
        found: Iterable[bytes] = importlib.import_module(self.seeds).seeds()
        return list(found)

    def words(self) -> list[bytes]:
        """What blind changes put in."""
        return list(getattr(importlib.import_module(self.seeds), "WORDS", ()))

    def mutate(self) -> Mutate | None:
        """Changes by structure."""
        if not self.mutator:
            return None
        found: Mutate = importlib.import_module(self.mutator).mutated
        return found


_REPLIES = ("pos_app.services",)

TARGETS = {
    each.name: each
    for each in (
        Target(
            "parser",
            "tests.verification.fuzz.replies",
            "tests.verification.fuzz.reply_seeds",
            0.5,
            _REPLIES,
            mutator="tests.verification.fuzz.json_mutator",
        ),
        Target(
            "http",
            "tests.verification.fuzz.http_replies",
            "tests.verification.fuzz.http_replies",
            0.1,
            (*_REPLIES, "h11"),
        ),
        Target(
            "settings",
            "tests.verification.fuzz.settings_file",
            "tests.verification.fuzz.settings_file",
            0.15,
            ("pos_app.settings",),
        ),
        Target(
            "cli",
            "tests.verification.fuzz.command_line",
            "tests.verification.fuzz.command_line",
            0.1,
            ("pos_app.cli",),
        ),
        Target(
            "entry",
            "tests.verification.fuzz.entries",
            "tests.verification.fuzz.entries",
            0.1,
            ("pos_app.domain", "pos_app.ui"),
        ),
        Target(
            "qr",
            "tests.verification.fuzz.qr_texts",
            "tests.verification.fuzz.qr_texts",
            0.05,
            ("pos_app.ui",),
            3_100,
        ),
    )
}
