"""Where the till stands on the screen, and the customer's phone beside it. Moves nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize

LEAST = QSize(1024, 680)
"""Smaller than this the till is no till; then what is beside it stands in front of its edge."""

PHONE, PHONE_LEAST = QSize(380, 730), QSize(340, 640)
"""What the course and the phone take, and what they make do with where their place leaves no more."""

SHEET_MOST = 1_000
"""The course and the phone below each other, with room for both."""

STRIP = 82
"""What they take when they are made small: the band, and one line with a button."""

GAP = 12

FRAME = 40
"""What a desktop's frame may take above a window: what has its title bar off the screen cannot be moved."""


def till_place(room: QRect, *, phone: bool) -> QRect:
    """The till in all of the screen's free room that the phone leaves, with room for its frame above it."""
    beside = PHONE.width() + GAP if phone else 0
    width = max(LEAST.width(), room.width() - beside)
    below = STRIP if phone and room.width() - PHONE_LEAST.width() < LEAST.width() else 0
    frame = max(0, min(FRAME, room.height() - below - LEAST.height()))
    height = max(LEAST.height(), room.height() - below - frame)
    return QRect(room.left(), room.top() + frame, width, height)


def fills(room: QRect) -> bool:
    """Whether the screen's free room is one that the till can fill."""
    return room.width() >= LEAST.width() and room.height() >= LEAST.height()


_FARTHEST = 1_000_000
"""No screen is as far from the first one."""


def remembered(text: str, rooms: Sequence[QRect]) -> tuple[QRect, bool] | None:
    """Where a window stood, and whether it filled its screen, as `written` said it; None where it cannot stand now."""
    try:
        left, top, width, height, filled = (int(each) for each in text.split())
    except ValueError:
        return None
    if max(abs(each) for each in (left, top, width, height)) > _FARTHEST:
        return None
    place = QRect(left, top, width, height)
    is_ours = width >= LEAST.width() and height >= LEAST.height() and filled in (0, 1)
    is_seen = any(room.contains(place) for room in rooms)
    return (place, bool(filled)) if is_ours and is_seen else None


def written(place: QRect, *, filled: bool) -> str:
    """What `remembered` reads."""
    return f"{place.left()} {place.top()} {place.width()} {place.height()} {int(filled)}\n"


def sheet_places(room: QRect, till: QRect, *, mirrored: bool = False) -> tuple[QRect, QRect]:
    """Where the course and the phone stand: right of the till, or in front of it where its lines end; and made small.

    `mirrored`: they are read from the right.
    """
    left = max(room.left(), min(till.right() + 1 + GAP, room.right() + 1 - PHONE_LEAST.width()))
    width = min(PHONE.width(), room.right() + 1 - left)
    if mirrored and left <= till.right():
        left = room.left()
    height = min(SHEET_MOST, room.height())
    top = max(room.top(), min(till.top(), room.bottom() + 1 - height))
    small = QRect(till.left(), room.bottom() + 1 - STRIP, till.width(), STRIP)
    return QRect(left, top, width, height), small
