"""Plays one scene in the real till against a real sandbox and hands back what it measured."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pos_app.app import demo_people
from pos_app.domain.attempt import Environment
from pos_app.journal import open_journal
from pos_app.secrets import journal_key
from tests.support.sandbox import Sandbox
from tests.verification.bench.processes import Process, till


@contextmanager
def shop(data_dir: Path | None = None, settings: str = "") -> Iterator[tuple[Sandbox, list[str]]]:
    """A sandbox, and the arguments of a till that talks to it; without a data folder it has a fresh one.

    `settings`: more sections of its TOML.
    """
    with tempfile.TemporaryDirectory() as made, Sandbox(config_dir=Path(made) / "config") as sandbox:
        data = data_dir or _fresh(Path(made) / "data")
        with Path(f"{made}/config/config.toml").open("a", encoding="utf-8") as file:
            file.write(settings)
        files = ("--config", f"{made}/config/config.toml", "--secrets-file", f"{made}/config/secrets.toml")
        yield sandbox, [*files, "--data-dir", str(data)]


def _fresh(folder: Path) -> Path:
    environment = folder / Environment.SANDBOX
    environment.mkdir(parents=True, mode=0o700)
    key = journal_key(environment, Environment.SANDBOX, use_keystore=False)
    journal = open_journal(environment / "journal.sqlite", key, Environment.SANDBOX)
    demo_people.enrol(journal)
    journal.close()
    return folder


@contextmanager
def playing(scene: str, *, quick: bool, settings: str = "") -> Iterator[Process]:
    """The till, playing; read its lines with `told`."""
    with shop(settings=settings) as (sandbox, arguments):
        environment = {"BENCH_SANDBOX": json.dumps(sandbox.details), "BENCH_QUICK": "1" if quick else ""}
        with till(scene, arguments, environment) as process:
            yield process


def told(process: Process) -> dict[str, Any]:
    """What the scene says next."""
    measured: dict[str, Any] = json.loads(process.line())
    return measured


def played(scene: str, *, quick: bool, settings: str = "") -> dict[str, Any]:
    """All that a scene has to say."""
    with playing(scene, quick=quick, settings=settings) as process:
        return told(process)
