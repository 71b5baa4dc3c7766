"""Keeps figures, ids and Latin names in one piece inside a line that is read from the right. Shows nothing."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

ISOLATE, END = "\u2066", "\u2069"

_FROM_RIGHT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe"
# Patterns as texts: most tills never need them, and none does for its first paint.
_RIGHT = f"[{_FROM_RIGHT}]"
_PIECES = rf"([{_FROM_RIGHT}]+|[\n·→←|؛،]|(?<=[0-9])[,;:] (?=[0-9]))"
"""What is read from the right, and what stands between things that are each read by themselves."""

_EDGES = r"(?s)^([\s.,:;!?…()\[\]{}\"'“”‘’«»–—/]*)(.*?)([\s.,:;!?…()\[\]{}\"'“”‘’«»–—/]*)$"
_OPENED = {")": "(", "]": "["}
_SENTENCE = r"(?s).*[A-Za-z][)\]\"'”’»]*[.!?…]"
"""What a system or a service said in English, whole: its last point stands where it ends."""


def as_read(text: str) -> str:
    """The text for drawing: in a line from the right, what is read from the left is isolated.

    Without that "+94 •• ••• 321" would be drawn as "321 ••• •• 94+". Never for what is kept or edited.
    """
    if _reads_from_right() or is_from_right(text):
        pieces = re.split(_PIECES, text)
        if set(pieces[1::2]) <= {"\n"} and re.fullmatch(_SENTENCE, text):
            return "\n".join(f"{ISOLATE}{line}{END}" for line in pieces[::2])
        return "".join(_isolated(piece, is_first=not at) for at, piece in enumerate(pieces))
    return text


def is_from_right(text: str) -> bool:
    """Whether any of it is written from the right."""
    return not text.isascii() and re.search(_RIGHT, text) is not None


def _reads_from_right() -> bool:
    return QGuiApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft


def _isolated(piece: str, *, is_first: bool) -> str:
    match = re.match(_EDGES, piece)
    if match is None or not match[2] or re.fullmatch(_PIECES, piece):
        return piece
    before, kept, after = match[1], match[2], match[3]
    if before.endswith("/") and (before[:-1].endswith((" ", "\n")) or (is_first and before == "/")):
        # A path begins with it.
        before, kept = before[:-1], f"/{kept}"
    if after.startswith("://"):
        # How an address begins.
        kept, after = f"{kept}://", after[3:]
    if after[:1] in _OPENED and _OPENED[after[0]] in kept:
        kept, after = kept + after[0], after[1:]
    return f"{before}{ISOLATE}{kept}{END}{after}"
