"""Every test here has a store's database of its own, if it asks for one."""

from tests.support.store import database, shop

__all__ = ["database", "shop"]
