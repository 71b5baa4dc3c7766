"""Every test here has a store's database of its own, if it asks for one."""

from pathlib import Path

import pytest

from tests.support.store import database, shop

__all__ = ["database", "shop"]

_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What starts a PostgreSQL is not for after each edit."""
    for item in items:
        if _HERE in item.path.parents and "database" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
