"""Where files lie that no test asks to last."""

from __future__ import annotations

from pathlib import Path

_IN_MEMORY = Path("/dev/shm")


def in_memory() -> str | None:
    """Where a real journal's syncs cost nothing, if there is such a place; other tests ask whether they happen."""
    return str(_IN_MEMORY) if _IN_MEMORY.is_dir() else None
