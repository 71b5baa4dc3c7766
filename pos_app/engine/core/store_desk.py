"""What the engine makes of a store's news: a picture, a stop on its own signature, hints that are asked about.

No state of a payment comes from here. What the store was told and this journal has forgotten is entered as what a
damaged journal hints at is: in doubt, and asked of the service (docs/payment-rules.md, rules 10 and 12).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from pos_app.domain.attempt import Attempt
from pos_app.domain.events import TillStarted
from pos_app.domain.flow import Live, Watch
from pos_app.domain.ids import RECOVERED_BELOW, installation_of
from pos_app.domain.membership import BEHIND, CONVICTED, HINTED, JOINED, SUBJECT, StoreView
from pos_app.domain.origins import SERVICE, named_origins
from pos_app.domain.people import TERMINAL
from pos_app.domain.rebuilt_journal import RECOVERED
from pos_app.domain.record import Record
from pos_app.domain.shipping import Told
from pos_app.domain.told_attempt import attempt_told
from pos_app.domain.views import MembershipRecorded, StaffProblem
from pos_app.engine.connection.calls import (
    MembershipChanged,
    StoreConvicted,
    StoreFellBehind,
    StoreNews,
    StoreSaid,
    StoreTold,
)
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.identity import Identity
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports
from pos_app.engine.core.rebuild import in_doubt, sale_for

SLICE = 8
AGAIN_MS = 10_000
BEHIND_MS = 60 * 60 * 1000
"""A store that falls behind again within the hour is not written down again: its word alone fills no journal."""


class StoreDesk:
    """Owns the picture of the store, and which convictions and hints are written."""

    def __init__(
        self, config: EngineConfig, ports: Ports, live_payments: LivePayments, identity: Identity
    ) -> None:
        self._config = config
        self._publish = ports.publish
        self._wake_store = ports.wake_store
        self._journal = ports.journal
        self._clock = ports.clock
        self._live_payments = live_payments
        self._identity = identity
        self._view = StoreView()
        self._hints: deque[Told] = deque()
        self._entered = 0
        self._others = 0
        self._sales_below = 0
        self._behind_at: int | None = None
        self.due_at: int | None = None
        """When the next slice of what was forgotten is entered (till ms)."""

    def take_config(self, config: EngineConfig) -> None:
        """What is entered from now on is given up when a payment that is opened now would be."""
        self._config = config

    def view(self) -> StoreView:
        """For the picture of the terminal."""
        return self._view

    def heard(self, news: StoreNews) -> None:
        """Takes the news."""
        match news:
            case StoreSaid(view=view):
                self._view = view
            case StoreConvicted():
                self._convicted(news)
            case StoreFellBehind():
                self._fell_behind(news)
            case StoreTold():
                self._hinted(news)
            case MembershipChanged():
                self._change(news)

    def _change(self, news: MembershipChanged) -> None:
        """Durable first: until then nobody is told that this counter is another store's, or none's."""
        is_same = news.installation_id == self._journal.installation_id
        record = self._live_payments.record(news.kind, SUBJECT, news.actor, content=news.content)
        is_written = is_same and self._live_payments.try_commit([record])
        problem = StaffProblem.NONE if is_written else StaffProblem.CANNOT_RECORD
        self._publish(
            MembershipRecorded(
                request_id=news.request_id,
                joined=news.kind == JOINED,
                told=bool(news.content.get("told", True)),
                problem=problem,
            )
        )
        if is_written and self._wake_store is not None:
            self._wake_store()

    def _fell_behind(self, news: StoreFellBehind) -> None:
        now = self._clock.now()
        if self._behind_at is None or now - self._behind_at >= BEHIND_MS:
            self._behind_at = now
            self._note(BEHIND, msgspec.structs.asdict(news))

    def _note(self, kind: str, about: dict[str, Any]) -> None:
        self._live_payments.write([self._live_payments.record(kind, SUBJECT, TERMINAL, content=about)])

    def _has_said(self, kind: str, installation_id: str) -> bool:
        nothing: Sequence[Record] = ()
        said = self._live_payments.read(lambda: self._journal.events_of(SUBJECT), nothing)
        return any(
            each.kind == kind and each.content.get("installation_id") == installation_id for each in said
        )

    def _convicted(self, news: StoreConvicted) -> None:
        """Written once: each start meets the store anew, and it says the same until another identity is begun."""
        own = self._journal.installation_id
        if news.installation_id == own and not self._has_said(CONVICTED, own):
            about = msgspec.to_builtins(news)
            self._identity.convicted(self._live_payments.record(CONVICTED, SUBJECT, TERMINAL, content=about))

    def tick(self, now: int) -> Sequence[TillStarted]:
        """A slice of what was forgotten is entered, in one transaction; whom to ask about because of it.

        Whatever there is, whoever taps meanwhile waits for no more than a slice.
        """
        if self.due_at is None or now < self.due_at:
            return ()
        # Off the list first: what cannot be entered for a reason that nobody thought of does not come again and again.
        told = [self._hints.popleft() for _ in range(min(SLICE, len(self._hints)))]
        try:
            origins = {*named_origins(self._journal.events_of(SERVICE)), self._config.origin}
            ours = [attempt for each in told if (attempt := self._attempt_in(each, origins)) is not None]
            new = [each for each in ours if self._is_new(each.attempt_id)]
            entered = self._enter(new)
        except self._live_payments.trouble:
            entered = None
        if entered is None:
            self._hints.extendleft(reversed(told))
            self.due_at = now + AGAIN_MS
            return ()
        self._entered += len(entered)
        self._others += len(told) - len(ours) + len(new) - len(entered)
        self.due_at = now if self._hints else None
        if not self._hints:
            self._end_of_hints()
        return [TillStarted(each) for each in entered]

    def _hinted(self, news: StoreTold) -> None:
        if news.installation_id == self._journal.installation_id:
            self._hints = deque(news.told)
            self._entered, self._others = 0, news.more
            told_of = self._journal.next_sale_number() + news.forgotten
            self._sales_below = min(told_of, RECOVERED_BELOW)
            self.due_at = self._clock.now()

    def _end_of_hints(self) -> None:
        own = self._journal.installation_id
        if self._entered or (self._others and not self._has_said(HINTED, own)):
            about = {"entered": self._entered, "others": self._others, "installation_id": own}
            self._note(HINTED, about)

    def _is_new(self, attempt_id: str) -> bool:
        """Neither entered, by whomever, nor named because its place was taken."""
        return (
            self._live_payments.in_hand(attempt_id) is None
            and self._journal.attempt(attempt_id) is None
            and not self._journal.events_of(attempt_id)
        )

    def _attempt_in(self, told: Told, origins: set[str]) -> Attempt | None:
        """A payment that may be this till's, from what it told itself; None for anything else."""
        attempt = attempt_told(told.attempt, self._config.environment)
        if attempt is None:
            return None
        own = (self._config.merchant_id, self._config.currency.code)
        is_ours = (
            attempt.attempt_id == told.attempt_id
            and installation_of(told.attempt_id) in self._journal.installations()
            and int(attempt.sale_id) < self._sales_below
            and (attempt.merchant_id, attempt.currency) == own
            and attempt.origin in origins
        )
        return replace(attempt, give_up_after_ms=self._config.give_up_after_ms) if is_ours else None

    def _enter(self, attempts: Sequence[Attempt]) -> list[str] | None:
        """Each in doubt, or by its id alone where its place is taken; the ids of those that are. None: not written."""
        entered: dict[str, Attempt] = {}
        records: list[Record] = []
        places = set[tuple[str, int]]()
        for sale_id in {each.sale_id for each in attempts}:
            places |= {(sale_id, each.number) for each in self._live_payments.attempts_of(sale_id)}
        sales: set[str] = set()
        for attempt in attempts:
            key, place = attempt.attempt_id, (attempt.sale_id, attempt.number)
            if place in places:
                about = {"proven": False, "entered": False}
                records.append(self._live_payments.record(RECOVERED, key, TERMINAL, content=about))
                continue
            places.add(place)
            # Nobody stands before the till for it; nor is a wish to cancel taken from another's word.
            taken = replace(in_doubt(attempt, self._clock.now()), parked=False, cancel_wish=None)
            known = attempt.sale_id in sales or self._live_payments.sale(attempt.sale_id) is not None
            sales.add(attempt.sale_id)
            entered[key] = taken
            records.append(
                self._live_payments.record(
                    RECOVERED,
                    key,
                    TERMINAL,
                    content={"proven": False},
                    path=(taken.state,),
                    attempt=taken,
                    sale=None if known else sale_for(taken),
                )
            )
        if records and not self._live_payments.commit(records):
            return None
        for taken in entered.values():
            self._live_payments.keep(Live(taken, Watch(from_before_restart=True)))
        return list(entered)
