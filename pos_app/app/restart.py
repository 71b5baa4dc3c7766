"""Ends a session and begins the next one on changed settings; if that fails, the old one again."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.app.session import Session
from pos_app.app.settings.changes import Stored
from pos_app.bootstrap.errors import CommandError
from pos_app.i18n.words.settings import words


def begin_anew(old: Session, stored: Stored, make: Callable[[], Session]) -> Session | None:
    """The session that is to be shown; None when neither can be had, which a start will tell.

    Only with no payment open: whoever stored the change has seen to that.
    """
    if not old.stop():
        # A thread that does not end still has the journal: nothing can be begun beside it.
        return None
    try:
        session = make()
    except CommandError as error:
        if stored.undo is not None:
            stored.undo.put_back()
        return _again(make, stored, str(error))
    if stored.undo is not None:
        stored.undo.let_go()
    session.note_begun_anew(stored)
    return session


def _again(make: Callable[[], Session], stored: Stored, why: str) -> Session | None:
    try:
        session = make()
    except CommandError:
        return None
    session.note_not_begun(stored, words.NOT_OPENED.format(why=why))
    return session
