"""Which of the displays is the customer's. Decides by what is there now; remembers and opens nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication, QScreen

OFF = "off"
"""The setting's word for: no customer's screen, however many displays there are."""


class Display(Protocol):
    """What is asked of a QScreen."""

    def name(self) -> str:
        """As the system calls it: "HDMI-2"."""

    def geometry(self) -> QRect:
        """Where it lies on the desktop."""


SomeDisplay = TypeVar("SomeDisplay", bound=Display)


def customers(displays: Sequence[SomeDisplay], tills: SomeDisplay, wanted: str) -> SomeDisplay | None:
    """The display of this name, or for "" the first that is not the till's; None where there is no such one.

    One that shows the same part of the desktop as the till's (a mirror) is none: the till would be covered.
    """
    if wanted == OFF:
        return None
    free = (each for each in displays if each is not tills and not _overlap(each, tills))
    return next((each for each in free if wanted in ("", each.name())), None)


def tills(displays: Sequence[SomeDisplay], primary: SomeDisplay, wanted: str) -> SomeDisplay:
    """Where the till is to open: the primary display, unless that is the customer's and there is another."""
    if primary.name() != wanted:
        return primary
    return next((each for each in displays if not _overlap(each, primary)), primary)


def display_for_till(wanted: str) -> QScreen:
    """The same, of the displays that are there now."""
    return tills(QGuiApplication.screens(), QGuiApplication.primaryScreen(), wanted)


def _overlap(one: Display, other: Display) -> bool:
    return one.geometry().intersects(other.geometry())
