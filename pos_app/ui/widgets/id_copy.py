"""The one way from the till to the clipboard: a payment's ids, where a desktop lies behind the till."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtGui import QGuiApplication

_AN_ID = re.compile(r"[A-Za-z0-9-]{1,64}")


def copy_ids(ids: Sequence[str]) -> None:
    """A line each. What is no id is left out: no number, name, secret or code is carried off (threat 15)."""
    QGuiApplication.clipboard().setText("\n".join(each for each in ids if _AN_ID.fullmatch(each)))
