"""A run as it can be judged: the service's ledger, the journals, what left the tills, what their screens said."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from pos_app.domain.attempt import Attempt
from pos_app.domain.day import Z
from pos_app.domain.record import Record
from tests.support.model_store import Durable
from tests.support.model_store import Seen as Seen_
from tests.verification.simulation.owner import OfOwners
from tests.verification.simulation.printer import Laid


class Written(msgspec.Struct, frozen=True):
    """A journal's record with its place and the true time of its commit (ms)."""

    seq: int
    at: int
    record: Record


class Line(msgspec.Struct, frozen=True):
    """How the line of a data folder's events began that is not a till's first one: the first `copied` events are
    the `parent` line's. `how`: "put_back", "clone", or "lost" (nothing is copied, something is taken over).
    """

    parent: str
    how: str
    at: int
    copied: int = 0
    copied_at: int = 0
    """When the copy was made (true ms)."""


class Stranger(msgspec.Struct, frozen=True):
    """A list of the service that a till heard showed an id of its own installation which its journal had not."""

    at: int
    till: str
    attempt_id: str


class Sent(msgspec.Struct, frozen=True):
    """A request whose first byte left a till. `seq`: the journal's last durable number at that moment.

    `shown`: a reply of the service had already named this id. `till`: the line of its folder.
    """

    at: int
    till: str
    operation: str
    attempt_id: str
    seq: int
    body: bytes = b""
    shown: bool = False


class Held(msgspec.Struct, frozen=True):
    """A transaction of the service: what it was asked for, and every status with its true time (ms)."""

    external_id: str
    amount: Decimal
    kind: str
    number: str
    merchant_id: str
    timeline: tuple[tuple[int, str], ...]
    live: bool = False
    origin: str = ""
    """The service's address, where there is more than one."""
    asked_by: tuple[str, int] = ("", 0)
    """Whose customer pays here: the line and the number of the INTENT whose bytes made it; "" where nobody looked."""
    sent_by: str = ""
    """The line that sent those bytes: a copy of the folder may send another line's."""
    sent_at: int = 0
    dated: str = ""
    """Its row's date in the service's list."""
    counter_id: int = 0

    def status_at(self, at: int) -> str:
        """The status at a time; empty before it arrived."""
        found = ""
        for since, status in self.timeline:
            if since > at:
                break
            found = status
        return found

    @property
    def status(self) -> str:
        """The last one."""
        return self.timeline[-1][1] if self.timeline else ""


class Seen(msgspec.Struct, frozen=True):
    """A screen said money."""

    at: int
    till: str
    attempt_id: str


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody asked a till to close for an update (true ms). `seq`: the journal's number then.

    `until`: when its time was over, or another request, a kill or whoever left ended it. `clear_at`: when the till
    said that nothing is under way, with `clear_seq` in its journal; None: it never did.
    """

    line: str
    at: int
    seq: int
    until: int
    strict: bool = False
    clear_at: int | None = None
    clear_seq: int = 0


class Moment(msgspec.Struct, frozen=True):
    """What a till had in hand at a time: its attempts, those with something due, those on the list for people."""

    at: int
    till: str
    attempts: tuple[Attempt, ...]
    timed: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    origin: str = ""
    """The service that its settings name."""
    stopped: bool = False
    """It sells nothing, because another copy of its folder does or did."""
    closing: bool = False
    """It sells nothing, because it closes for an update."""


class Told(msgspec.Struct, frozen=True):
    """A till that tells a store, at the end: how it says it stands with it."""

    line: str
    installation: str
    view: str
    alive: bool


class Stored(msgspec.Struct, frozen=True):
    """What a store holds at the end, what it saw, and its tills."""

    disk: Durable
    seen: Seen_
    tills: tuple[Told, ...]
    owners: OfOwners
    roots: tuple[str, ...]
    """The folders that the tills began with, in their order: one is a counter, whatever becomes of it."""


class History(msgspec.Struct, frozen=True, kw_only=True):
    """All of a run. `calm_at`: faults had stopped and every till ran; `calm` are the tills then,
    `settled` a minute and `rested` eight minutes later, `closed` after everything was asked about once more.

    `journals` by line: a till's folder that was put back goes on as another line, and so does each clone.
    """

    journals: dict[str, tuple[Written, ...]]
    lines: dict[str, Line] = {}
    """How each line began that did not begin empty."""
    gaps: dict[str, dict[int, int]] = {}
    """By line, the numbers of the rows that somebody took out of its journal, and when (true ms). They stand in
    `journals` all the same: that is what happened, and the till knows only what was left."""
    asked: frozenset[tuple[str, str, str]] = frozenset()
    """(line, attempt, address) of each ask and each send about an attempt."""
    machines: tuple[tuple[int, str, str], ...] = ()
    """(true ms, line, machine) of each start of a till's process."""
    opened: tuple[tuple[int, str, int], ...] = ()
    """(true ms of a start, line, ms until it could sell) where it lived to see it."""
    strangers: tuple[Stranger, ...] = ()
    looks: tuple[tuple[int, str], ...] = ()
    """(true ms, line) of each list that was made up on its way."""
    cut: int = 0
    """So many rows the service lists at the most; 0: all. `lag`: ms until it lists a new one."""
    lag: int = 0
    held: tuple[Held, ...]
    sent: tuple[Sent, ...] = ()
    seen: tuple[Seen, ...] = ()
    days: tuple[tuple[int, str, Z], ...] = ()
    """(true ms, line, Z) of each Z that a till handed to somebody."""
    messages: tuple[tuple[int, str, str], ...] = ()
    """(true ms, till, number) of each SMS that a till asked for."""
    starts: tuple[tuple[int, str], ...] = ()
    """(true ms, till) of each start of a till's process."""
    calm_at: int = 0
    calm: tuple[Moment, ...] = ()
    settled: tuple[Moment, ...] = ()
    rested: tuple[Moment, ...] = ()
    closed: tuple[Moment, ...] = ()
    closing_at: int = 0
    honest: bool = True
    """E1, E2 and E3 held."""
    live: bool = False
    staffed: bool = False
    """People had to sign in."""
    cashiers_close: bool = False
    """Whoever was signed in could close the day."""
    printing: bool = False
    """The tills print each receipt and each Z by themselves."""
    papers: tuple[Laid, ...] = ()
    """All that came out of printers, in the order of their first parts."""
    closings: tuple[Closing, ...] = ()
    """What each till was asked for by updates."""
    unreadable: tuple[tuple[str, int, int], ...] = ()
    """(line, from, until in true ms) of each time in which nobody could read a till's journal."""
    store: Stored | None = None
    accidents: tuple[str, ...] = ()
    """Exceptions that came out of the engine."""
