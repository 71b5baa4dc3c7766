"""Every attack has a store of its own: a real one, on a real PostgreSQL."""

from tests.support.store import database, shop

__all__ = ["database", "shop"]
