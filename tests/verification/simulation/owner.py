"""The owners of the simulation's store: each reads the page of a shop of theirs, signs days and takes keys back.

The tills stand in turn at one shop and at the other. What a day is, which Z stands in it, whether its sums are its
events' and who is missing from a sum is said by the product's own pure code (pos_app/store) over what the store in
memory holds; what row security does with a query, and a trigger with a change, is the database's and is made up here.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import msgspec

from pos_app.domain.shipping import Shipped
from pos_app.store import acts, days
from pos_app.store.acts import Act, Line
from pos_app.store.days import Signature, StoreDay, ZLine
from pos_app.store.pages import figures
from pos_app.store.zs import Finding, Recount, sums_of, z_in
from tests.support.model_store import MONEY, Held
from tests.verification.simulation.store import SimStore

SHOPS = (1, 2)
UNIT = figures.Unit("sandbox", "LKR")
BEGAN = datetime(2023, 1, 1, tzinfo=UTC)
"""The store's clock when a story begins: before the business date of any till, so that each had joined by then."""


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """What stood on a shop's page, and what the store held then."""

    at: int
    shop: int
    counters: tuple[str, ...]
    payments: tuple[str, ...]
    missing: dict[str, int | None]
    """By counter that the sum names as missing: since when (true ms); None: it never told anything."""
    days: dict[str, tuple[str, tuple[tuple[str, ZLine], ...]]]
    """By business date: what is frozen of it, and (counter, Z) of each that stands in it."""
    heads: dict[str, int]
    contacts: dict[str, int]
    """By installation: the newest event held; when it was heard of last."""
    honest: bool
    """The store lied to nobody in the minutes before."""


class Done(msgspec.Struct, frozen=True):
    """A change that an owner made: a day that was signed, a key that was taken back. `said`: what was frozen."""

    at: int
    shop: int
    kind: str
    subject: str
    said: str = ""


class OfOwners(msgspec.Struct):
    """For the judge."""

    looks: list[Look] = []
    done: list[Done] = []


class Owners:
    """Both, at one store. `roots`: the folders that tills of this story began with, in their order."""

    def __init__(self, store: SimStore, roots: tuple[str, ...]) -> None:
        self._store, self._roots = store, roots
        self.seen = OfOwners(looks=[], done=[])

    def shop_of(self, counter: str) -> int:
        """Where this counter stands."""
        return SHOPS[self._roots.index(counter) % len(SHOPS)]

    def shown(self, shop: int) -> frozenset[int]:
        """The shops whose rows a transaction of this reader sees."""
        return frozenset((shop,))

    def look(self, shop: int) -> None:
        """Reads the whole page of a shop."""
        now, held = self._store.now(), self._held(shop)
        at = {self._store.disk.held[name].life: name for name in held}
        attempts = self._store.disk.attempts.items()
        shown = self.days(shop)
        self.seen.looks.append(
            Look(
                at=now,
                shop=shop,
                counters=tuple(sorted({each.counter for each in held.values()})),
                payments=tuple(key for key, told in attempts if told.life in at and told.state in MONEY),
                missing={each.name: _ms(each.seen) for each in self._today(shop).missing},
                days={
                    day.business_date: (
                        days.frozen(day),
                        tuple((each.name, z) for each in day.counters for z in each.zs),
                    )
                    for day in shown
                },
                heads={name: each.head_seq for name, each in held.items()},
                contacts={name: each.seen for name, each in held.items() if each.seen is not None},
                honest=not self._store.lied_since(now - 2 * figures.MISSING_AFTER_S * 1_000),
            )
        )

    def sign(self, shop: int, which: int) -> None:
        """Signs one of the days that hold a Z, as it is now, with its act."""
        ready = [
            each
            for each in self.days(shop)
            if each.signature is None and any(counter.zs for counter in each.counters)
        ]
        if not ready:
            return
        day = ready[which % len(ready)]
        said = days.frozen(day)
        subject = f"{day.business_date} {days.digest_of(said)[:16]}"
        self._act(
            Act(kind=days.SIGNED, shop=shop, account=shop, who=f"owner {shop}", subject=subject, reason="all")
        )
        self._store.disk.signed[f"{shop} {day.business_date}"] = said
        self.seen.done.append(Done(self._store.now(), shop, days.SIGNED, subject, said))

    def revoke(self, installation: str) -> None:
        """Takes a key back."""
        held = self._store.disk.held.get(installation)
        if held is None:
            return
        shop = self.shop_of(held.counter)
        self._act(Act(kind="key_revoked", shop=shop, account=shop, who=f"owner {shop}", subject=installation))
        self._store.revoke(installation)
        self.seen.done.append(Done(self._store.now(), shop, "key_revoked", installation))

    def put_back(self) -> None:
        """An old backup is put back; what it does not know of is done again by hand: the keys that count no more."""
        self._store.put_back()
        known = {each.act.subject for each in self._store.disk.acts}
        for installation in sorted(self._store.revoked - known):
            self.revoke(installation)

    def days(self, shop: int) -> list[StoreDay]:
        """The days of a shop of which anything is known."""
        zs: dict[tuple[str, str], tuple[int, date, ZLine]] = {}
        held = self._held(shop)
        for name, each in sorted(held.items(), key=lambda one: one[1].life):
            for event in each.events:
                if event.kind == "Z_CLOSED":
                    z = _line(name, each, event)
                    number = self._roots.index(each.counter)
                    zs[each.counter, z.digest] = number, date.fromisoformat(z.business_date), z
        signed = {
            date.fromisoformat(key.split()[1]): _signed(said)
            for key, said in self._store.disk.signed.items()
            if int(key.split()[0]) in self.shown(shop)
        }
        counters = []
        for number, one in self._counters(shop):
            ended = None if one.state == "joined" else (one.seen or one.joined).date()
            unit = (one.environment, one.currency, one.joined.date(), ended)
            counters.append((number, one.name, number, *unit, one.seen or one.joined, one.waiting))
        now = BEGAN + timedelta(milliseconds=self._store.now())
        return days.assembled(shop, f"shop {shop}", now, zs.values(), signed, counters, {})

    def _held(self, shop: int) -> dict[str, Held]:
        shown = self.shown(shop)
        return {
            name: each for name, each in self._store.disk.held.items() if self.shop_of(each.counter) in shown
        }

    def _counters(self, shop: int) -> Iterator[tuple[int, figures.Counter]]:
        """Each with its newest journal."""
        newest = {each.counter: (name, each) for name, each in self._held(shop).items()}
        for name, each in newest.values():
            is_revoked = name in self._store.revoked
            yield self._roots.index(each.counter), figures.Counter(
                counter=each.life, shop=self.shop_of(each.counter), name=each.counter, environment="sandbox",
                currency="LKR", state="revoked" if is_revoked else "joined", life=each.life, installation=name,
                joined=BEGAN, revoked=None, told_seq=each.head_seq, waiting=each.waiting, open=0, version="1",
                skew_ms=0, disk_free=-1,
                seen=None if each.seen is None else BEGAN + timedelta(milliseconds=each.seen),
            )  # fmt: skip

    def _today(self, shop: int) -> figures.Today:
        return figures.Today(
            now=BEGAN + timedelta(milliseconds=self._store.now()),
            dates=(),
            sums={},
            hours={},
            counters=tuple(each for _, each in self._counters(shop)),
            needs=0,
        )

    def _act(self, act: Act) -> None:
        """One more line of the chain."""
        chain = self._store.disk.acts
        number, before = len(chain) + 1, chain[-1].mac if chain else b""
        at = BEGAN + timedelta(milliseconds=self._store.now())
        mac = acts.mac_of(number, at, act, before)
        chain.append(Line(number=number, at=at, act=act, before=before, mac=mac))


def _line(installation: str, held: Held, event: Shipped) -> ZLine:
    z, counted = z_in(event), Recount()
    for each in held.events[z.from_seq - 1 : z.to_seq]:
        counted.add(each)
    trouble = counted.unequal(z)
    return ZLine(
        number=z.number, digest=z.digest, installation=installation, business_date=z.business_date, ended=z.ended,
        currency=z.currency, sums=sums_of(z), finding=Finding.SUMS if trouble else Finding.NONE, detail=trouble,
    )  # fmt: skip


def _signed(said: str) -> StoreDay:
    day = msgspec.json.decode(said, type=StoreDay)
    return msgspec.structs.replace(
        day, signature=Signature(signed="", who="", reason="", act=0, digest=days.digest_of(said))
    )


def _ms(seen: datetime | None) -> int | None:
    return None if seen is None else round((seen - BEGAN).total_seconds() * 1_000)
