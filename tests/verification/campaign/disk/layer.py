"""The C layer for Python: builds it, puts it under a process, reads what it wrote down. Judges nothing."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import struct
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec

SOURCES = (Path(__file__).with_name("layer.c"), Path(__file__).with_name("record.h"))
BUILT = Path("build/disk")
_FLAGS = ("-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", "-fno-builtin")
_HEAD = struct.Struct("<IcBHQQ")

CREATED, EMPTIED, FOLDER = 1, 2, 4


class NoCompilerError(Exception):
    """There is no gcc: `sh packaging/bootstrap.sh campaign` installs it."""


class Entry(msgspec.Struct, frozen=True):
    """One thing a process did.

    what: Open Write Truncate Sync Rename Link Unlink mkDir Mark, Net and Printed for what left the process, X for a
    write cut short. `failed` is the errno it met, 0 when it was done; `offset` a truncated file's length, too.
    """

    what: str
    failed: int
    flags: int
    handle: int
    offset: int
    data: bytes

    @property
    def names(self) -> tuple[str, str]:
        """The one or two paths it is about, below the watched folder; "." is the folder itself."""
        one, _, two = self.data.partition(b"\0")
        return one.decode(), two.decode()


def built() -> Path:
    """The library, made if this source has not been made yet. Raises NoCompilerError."""
    text = b"".join(source.read_bytes() for source in SOURCES)
    library = BUILT.absolute() / f"layer-{hashlib.sha256(text).hexdigest()[:12]}.so"
    if not library.exists():
        compiler = shutil.which("gcc")
        if compiler is None:
            raise NoCompilerError("no gcc here: `sh packaging/bootstrap.sh campaign` installs it")
        library.parent.mkdir(parents=True, exist_ok=True)
        fresh = library.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        subprocess.run([compiler, *_FLAGS, "-o", fresh, SOURCES[0], "-ldl", "-lpthread"], check=True)
        fresh.replace(library)
    return library


def beneath(folder: Path, record: Path, fail: str = "") -> dict[str, str]:
    """The environment of a process that runs on the layer; `fail` as layer.c says."""
    return {
        **os.environ,
        "LD_PRELOAD": str(built()),
        "DISK_UNDER": str(folder.resolve()),
        "DISK_LOG": str(record.resolve()),
        "DISK_FAIL": fail,
    }


def entries(record: Path) -> Iterator[Entry]:
    """What was written down, in order; a last entry cut off by a kill is left out."""
    data = record.read_bytes()
    at = 0
    while at + _HEAD.size <= len(data):
        length, what, failed, flags, handle, offset = _HEAD.unpack_from(data, at)
        at += _HEAD.size + length
        if at <= len(data):
            yield Entry(what.decode(), failed, flags, handle, offset, data[at - length : at])


def mark(fact: msgspec.Struct) -> None:
    """From within a process on the layer: leaves a fact among what it did."""
    data = msgspec.json.encode(fact)
    ctypes.CDLL(None).disk_mark(data, ctypes.c_size_t(len(data)))


def fail(plan: str) -> None:
    """From within a process on the layer: what fails from now on, as layer.c says; "write 0 0 0" for nothing."""
    if ctypes.CDLL(None).disk_fail(plan.encode()):
        raise ValueError(plan)
