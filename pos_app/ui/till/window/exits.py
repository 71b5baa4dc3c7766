"""What the till has beside itself, as calls of whoever made the window: the kiosk's end, files, exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pos_app.domain.export import Door
    from pos_app.domain.membership import MembershipDoor

DiagnosticsDoor = Callable[[Callable[[str, str], None]], None]
"""Makes the file; tells its path or what is wrong (the other one is empty), on whatever thread."""

TakeAlong = Callable[[str, str, Callable[[str, str], None]], None]
"""Copies a file (its path) into a folder; tells as above."""


class Exits(NamedTuple):
    """None where it has not."""

    diagnostics: DiagnosticsDoor | None = None
    leave: Callable[[], None] | None = None
    take_along: TakeAlong | None = None
    exports: Door | None = None
    store: MembershipDoor | None = None


NO_EXITS = Exits()
