"""The packages of the bundle as it is, and a bare Debian for each test."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.architecture.sources import ROOT
from tests.verification.proof.bundle.built import built, one_at_a_time
from tests.verification.proof.debian.machine import Debian, NotReached, base, lacking, why_not

LATER = "99.0.0"
"""The number of the update: the same till once more, not compressed, as the first is not either: it takes a minute."""

FINISHED = os.environ.get("POS_APP_PACKAGES", "")
"""Where a release's packages lie, tried as they are (packaging/release.py); "" where some are packed for the trial."""


class Packages(NamedTuple):
    """Both of the version that is, and of a later one."""

    folder: Path
    till: str
    kiosk: str
    later: str
    later_kiosk: str

    def now(self) -> list[Path]:
        """The files of the version that is, whatever its number."""
        return sorted(path for path in self.folder.glob("pos-app*.deb") if f"_{LATER}_" not in path.name)


def pack(out: Path, *words: str) -> list[Path]:
    """What `make deb` does, but for xz."""
    subprocess.run(
        ["sh", "packaging/deb/build.sh", "--fast", *words, str(out)],
        cwd=ROOT,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    return sorted(out.glob("*.deb"), key=lambda path: path.stat().st_mtime_ns)


@pytest.fixture(scope="session")
def not_reached() -> str:
    """Why no bare Debian could be made, where its archive was out of reach; it is tried once, and first of all."""
    try:
        if not why_not():
            base()  # While another worker builds the bundle.
    except NotReached as error:
        return str(error)
    return ""


@pytest.fixture(scope="session")
def packages(not_reached: str) -> Iterator[Packages]:  # noqa: ARG001 - made meanwhile
    """Not below the tests' own folders, which are searched for secrets after each test."""
    if lacking():
        pytest.skip(f"the packages are not tried here, without {lacking()}")
    with tempfile.TemporaryDirectory(prefix="pos-app-packages-") as made:
        folder = Path(made)
        folder.chmod(0o755)
        built()
        with one_at_a_time():
            if FINISHED:
                for package in Path(FINISHED).glob("pos-app*.deb"):
                    shutil.copy(package, folder)
            else:
                pack(folder)
            pack(folder, "--as", LATER)
        till, later = sorted(folder.glob("pos-app_*.deb"))
        kiosk, later_kiosk = sorted(folder.glob("pos-app-kiosk_*.deb"))
        yield Packages(
            folder,
            f"/mnt/{till.name}",
            f"/mnt/{kiosk.name}",
            f"/mnt/{later.name}",
            f"/mnt/{later_kiosk.name}",
        )


@pytest.fixture
def debian(packages: Packages, not_reached: str) -> Iterator[Debian]:
    """The packages lie in its /mnt."""
    if not_reached:
        pytest.skip(f"no bare Debian can be made here: {not_reached}")
    with (
        tempfile.TemporaryDirectory(prefix="pos-app-debian-") as folder,
        Debian(Path(folder), packages.folder) as debian,
    ):
        yield debian


@pytest.fixture
def installed(debian: Debian, packages: Packages) -> Debian:
    """With the till on it."""
    debian.good("dpkg", "-i", packages.till)
    return debian
