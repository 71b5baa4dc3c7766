"""Looks whether the till's own folder is as it was packed: nothing changed, missing or extra, and whose list says so.

Who can change the folder can change this look at it too: from outside, dpkg, the fleet's own tool and the signature
judge (docs/debian.md).
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from pos_app.doctor.finding import Finding
from pos_app.system.release_key import PUBLIC_KEY

LIST = "CONTENTS.sha256"
UNINSTALLER = "uninstall.exe"
"""What the installer for Windows lays beside; each makes its own."""
SIGNATURE = "CONTENTS.sha256.sig"
_ABOUT = "installation"
_NAMED = 5
"""So many names of each kind; their number tells of the others."""


def installation_finding() -> Finding:
    """Of the folder that this program lies in; what runs from its sources has no list to be held against."""
    if not getattr(sys, "frozen", False):
        return Finding(_ABOUT, "ok", "run from its sources: there is no list to compare it with")
    return folder_finding(Path(sys.executable).parent, PUBLIC_KEY)


def folder_finding(folder: Path, key: str) -> Finding:
    """Every file below it by its sum, about a second; `key`: the release's, as 64 hexadecimal digits or ""."""
    try:
        told = (folder / LIST).read_bytes()
        expected = _expected(told.decode("utf-8"))
    except (OSError, ValueError) as error:
        return Finding(_ABOUT, "problem", f"{folder / LIST} cannot be read: {error}; install the till again")
    found = {path.relative_to(folder).as_posix(): path for path in _entries(folder)}
    faults = {
        "changed": [name for name in expected if name in found and _is(found[name]) != expected[name]],
        "missing": [name for name in expected if name not in found],
        "extra": [name for name in found if name not in expected],
    }
    if any(faults.values()):
        said = "; ".join(f"{kind}: {_some(names)}" for kind, names in faults.items() if names)
        return Finding(_ABOUT, "problem", f"not as it was packed. {said}; install the till again")
    counted = f"all files are as they were packed ({len(expected)})"
    return _signed(told, folder / SIGNATURE, key, counted)


def _signed(told: bytes, signature: Path, key: str, counted: str) -> Finding:
    if not signature.exists():
        return Finding(_ABOUT, "warning", f"{counted}; nobody has signed the list of them")
    if not key:
        return Finding(
            _ABOUT, "warning", f"{counted}; their list is signed, and this till knows no key for it"
        )
    if _is_by(key, signature, told):
        return Finding(_ABOUT, "ok", f"{counted} and released")
    text = f"{signature.name} is not the release's: whoever made this folder was not the makers of the till"
    return Finding(_ABOUT, "problem", f"{text}; install it again from a place you trust")


def _is_by(key: str, signature: Path, told: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(signature.read_bytes(), told)
    except (InvalidSignature, OSError):
        return False
    return True


def _expected(text: str) -> dict[str, str]:
    """Each name with its sum, or with "-> " and where the link leads. Raises ValueError for any other line."""
    expected = {}
    for line in text.splitlines():
        if line.startswith("# "):
            name, arrow, aim = line[2:].partition(" -> ")
            value = f"-> {aim}"
        else:
            value, arrow, name = line.partition("  ")
        if not arrow or not name:
            raise ValueError(f"it has a line {line!r}")
        expected[name] = value
    return expected


def _entries(folder: Path) -> Iterator[Path]:
    """All below it that is no folder, and each link, wherever it leads."""
    own = (UNINSTALLER,) if sys.platform == "win32" else ()
    for place, folders, files in os.walk(folder):
        at = Path(place)
        yield from (at / name for name in folders if (at / name).is_symlink())
        yield from (at / name for name in files if at != folder or name not in (LIST, SIGNATURE, *own))


def _is(path: Path) -> str:
    """What the list says of such a file; never what it says of one that cannot be read."""
    try:
        if path.is_symlink():
            return f"-> {path.readlink()}"
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _some(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(sorted(names)[:_NAMED]) + (f" and {more} more" if more > 0 else "")
