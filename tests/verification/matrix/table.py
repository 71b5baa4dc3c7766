"""The matrix as it is printed: each cell with how often it was played; what is not built, and what failed."""

from __future__ import annotations

from collections.abc import Mapping

from tests.verification.matrix.cells import STEPS, rows

NOT_BUILT = "-"
NONE = "·"
_WIDTH = 9


def table(counts: Mapping[str, int], failed: Mapping[str, int]) -> str:
    """Rows by steps: the count of each cell, "-" where its part is not built, "·" where it cannot be met."""
    head = " " * 50 + "".join(f"{step:>{_WIDTH}}" for step in STEPS)
    lines = [head]
    for row in rows():
        cells = []
        for step in STEPS:
            name = f"{row.number} {step}"
            if step not in row.cells:
                text = NONE
            elif step in row.not_built:
                text = NOT_BUILT
            else:
                mark = "!" if failed.get(name) else ""
                text = f"{counts.get(name, 0):,}{mark}"
            cells.append(f"{text:>{_WIDTH}}")
        lines.append(f"{row.number:>3} {row.fault:<46}" + "".join(cells))
    return "\n".join([*lines, "", *_waiting()])


def _waiting() -> list[str]:
    """Which part each cell that is not built, or not wholly, waits for."""
    parts: dict[str, list[str]] = {}
    for row in rows():
        for step, part in row.not_built.items():
            parts.setdefault(part, []).append(f"{row.number} {step}")
        for step, part in row.partly.items():
            parts.setdefault(part, []).append(f"{row.number} {step} (in part)")
    return [f"not built, {part}: {', '.join(cells)}" for part, cells in sorted(parts.items())]
