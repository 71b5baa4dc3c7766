"""The closed days that a screen offers to choose from."""

from __future__ import annotations

from pos_app.ui.dialogs.parts.choice import Option

LISTED = 31
"""So many of them, newest first; older ones are read at the command line."""


def closed_days(last_z: int, said: str) -> list[Option]:
    """By the Z's number; `said` names it, with {number} in it."""
    return [(str(z), said.format(number=z)) for z in range(last_z, max(0, last_z - LISTED), -1)]
