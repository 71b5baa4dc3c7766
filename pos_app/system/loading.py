"""Loads libraries without what they load of their own accord and the till has no use for."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import cast

_BACKPORT = "typing_extensions"


def load_msgspec() -> None:
    """Call it before anything imports it; where it is loaded already it changes nothing.

    It takes three functions from typing_extensions where that is installed (httpx asks for it), and from typing else,
    which has had them since Python 3.11. The first of the two costs as much time as all of msgspec.
    """
    if _BACKPORT in sys.modules:
        return
    # What is None there cannot be imported; msgspec is the one who asks meanwhile.
    sys.modules[_BACKPORT] = cast(ModuleType, None)
    try:
        import msgspec  # noqa: F401
    finally:
        del sys.modules[_BACKPORT]
