"""A user who is nobody, for programs that refuse root: cage, and the till alone on its screen."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from tests.support.unprivileged import NOBODY


def as_nobody(command: Sequence[str]) -> list[str]:
    """The command as an ordinary user, who may read what the tests' own account may; unchanged for one."""
    if os.geteuid() != 0:
        return list(command)
    reads = "-all,+dac_override,+dac_read_search"
    who = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return ["setpriv", *who, f"--inh-caps={reads}", f"--ambient-caps={reads}", "--", *command]


def give(folder: Path) -> None:
    """The folder and all in it belong to that user."""
    if os.geteuid() == 0:
        for each in (folder, *folder.rglob("*")):
            shutil.chown(each, NOBODY, NOBODY)
