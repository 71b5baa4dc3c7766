"""One sandbox for each module; a till alone on its screen for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import config_dir, sandbox, served
from tests.end_to_end.front import arguments, enrol
from tests.kiosk.alone import AloneFront
from tests.support.sandbox import Sandbox

__all__ = ["config_dir", "sandbox", "served"]

MakeAlone = Callable[..., AloneFront]


@pytest.fixture
def make_alone(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    sandbox: Sandbox,
    config_dir: Path,
    tmp_path: Path,
) -> Iterator[MakeAlone]:
    """Makes them on one data folder, each ended before the test is."""
    made: list[AloneFront] = []

    def make(*, signed_in: str = "Nimali", settings: str = "", people: bool = True) -> AloneFront:
        asked = arguments(config_dir, tmp_path / "data", kiosk=True)
        if settings:
            file = config_dir / "config.toml"
            file.write_text(file.read_text("utf-8") + settings, "utf-8")
        if people:
            enrol(asked)
        front = AloneFront(sandbox, asked, tmp_path)
        made.append(front)
        if signed_in:
            front.sign_in(signed_in)
        return front

    yield make
    ended = [front.stop() for front in made]
    assert all(ended), "a till did not end its threads in time"


@pytest.fixture
def alone(make_alone: MakeAlone) -> AloneFront:
    """A till with Nimali at it."""
    return make_alone()
