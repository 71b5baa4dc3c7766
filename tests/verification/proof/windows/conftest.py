"""One Windows for all the tests of this folder: each leaves it as it found it, or says so by its name."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verification.proof.windows.wine import Wine, built, take_away, windows


@pytest.fixture(scope="session")
def machine() -> Iterator[Wine]:
    with tempfile.TemporaryDirectory(prefix="pos-app-windows-") as folder, windows(Path(folder)) as wine:
        yield wine


@pytest.fixture
def installed(machine: Wine) -> Iterator[Path]:
    """Where an installer lays the till; what lies there behind the test is taken away."""
    yield machine.c / "Program Files" / "pos-app"
    take_away(machine)


@pytest.fixture(scope="session")
def till(machine: Wine) -> str:
    """The folder where a person put it, in a path with spaces and letters of other scripts: its name on drive C."""
    shutil.copytree(built(), machine.c / "Kasse ආයු Größe" / "pos-app")
    return "C:\\Kasse ආයු Größe\\pos-app"
