"""Whether this counter belongs to a store: how its own journal says so, and what is told of it. Pure.

Joined and left are events of the journal, never the store's word. They hold the installation that joined: a till that
took another id (rule 20, or "begin anew") is nobody's until it joins anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import NamedTuple

import msgspec

from pos_app.domain.record import Record

SUBJECT = "store"
"""The subject of these events."""

JOINED = "STORE_JOINED"
"""A store took this counter in: `address`, `store_id`, `store_name`, `shop_name`, `counter`, `installation_id`."""

LEFT = "STORE_LEFT"
"""This counter is no store's any more: `store_id`, `installation_id`, `told`: whether the store has heard it."""

BEHIND = "STORE_BEHIND"
"""The store holds less than it had acknowledged: `held`, `acknowledged`, `epoch`. It is sent again."""

CONVICTED = "STORE_CONVICTED"
"""The store showed this counter's own signature over another history: `why`, `first`, `last`, `head`,
`installation_id`. No new payments under this identity, as with rule 18."""

HINTED = "STORE_HINTED"
"""What the store was told by this installation and the journal does not hold has been taken up: `entered`, `others`."""


class Conviction(StrEnum):
    """What a counter's own signature says against it."""

    NONE = ""
    FORK = "fork"
    """It signed another event where its journal has one: a copy of this folder sells, too."""
    OLDER = "older"
    """It signed events that its journal does not have: a folder that was put back."""


class StoreState(StrEnum):
    """How it stands with the store."""

    NONE = ""
    """This counter is no store's."""
    WELL = "well"
    LOST = "lost"
    """It does not answer, or answers something else."""
    REFUSED = "refused"
    """It does not know this counter's key, or has taken it back: join anew, or ask the owner."""
    REJOIN = "rejoin"
    """This till has another installation id than the one that joined."""
    STRANGE = "strange"
    """It says of this counter what this counter never signed: nothing is sent there."""
    STOPPED = "stopped"
    """This counter's own signature convicts it: nothing is sent under this identity."""


class StoreView(msgspec.Struct, frozen=True, kw_only=True):
    """The store at a glance. `waiting`: so many events it has not acknowledged; `since`: the wall of its last word.

    `why`: for people, in words of no language: a refusal's code, or an error's name.
    """

    state: StoreState = StoreState.NONE
    store_name: str = ""
    shop_name: str = ""
    counter: str = ""
    waiting: int = 0
    since: str = ""
    why: str = ""
    conviction: Conviction = Conviction.NONE

    @property
    def is_member(self) -> bool:
        """Whether this counter belongs to one, so that it can be asked."""
        return self.state not in (StoreState.NONE, StoreState.REJOIN)


class Membership(msgspec.Struct, frozen=True, kw_only=True):
    """The store that this counter belongs to, and as which installation it joined."""

    address: str
    store_id: str
    installation_id: str
    store_name: str = ""
    shop_name: str = ""
    counter: str = ""

    @property
    def journal_there(self) -> str:
        """This counter's journal at that store: another store has acknowledged nothing of it."""
        return f"{self.installation_id} {self.store_id}"


class NotJoined(StrEnum):
    """Why a counter was not taken in by a store, or did not leave one."""

    NONE = ""
    NO_ADDRESS = "no_address"
    """No counter talks to such an address."""
    OTHER_STORE = "other_store"
    """The settings name another one."""
    ALREADY = "already"
    """It belongs to one."""
    NO_STORE = "no_store"
    """It belongs to none."""
    REFUSED = "refused"
    OTHERWISE = "otherwise"
    """The store knows this till as another counter, or of another shop, and says as which."""
    AWAY = "away"
    BUSY = "busy"
    CANNOT_RECORD = "cannot_record"


class MembershipNews(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a wish to join a store or to leave it, before it is recorded: nothing with a `problem`.

    `said`: the store's own words, or the settings' address.
    """

    problem: NotJoined = NotJoined.NONE
    said: str = ""


class MembershipDoor(NamedTuple):
    """The way from the window to whoever talks to a store; each tells its news on a thread of its own.

    `join(request_id, address, code, who, tell)`, `leave(request_id, who, tell)`: what came of it without a problem is
    recorded by the engine then, under that request and in that name. `address()`: the one that the settings name.
    """

    join: Callable[[str, str, str, str, Callable[[MembershipNews], None]], None]
    leave: Callable[[str, str, Callable[[MembershipNews], None]], None]
    address: Callable[[], str]


def membership_in(events: Iterable[Record]) -> Membership | None:
    """What the events of SUBJECT, oldest first, come to; None for a counter that is no store's."""
    found: Membership | None = None
    for each in events:
        if each.kind == JOINED:
            fields = {name: str(each.content.get(name, "")) for name in Membership.__struct_fields__}
            found = Membership(**fields)
        elif each.kind == LEFT:
            found = None
    return found
