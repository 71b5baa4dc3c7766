"""Of the shared libraries the build found, those that something in the folder loads; the others go."""

from __future__ import annotations

import re
import subprocess
from pathlib import PurePosixPath

# PyInstaller's own row: where it goes, where it comes from, what it is.
Entry = tuple[str, str, str]
_NEEDED = re.compile(r"^\s+NEEDED\s+(\S+)$", re.MULTILINE)
_PLUGINS = "PySide6/Qt/plugins/"


def only_needed(binaries: list[Entry]) -> list[Entry]:
    """Extensions, plugins and Python itself are asked for by name; a library stays if one of them leads to it."""
    libraries = {PurePosixPath(entry[0]).name: entry for entry in binaries}
    waiting = [entry for entry in binaries if _is_root(entry)]
    kept = {entry[0] for entry in waiting}
    while waiting:
        for name in _NEEDED.findall(_headers(waiting.pop()[1])):
            found = libraries.get(name)
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
    return kind == "EXTENSION" or destination.startswith((_PLUGINS, "libpython"))


def _headers(file: str) -> str:
    return subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True).stdout
