"""What the locked till says in English, and the menu of the person at it. No logic."""

from __future__ import annotations

from pos_app.i18n.table import Plural, Table


class Lock(Table):
    """The words; English until told otherwise."""

    LOCKED = "Locked"
    LOCKED_BY = "{name} is at this till"
    NOBODY = "Nobody is signed in"
    RUNNING = Plural(one="1 payment is running", other="{count} payments are running")
    ATTENTION = Plural(one="1 payment needs somebody", other="{count} payments need somebody")
    COUNTER = "Counter {id}"
    CLOCK = "Clock"

    MENU_LOCK = "Lock the till"
    MENU_LOCK_MORE = "Your amount stays. Payments under way go on."
    MENU_SWITCH = "Switch to another cashier"
    MENU_SWITCH_MORE = "They sign in; you come back without an SMS."
    MENU_DAY = "Takings"
    MENU_DAY_MORE = "What was taken so far, and closing the day."
    MENU_PASSCODE = "Change the passcode"
    MENU_PASSCODE_MORE = "What you unlock this till with."
    MENU_SIGN_OUT = "Sign out"
    MENU_SIGN_OUT_MORE = "To come back takes a code by SMS."
    MENU_CLOSE = "Close"

    OPEN = Plural(
        one="1 payment of yours is still open. It goes on; its result is shown when you, or a manager, are here again.",
        other="{count} payments of yours are still open. They go on; their results are shown when you, or a manager, "
        "are here again.",
    )

    def running(self, count: int) -> str:
        """How many payments run behind the lock; no amount, no number."""
        return self.RUNNING.of(count) if count else ""

    def attention(self, count: int) -> str:
        """How many wait for a decision."""
        return self.ATTENTION.of(count) if count else ""

    def still_open(self, count: int) -> str:
        """What a person who signs out leaves behind."""
        return self.OPEN.of(count) if count else ""


words = Lock()
