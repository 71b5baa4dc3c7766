"""What can be wrong with the settings: each problem names source, key, line and an example."""

from __future__ import annotations

import msgspec

from pos_app.domain.text import clean_text

MOST_CHARACTERS = 1_000


class Problem(msgspec.Struct, frozen=True):
    """One thing to put right. `line` is 0 where the source has no lines."""

    source: str
    key: str
    text: str
    example: str = ""
    line: int = 0

    def __str__(self) -> str:
        where = f"{self.source} line {self.line}" if self.line else self.source
        example = f", for example {self.example}" if self.example else ""
        about = f"{self.key} {self.text}" if self.key else self.text
        # A file may hold anything, and this goes to a terminal.
        return clean_text(f"{where}: {about}{example}", MOST_CHARACTERS)


class SettingsError(Exception):
    """The settings cannot be used; nothing was started. `problems` holds every one found."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class SettingsMissingError(SettingsError):
    """There is no settings file at all: a first start."""
