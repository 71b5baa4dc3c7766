"""What is said of the central store at this counter: to managers, in passing. No payment waits for it."""

from __future__ import annotations

from datetime import datetime

from pos_app.domain.membership import Conviction, StoreState, StoreView
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
    OLDER = "This till’s data is an older copy that was put back. Payments it does not know are asked of the service."

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
