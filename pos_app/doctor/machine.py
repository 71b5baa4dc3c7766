"""Looks at the machine: versions, user, memory, display, key store, disk."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from pos_app.bootstrap.errors import Exit
from pos_app.doctor.finding import Finding
from pos_app.doctor.installation import installation_finding
from pos_app.system import paths
from pos_app.system.display import has_display
from pos_app.system.file_permissions import is_there
from pos_app.system.memory import is_kept
from pos_app.system.version import version

TRIED_ON_WINDOWS = ""
"""The version that a person has taken through the list of docs/windows.md on Windows itself; "" for none."""

LEAST_FREE = 200 * 1024 * 1024
_PARTS = ("PySide6-Essentials", "cryptography", "httpx", "keyring", "msgspec", "tomlkit")


def versions() -> dict[str, str]:
    """The program, what it runs on, and the parts that matter when something is odd."""
    found = {name: version(name) for name in ("pos-app", *_PARTS)}
    return found | {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }


def machine_findings() -> Iterator[Finding]:
    """Everything but the disk, which the shop's folder decides."""
    found = versions()
    yield Finding("version", "ok", f"pos-app {found['pos-app']}, Python {found['python']}, {found['system']}")
    yield from _proof(sys.platform, found["pos-app"])
    yield installation_finding()
    yield _user()
    yield _memory()
    yield _display()


def _proof(platform: str, version: str) -> Iterator[Finding]:
    if platform == "win32" and version != TRIED_ON_WINDOWS:
        text = "this version was tried under Wine, not on Windows"
        yield Finding("proof", "warning", f"{text}: docs/windows.md says what that leaves open")


def _user() -> Finding:
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Finding("user", "warning", "root; give the till a user of its own")
    return Finding("user", "ok", "not an administrator" if hasattr(os, "geteuid") else "not looked at here")


def _memory() -> Finding:
    if is_kept():
        return Finding("memory", "ok", "no core dumps, no debugger of the same user")
    if sys.platform == "win32":
        return Finding("memory", "warning", "this system lets no program close itself to debuggers and dumps")
    return Finding("memory", "warning", "a debugger or a dump of this user's may see secrets in memory")


def _display() -> Finding:
    if has_display():
        return Finding("display", "ok", "there is one")
    return Finding("display", "warning", "none here: the window cannot be opened, the verbs can be used")


def key_store_finding(secrets_from: str) -> Finding:
    """May take some seconds. `secrets_from`: the place they were found in."""
    from pos_app.secrets import keystore

    name = keystore.available()
    if name and secrets_from == str(paths.user_secrets_file()):
        text = f"{name}; the secrets still lie in {secrets_from}, which counts: remove it and enter them anew"
        return Finding("key store", "warning", text)
    if name:
        return Finding("key store", "ok", name)
    return Finding("key store", "warning", "none; secrets lie in a file of the owner's alone")


def disk_finding(folder: Path) -> Finding:
    """Whether the data folder can be written and has room."""
    if not os.access(folder, os.W_OK):
        return Finding("disk", "problem", f"{folder} cannot be written", Exit.CANNOT_CREATE)
    free = shutil.disk_usage(folder).free
    text = f"{free // (1024 * 1024)} MiB free in {folder}"
    if free < LEAST_FREE:
        return Finding("disk", "problem", f"{text}: make room", Exit.CANNOT_CREATE)
    return Finding("disk", "ok", text)


def codes_finding(file: Path) -> Finding:
    """Whether codes by SMS can be counted for the whole machine, and not for one data folder alone."""
    nearest = next((each for each in (file, *file.parents) if is_there(each)), file)
    if os.access(nearest, os.W_OK) and (nearest == file or nearest.is_dir()):
        return Finding("codes by SMS", "ok", f"counted for the machine in {file}")
    return Finding(
        "codes by SMS", "warning", f"{file} cannot be written: they are counted in the journal alone"
    )
