"""Who else could have written a file, or put another in its place."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path

from pos_app.system import windows_acl


def is_there(path: Path) -> bool:
    """Also where it may not be looked at: reading it says why. (`exists` raises then, and from Python 3.14 says no.)"""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        pass
    return True


def is_anothers(status: os.stat_result) -> bool:
    """Whether it belongs to somebody else. Root's word is taken; root itself is asked the same as everybody."""
    return status.st_uid not in (os.geteuid(), 0)


def is_open_to_all(folder: os.stat_result) -> bool:
    """Whether anybody may take away what lies in a folder; in one like /tmp each only what is theirs."""
    return bool(folder.st_mode & stat.S_IWOTH and not folder.st_mode & stat.S_ISVTX)


def make_owners_alone(file: int | Path) -> None:
    """Takes away what the group and others may do with what is ours and was there before; not through a link.

    Never fails: what cannot be changed stays as it was. On Windows the folder above hands its own down.
    """
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        status = os.fstat(file) if isinstance(file, int) else file.lstat()
        if status.st_uid == os.geteuid() and status.st_mode & 0o077 and not stat.S_ISLNK(status.st_mode):
            os.chmod(file, stat.S_IMODE(status.st_mode) & ~0o077)  # noqa: PTH101 - a descriptor, too


def problem_of_standing(path: Path, descriptor: int) -> str:
    """What is wrong with an opened settings file's owner and permissions, in words; empty when nothing is.

    Whoever can write settings can send the shop's secrets to an address of their own. A group may: many
    systems give each user one.
    """
    if sys.platform == "win32":
        return windows_acl.problem_of_opened(path, descriptor, secret=False)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        return ""
    if is_anothers(status):
        return "belongs to another user, who can change it"
    if status.st_mode & stat.S_IWOTH:
        return f"can be changed by others; run: chmod o-w {path}"
    # Of the file itself and of the link that led to it.
    for folder in {path.parent, path.resolve().parent}:
        if is_open_to_all(folder.stat()):
            return f"can be replaced by others; run: chmod o-w {folder}"
    return ""
