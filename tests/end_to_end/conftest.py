"""One sandbox for each module; a till of its own, with its own journal, for each test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pos_app.bootstrap.options import Options
from tests.end_to_end.front import Front, arguments, enrol
from tests.support.sandbox import Sandbox

MakeTill = Callable[..., Front]
AnyFront = TypeVar("AnyFront", bound=Front)


@pytest.fixture(scope="module")
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
    """The test's own copy of the settings, to be changed as it likes."""
    folder = tmp_path / "config"
    shutil.copytree(served.config_dir, folder)  # type: ignore[attr-defined]
    return folder


@contextmanager
def making(
    build: Callable[[Options], AnyFront], config_dir: Path, data_dir: Path, **asked_too: object
) -> Iterator[Callable[..., AnyFront]]:
    """What makes tills on one data folder, each ended at the end."""
    made: list[AnyFront] = []

    def make(
        *, signed_in: str = "Nimali", settings: str = "", people: bool = True, **asked_more: object
    ) -> AnyFront:
        asked = arguments(config_dir, data_dir, **(asked_too | asked_more))
        if settings:
            file = config_dir / "config.toml"
            file.write_text(file.read_text("utf-8") + settings, "utf-8")
        if people:
            enrol(asked)
        front = build(asked)
        made.append(front)
        if signed_in:
            front.sign_in(signed_in)
        return front

    yield make
    ended = [front.stop() for front in made]
    assert all(ended), "a till did not end its threads in time"


@pytest.fixture
def make_till(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    sandbox: Sandbox,
    config_dir: Path,
    tmp_path: Path,
) -> Iterator[MakeTill]:
    """Makes tills on one data folder, each ended before the test is."""
    with making(partial(Front, sandbox), config_dir, tmp_path / "data", log_level="info") as make:
        yield make


@pytest.fixture
def till(make_till: MakeTill) -> Front:
    """A till with Nimali at it."""
    return make_till()
