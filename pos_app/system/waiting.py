"""Waiting until a socket or a device takes or gives something, however many files the process has open.

`select.select` refuses every number from 1024 on, with an error that says nothing about the device.
"""

from __future__ import annotations

import selectors
import socket

_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""Windows has no poll, and its select no such limit."""


def can_read(what: socket.socket | int, seconds: float) -> bool:
    """Whether something has come, or its end, within so many seconds; 0 or less: now."""
    return _within(what, selectors.EVENT_READ, seconds)


def can_write(what: socket.socket | int, seconds: float) -> bool:
    """Whether it takes something, or has broken, within so many seconds; 0 or less: now."""
    return _within(what, selectors.EVENT_WRITE, seconds)


def _within(what: socket.socket | int, event: int, seconds: float) -> bool:
    with _Selector() as selector:
        selector.register(what, event)
        return bool(selector.select(seconds))
