"""Every text and icon as it is really painted: its ink against the ground that is around it in the picture."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.gallery.pictures import picture
from pos_app.gallery.sections import sections
from pos_app.ui.theme import icons, theme
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from tests.unit.ui.test_design_contrast import SHAPE, TEXT, contrast

_TOO_SMALL = 4
"""A room of fewer pixels shows no ground."""
_NEAR = 60
"""Ink and what is mixed from it and the ground, summed over red, green and blue."""


class Painted:
    """What was painted into one picture: ink, room on the device, least contrast, what it was."""

    def __init__(self) -> None:
        self.inks: list[tuple[str, QRectF, float, str]] = []
        self.icon_colour = ""

    def add(self, painter: QPainter, room: QRectF, ink: str, least: float, what: str) -> None:
        """The room is in the painter's own coordinates."""
        if painter.opacity() == 1:
            self.inks.append((ink, painter.deviceTransform().mapRect(room), least, what))


def _recorder(painted: Painted) -> type[QPainter]:
    class Recorder(QPainter):
        def drawText(self, *arguments: Any) -> None:  # type: ignore[override]
            room, text = arguments[0], str(arguments[-1])
            if isinstance(room, QPointF):
                raise AssertionError(f"{text!r} is painted at a point: nothing says what room it has")
            if text.strip():
                fits = self.boundingRect(QRectF(room), *_flags(arguments), text)
                painted.add(self, fits, self.pen().color().name(), TEXT, text)
            super().drawText(*arguments)

        def drawPixmap(self, *arguments: Any) -> None:
            if isinstance(arguments[1], QPixmap):
                painted.add(self, arguments[0], painted.icon_colour, SHAPE, "icon")
            super().drawPixmap(*arguments)

    return Recorder


def _flags(arguments: tuple[Any, ...]) -> tuple[int]:
    flags = arguments[1]
    return (int(getattr(flags, "value", flags)),)


def _ground(image: QImage, room: QRectF, ink: QColor) -> str | None:
    """The colour that most of the room has and that is not the ink."""
    place = room.toAlignedRect().intersected(image.rect())
    if place.width() < _TOO_SMALL or place.height() < _TOO_SMALL:
        return None
    lines = (place.top(), place.top() + 1, place.bottom() - 1, place.bottom())
    seen = Counter(
        image.pixel(x, y) & 0xFFFFFF for y in lines for x in range(place.left(), place.right() + 1, 2)
    )
    for colour, _count in seen.most_common():
        found = QColor(colour)
        apart = sum(abs(one - other) for one, other in zip(_parts(found), _parts(ink), strict=True))
        if apart > _NEAR:
            return found.name()
    return None


def _parts(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> Painted:
    made = Painted()
    real = icons.pixmap_of

    def remembered(name: str, colour: str, *size: Any) -> QPixmap:
        made.icon_colour = colour
        return real(name, colour, *size)

    monkeypatch.setattr(icons, "pixmap_of", remembered)
    recorder = _recorder(made)
    for name, module in list(sys.modules.items()):
        if name.startswith("pos_app.ui") and getattr(module, "QPainter", None) is QPainter:
            monkeypatch.setattr(module, "QPainter", recorder)
    return made


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("section", ["parts", "before", "waiting", "results", "dialogs"])
def test_what_is_painted_stands_out(qapp: QApplication, painted: Painted, section: str, colours: str) -> None:
    theme.apply(qapp, colours)
    encoder = QrEncoder()
    weak: set[str] = set()
    checked = 0
    try:
        for exhibit in sections(encoder)[section]:
            painted.inks.clear()
            image = picture(exhibit)
            for ink, room, least, what in painted.inks:
                ground = _ground(image, room, QColor(ink))
                if ground is None:
                    continue
                checked += 1
                if contrast(ink, ground) < least:
                    weak.add(f"{exhibit.name}: {what!r} {ink} on {ground}: {contrast(ink, ground):.2f}")
    finally:
        encoder.stop()
        theme.apply(qapp, "light")
    assert checked > 20
    assert weak == set()


def test_a_weak_pair_is_found(qapp: QApplication, painted: Painted) -> None:
    from pos_app.gallery.exhibit import Exhibit
    from pos_app.ui.widgets.label import Label

    theme.apply(qapp, "light")

    def build() -> QWidget:
        made = Label("hardly seen", tone="keyline")
        made.setAutoFillBackground(True)
        return made

    image = picture(Exhibit("weak", build, (200, 40)))
    ink, room, least, _what = next(each for each in painted.inks if each[3] == "hardly seen")
    ground = _ground(image, room, QColor(ink))
    assert ground is not None
    assert contrast(ink, ground) < least
