"""Where the till stands on the screen, and the customer's phone beside it. Moves nothing itself."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize

WANTED = QSize(1366, 768)
LEAST = QSize(1024, 700)
"""Smaller than this the till is no till; then the phone stands in front of its edge."""

PHONE, PHONE_LEAST = QSize(380, 730), QSize(340, 640)
"""What the phone takes, and what it makes do with where its place leaves no more."""

GAP = 12


def till_place(room: QRect, *, phone: bool) -> QRect:
    """The till in the middle of the screen's free room, the phone counted in."""
    beside = PHONE.width() + GAP if phone else 0
    width = max(LEAST.width(), min(WANTED.width(), room.width() - beside))
    height = max(LEAST.height(), min(WANTED.height(), room.height()))
    left = room.left() + max(0, (room.width() - width - beside) // 2)
    top = room.top() + max(0, (room.height() - height) // 2)
    return QRect(left, top, width, height)


def phone_place(room: QRect, till: QRect) -> QPoint:
    """Right of the till; where there is no room, at the screen's right edge."""
    left = min(till.right() + 1 + GAP, room.right() + 1 - PHONE_LEAST.width())
    top = min(till.top(), room.bottom() + 1 - PHONE.height())
    return QPoint(max(room.left(), left), max(room.top(), top))
