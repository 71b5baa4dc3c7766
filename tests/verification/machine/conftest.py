"""One machine, booted and signed in once; each test gets it as it was then."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT
from tests.verification.machine.counter import first_sign_in
from tests.verification.machine.image import HOME, Image, image, why_not
from tests.verification.machine.machine import Machine, accelerator, running
from tests.verification.proof.bundle.built import built, one_at_a_time

SIGNED_IN = "signed-in"
LIMIT_S = 3600


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Played machines are slow, and where none can be made that is said."""
    for item in items:
        if "verification/machine/" in item.nodeid:
            item.add_marker(pytest.mark.timeout(LIMIT_S))
            item.add_marker(
                pytest.mark.skipif(bool(why_not()), reason=f"no machine can be made here: {why_not()}")
            )


def _note(line: str) -> None:
    """How long it took, where the pictures are and on the terminal (-s)."""
    (HOME / "last").mkdir(parents=True, exist_ok=True)
    with (HOME / "last" / "times.txt").open("a", encoding="utf-8") as times:
        times.write(f"{line}\n")
    sys.stdout.write(f"{line}\n")


@pytest.fixture(scope="session")
def made() -> Image:
    """The disk with the packages of the code as it is."""
    folder = HOME / "packages-made"
    kept = sorted(HOME.glob("image-*/"))
    if os.environ.get("AGAIN") and kept:
        return Image(*(kept[-1] / name for name in Image._fields))
    built()
    with one_at_a_time():
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.deb"):
            old.unlink()
        subprocess.run(
            ["sh", "packaging/deb/build.sh", "--fast", str(folder)],
            cwd=ROOT,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        (till,), (kiosk,) = folder.glob("pos-app_*.deb"), folder.glob("pos-app-kiosk_*.deb")
        began = time.monotonic()
        ready = image(till, kiosk)
    _note(f"image: {time.monotonic() - began:.0f} s; played by {accelerator(ready)}")
    return ready


@pytest.fixture(scope="session")
def folder() -> Path:
    """Where pictures and what the machine said stay for who looks into a failure."""
    kept = HOME / "last"
    kept.mkdir(parents=True, exist_ok=True)
    return kept


@pytest.fixture(scope="session")
def booted(made: Image, folder: Path) -> Iterator[Machine]:
    """From power on to the till, and signed in for the first time. Its times are printed (-s).

    AGAIN=1 takes the one of the last run as it was then, while the same image is there: for who works on a test.
    """
    kept = folder / f"of-{made.disk.parent.name}"
    if os.environ.get("AGAIN") and kept.exists():
        with Machine(made, folder) as machine:
            machine.start(SIGNED_IN)
            yield machine
        return
    for old in (*folder.glob("of-*"), folder / "disk.qcow2", folder / "serial.log"):
        old.unlink(missing_ok=True)
    began = time.monotonic()
    with running(made, folder) as machine:
        machine.booted()
        machine.stands()
        _note(f"power to till: {time.monotonic() - began:.0f} s")
        machine.find("Who is at the till")
        machine.picture("booted")
        first_sign_in(machine)
        machine.picture("signed-in")
        machine.save(SIGNED_IN)
        kept.touch()
        yield machine


@pytest.fixture
def till(booted: Machine) -> Machine:
    """Signed in, nothing sold."""
    booted.load(SIGNED_IN)
    return booted
