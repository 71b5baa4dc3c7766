"""Loads Qt for Python without what it makes of Python's `import`.

It puts its own in the place of the builtin, for `from __feature__ import …` and for star imports: from then on the
source of every module that is loaded is read through, to see whether it uses Qt, and kept in memory. The till wants
neither.
"""

from __future__ import annotations

import builtins


def load_qt() -> None:
    """Call it before anything imports Qt; where Qt is loaded already it changes nothing."""
    plain = builtins.__import__
    import PySide6.QtCore  # noqa: F401

    builtins.__import__ = plain
