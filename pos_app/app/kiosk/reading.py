"""What the safe screen tells of this counter, read from settings and journal whoever uses them. Writes nothing."""

from __future__ import annotations

import argparse
import importlib.metadata
from datetime import datetime

from pos_app.app.faces import face_of
from pos_app.commands.errors import CommandError
from pos_app.commands.opening import in_language, open_reading, settings_ahead
from pos_app.commands.unsettled import unsettled
from pos_app.domain.attempt import Attempt
from pos_app.journal import JournalError
from pos_app.ui.face import Face
from pos_app.ui.kiosk.safe_screen import Told


def told(arguments: argparse.Namespace, *, why: str = "") -> Told:
    """As it is now. `why`: it cannot open; without it, it crashed too often."""
    face = _face(arguments)
    return Told(
        stopped=not why,
        why=why,
        payments=_payments(arguments, face) if face is not None else None,
        face=face,
        version=_version(),
        time=datetime.now().astimezone().strftime("%H:%M"),
    )


def _version() -> str:
    try:
        return importlib.metadata.version("pos-app")
    except importlib.metadata.PackageNotFoundError:
        return "?"


def _face(arguments: argparse.Namespace) -> Face | None:
    try:
        return face_of(in_language(settings_ahead(arguments), arguments))
    except CommandError:
        return None


def _payments(arguments: argparse.Namespace, face: Face) -> tuple[Attempt, ...] | None:
    try:
        book = open_reading(arguments, face.environment.value)
        if book is None:
            return ()
        try:
            return tuple(unsettled(book))
        finally:
            book.close()
    except (CommandError, JournalError):
        return None
