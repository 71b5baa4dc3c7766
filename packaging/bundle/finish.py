"""Lays what belongs beside the program into the folder, and makes the folder the same whoever builds it and when."""

from __future__ import annotations

import os
import py_compile
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import manifest

SUPPORT = "shiboken6/files.dir"
BESIDE = ("install.sh", "pos-app.desktop", "pos-app.svg")
METAINFO = "local.pos_app.till.metainfo.xml"
MADE = {
    "pos-app.1": ("man",),
    "pos-app.bash": ("completion",),
    "pos-app.zsh": ("completion", "zsh"),
    "pos-app.fish": ("completion", "fish"),
}
"""Files that the program itself prints, each by its verb: they say what this very version takes."""


def lay_beside(folder: Path, here: Path, kiosk: Path) -> None:
    """The installer and what it puts in place; `kiosk`: the folder of a kiosk's unit, user and credentials."""
    for name in BESIDE:
        shutil.copyfile(here / name, folder / name)
    shutil.copyfile(here.parent / "desktop" / METAINFO, folder / METAINFO)
    (folder / "install.sh").chmod(0o755)
    if kiosk.is_dir():
        shutil.copytree(kiosk, folder / "kiosk", ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))


def lay_printed(folder: Path, root: Path) -> None:
    """The manual page and what shells complete with, made by the till that was packed."""
    for name, words in MADE.items():
        command = [sys.executable, "-I", "-B", str(root / "pos_app" / "__main__.py"), *words]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        (folder / name).write_bytes(printed)


def note_build(folder: Path, commit: str, made_at: int) -> None:
    """From which commit it was made, and of which day that is: what `--version` says (pos_app/system/version.py).

    Nothing where nobody can say it: the sources of a release lie in no checkout.
    """
    if commit:
        day = datetime.fromtimestamp(made_at, UTC).date().isoformat()
        note = folder / "_internal" / "pos_app" / "resources" / "build"
        note.write_text(f"{commit} {day}\n", encoding="ascii")


def slim(folder: Path) -> None:
    """Takes debuggers' symbols and the builder's own folders, which the loader would search, out of libraries.

    Qt's and Qt for Python's stay as they came.
    """
    files = [path for path in sorted(folder.rglob("*.so*")) if path.is_file() and not path.is_symlink()]
    ours = [str(path) for path in files if _may_be_changed(path.relative_to(folder))]
    subprocess.run(["strip", "--strip-unneeded", *ours], check=True)
    for path in ours:
        asked = subprocess.run(
            ["patchelf", "--print-rpath", path], capture_output=True, text=True, check=True
        )
        searched = asked.stdout.strip()
        if searched and not all(place.startswith("$ORIGIN") for place in searched.split(":")):
            subprocess.run(["patchelf", "--remove-rpath", path], check=True)


def _may_be_changed(path: Path) -> bool:
    """A wheel's own copies of system libraries (pillow.libs) were patched in a way that strip does not bear."""
    return not any(part in {"PySide6", "shiboken6"} or part.endswith(".libs") for part in path.parts)


def unpack_support(folder: Path, packages: Path) -> None:
    """Qt for Python's own modules as compiled files: it would unpack and compile its archive of them at each start.

    `packages`: where an environment has them unpacked (bootstrap.sh did).
    """
    source = packages / SUPPORT
    if not source.is_dir():
        raise FileNotFoundError(f"{source}: run packaging/bootstrap.sh bundle")
    to = folder / "_internal" / SUPPORT
    shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__"))
    for path in sorted(to.rglob("*.py")):
        named = f"{SUPPORT}/{path.relative_to(to)}"
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(path), f"{path}c", named, doraise=True, invalidation_mode=unchecked)
        path.unlink()


def make_alike(folder: Path, made_at: int) -> None:
    """Times and permissions from nobody's machine, then the list of all files."""
    for path in sorted(folder.rglob("*")):
        if not path.is_symlink():
            runs = path.is_dir() or bool(path.stat().st_mode & 0o100)
            path.chmod(0o755 if runs else 0o644)
    manifest.write_list(folder)
    for path in [*folder.rglob("*"), folder]:
        os.utime(path, (made_at, made_at), follow_symlinks=False)
