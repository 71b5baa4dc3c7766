"""A folder whose permissions count, also where the tests run as root, whom no permission stops."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65_534
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
"""On Windows nobody is: what only root can do is not tried there."""


@contextmanager
def somebody() -> Iterator[None]:
    """As an ordinary user while it lasts; who may be unable to read Python's own files.

    So what loads its parts when they are needed is used once before.
    """
    if IS_ROOT:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if IS_ROOT:
            os.seteuid(0)


@contextmanager
def owned_folder() -> Iterator[Path]:
    """A folder of that user's own, reachable for it, gone behind the test."""
    folder = Path(tempfile.mkdtemp(prefix="pos-app-test-"))
    if IS_ROOT:
        os.chown(folder, NOBODY, NOBODY)
    try:
        yield folder
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)
