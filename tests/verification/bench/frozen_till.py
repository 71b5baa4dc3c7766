"""The bundle's till that says when it was painted: built for the bench alone, started as the shipped one is."""

from __future__ import annotations

import sys
from typing import Any

from start import main  # type: ignore[import-not-found] # packaging/bundle, where this is built


class BeforeTheWindow:
    """Begins to watch when the window's module is about to be loaded, as the till from source is watched."""

    def find_spec(self, name: str, *_where: Any) -> None:
        if name == "pos_app.app.run":
            sys.meta_path.remove(self)
            from tests.verification.bench.watching import at_first_paint, say

            at_first_paint(lambda _window, _painting, at: say(repr(at)))


if __name__ == "__main__":
    sys.meta_path.insert(0, BeforeTheWindow())
    sys.exit(main())
