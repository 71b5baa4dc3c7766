"""The engine: one thread owns the queue, the flow and the journal. Events in, calls and pictures out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from pos_app.domain.commands import OpenNext
from pos_app.domain.facts import (
    AttemptFact,
    CancelAnswered,
    InitiateAnswered,
    StatusAnswered,
    TillStarted,
    TimeCame,
)
from pos_app.domain.flow import Outcome, step
from pos_app.domain.people import TERMINAL
from pos_app.domain.views import Block, ChargeDeclined, ChargeOpened, Decline, Published
from pos_app.domain.wishes import AttemptWish, Charge, CheckNow, SignRefund
from pos_app.engine import charging
from pos_app.engine.admission import Admission
from pos_app.engine.book import Book
from pos_app.engine.calls import Calls, DeskNews, JournalFound, ListAnswered, ProbeAnswered, RecordNews
from pos_app.engine.charging import Declined
from pos_app.engine.clock import Clock
from pos_app.engine.contact import Contact
from pos_app.engine.counter import Counter
from pos_app.engine.desk import Desk
from pos_app.engine.gate import Allowed, is_wish
from pos_app.engine.identity import Identity, Lister
from pos_app.engine.ledger import Ledger
from pos_app.engine.line import News
from pos_app.engine.mailbox import Event, Post
from pos_app.engine.opening import AT_ONCE, Opening
from pos_app.engine.performer import Performer
from pos_app.engine.pictures import Pictures
from pos_app.engine.reconciling import Reconciling
from pos_app.engine.reconfiguring import Reconfiguring
from pos_app.engine.sends_here import SendsHere
from pos_app.engine.site import Reconfigured, SetUpNews, Site

AFTER_BUG_MS = 30_000
"""An attempt in whose turn a bug was met is taken up again, as after a restart, this much later."""


SLICE = 8
"""So many attempts are worked on between two events: however many are open, whoever taps waits for no more."""


class Engine:
    """Plain Python, one thread at a time; its loop is in mailbox.py.

    `trouble` are the exceptions of the journal that mean the environment failed, not we.
    """

    def __init__(
        self,
        site: Site,
        book: Book,
        calls: Calls,
        clock: Clock,
        publish: Callable[[Published], None],
        post: Post,
        trouble: tuple[type[Exception], ...],
        list_payments: Lister | None = None,
        sends_here: SendsHere | None = None,
    ) -> None:
        self._site = site
        self._clock = clock
        self._publish = publish
        self._ledger = Ledger(book, clock, trouble, site.origin)
        self._contact = Contact(self._ledger, calls, clock)
        self._line = self._contact.line
        self._desk = Desk(site, book, self._ledger, calls, clock, publish, sends_here)
        self._identity = Identity(site, book, self._ledger, clock, list_payments)
        self._counter = Counter(site, book, self._ledger, calls, clock)
        self._pictures = Pictures(
            book, self._ledger, self._line, self._desk, self._identity, clock, publish, site.rules
        )
        self._performer = Performer(calls, self._ledger, self._counter, post)
        self._reconciling = Reconciling(site, book, self._ledger, self._identity, clock, list_payments)
        parts = (self._desk.take_up, self._identity.take_up, self._reconciling.take_up)
        self._opening = Opening(book, self._ledger, site.rules, clock, *parts)
        at_the_till = (self._desk, self._counter, self._identity, clock, publish)
        self._admission = Admission(site, book, self._ledger, *at_the_till, self._do)
        gate = self._admission.gate
        takers = (self._take_site, self._counter.take_site, self._desk.take_site, gate.take_site)
        self._reconfiguring = Reconfiguring(site, self._ledger, *takers)
        self._in_turn = ""
        self._to_take_up: dict[str, int] = {}
        self._behind: deque[AttemptFact] = deque()
        """What many attempts are to hear, one slice after the other."""
        self._broken = False

    def start(self) -> None:
        """Takes up every open attempt, whatever ended the last run, and asks first (rule 12)."""
        if not self._opening.take_up():
            self._pictures.terminal(self.block())
            return
        self._identity.settle()
        self._begin(AT_ONCE)
        if self._opening.over and not self._ledger.waits_for_another_service:
            # The address was changed under open payments: nothing goes to the new one before somebody charges there.
            self._contact.probe()
        self._look_for_copies()
        self._pictures.start()
        self._pictures.terminal(self.block())

    def due_at(self) -> int | None:
        """When `tick` next has something to do (till time, ms)."""
        if self._behind or self._opening.ready:
            return self._clock.now()
        dues = list(self._to_take_up.values())
        others = [self._performer.next_due, self._pictures.due_at]
        others += [self._ledger.retry_at, self._line.probe_at, self._opening.until, self._opening.again_at]
        others += [self._reconciling.due_at, self._identity.due_at, self._desk.due_at()]
        dues += [due for due in others if due is not None]
        return min(dues, default=None)

    def tick(self) -> None:
        """Does whatever has become due."""
        now = self._clock.now()
        if self._opening.again_at is not None and self._opening.again_at <= now:
            self.start()
        for attempt_id in [key for key, at in self._to_take_up.items() if at <= now]:
            del self._to_take_up[attempt_id]
            self._step(TillStarted(attempt_id))
        self._begin(SLICE)
        for attempt_id in self._performer.due(now, SLICE):
            self._performer.woken(attempt_id)
            self._step(TimeCame(attempt_id))
        if self._ledger.retry_at is not None and self._ledger.retry_at <= now:
            if self._ledger.retry():
                self._identity.settle()
                self._performer.let_go_of_ended()
                self._ask_about_all()
            self._pictures.terminal(self.block())
        if self._line.probe_at is not None and self._line.probe_at <= now:
            self._contact.probe()
        if self._identity.tick(now):
            self._look_for_copies()
        for check in self._reconciling.tick(now):
            self._step(check)
        if self._desk.tick():
            self._pictures.terminal(self.block())
        for _ in range(min(SLICE, len(self._behind))):
            self._step(self._behind.popleft())
        self._open_for_sale()
        self._pictures.tick(self.block())

    def _begin(self, at_most: int) -> None:
        """Takes up what was open when the till started, as far as there is room for its asks."""
        for attempt_id in self._opening.next(at_most):
            if self._opening.begin(attempt_id):
                self._start(attempt_id)

    def _start(self, attempt_id: str) -> None:
        self._step(TillStarted(attempt_id))
        live = self._ledger.live(attempt_id)
        if live is None or not live.watch.asking:
            self._opening.answered(attempt_id)

    def handle(self, event: Event) -> None:
        """One event of the queue: a wish goes through the gate first."""
        if is_wish(event):
            block = self.block()
            self._admission.wish(event)
            if self.block() is not block:
                self._pictures.terminal(self.block())
            return
        match event:
            case DeskNews():
                self._desk.handle(event)
                self._pictures.terminal(self.block())
            case ProbeAnswered():
                self._spread(self._contact.heard(event))
            case ListAnswered() if self._identity.heard(event):
                self._pictures.terminal(self.block())
            case RecordNews():
                if isinstance(event, JournalFound):
                    self._desk.distrust()
                for fact in self._reconciling.heard(event):
                    self._step(fact)
                self._pictures.terminal(self.block())
            case SetUpNews():
                self._take_set_up(event)
            case _ if isinstance(event, AttemptFact):
                self._of_attempt(event)

    def _do(self, allowed: Allowed) -> None:
        """What somebody wants who has the right."""
        match allowed.wish:
            case Charge() as charge:
                self._charge(charge)
            case SignRefund() as signed:
                if self._counter.sign_refund(signed):
                    self._pictures.terminal(self.block())
            case wish if isinstance(wish, AttemptWish):
                self._of_attempt(wish)
            case wish:
                self._desk.handle(wish)
                self._pictures.terminal(self.block())

    def block(self) -> Block:
        """Why no new payment may start now."""
        if self._broken:
            return Block.ENGINE_HALTED
        if self._ledger.lock_lost:
            return Block.LOCK_LOST
        if self._ledger.halted or self._ledger.damage or self._opening.again_at is not None:
            return Block.JOURNAL_HALTED
        if self._identity.pending:
            return Block.JOURNAL_HALTED
        if self._identity.used_twice:
            return Block.IDENTITY_USED_TWICE
        if self._line.sign_in_refused:
            return Block.SIGN_IN_REFUSED
        if self._opening.until is not None:
            return Block.STARTING
        return Block.REBUILDING if self._reconciling.blocks else Block.NONE

    def _take_site(self, site: Site) -> None:
        self._site = site

    def _take_set_up(self, news: SetUpNews) -> None:
        self._reconfiguring.heard(news)
        if isinstance(news, Reconfigured) and news.reconnected:
            # Whatever the old connections or secrets were refused is asked over the new ones at once.
            self._contact.probe()
            self._ask_about_all()
        self._pictures.terminal(self.block())

    def _of_attempt(self, event: AttemptFact | AttemptWish) -> None:
        news = News.NOTHING
        if isinstance(event, StatusAnswered | InitiateAnswered | CancelAnswered):
            # Before the step: what is published of the attempt then says how the line is now.
            news = self._contact.heard(event)
        self._step(event)
        if isinstance(event, StatusAnswered):
            self._opening.answered(event.attempt_id)
            self._reconciling.answered(event.attempt_id)
        self._spread(news)
        self._open_for_sale()

    def _open_for_sale(self) -> None:
        if self._opening.until is not None and self._opening.over:
            self._opening.close()
            self._pictures.terminal(self.block())

    def _charge(self, charge: Charge, actor: str = "") -> None:
        try:
            if self.block() is not Block.NONE:
                raise Declined(Decline.BLOCKED)
            opened = self._counter.open(charge, actor)
        except Declined as declined:
            self._ask_what_is_in_the_way(charge, declined)
            self._pictures.terminal(self.block())
            self._publish(
                ChargeDeclined(
                    charge.request_id,
                    declined.decline,
                    block=self.block(),
                    similar=declined.similar,
                    similar_age_s=declined.similar_age_s(self._clock.now()),
                )
            )
            return
        for released in self._counter.released:
            self._ledger.keep(released.live)
            self._carry_out(released)
        self._ledger.keep(opened.live)
        attempt = opened.live.attempt
        self._publish(ChargeOpened(charge.request_id, attempt.attempt_id, attempt.sale_id))
        self._carry_out(opened)
        self._pictures.attempt(opened.live, self.block())

    def _ask_what_is_in_the_way(self, charge: Charge, declined: Declined) -> None:
        """An earlier attempt whose checks have run out long ago still opens its sale by one ask (rule 4)."""
        if declined.decline is Decline.EARLIER_ATTEMPT_OPEN:
            for attempt in self._ledger.known_attempts_of(charge.sale_id):
                if not attempt.lets_another_start:
                    self._step(CheckNow(attempt.attempt_id))

    def _step(self, event: AttemptFact | AttemptWish) -> None:
        # Before the journal has been taken up, what memory made of an attempt would be overwritten by it.
        live = None if self._opening.again_at is not None else self._ledger.live(event.attempt_id)
        if live is None:
            return
        if self._opening.begin(event.attempt_id):
            # Whatever comes before its turn: the flow hears first that the till has started (rule 12).
            if not isinstance(event, TillStarted):
                self._start(event.attempt_id)
            live = self._ledger.live(event.attempt_id) or live
        self._in_turn = event.attempt_id
        outcome = step(live, event, self._clock.now(), self._site.rules)
        self._ledger.keep(outcome.live)
        if outcome.durable:
            halted = self._ledger.halted
            self._ledger.write(self._ledger.of_event(event, outcome.live, outcome.path))
            if halted != self._ledger.halted:
                self._pictures.terminal(self.block())
        self._carry_out(outcome)
        self._in_turn = ""
        self._pictures.attempt(outcome.live, self.block())
        for superseded in self._ledger.superseded(outcome):
            self._step(superseded)

    def _carry_out(self, outcome: Outcome) -> None:
        for command in self._performer.carry_out(outcome):
            if isinstance(command, OpenNext):
                # Rule 3c: a new code for the same sale without a touch, a few times at the most.
                if outcome.live.attempt.number < self._site.rules.automatic_qr_attempts:
                    self._charge(charging.again(outcome.live.attempt), TERMINAL)
            else:
                self._identity.found_twice(outcome.live.attempt.attempt_id)
                self._pictures.terminal(self.block())

    def stop_selling(self) -> None:
        """A bug of ours was met: no new payments until the next start; open ones are still asked about."""
        self._broken = True
        if self._in_turn:
            # Whatever was under way for it, its answer may have been lost with the bug.
            self._ledger.go_back(self._in_turn)
            self._to_take_up[self._in_turn] = self._clock.now() + AFTER_BUG_MS
        self._in_turn = ""
        self._pictures.terminal(self.block())

    def _spread(self, news: News) -> None:
        if news in (News.RETURNED, News.SIGN_IN_RENEWED):
            self._look_for_copies()
        if news is not News.NOTHING:
            self._tell(self._contact.meaning(news))
            self._pictures.terminal(self.block())

    def _look_for_copies(self) -> None:
        # A journal that was begun anew reads the whole list anyway.
        if not self._reconciling.under_way and not self._ledger.waits_for_another_service:
            self._identity.look()

    def _ask_about_all(self) -> None:
        self._tell(self._ledger.to_ask_again())

    def _tell(self, facts: Sequence[AttemptFact]) -> None:
        """The first hear it at once, the others in slices between the events."""
        for fact in facts[:AT_ONCE]:
            self._step(fact)
        self._behind.extend(facts[AT_ONCE:])
