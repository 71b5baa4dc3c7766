"""What a text field tells its window when it is touched, for whoever brings keys to the screen. It knows no field."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QInputDevice, QMouseEvent
from PySide6.QtWidgets import QWidget


class Takes(StrEnum):
    """What a field takes, for whoever brings keys to it: nothing else is refused by this."""

    TEXT = "text"
    LATIN = "latin"
    FIGURES = "figures"


class FieldTouched(QEvent):
    """Somebody touched a field: there may be no keyboard but the screen's."""

    KIND = QEvent.Type(QEvent.registerEventType())

    def __init__(self, edit: QWidget, *, by_finger: bool) -> None:
        super().__init__(self.KIND)
        self.edit = edit
        self.by_finger = by_finger


def tell_touched(edit: QWidget, event: QMouseEvent) -> None:
    """After the release, so that nothing moves under the finger."""
    device = event.device()
    by_finger = device is not None and device.type() is QInputDevice.DeviceType.TouchScreen
    if edit.rect().contains(event.position().toPoint()):
        QCoreApplication.postEvent(edit.window(), FieldTouched(edit, by_finger=by_finger))
