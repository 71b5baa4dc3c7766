"""USB sticks that are plugged in: where the system has mounted something that can be taken away. It writes nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

MOUNTS = Path("/proc/self/mounts")
_UNDER = ("/media/", "/run/media/")
"""Where desktops and automounters put what was plugged in; the till's own disks are never there."""
MOST = 3
_ESCAPED = re.compile(r"\\([0-7]{3})")
"""As the kernel writes what would end a field: \\040 is a space."""


class Stick(NamedTuple):
    """Its name for a person, and its folder."""

    name: str
    folder: Path


def sticks(mounts: Path = MOUNTS) -> list[Stick]:
    """Those that can be written; none on a system that says it otherwise."""
    try:
        lines = mounts.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []
    return list(_writable(lines))[:MOST]


def can_be_seen(places: Sequence[str] = _UNDER) -> bool:
    """Whether one that is plugged in would be found: a kiosk's service hides these places, and Windows has none."""
    return any(os.access(each, os.R_OK | os.X_OK) for each in places)


def _writable(lines: list[str]) -> Iterator[Stick]:
    for line in lines:
        fields = line.split(" ")
        if len(fields) < 4 or "rw" not in fields[3].split(","):
            continue
        folder = Path(_ESCAPED.sub(lambda found: chr(int(found[1], 8)), fields[1]))
        if str(folder).startswith(_UNDER) and os.access(folder, os.W_OK):
            yield Stick(folder.name, folder)
