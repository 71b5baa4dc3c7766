"""What the till beside it tells the phone."""

from __future__ import annotations

import msgspec


class CodeOnScreen(msgspec.Struct, frozen=True):
    """What the till's screen shows just now: a QR's text, empty when there is none."""

    qr: str


class Key(msgspec.Struct, frozen=True):
    """The control interface's token."""

    token: str
