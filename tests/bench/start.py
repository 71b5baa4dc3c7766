"""From the process's start, by this process's clock, to the first paint of the till that can be used."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.data import data_folder
from tests.bench.figure import Figure, interleaved
from tests.bench.processes import bare_window, till
from tests.support.sandbox import Sandbox

ROUNDS = 15


@contextmanager
def shop(data_dir: Path) -> Iterator[tuple[Sandbox, list[str]]]:
    """A sandbox, and the arguments with which a till of that data folder talks to it."""
    with tempfile.TemporaryDirectory() as folder, Sandbox(config_dir=Path(folder)) as sandbox:
        files = ("--config", f"{folder}/config.toml", "--secrets-file", f"{folder}/secrets.toml")
        yield sandbox, [*files, "--data-dir", str(data_dir)]


def measure(*, quick: bool = False) -> list[Figure]:
    """Median of the starts, in turn with a bare window's."""
    with shop(data_folder()) as (_sandbox, arguments):

        def ours() -> float:
            with till("", arguments) as process:
                return process.first_paint_ms

        def bare() -> float:
            with bare_window() as process:
                return process.first_paint_ms

        ours(), bare()
        mine, floor = interleaved(ours, bare, 3 if quick else ROUNDS)
    return [
        Figure(
            name="start to first paint",
            unit="ms",
            ours=mine,
            floor=floor,
            goal=1.25,
            floor_is="bare QMainWindow process",
        )
    ]
