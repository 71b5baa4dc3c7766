"""The bundle on a bare machine, with a home of its own for each test."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verification.proof.bundle.built import built
from tests.verification.proof.bundle.machine import Machine, moved


@pytest.fixture(scope="session")
def bundle() -> Iterator[Path]:
    """Copied once; not below the tests' own folders, which are searched for secrets after each test."""
    with tempfile.TemporaryDirectory(prefix="pos-app-bundle-") as folder:
        yield moved(built(), Path(folder))


@pytest.fixture
def machine(bundle: Path, tmp_path: Path) -> Machine:
    return Machine(bundle, tmp_path / "home")
