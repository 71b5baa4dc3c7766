"""Where the till stands on the screen, and the customer's phone beside it. Moves nothing itself."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize

WANTED = QSize(1366, 768)
LEAST = QSize(1024, 680)
"""Smaller than this the till is no till; then what is beside it stands in front of its edge."""

PHONE, PHONE_LEAST = QSize(380, 730), QSize(340, 640)
"""What the course and the phone take, and what they make do with where their place leaves no more."""

SHEET_MOST = 1_000
"""The course and the phone below each other, with room for both."""

STRIP = 82
"""What they take when they are made small: the band, and one line with a button."""

GAP = 12


def till_place(room: QRect, *, phone: bool) -> QRect:
    """The till in the middle of the screen's free room, the phone counted in."""
    beside = PHONE.width() + GAP if phone else 0
    width = max(LEAST.width(), min(WANTED.width(), room.width() - beside))
    below = STRIP if phone and room.width() - PHONE_LEAST.width() < LEAST.width() else 0
    height = max(LEAST.height(), min(WANTED.height(), room.height() - below))
    left = room.left() + max(0, (room.width() - width - beside) // 2)
    top = room.top() + max(0, (room.height() - height - below) // 2)
    return QRect(left, top, width, height)


def sheet_places(room: QRect, till: QRect) -> tuple[QRect, QRect]:
    """Where the course and the phone stand: right of the till, or at the screen's right edge; and made small."""
    left = max(room.left(), min(till.right() + 1 + GAP, room.right() + 1 - PHONE_LEAST.width()))
    width = min(PHONE.width(), room.right() + 1 - left)
    height = min(SHEET_MOST, room.height())
    top = max(room.top(), min(till.top(), room.bottom() + 1 - height))
    small = QRect(till.left(), room.bottom() + 1 - STRIP, till.width(), STRIP)
    return QRect(left, top, width, height), small
