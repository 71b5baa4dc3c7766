"""How a wish leaves the window. Holds the one name for it, posts nothing itself."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.staff import StaffWish
from pos_app.domain.wishes import Wish

Post = Callable[[Wish | StaffWish], None]
"""Hands a wish to the engine; never waits."""
