"""A disk of the store's own, which can be full at any moment: a tmpfs that is made as large as what lies on it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOMY_MIB = 1_024
SPARE = 64 * 1024
"""Left when it is full: PostgreSQL asks for more with the next few pages."""


class CannotMount(Exception):
    """Nothing can be mounted here; the text says why."""


class SmallDisk:
    """Mounted at a folder from the beginning to `end`. Raises CannotMount."""

    def __init__(self, folder: Path) -> None:
        if os.name != "posix" or os.geteuid() != 0:
            raise CannotMount("only root may mount a disk that can be full")
        self._folder = folder
        folder.mkdir(parents=True)
        self._mount("-t", "tmpfs", "-o", f"size={ROOMY_MIB}m,mode=700", "tmpfs", str(folder))

    @staticmethod
    def _mount(*arguments: str) -> None:
        done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            raise CannotMount(f"no disk can be mounted here: {done.stderr.strip()}")

    def fill(self) -> None:
        """No room any more."""
        disk = os.statvfs(self._folder)
        used = (disk.f_blocks - disk.f_bfree) * disk.f_frsize
        self._mount("-o", f"remount,size={(used + SPARE) // 1024}k", str(self._folder))

    def make_room(self) -> None:
        """As at the beginning."""
        self._mount("-o", f"remount,size={ROOMY_MIB}m", str(self._folder))

    def end(self) -> None:
        """Gone, with what is on it."""
        subprocess.run(["umount", "-l", str(self._folder)], capture_output=True, check=False)
