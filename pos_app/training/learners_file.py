"""Keeps the learners' results in one file of the sandbox's data folder. What it cannot read it moves aside."""

from __future__ import annotations

import contextlib
from pathlib import Path

from pos_app.system.atomic_file import write_whole
from pos_app.system.plain_file import read_plain
from pos_app.training.course.progress import Register, read, written

NAME = "learners.json"
ASIDE = "learners.unreadable.json"


class LearnersFile:
    """Small, and written whole: a learner who is interrupted finds the old results or the new ones."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    def load(self) -> Register:
        """An empty register where there is none, or none that can be read."""
        try:
            return read(read_plain(self._path))
        except FileNotFoundError:
            return Register()
        except (OSError, ValueError):
            with contextlib.suppress(OSError):
                self._path.replace(self._path.with_name(ASIDE))
            return Register()

    def save(self, register: Register) -> str:
        """Why it could not be kept; "" when it was."""
        try:
            write_whole(self._path, written(register))
        except OSError as error:
            return error.strerror or type(error).__name__
        return ""
