"""One sandbox for each module; a till alone on its screen for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import config_dir, sandbox, served
from tests.integration.kiosk.alone import AloneTill
from tests.support.sandbox import Sandbox
from tests.support.till import tills

__all__ = ["config_dir", "sandbox", "served"]

MakeAlone = Callable[..., AloneTill]


@pytest.fixture
def told() -> dict[str, str]:
    """What the service manager tells a till that it starts: here there is none."""
    return {}


@pytest.fixture
def make_alone(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    sandbox: Sandbox,
    config_dir: Path,
    tmp_path: Path,
    told: dict[str, str],
) -> Iterator[MakeAlone]:
    """Makes them on one data folder, each ended before the test is."""
    with tills(
        lambda asked: AloneTill(sandbox, asked, tmp_path, told), config_dir, tmp_path / "data", kiosk=True
    ) as make:
        yield make


@pytest.fixture
def alone(make_alone: MakeAlone) -> AloneTill:
    """A till with Nimali at it."""
    return make_alone()
