"""Whether a file or folder is its owner's alone: by its mode, and on Windows by its access list."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

from pos_app.system import windows_acl


def is_owners_alone(path: Path) -> bool:
    """0600 or, of a folder, 0700; on Windows, nobody of everybody's groups may read or change it. Raises OSError."""
    if sys.platform == "win32":
        return not windows_acl.is_open(path, secret=True)
    return stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)
