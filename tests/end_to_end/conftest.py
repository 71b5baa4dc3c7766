"""One sandbox for all; a till of its own, with its own journal, for each test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pos_app.app import store_membership
from pos_app.bootstrap import finding
from pos_app.services import store as store_client
from tests.support.patience import PATIENCE_S
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill, tills
from tests.support.virtual_printer import mute, printer, server

__all__ = ["MakeTill", "mute", "printer", "server"]

MakeTill = Callable[..., StartedTill]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """The sandbox's process, with a till's settings beside it; many codes may be sent."""
    folder = tmp_path_factory.mktemp("served")
    with Sandbox(config_dir=folder, switches={"otp_sends": 10_000}) as sandbox:
        sandbox.config_dir = folder  # type: ignore[attr-defined]
        yield sandbox


@pytest.fixture
def sandbox(served: Sandbox) -> Sandbox:
    """The same, with nothing of the last test's in it."""
    served.reset()
    return served


@pytest.fixture
def config_dir(served: Sandbox, tmp_path: Path) -> Path:
    """The test's own copy of the settings, to be changed as it likes, with the token that is the sandbox's now."""
    folder = tmp_path / "config"
    shutil.copytree(served.config_dir, folder)  # type: ignore[attr-defined]
    secrets = folder / "secrets.toml"
    written = secrets.read_text(encoding="utf-8")
    secrets.write_text(written.replace(served.details["access_token"], served.access_token), encoding="utf-8")
    return folder


@pytest.fixture
def make_till(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    sandbox: Sandbox,
    config_dir: Path,
    tmp_path: Path,
) -> Iterator[MakeTill]:
    """Makes tills on one data folder, each ended before the test is."""
    with tills(partial(StartedTill, sandbox), config_dir, tmp_path / "data", log_level="info") as make:
        yield make


@pytest.fixture
def patient_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """A till waits two or three seconds for its store, which may stand still for longer on a busy machine."""
    monkeypatch.setattr(finding, "FIND_S", PATIENCE_S)
    monkeypatch.setattr(store_membership, "LEAVING_CALL_S", PATIENCE_S)
    # None is waited for so long: a till that ends within PATIENCE_S has waited for no answer.
    monkeypatch.setattr(store_client, "CALL_S", 2 * PATIENCE_S)


@pytest.fixture
def till(make_till: MakeTill) -> StartedTill:
    """A till with Nimali at it."""
    return make_till()
