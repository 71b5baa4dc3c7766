"""Folders to work in: gone when the work ends, and what a killed process left is cleared by the next one."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pos_app.system.one_at_a_time import hold, let_go

_TAKEN_AWAY = 100
"""So many times others may take a new one away before that is an error."""


@contextlib.contextmanager
def scratch_folder(around: Path, prefix: str) -> Iterator[Path]:
    """A new, private folder in `around`, which is made where it is not there; gone behind the block. Held for as long,
    so that `clear_scratch` takes away only what nobody works in. Raises OSError."""
    folder, held = _new_folder(around, prefix)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        let_go(held)


def _new_folder(around: Path, prefix: str) -> tuple[Path, int | None]:
    """Others may take either away before the new one is held: `around` is empty, the new one looks left."""
    for _ in range(_TAKEN_AWAY):
        with contextlib.suppress(FileExistsError):
            # Also where it goes while it is looked at: the new one says what is there.
            around.mkdir(mode=0o700, exist_ok=True)
        with contextlib.suppress(FileNotFoundError, BlockingIOError):
            folder = Path(tempfile.mkdtemp(prefix=prefix, dir=around))
            held = hold(folder)
            if folder.exists():
                return folder, held
            let_go(held)
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(around))


def clear_scratch(around: Path, prefix: str, *, but: Path | None = None) -> None:
    """Folders of those that were killed at work; where no folder can be locked, also of those at work. `but` stays
    (resolved)."""
    for left in around.glob(f"{prefix}*"):
        if left.resolve() == but:
            continue
        with contextlib.suppress(BlockingIOError):
            held = hold(left)
            shutil.rmtree(left, ignore_errors=True)
            let_go(held)
