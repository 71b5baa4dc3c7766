"""The built folder: its size and its start, warm and from the disk, beside a bare window built the same way."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

from tests.verification.bench.data import data_folder
from tests.verification.bench.figure import Figure, interleaved
from tests.verification.bench.playing import shop
from tests.verification.bench.processes import REPOSITORY, Process, till

ROUNDS, COLD_ROUNDS = 15, 7
FOLDERS = REPOSITORY / "build" / "bundle"
TILL, BARE = FOLDERS / "measured" / "measured", FOLDERS / "bare" / "bare"
TOOLS = REPOSITORY / ".venv-bundle" / "bin" / "python"


def measure(*, quick: bool = False) -> list[Figure]:
    """Builds both first, a minute's work; nothing where `make bundle` never made its environment."""
    if not TOOLS.exists():
        sys.stderr.write("bundle: left out, `make bundle` has not been run here\n")
        return []
    if not (quick and TILL.exists()):
        subprocess.run(["sh", "packaging/bundle/build.sh", "--bench"], cwd=REPOSITORY, check=True)
    with shop(data_folder()) as (_sandbox, arguments):
        built = partial(_painted, TILL, *arguments)
        bare = partial(_painted, BARE)
        source = partial(_from_source, arguments)
        built(), bare(), source()
        rounds = 3 if quick else ROUNDS
        warm, warm_floor = interleaved(built, bare, rounds)
        again, from_source = interleaved(built, source, rounds)
        rounds = 2 if quick else COLD_ROUNDS
        cold, cold_floor = interleaved(partial(_cold, TILL, *arguments), partial(_cold, BARE), rounds)
    return [
        Figure(
            name="bundle, size",
            unit="MiB",
            ours=_mib(TILL.parent),
            floor=_mib(BARE.parent),
            goal=1.3,
            floor_is="bare window, built alike",
        ),
        Figure(
            name="bundle, start to first paint",
            unit="ms",
            ours=warm,
            floor=warm_floor,
            goal=1.25,
            floor_is="bare window, built alike",
            limited_by="as from source: Python's own loading of what a till needs",
        ),
        Figure(
            name="bundle, the same",
            unit="ms",
            ours=again,
            floor=from_source,
            goal=1.15,
            floor_is="the till from source",
            limited_by="the starter reads the list of its 1,600 modules, and starts itself a second time",
        ),
        Figure(
            name="bundle, start from the disk",
            unit="ms",
            ours=cold,
            floor=cold_floor,
            goal=1.3,
            floor_is="bare window, built alike",
            limited_by="what is read from the disk beside Qt: OpenSSL, SQLite, msgspec, our modules",
        ),
    ]


def _painted(program: Path, *arguments: str) -> float:
    with Process("", *arguments, program=program) as process:
        return process.first_paint_ms


def _from_source(arguments: list[str]) -> float:
    with till("", arguments) as process:
        return process.first_paint_ms


def _cold(program: Path, *arguments: str) -> float:
    """With none of the folder's files in memory; the system's own libraries stay."""
    for file in program.parent.rglob("*"):
        if file.is_file() and not file.is_symlink():
            descriptor = os.open(file, os.O_RDONLY)
            try:
                # What has just been built may not have reached the disk: only what has can be let go.
                os.fsync(descriptor)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(descriptor)
    return _painted(program, *arguments)


def _mib(folder: Path) -> float:
    return sum(file.lstat().st_size for file in folder.rglob("*") if not file.is_dir()) / 2**20
