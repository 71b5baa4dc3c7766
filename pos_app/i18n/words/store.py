"""What is said of the central store at this counter: to managers, in passing. No payment waits for it."""

from __future__ import annotations

from datetime import datetime

from pos_app.domain.membership import Conviction, NotJoined, StoreState, StoreView
from pos_app.i18n.table import Plural, Table


class Store(Table):
    """The words; English until told otherwise."""

    WELL = "Central store {store}, {shop}: it knows all that this counter did."
    LOST = "Central store {store}, {shop}: not reached since {time}."
    NEVER = "Central store {store}, {shop}: not reached since the start."
    WAITING = Plural(one="{count} entry waits for it.", other="{count} entries wait for it.")
    REFUSED = "The central store {store} does not accept this counter any more. Selling goes on; ask its owner for a new code."
    REJOIN = "The central store {store} does not know this till’s new identity. Selling goes on; ask its owner for a new code."
    STRANGE = "The central store {store} says of this counter what it never did. Nothing is sent there; selling goes on."
    FORK = "A copy of this till’s data sells elsewhere: the central store shows this till’s own signature."
    OLDER = "This till’s data is an older copy that was put back. The service is asked about payments it does not know."

    TITLE = "Central store"
    MENU_MORE = "Join it with a code, or leave it"
    CLOSE = "Close"
    NOT_MEMBER = "This counter belongs to no central store. The owner of one gives a code for each counter; it holds for 15 minutes."
    ADDRESS = "Address"
    CODE = "Code"
    JOIN = "Join"
    LEAVE = "Leave it"
    JOINING = "The central store is being asked…"
    LEAVING = "The central store is being told…"
    JOINED = "Joined. It is told what this counter did, from its first day on."
    LEFT = "This counter belongs to no central store now."
    LEFT_UNTOLD = "This counter belongs to no central store now. The store could not be told: its owner sees this counter as missing."
    BAD_CODE = "A code has 8 letters and digits, for example {example}."
    JOIN_ASK = "Join the central store at {address}?"
    JOIN_WHAT = "It will be told what this counter does: payments, days, names of cashiers; never whole phone numbers, secrets or passcodes. It can change no payment. Your name and reason are recorded."
    JOIN_YES = "Join"
    LEAVE_ASK = "Leave the central store?"
    LEAVE_WHAT = "It is told nothing more, and payments of other counters cannot be looked up here. To come back needs a new code. Your name and reason are recorded."
    LEAVE_YES = "Leave it"
    PROBLEM = {
        NotJoined.NO_ADDRESS: "An address begins with https://, for example {address}.",
        NotJoined.OTHER_STORE: "The settings name another central store, {address}. Nothing was asked.",
        NotJoined.ALREADY: "This counter belongs to a central store already. Leave it first.",
        NotJoined.NO_STORE: "This counter belongs to no central store.",
        NotJoined.REFUSED: "The central store does not accept this code. It may be used or too old: ask its owner for a new one.",
        NotJoined.OTHERWISE: "The central store knows this till as another counter, or in another shop. Set the counter number as it was; or give the till a new identity (F10), then join again: the code still holds. It said: {said}",
        NotJoined.AWAY: "The central store does not answer. Check the address and the network; the code still holds.",
        NotJoined.BUSY: "The central store cannot answer just now. Try again in a moment.",
        NotJoined.CANNOT_RECORD: "It could not be recorded: this counter belongs where it did. Ask for a new code before the next try.",
    }

    def attention(self, view: StoreView) -> str:
        """What a manager has to see to, "" where nothing is to be done."""
        match view.state:
            case StoreState.REFUSED:
                return self.REFUSED.format(store=view.store_name)
            case StoreState.REJOIN:
                return self.REJOIN.format(store=view.store_name)
            case StoreState.STRANGE:
                return self.STRANGE.format(store=view.store_name)
            case StoreState.STOPPED:
                return self.FORK if view.conviction is Conviction.FORK else self.OLDER
            case _:
                return ""

    def standing(self, view: StoreView) -> str:
        """How it stands, for whoever looks; "" at a counter that is no store's."""
        named = {"store": view.store_name, "shop": view.shop_name}
        match view.state:
            case StoreState.NONE:
                return ""
            case StoreState.WELL:
                return self.WELL.format(**named)
            case StoreState.LOST:
                said = (
                    self.LOST.format(time=_time(view.since), **named)
                    if view.since
                    else self.NEVER.format(**named)
                )
                return f"{said} {self.WAITING.of(view.waiting)}" if view.waiting else said
            case _:
                return self.attention(view)


def _time(wall: str) -> str:
    """Of a wall (ISO, with offset): 2026-03-01 14:05."""
    try:
        return datetime.fromisoformat(wall).strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return wall


words = Store()
