"""The pictures of the guides, taken by the tour in each of their languages: `python -m tests.documents.pictures`.

They are made and not committed: each is of the very till that stands beside it, and a change of a screen leaves no
binary behind in the history. What they were taken of is written down beside them, and they are taken anew once any of
it has changed.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "guide-pictures"
LANGUAGES = ("en", "si", "ta", "ar")
_STAMP = "taken-of"
_COLOURS = 128
"""A screen has flat colours: a palette makes its picture a third as large, and nobody sees it."""


def main() -> int:
    """0 when they are of this till, or are now."""
    stamp = taken_of(ROOT)
    if not is_current(FOLDER, stamp):
        sys.stdout.write("Taking the pictures of the guides; this takes a minute or two.\n")
        sys.stdout.flush()
        take(FOLDER, stamp)
    return 0


def is_current(folder: Path, stamp: str) -> bool:
    """Whether all of them are there, and of the till with this stamp."""
    written = folder / _STAMP
    there = all((folder / language).is_dir() for language in LANGUAGES)
    return there and written.is_file() and written.read_text("utf-8") == stamp


def taken_of(root: Path) -> str:
    """A sum of all that a screen may come from: the till's code, its words, icons and translations."""
    summed = hashlib.sha256()
    files = (path for part in ("pos_app", "resources") for path in (root / part).rglob("*"))
    for path in sorted(path for path in files if path.suffix in {".py", ".po", ".svg"}):
        summed.update(path.relative_to(root).as_posix().encode())
        summed.update(path.read_bytes())
    return summed.hexdigest()


def take(folder: Path, stamp: str) -> None:
    """All tours at once, each off-screen on a sandbox of its own. Raises CalledProcessError for one that fails."""
    fresh = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    at_work = {language: _tour(language, fresh / language) for language in LANGUAGES}
    for language, tour in at_work.items():
        told, _ = tour.communicate()
        if tour.returncode:
            sys.stderr.write(f"{language}: {told}")
            raise subprocess.CalledProcessError(tour.returncode, tour.args)
    for picture in sorted(fresh.glob("*/*.png")):
        _keep(picture)
    (fresh / _STAMP).write_text(stamp, "utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)


def _tour(language: str, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pos_app", "tour", "--screenshots", str(folder), "--language", language]
    quiet = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.Popen(
        command, env=quiet, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def _keep(picture: Path) -> None:
    """Under its name alone: its number says how many were taken before it, which changes with the tour."""
    with Image.open(picture) as image:
        image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE).save(
            picture.with_name(picture.name.partition("-")[2]), optimize=True
        )
    picture.unlink()


def names() -> frozenset[str]:
    """What the tour takes, by the code of it, without taking it."""
    return frozenset(name for path in (ROOT / "pos_app" / "tour").glob("*.py") for name in _named(path))


def _named(path: Path) -> Iterator[str]:
    """Every text in it that may be a picture's name: some are handed on before they are taken."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


if __name__ == "__main__":
    raise SystemExit(main())
