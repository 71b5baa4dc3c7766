"""Signing in at the real window with a code from the sandbox's SMS, or a passcode: for the tour and the bench."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt

from pos_app.tour.stage import Stage

PASSCODE = "704918"
Key = Qt.Key


def first_sign_in(stage: Stage, sms: Callable[[], str], pictures: str = "") -> None:
    """The chosen name's code, then a passcode of their own. `pictures`: under which names they are kept."""
    stage.see("people")
    stage.picture(f"{pictures}sign-in")
    stage.key(Key.Key_Return)
    code = stage.wait("the SMS", sms)
    stage.picture(f"{pictures}code")
    # The message may be there before the till has heard that it was sent.
    stage.wait("the code's field takes digits", lambda: stage.has_focus("code"))
    stage.type(code)
    stage.wait("a passcode is asked for", lambda: stage.has_focus("new_passcode"))
    stage.type(PASSCODE)
    stage.picture(f"{pictures}choose-passcode")
    stage.key(Key.Key_Return)
    stage.wait("it is asked for again", lambda: stage.has_focus("passcode_again"))
    stage.type(PASSCODE)
    stage.key(Key.Key_Return)
    stage.wait("signed in", lambda: stage.find("sign_in") is None)


def unlock(stage: Stage, passcode: str = PASSCODE) -> None:
    """The passcode of whoever is asked for it."""
    stage.wait("the passcode's field takes digits", lambda: stage.has_focus("passcode"))
    stage.type(passcode)
    stage.key(Key.Key_Return)
    stage.wait("unlocked", lambda: stage.find("sign_in") is None)
