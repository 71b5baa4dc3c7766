"""The real till in a process of its own; says when it was painted, then plays the scene it was told.

`python -m tests.bench.till_process SCENE ARGUMENTS…`: the arguments are the till's own.
"""

from __future__ import annotations

import importlib
import sys

from PySide6.QtWidgets import QWidget

from pos_app.cli import main
from tests.bench.watching import Painting, at_first_paint, say


def _then(scene: str, window: QWidget, painting: Painting, painted_at: float) -> None:
    say(repr(painted_at))
    if scene:
        importlib.import_module(f"tests.bench.scenes.{scene}").play(window, painting)


if __name__ == "__main__":
    at_first_paint(lambda *painted: _then(sys.argv[1], *painted))
    sys.exit(main(sys.argv[2:]))
