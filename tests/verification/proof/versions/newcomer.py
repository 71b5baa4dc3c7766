"""Somebody on a bare Debian with git, make and Python, and a clone of this repository; they may become root by sudo."""

from __future__ import annotations

import os
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.architecture.sources import ROOT
from tests.verification.proof.debian.machine import Debian, base

RELEASE = "trixie"
"""Debian 13, whose Python is 3.13. Debian 12 and Python 3.11 are what all else is run on."""
WHAT_README_ASKS_FOR = ("git", "make", "python3")
BESIDE = ("ca-certificates", "sudo")
OTHERS = ("python3.12", "python3.14")
"""Those of them that this machine has apart from its system's own are taken there."""
NEXT_QT = "6.12.0"
"""The first PySide6 behind the lock's; which one that is, and what it breaks, is written in docs/versions.md."""
LIMIT_S = 4 * 3600
"""A command's: the longest takes ten minutes on two idle cores."""
CLONE, SECOND_CLONE = "/home/kassa/till", "/home/kassa/second"
_BUNDLE, _CERTIFICATES = "till.bundle", "certificates.pem"
_ASK = "import sys, ssl, sqlite3, ctypes, venv, ensurepip; print(sys.base_prefix)"


def commands() -> list[str]:
    """README's two, as they stand there."""
    told = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Two commands")[2]
    block = told.split("```")[1]
    return [line.partition("#")[0].strip() for line in block.splitlines() if line.strip()]


@cache
def prefix_of(python: str) -> Path | None:
    """Where this Python of this machine lies, all of it; None where there is none, or where it is the system's."""
    found = shutil.which(python)
    if found is None:
        return None
    asked = subprocess.run([found, "-c", _ASK], capture_output=True, text=True, check=False)
    prefix = Path(asked.stdout.strip() or "/usr")
    return None if asked.returncode != 0 or prefix == Path("/usr") else prefix


class Newcomer(NamedTuple):
    """`python`: the one that the set-up is told of, "" for Debian's own."""

    debian: Debian
    python: str = ""

    def types(self, line: str, *, at: str = CLONE, plainly: bool = False) -> str:
        """What it said; it must end well. `plainly`: with Debian's own Python in any case."""
        told = {"PYTHON": self.python} if self.python and not plainly else {}
        return self.debian.good("sh", "-c", f"cd {at} && {line}", user="kassa", **told)


@contextmanager
def newcomer(folder: Path, python: str = "") -> Iterator[Newcomer]:
    """With a clone of what is committed here, as `till` in their home; `python`: one of `OTHERS`."""
    share = folder / "share"
    share.mkdir(parents=True)
    # A clone out of a folder of another account is refused by git; out of a file it is not.
    subprocess.run(
        ["git", "bundle", "create", "--quiet", str(share / _BUNDLE), "HEAD"],
        cwd=ROOT,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    prefix = prefix_of(python) if python else None
    if prefix is not None:
        subprocess.run(["cp", "-a", str(prefix), str(share / "python")], check=True)
    at = folder / "machine"
    at.mkdir()
    with Debian(
        at, share, base(RELEASE, *WHAT_README_ASKS_FOR, *BESIDE), _reaches_what_this_one_does(share)
    ) as it:
        it.limit_s = LIMIT_S
        it.good("sh", "-c", "echo 'kassa ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/kassa")
        it.good("git", "clone", "--quiet", f"/mnt/{_BUNDLE}", CLONE, user="kassa")
        if prefix is None:
            yield Newcomer(it)
        else:
            # At the same place: it looks there for its library.
            it.good("sh", "-c", f'mkdir -p "{prefix.parent}" && cp -a /mnt/python "{prefix}"')
            for folder_above in prefix.parents:
                it.good("chmod", "a+rx", str(folder_above))
            yield Newcomer(it, str(prefix / "bin" / python))


def _reaches_what_this_one_does(share: Path) -> dict[str, str]:
    """pip's way to the registry, where this machine was told of one: proxies, and whose certificates it believes."""
    told = {
        name: value
        for name, value in os.environ.items()
        if re.fullmatch(r"(?i)(https?|no)_proxy|PIP_(DEFAULT_TIMEOUT|INDEX_URL|TRUSTED_HOST)", name)
    }
    believed = os.environ.get("PIP_CERT") or ssl.get_default_verify_paths().cafile
    if believed:
        shutil.copy(believed, share / _CERTIFICATES)
        told["PIP_CERT"] = f"/mnt/{_CERTIFICATES}"
    return told
