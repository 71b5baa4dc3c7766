"""Whether a settings file is its owner's word: nobody else can have written it. Reads no settings."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def problem_of_standing(path: Path, descriptor: int) -> str:
    """What is wrong with an opened file's owner and permissions, in words; empty when nothing is.

    Whoever can write settings can send the shop's secrets to an address of their own. A group may: many
    systems give each user one.
    """
    if os.name != "posix":
        return ""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        return ""
    if status.st_uid not in (os.geteuid(), 0):
        return "belongs to another user, who can change it"
    if status.st_mode & stat.S_IWOTH:
        return f"can be changed by others; run: chmod o-w {path}"
    # Of the file itself and of the link that led to it.
    for folder in {path.parent, path.resolve().parent}:
        mode = folder.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return f"can be replaced by others; run: chmod o-w {folder}"
    return ""
