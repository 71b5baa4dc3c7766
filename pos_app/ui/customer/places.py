"""Where everything stands on the customer's screen, by its size and shape. Pure arithmetic, no widget."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QMargins, QRect

from pos_app.ui.customer.seen import View

NOWHERE = QRect()
_BESIDE = (View.CODE, View.PHONE)


class Places(NamedTuple):
    """Rooms in logical pixels; an invalid one is not shown. `unit`: a hundredth of the shorter side."""

    unit: float
    shop: QRect
    picture: QRect
    headline: QRect
    amount: QRect
    more: QRect
    steps: QRect
    is_beside: bool = False


def places(room: QRect, view: View) -> Places:
    """All rooms of a view inside `room`, which the band does not cover."""
    unit = min(room.width(), room.height()) / 100
    if view is View.IDLE:
        return _idle(room, unit)
    header = round(13 * unit)
    body = room.adjusted(0, header, 0, 0).marginsRemoved(_margins(unit))
    shop = QRect(room.x(), room.y(), room.width(), header)
    if view not in _BESIDE:
        return _centred(shop, body, unit)
    return _beside(shop, body, unit) if body.width() > body.height() else _stacked(shop, body, unit)


def _idle(room: QRect, unit: float) -> Places:
    body = room.marginsRemoved(_margins(unit))
    picture, shop, headline, more = _rows(body, (8, 34, 26, 16, 12, 8))[1:5]
    return Places(unit, shop, picture, headline, NOWHERE, more, NOWHERE)


def _centred(shop: QRect, body: QRect, unit: float) -> Places:
    picture, headline, amount, more = _rows(body, (1, 34, 25, 19, 20, 1))[1:5]
    return Places(unit, shop, picture, headline, amount, more, NOWHERE)


def _beside(shop: QRect, body: QRect, unit: float) -> Places:
    """The code at the left, the words at the right."""
    side = min(body.height(), round(body.width() * 0.52))
    picture = QRect(body.x(), body.y() + (body.height() - side) // 2, side, side)
    words = body.adjusted(side + round(5 * unit), 0, 0, 0)
    _above, amount, headline, more, _gap, steps = _rows(words, (2, 26, 21, 24, 3, 24))
    return Places(unit, shop, picture, headline, amount, more, steps, is_beside=True)


def _stacked(shop: QRect, body: QRect, unit: float) -> Places:
    """Amount, code, words, steps, one below the other."""
    side = min(body.width(), round(body.height() * 0.55))
    rest = body.height() - side
    amount = QRect(body.x(), body.y(), body.width(), round(rest * 0.24))
    picture = QRect(body.x() + (body.width() - side) // 2, amount.bottom() + 1, side, side)
    below = QRect(body.x(), picture.bottom() + 1, body.width(), body.bottom() - picture.bottom())
    headline, more, _gap, steps = _rows(below, (30, 30, 6, 34))
    return Places(unit, shop, picture, headline, amount, more, steps)


def _margins(unit: float) -> QMargins:
    side = round(5 * unit)
    return QMargins(side, round(4 * unit), side, round(5 * unit))


def _rows(room: QRect, shares: tuple[int, ...]) -> list[QRect]:
    """The room cut into rows by hundredths of its height."""
    ends = [round(room.height() * sum(shares[: at + 1]) / 100) for at in range(len(shares))]
    tops = [0, *ends]
    return [
        QRect(room.x(), room.y() + top, room.width(), end - top) for top, end in zip(tops, ends, strict=False)
    ]
