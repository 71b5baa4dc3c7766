"""No till is opened while its program is being replaced: half of it would be the old one, half the new one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.system.updating import Presence, is_updating

LOOK_S = 1.0
"""As a window does; whoever updates waits three for those that are there."""


class UpdatingError(CommandError):
    """The program is being replaced just now; nothing was opened."""


def come_in() -> Presence:
    """To be ended by whoever gives the journal up. Raises UpdatingError."""
    refuse_while_updating()
    presence = Presence()
    presence.begin()
    return presence


def refuse_while_updating() -> None:
    """Once more behind the journal's lock: whoever updates raises the flag first and looks for tills then, a till
    comes in first and looks for the flag then, so that one of the two sees the other. Raises UpdatingError."""
    if is_updating():
        raise UpdatingError(
            Exit.UPDATING, "the till is being updated just now: nothing was opened; try again in a minute"
        )


@contextmanager
def seen(presence: Presence) -> Iterator[None]:
    """For a verb, which has no window that looks: the files by which an update knows of a till may be made, or made
    anew, while it is at work."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(LOOK_S):
            if presence.has_news():
                presence.look()

    looks = threading.Thread(target=look, name="presence", daemon=True)
    looks.start()
    try:
        yield
    finally:
        over.set()
        looks.join()
