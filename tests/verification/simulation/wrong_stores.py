"""Wrong stores, and tills that tell a store what they should not or believe what they should not."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from msgspec.structs import replace

from pos_app.domain import whitelist
from pos_app.domain.shipping import Verdict, read_header
from pos_app.engine.core import store_desk
from pos_app.engine.shipping import Shipper
from pos_app.journal.device import Device
from pos_app.services.errors import ConnectFailed
from pos_app.store import days
from pos_app.store.days import StoreDay
from pos_app.store.pages.figures import Counter
from tests.support.model_store import Line, ModelStore
from tests.verification.simulation.owner import Owners
from tests.verification.simulation.planting import Planter
from tests.verification.simulation.store import SimStore


def acknowledged_before_the_commit(planter: Planter) -> None:
    """The answer is out, and then the store dies in the commit."""
    before: dict[int, Any] = {}

    def keep(self: SimStore, held: Any, batch: Any) -> None:
        was = deepcopy(self.disk)
        try:
            right(self, held, batch)
        except ConnectFailed:
            before[id(self)] = was
            self.write(held, batch)
            self.move_head(held, batch)

    def called(self: Any, name: str) -> None:
        was = before.pop(id(self._store), None)
        if was is not None:
            self._store.disk = was
            self._store.sessions.clear()
        right_call(self, name)

    right = planter.put(SimStore, "keep", keep)
    right_call = planter.put(Line, "_called", called)


def head_outside_the_transaction(planter: Planter) -> None:
    """It moves first; what it stands for comes after, or never."""

    def keep(self: SimStore, held: Any, batch: Any) -> None:
        self.move_head(held, batch)
        right(self, held, batch)

    right = planter.put(SimStore, "keep", keep)


def sums_again_for_what_is_held(planter: Planter) -> None:
    """A batch that comes twice is told from the head, and counted twice."""

    def verdict(self: ModelStore, held: Any, *asked: Any) -> Verdict:
        found: Verdict = right(self, held, *asked)
        if found is Verdict.HAVE:
            for event in asked[-1]:
                told = self.disk.attempts.get(event.subject)
                if told is not None:
                    self.count(told, 1)
        return found

    right = planter.put(ModelStore, "verdict", verdict)


def fork_overwrites(planter: Planter) -> None:
    """The newer of two histories is believed."""

    def verdict(self: ModelStore, held: Any, first: int, *asked: Any) -> Verdict:
        found: Verdict = right(self, held, first, *asked)
        if found is Verdict.FORK:
            held.batches = [each for each in held.batches if each.events[-1].seq < first]
            return Verdict.TAKEN
        return found

    right = planter.put(ModelStore, "verdict", verdict)


def recovered_counted_twice(planter: Planter) -> None:
    """What two journals tell of one payment is two payments."""

    def tell(self: ModelStore, life: int, seq: int, attempt: dict[str, object]) -> None:
        right(self, life, seq, {**attempt, "attempt_id": f"{life}/{attempt['attempt_id']}"})

    right = planter.put(ModelStore, "tell", tell)


def still_takes_what_was_revoked(planter: Planter) -> None:
    """The token was good when it was given."""

    def revoke(self: ModelStore, installation: str) -> None:
        right(self, installation)
        self.revoked.discard(installation)

    right = planter.put(ModelStore, "revoke", revoke)


def fork_believed_unsigned(planter: Planter) -> None:
    """The store says so."""

    def own(_self: Any, shown: Any, _installation: str) -> Any:
        return None if shown is None else read_header(shown.header)

    planter.put(Device, "own", own)


def not_sent_again_to_a_store_behind(planter: Planter) -> None:
    """Acknowledged is acknowledged."""

    def hold(self: Any, journal_there: str, head: Any) -> None:
        known = self._acknowledged.of(journal_there)
        if head.seq < known:
            head = type(head)(seq=known, mac=self._outbox.mac_at(known), epoch=head.epoch, proof=head.proof)
        right(self, journal_there, head)

    right = planter.put(Shipper, "_hold", hold)


def takes_the_store_s_word_for_paid(planter: Planter) -> None:
    """What the store was told of a payment is entered as it was told."""
    planter.put(store_desk, "in_doubt", lambda attempt, _now: attempt)


def hint_never_asked(planter: Planter) -> None:
    """What the folder forgot stays forgotten."""
    planter.put(Shipper, "_hint", lambda *_asked: None)


def ships_the_code(planter: Planter) -> None:
    """The text of the code leaves the till."""
    planter.put(whitelist, "OF_ATTEMPT", whitelist.OF_ATTEMPT | {"qr_text"})


def shops_set_per_session(planter: Planter) -> None:
    """Whoever reads sees what whoever had the connection before was shown, too."""
    before: set[int] = set()

    def shown(self: Owners, shop: int) -> frozenset[int]:
        before.update(right(self, shop))
        return frozenset(before)

    right = planter.put(Owners, "shown", shown)


def late_z_into_a_signed_day(planter: Planter) -> None:
    """A day is what its Zs are now."""

    def assembled(
        shop: int, name: str, now: Any, zs: Any, signed: Any, counters: Any, told: Any, *more: Any
    ) -> list[StoreDay]:
        by_date = {day.business_date: day.signature for day in signed.values()}
        found = right(shop, name, now, zs, {}, counters, told, *more)
        return [replace(day, signature=by_date.get(day.business_date)) for day in found]

    right = planter.put(days, "assembled", assembled)


def sum_without_who_is_missing(planter: Planter) -> None:
    """It looks better without."""
    planter.put(Counter, "is_missing", lambda _self, _now: False)
    planter.put(Counter, "is_catching_up", False)


def changed_without_an_act(planter: Planter) -> None:
    """What was done is seen; who did it is not."""
    planter.put(Owners, "_act", lambda _self, _act: None)
