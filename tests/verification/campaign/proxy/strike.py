"""Sets a case's fault, notes when it has struck, and takes it away again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

from pos_app.domain.replies import NoAnswer, Why
from tests.verification.campaign.proxy import matrix
from tests.verification.campaign.proxy.case import Case
from tests.verification.campaign.proxy.counter import Counter
from tests.verification.campaign.proxy.diary import Entry, Met, Rested, Took
from tests.verification.campaign.proxy.proxy import Armed, Handshake, Play
from tests.verification.campaign.proxy.shop import Shop
from tests.verification.campaign.proxy.wire import Wire, reply_of

OVER_LIMIT_S = 30.0


class Turn(NamedTuple):
    """The till learnt of the fault by `fact`; all it had taken in and said by the end of that turn, and how long that
    took.
    """

    fact: object
    entries: Sequence[Entry]
    seconds: float


class Strike:
    """One fault on one counter."""

    def __init__(self, case: Case, shop: Shop, counter: Counter) -> None:
        self._fault = case.fault
        self._counter = counter
        self._shop = shop
        self.struck = threading.Event()
        self._armed: Armed | None = None
        self._second: Armed | None = None
        if case.fault.play is not None:
            self._armed = Armed(matrix.COLUMNS[case.column], case.fault.play, case.times, self._met)

    def begin(self) -> None:
        """From now on, or at the next exchange that fits."""
        fault, proxy = self._fault, self._counter.proxy
        if self._armed is not None:
            proxy.arm(self._armed)
            return
        if fault.line:
            self._counter.road.state = fault.line
        elif fault.identity in self._shop.identities.bad:
            proxy.context = self._shop.identities.bad[fault.identity]
        else:
            proxy.handshake = _HANDSHAKES[fault.identity]
        proxy.cut()
        self._met()

    def begin_second(self, play: Play, operation: str) -> None:
        """Another fault, once the first is over; it may find no exchange that fits."""
        self._second = Armed(operation, play, 1, lambda: None)
        self._counter.proxy.arm(self._second)

    def end_second(self) -> None:
        """What has begun of it has come to its end when this returns."""
        self._counter.proxy.arm(None)
        if self._second is not None and not self._second.times and not self._second.over.wait(OVER_LIMIT_S):
            raise AssertionError("the second fault never came to its end")

    def end(self) -> None:
        """The line is well again; what was to arrive late has arrived when this returns."""
        self._counter.road.mend()
        if self._fault.identity:
            self._counter.proxy.handshake = None
            self._counter.proxy.context = self._shop.identities.good
        if self._armed is not None:
            self._counter.proxy.arm(None)
            if not self._armed.over.wait(OVER_LIMIT_S):
                raise AssertionError("the fault never came to its end")

    def _met(self) -> None:
        if not self.struck.is_set():
            self.struck.set()
            self._counter.diary.add(Met())

    def turn(self, entries: Sequence[Entry], kind: type, attempt_id: str = "") -> Turn | None:
        """The first fact of a kind since the fault struck, once the engine has done with it."""
        struck = False
        for at, entry in enumerate(entries):
            if isinstance(entry, Met):
                struck = True
            elif struck and isinstance(entry, Took) and isinstance(entry.event, kind):
                if attempt_id and getattr(entry.event, "attempt_id", "") != attempt_id:
                    continue
                if self._armed is None and self._was_under_way(entry.event):
                    continue
                return _whole(entry, entries, at)
        return None

    def _was_under_way(self, fact: object) -> bool:
        """An exchange whose connection was cut under it as the fault began, or that had its answer by then."""
        reply = getattr(fact, "reply", None)
        if isinstance(reply, NoAnswer):
            return reply.sent and (reply.why is Why.BROKEN or not self._fault.may_pass)
        return not self._fault.may_pass


def _whole(entry: Took, entries: Sequence[Entry], at: int) -> Turn | None:
    for end in range(at + 1, len(entries)):
        rested = entries[end]
        if isinstance(rested, Rested):
            return Turn(entry.event, tuple(entries[: end + 1]), rested.at - entry.at)
    return None


def _garbage(wire: Wire) -> None:
    wire.send(b"\x16\x03\x03\xff\xff" + bytes(99))
    wire.close()


def _hang_up(wire: Wire) -> None:
    wire.close()


def _plain(wire: Wire) -> None:
    wire.send(reply_of(b"<html>please log in</html>", "200 OK", "text/html"))
    wire.close()


_HANDSHAKES: dict[str, Handshake] = {
    "garbage in the handshake": _garbage,
    "hang-up in the handshake": _hang_up,
    "plain": _plain,
}
