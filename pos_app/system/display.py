"""Whether there is a screen to open a window on."""

from __future__ import annotations

import os
import sys


def has_display() -> bool:
    """Whether a window can be shown; Qt itself would end the process without a word of ours."""
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] in (
        "offscreen",
        "minimal",
        "vnc",
        "linuxfb",
        "eglfs",
    ):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
