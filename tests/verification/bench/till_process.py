"""The real till in a process of its own; says when it was painted, then plays the scene it was told.

`python -m tests.verification.bench.till_process SCENE ARGUMENTS…`: the arguments are the till's own.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from typing import TYPE_CHECKING, Any

from pos_app.cli.main import main

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from tests.verification.bench.watching import Painting


class _Before:
    """Begins to watch when the window's module is about to be loaded: not sooner, so that Qt's turn stays."""

    def find_spec(self, name: str, *_where: Any) -> None:
        if name == "pos_app.app.run":
            sys.meta_path.remove(self)
            from tests.verification.bench.watching import at_first_paint

            at_first_paint(_then)


def _then(window: QWidget, painting: Painting, painted_at: float) -> None:
    from tests.verification.bench.watching import say

    say(repr(painted_at))
    if not sys.argv[1]:
        return
    try:
        importlib.import_module(f"tests.verification.bench.scenes.{sys.argv[1]}").play(window, painting)
    except BaseException:
        # Qt would swallow it and go on: the process that waits for the figures must see the end.
        traceback.print_exc()
        os._exit(1)


if __name__ == "__main__":
    sys.meta_path.insert(0, _Before())
    sys.exit(main(sys.argv[2:]))
