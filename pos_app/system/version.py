"""Which version this is, as it was installed or built, and what it runs on; loads nothing of it, and starts nothing."""

from __future__ import annotations

import importlib.metadata
import platform
import re
from pathlib import Path
from typing import NamedTuple

from pos_app.system.resources import resources

NOT_INSTALLED = "not installed as a package"

JOURNAL = 8
"""The number of the journals that this version writes (journal/schema.py): told without loading what reads one."""

BUILD = "build"
"""The file among the resources in which whoever builds a folder of it says from which commit, and its date (ISO)."""

_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_SHOWN = 12
_QT = "PySide6-Essentials"


class Build(NamedTuple):
    """Where this program's files come from: a commit, "" where nobody knows, and its date or "source"."""

    commit: str
    date: str


def version(name: str, otherwise: str = NOT_INSTALLED) -> str:
    """Of a package by its name in the registry; `otherwise` where it was not installed as one."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return otherwise


def line() -> str:
    """All of it in one line: "pos-app 0.1.0 (3f2a…, 2026-11-22, CPython 3.11.7, Qt 6.11.0, journal 7)"."""
    made = build()
    parts = [*(each for each in made if each)]
    parts += [f"{platform.python_implementation()} {platform.python_version()}", f"Qt {version(_QT, '?')}"]
    return f"pos-app {version('pos-app')} ({', '.join(parts)}, journal {JOURNAL})"


def build(told: Path | None = None, checkout: Path | None = None) -> Build:
    """As the builder wrote it down (`told`); else the commit of the checkout that this runs in, read from its files."""
    try:
        commit, date = (told or resources(BUILD)).read_text("ascii").split()
    except (OSError, ValueError):
        commit, date = _checked_out(checkout or Path(__file__).parents[2]), "source"
    return Build(commit[:_SHOWN] if _COMMIT.fullmatch(commit) else "", date)


def _checked_out(root: Path) -> str:
    """The commit that git has there, "" where that is no checkout. git itself is not asked: it may be anybody's."""
    try:
        folder = root / ".git"
        if folder.is_file():  # a work tree beside the repository says where its own part of it lies
            folder = root / folder.read_text("utf-8").partition("gitdir:")[2].strip()
        head = (folder / "HEAD").read_text("ascii").strip()
        name = head.partition("ref: ")[2]
        return _commit_of(name, folder) if name else head
    except (OSError, ValueError):
        return ""


def _commit_of(name: str, folder: Path) -> str:
    common = folder / "commondir"
    places = [folder, folder / common.read_text("utf-8").strip()] if common.is_file() else [folder]
    for place in places:
        if (place / name).is_file():
            return (place / name).read_text("ascii").strip()
    for packed in (place / "packed-refs" for place in places):
        lines = packed.read_text("utf-8").splitlines() if packed.is_file() else []
        found = next((row.split()[0] for row in lines if row.endswith(f" {name}")), "")
        if found:
            return found
    return ""
