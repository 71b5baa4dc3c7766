"""Of the shared libraries the build found, those that something in the folder loads; the others go."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import PureWindowsPath

# PyInstaller's own row: where it goes, where it comes from, what it is.
Entry = tuple[str, str, str]
_NEEDED = re.compile(r"^\s+NEEDED\s+(\S+)$", re.MULTILINE)
_ROOTS = ("PySide6/Qt/plugins/", "PySide6/plugins/", "libpython", "python3")


def only_needed(binaries: list[Entry]) -> list[Entry]:
    """Extensions, plugins and Python itself are asked for by name; a library stays if one of them leads to it."""
    libraries = {PureWindowsPath(entry[0]).name.lower(): entry for entry in binaries}
    waiting = [entry for entry in binaries if _is_root(entry)]
    kept = {entry[0] for entry in waiting}
    while waiting:
        for name in _needed_by(waiting.pop()[1]):
            found = libraries.get(name.lower())
            if found is not None and found[0] not in kept:
                kept.add(found[0])
                waiting.append(found)
    return [entry for entry in binaries if entry[0] in kept]


def links_that_lead(links: list[Entry], binaries: list[Entry]) -> list[Entry]:
    """Without those whose library was left out."""
    there = {entry[0] for entry in binaries}
    return [entry for entry in links if entry[2] != "SYMLINK" or entry[1] in there]


def _is_root(entry: Entry) -> bool:
    destination, _, kind = entry
    return kind == "EXTENSION" or PureWindowsPath(destination).as_posix().startswith(_ROOTS)


def _needed_by(file: str) -> list[str]:
    if sys.platform == "win32":
        # What PyInstaller itself reads programs with there; objdump would be one more tool under Wine.
        import pefile

        with pefile.PE(file, fast_load=True) as read:
            read.parse_data_directories([1, 13])  # imports, and those that are loaded late
            tables = [getattr(read, f"DIRECTORY_ENTRY_{name}", ()) for name in ("IMPORT", "DELAY_IMPORT")]
        return [row.dll.decode() for table in tables for row in table]
    headers = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True).stdout
    return _NEEDED.findall(headers)
