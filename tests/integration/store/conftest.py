"""A counter at the command line, and a store: a database alone, or one in a folder, by its verbs."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.cli.conftest import (
    config_dir,
    make_till,
    printer,
    sandbox,
    server,
    shared_sandbox,
    till,
)
from tests.integration.store.shop import Shop
from tests.support.store import database, shop

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
def store() -> Iterator[Shop]:
    """Made, not yet served; where whoever root steps down to gets at it."""
    folder = Path(tempfile.mkdtemp(prefix="pos-store-"))
    folder.chmod(0o711)
    made = Shop(folder / "store")
    said = made.verb("init", "--name", "My shop")
    assert said.code == 0, said.err
    yield made
    shutil.rmtree(folder, ignore_errors=True)
