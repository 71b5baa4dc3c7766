"""Where the till's own files lie (icons, sounds, languages): in a checkout, a wheel or a bundle."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


@cache
def resources(name: str = "") -> Path:
    """The folder of that name among the resources; of all of them without one."""
    inside = _PACKAGE / "resources"
    return (inside if inside.is_dir() else _PACKAGE.parent / "resources") / name
