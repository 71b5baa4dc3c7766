"""One thing to look at: how it is made and how large it is shown. Shows nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtWidgets import QWidget


class Exhibit(NamedTuple):
    """`name` is an id, fit for a file ("button-primary"). `size` is the picture's, or less is made of it.

    `ready`: whether all that is painted beside the window's thread (a code) has come.
    """

    name: str
    build: Callable[[], QWidget]
    size: tuple[int, int] = (560, 96)
    ready: Callable[[QWidget], bool] = lambda _made: True
