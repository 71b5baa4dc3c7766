"""Whether somebody can type at this machine by keys that can be felt. Linux alone says so."""

from __future__ import annotations

from pathlib import Path

DEVICES = Path("/proc/bus/input/devices")

_WORD = 64
_LETTERS = 0xFFFFFFFE
"""The keys from Escape to D: who has all of them is a keyboard, as udev judges it."""
_POINTS = (0x110, 0x14A)
"""A mouse's left button, and a finger on a touch screen."""


def is_keyless(devices: Path = DEVICES) -> bool:
    """Whether there is something to point with and no keyboard. False where the system does not say.

    A barcode scanner calls itself a keyboard, and so does many a socket with nothing in it: a keyboard that is told
    of here may not be there.
    """
    try:
        told = devices.read_text("utf-8", "replace")
    except OSError:
        return False
    keys = [_keys(device) for device in told.split("\n\n")]
    has_keyboard = any(each & _LETTERS == _LETTERS for each in keys)
    return not has_keyboard and any(each >> bit & 1 for each in keys for bit in _POINTS)


def _keys(device: str) -> int:
    """A bit for each key that it has; its words stand with the highest first."""
    for line in device.splitlines():
        name, _, bits = line.partition("=")
        if name == "B: KEY":
            found = 0
            try:
                for word in bits.split():
                    found = found << _WORD | int(word, 16)
            except ValueError:
                return 0
            return found
    return 0
