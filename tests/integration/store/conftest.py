"""A counter at the command line, and a store: a database alone, or one in a folder, by its verbs."""

import shutil
import tempfile
from collections.abc import Iterator
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
    above = Path(tempfile.mkdtemp(prefix="pos-store-"))
    above.chmod(0o711)
    yield above / "store"
    shutil.rmtree(above, ignore_errors=True)


@pytest.fixture
def store(folder: Path) -> Shop:
    """Made, not yet served."""
    made = Shop(folder)
    said = made.verb("init", "--name", "My shop")
    assert said.code == 0, said.err
    return made
