"""Which machine this is, by the operating system's own id; a journal holds no more of it than a keyed hash."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_LINUX = (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id"))
_UUID_LENGTH = 16


def machine_id() -> str:
    """The system's id of this machine, "" where it tells none. An image of a disk may carry its original's."""
    try:
        if sys.platform == "win32":
            return _windows()
        if sys.platform == "darwin":
            return _macos()
        return _first_line(*_LINUX)
    except (OSError, AttributeError):
        return ""


def _first_line(*files: Path) -> str:
    for file in files:
        try:
            text = file.read_text(encoding="ascii", errors="replace").strip()
        except OSError:
            continue
        # systemd writes this word while the first boot of an image is not over.
        if text and text != "uninitialized":
            return text
    return ""


def _windows() -> str:  # pragma: no cover - Windows
    if sys.platform == "win32":
        import winreg

        # The 64-bit view: a 32-bit Python is shown another registry.
        access = winreg.KEY_READ | winreg.KEY_WOW64_64KEY
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SOFTWARE\Microsoft\Cryptography", 0, access) as key:
            return str(winreg.QueryValueEx(key, "MachineGuid")[0])
    return ""


def _macos() -> str:  # pragma: no cover - macOS
    # A till reads the id before its first paint, and nothing else of that wants it.
    import ctypes

    uuid = (ctypes.c_ubyte * _UUID_LENGTH)()
    no_wait = (ctypes.c_long * 2)(0, 0)
    if ctypes.CDLL(None, use_errno=True).gethostuuid(uuid, no_wait) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return bytes(uuid).hex()
