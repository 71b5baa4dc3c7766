"""What these proofs need of a machine beside its packages. Where it is missing they are left out, and say why."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache

import pytest

from tests.verification.proof.kiosk.account import as_nobody

UNSHARE = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
"""A view of the files of a program's own."""

_CAN_READ_QT = """
import os
from PySide6.QtCore import QLibraryInfo
assert os.access(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), os.R_OK | os.X_OK)
"""


@cache
def _fails(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return (done.stderr.strip() or "failed").splitlines()[-1] if done.returncode else ""


def _needs(command: Sequence[str], what: str) -> pytest.MarkDecorator:
    why = _fails(*command)
    return pytest.mark.skipif(bool(why), reason=f"{what}: {why}")


def needs_a_view_of_its_own() -> pytest.MarkDecorator:
    """Some containers give no program another view of the files than theirs."""
    return _needs([*UNSHARE, "true"], "this machine hides no files from a program")


def needs_an_ordinary_user() -> pytest.MarkDecorator:
    """cage refuses root, and Qt finds no plugin in a folder that only root may enter."""
    return _needs(as_nobody([sys.executable, "-c", _CAN_READ_QT]), "an ordinary user cannot run from here")
