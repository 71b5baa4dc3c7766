"""A counter at the command line, and a store: a database alone, or one in a folder, by its verbs."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.integration.cli.conftest import config_dir, make_till, sandbox, shared_sandbox, till
from tests.integration.store.shop import Shop
from tests.support.store import database, shop
from tests.support.virtual_printer import printer, server

__all__ = [
    "config_dir",
    "database",
    "make_till",
    "printer",
    "sandbox",
    "server",
    "shared_sandbox",
    "shop",
    "till",
]


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where whoever root steps down to gets at a store, which is not made yet."""
    with _a_place() as above:
        yield above / "store"


@pytest.fixture(scope="session")
def made_once() -> Iterator[Path]:
    """A store as `store init` makes it: most of that is PostgreSQL's, and the same each time."""
    with _a_place() as above:
        said = Shop(above / "store").verb("init", "--name", "My shop")
        assert said.code == 0, said.err
        yield above / "store"


@pytest.fixture
def store(folder: Path, made_once: Path) -> Shop:
    """Made, not yet served."""
    # By the system's own: it keeps whose each file is.
    subprocess.run(["cp", "-a", str(made_once), str(folder)], check=True)
    return Shop(folder)


@contextmanager
def _a_place() -> Iterator[Path]:
    above = Path(tempfile.mkdtemp(prefix="pos-store-"))
    above.chmod(0o711)
    yield above
    shutil.rmtree(above, ignore_errors=True)
