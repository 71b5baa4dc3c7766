"""Shares what a fresh clone has to compile among the workers of a run."""

from __future__ import annotations

import contextlib
import importlib
from pathlib import Path

import pytest

_TESTS = Path(__file__).parents[1]
_LEFT_OUT = "proof"
"""As pyproject.toml has it (norecursedirs)."""


def compile_my_share(config: pytest.Config) -> None:
    """Loads every so-manieth test module of those that this run collects and nobody has compiled yet.

    All workers collect at once. Each would compile the same module at the same moment as the others: on two cores four
    of them took twice the processor time of a clone that is not fresh. What cannot be loaded says so when it is
    collected.
    """
    worker = getattr(config, "workerinput", None)
    if worker is None:
        return
    mine, all_of_us = int(worker["workerid"].removeprefix("gw")), int(worker["workercount"])
    for path in _not_compiled(config)[mine::all_of_us]:
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.relative_to(_TESTS.parent).with_suffix("").parts))


def _not_compiled(config: pytest.Config) -> list[Path]:
    asked = [Path(each).absolute() for each in config.args]
    ignored = [Path(each).absolute() for each in config.getoption("ignore") or ()]
    found = []
    for path in sorted(_TESTS.rglob("test_*.py")):
        around = set(path.parents)
        wanted = around & set(asked) and not around & set(ignored) and _LEFT_OUT not in path.parts
        if wanted and not any((path.parent / "__pycache__").glob(f"{path.stem}.*-pytest-*.pyc")):
            found.append(path)
    return found
