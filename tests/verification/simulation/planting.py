"""Planting a bug: a patch of the running till, undone afterwards. Each wrong till is a function that plants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any


class Planter:
    """Replaces attributes and remembers what was there."""

    def __init__(self) -> None:
        self._before: list[tuple[Any, str, Any]] = []

    def put(self, place: Any, name: str, wrong: Any) -> Any:
        """Plants `wrong`; returns what was there."""
        right = getattr(place, name)
        self._before.append((place, name, right))
        setattr(place, name, wrong)
        return right

    def dig_up(self) -> None:
        """All is as it was."""
        for place, name, right in reversed(self._before):
            setattr(place, name, right)
        self._before.clear()


Plant = Callable[[Planter], None]


@contextmanager
def planted(plant: Plant) -> Iterator[None]:
    """While inside, every till has this bug."""
    planter = Planter()
    try:
        plant(planter)
        yield
    finally:
        planter.dig_up()


def flow(name: str) -> ModuleType:
    """A module of the flow; the package has functions of the same names."""
    return import_module(f"pos_app.domain.flow.{name}")
