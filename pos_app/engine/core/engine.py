"""The engine: one thread owns the queue, the flow and the journal. Events in, calls and pictures out."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from pos_app.domain.commands import (
    AttemptCommand,
    Charge,
    CheckNow,
    DayCommand,
    NoteWish,
    PrintCommand,
    ReconCommand,
    SignRefund,
)
from pos_app.domain.draining import DrainNews
from pos_app.domain.effects import OpenNext
from pos_app.domain.events import (
    AttemptEvent,
    CancelAnswered,
    InitiateAnswered,
    StatusAnswered,
    TillStarted,
    TimeCame,
)
from pos_app.domain.flow import Outcome, step
from pos_app.domain.people import TERMINAL
from pos_app.domain.views import Block, ChargeDeclined, ChargeOpened, Decline
from pos_app.engine.connection.calls import (
    DayCounted,
    ElsewhereRead,
    HistoryRead,
    JournalFound,
    ListAnswered,
    ProbeAnswered,
    RecordNews,
    StaffNews,
    StoreNews,
    TokenLooked,
)
from pos_app.engine.connection.monitor import ConnectionMonitor, News
from pos_app.engine.core.admission import Admission
from pos_app.engine.core.config import EngineConfig, Reconfigured, SetUpNews
from pos_app.engine.core.counter_day import CounterDay
from pos_app.engine.core.draining import Draining
from pos_app.engine.core.effect_dispatcher import EffectDispatcher
from pos_app.engine.core.identity import Identity
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.mailbox import Message
from pos_app.engine.core.payment_opener import Declined, PaymentOpener, again
from pos_app.engine.core.ports import Ports
from pos_app.engine.core.publisher import Desks, Publisher
from pos_app.engine.core.rebuilding import Rebuilding
from pos_app.engine.core.reconciliation import Reconciliation
from pos_app.engine.core.reconfiguration import Reconfiguration
from pos_app.engine.core.refund_notes import RefundNotes
from pos_app.engine.core.startup import AT_ONCE, Startup
from pos_app.engine.core.store_desk import StoreDesk
from pos_app.engine.printing.news import PrintNews
from pos_app.engine.printing.queue import PrintQueue
from pos_app.engine.staff.authentication import Authentication
from pos_app.engine.staff.authorizer import Allowed, is_command
from pos_app.engine.staff.permits import Permits

AFTER_BUG_MS = 30_000
"""An attempt in whose turn a bug was met is taken up again, as after a restart, this much later."""


SLICE = 8
"""So many attempts are worked on between two events: however many are open, whoever taps waits for no more."""


class Engine:
    """Plain Python, one thread at a time; its loop is in mailbox.py."""

    def __init__(self, config: EngineConfig, ports: Ports) -> None:
        journal, calls, clock = ports.journal, ports.calls, ports.clock
        self._config = config
        self._clock = clock
        self._publish = ports.publish
        self._live_payments = LivePayments(journal, clock, ports.trouble, config.origin)
        self._connection = ConnectionMonitor(self._live_payments, calls, clock)
        self._authentication = Authentication(config, ports, self._live_payments)
        self._identity = Identity(config, ports, self._live_payments)
        self._opener = PaymentOpener(config, ports, self._live_payments)
        self._printing = PrintQueue(config, ports, self._live_payments)
        self._reconciliation = Reconciliation(config, ports, self._live_payments, self._identity)
        self._day = CounterDay(config, ports, self._live_payments, self._printing, self._reconciliation)
        self._printing.reads_x = self._day.x_now
        self._printing.reads_figures = self._day.figures_of
        self._printing.day_began_at = lambda: self._day.began_at
        self._notes = RefundNotes(ports, self._live_payments, self._printing)
        self._draining = Draining(self._live_payments, clock, self._may_not_be_cut_off)
        self._store = StoreDesk(config, ports, self._live_payments, self._identity)
        desks = Desks(
            self._authentication,
            self._identity,
            self._day,
            self._reconciliation,
            self._printing,
            self._notes,
            self._draining,
            self._store,
        )
        self._publisher = Publisher(ports, self._live_payments, self._connection, desks, config.rules)
        self._dispatcher = EffectDispatcher(calls, self._live_payments, self._opener, ports.post)
        self._rebuilding = Rebuilding(config, ports, self._live_payments, self._identity)
        parts = (
            self._day.take_up,
            self._printing.take_up,
            self._notes.take_up,
            self._authentication.take_up,
            self._identity.take_up,
            self._rebuilding.take_up,
            self._reconciliation.take_up,
        )
        self._startup = Startup(journal, self._live_payments, config.rules, clock, *parts)
        permits = Permits(self._live_payments, self._opener, self._identity, self._draining)
        self._admission = Admission(config, ports, self._live_payments, desks, permits, self._do)
        authorizer = self._admission.authorizer
        takers = (
            self._take_config,
            self._opener.take_config,
            self._authentication.take_config,
            authorizer.take_config,
            self._day.take_config,
            self._reconciliation.take_config,
            self._printing.take_config,
            self._store.take_config,
        )
        self._reconfiguring = Reconfiguration(config, self._live_payments, *takers)
        self._in_turn = ""
        self._to_take_up: dict[str, int] = {}
        self._behind: deque[AttemptEvent] = deque()
        """What many attempts are to hear, one slice after the other."""
        self._broken = False

    def start(self) -> None:
        """Takes up every open attempt, whatever ended the last run, and asks first (rule 12)."""
        if not self._startup.take_up():
            self._show_terminal()
            return
        self._identity.settle()
        self._begin(AT_ONCE)
        if self._startup.over and not self._live_payments.waits_for_another_service:
            # The address was changed under open payments: nothing goes to the new one before somebody charges there.
            self._connection.probe()
        self._look_for_copies()
        self._publisher.start()
        self._show_terminal()

    def due_at(self) -> int | None:
        """When `tick` next has something to do (till time, ms)."""
        if self._behind or self._startup.ready:
            return self._clock.now()
        dues = (
            *self._to_take_up.values(),
            self._dispatcher.next_due,
            self._publisher.due_at,
            self._live_payments.retry_at,
            self._connection.probe_at,
            self._connection.look_at,
            self._startup.until,
            self._startup.again_at,
            self._day.due_at,
            self._printing.due_at,
            self._rebuilding.due_at,
            self._reconciliation.due_at,
            self._identity.due_at,
            self._authentication.due_at,
            self._draining.due_at,
            self._store.due_at,
        )
        return min((due for due in dues if due is not None), default=None)

    def tick(self) -> None:
        """Does whatever has become due."""
        now = self._clock.now()
        if self._startup.again_at is not None and self._startup.again_at <= now:
            self.start()
        for attempt_id in [key for key, at in self._to_take_up.items() if at <= now]:
            del self._to_take_up[attempt_id]
            self._step(TillStarted(attempt_id))
        self._begin(SLICE)
        for attempt_id in self._dispatcher.due(now, SLICE):
            self._dispatcher.woken(attempt_id)
            self._step(TimeCame(attempt_id))
        if self._live_payments.retry_at is not None and self._live_payments.retry_at <= now:
            if self._live_payments.retry():
                self._identity.settle()
                self._dispatcher.let_go_of_ended()
                self._ask_about_all()
            self._show_terminal()
        self._connection.tick(now)
        if self._identity.tick(now):
            self._look_for_copies()
        for check in self._rebuilding.tick(now):
            self._step(check)
        for hint in self._store.tick(now):
            self._step(hint)
        self._go_on_reconciling(now)
        self._go_on_closing(now)
        if self._printing.tick(now):
            self._show_terminal()
        if self._authentication.tick():
            self._show_terminal()
        for _ in range(min(SLICE, len(self._behind))):
            self._step(self._behind.popleft())
        self._open_for_sale()
        if self._draining.tick(now):
            self._show_terminal()
        self._publisher.tick(self.block())

    def _go_on_reconciling(self, now: int) -> None:
        if self._reconciliation.due_at is None or now < self._reconciliation.due_at:
            return
        for check in self._reconciliation.tick(now):
            self._step(check)
            self._reconciliation.stepped(check)
        self._show_terminal()

    def _go_on_closing(self, now: int) -> None:
        if not self._day.is_busy:
            return
        for check in self._day.tick(now):
            self._step(check)
            self._day.stepped(check)
        self._show_terminal()

    def _begin(self, at_most: int) -> None:
        """Takes up what was open when the till started, as far as there is room for its asks."""
        for attempt_id in self._startup.next(at_most):
            if self._startup.begin(attempt_id):
                self._start(attempt_id)

    def _start(self, attempt_id: str) -> None:
        self._step(TillStarted(attempt_id))
        live = self._live_payments.live(attempt_id)
        if live is None or not live.watch.asking:
            self._startup.answered(attempt_id)

    def handle(self, event: Message) -> None:
        """One event of the queue: a command goes through the authorizer first."""
        if is_command(event):
            # Where the machine slept the loop did, too: whose session ended meanwhile wants nothing any more.
            if self._authentication.tick():
                self._show_terminal()
            block = self.block()
            allowed = self._admission.command(event)
            if allowed is not None:
                self._do(allowed)
            if self.block() is not block:
                self._show_terminal()
            return
        match event:
            case StaffNews():
                self._authentication.handle(event)
                self._show_terminal()
            case ProbeAnswered():
                self._spread(self._connection.heard(event))
            case TokenLooked():
                self._connection.looked(event)
            case ListAnswered() if self._identity.heard(event):
                self._show_terminal()
            case ListAnswered() if self._reconciliation.heard(event):
                pass
            case DayCounted():
                self._day.counted(event)
                self._show_terminal()
            case HistoryRead(answer=answer) | ElsewhereRead(answer=answer):
                self._publish(answer)
            case RecordNews():
                if isinstance(event, JournalFound):
                    self._authentication.distrust()
                for fact in self._rebuilding.heard(event):
                    self._step(fact)
                self._show_terminal()
            case PrintNews():
                self._printing.heard(event)
                self._show_terminal()
            case SetUpNews():
                self._take_set_up(event)
            case StoreNews():
                self._store.heard(event)
                self._show_terminal()
            case DrainNews():
                self._draining.heard(event)
                self._show_terminal()
            case _ if isinstance(event, AttemptEvent):
                self._of_attempt(event)

    def _show_terminal(self) -> None:
        """Where anything in its picture may have changed; one that is as it was is not published again."""
        self._publisher.terminal(self.block())

    def _do(self, allowed: Allowed) -> None:
        """What somebody wants who has the right."""
        match allowed.command:
            case Charge() as charge:
                self._charge(charge)
            case command if isinstance(command, NoteWish | SignRefund):
                self._notes.do(allowed)
                self._show_terminal()
            case command if isinstance(command, AttemptCommand):
                self._of_attempt(command)
            case command if isinstance(command, DayCommand):
                self._reconciliation.can_list = not self._rebuilding.under_way
                self._day.do(allowed)
                self._show_terminal()
            case command if isinstance(command, ReconCommand):
                self._reconciliation.can_list = not self._rebuilding.under_way
                self._reconciliation.do(allowed)
                self._show_terminal()
            case command if isinstance(command, PrintCommand):
                self._printing.do(allowed)
                self._show_terminal()
            case command:
                self._authentication.handle(command)
                self._show_terminal()

    @property
    def sizes(self) -> dict[str, int]:
        """How much is in memory of everything that grows with payments, by name: a till of many days stays small."""
        parts = (self._live_payments, self._opener, self._dispatcher, self._publisher)
        return {name: size for part in parts for name, size in part.sizes.items()}

    def in_hand(self) -> frozenset[str]:
        """The attempts that wake by themselves or wait for a reply: an open one that is not here would stand still."""
        lives = self._live_payments.lives
        watched = {each.attempt.attempt_id: each.watch for each in lives}
        called = {key for key, its in watched.items() if its.asking or its.initiating or its.cancelling}
        return frozenset(called | self._dispatcher.wakes.keys())

    def block(self) -> Block:
        """Why no new payment may start now."""
        if self._broken:
            return Block.ENGINE_HALTED
        if self._live_payments.lock_lost:
            return Block.LOCK_LOST
        if self._live_payments.halted or self._live_payments.damage or self._startup.again_at is not None:
            return Block.JOURNAL_HALTED
        if self._identity.pending:
            return Block.JOURNAL_HALTED
        if self._identity.used_twice:
            return Block.IDENTITY_USED_TWICE
        if self._connection.sign_in_refused:
            return Block.NO_TOKEN if self._connection.no_token else Block.SIGN_IN_REFUSED
        if self._draining.blocks:
            return Block.UPDATING
        if self._startup.until is not None:
            return Block.STARTING
        return Block.REBUILDING if self._rebuilding.blocks else Block.NONE

    def _may_not_be_cut_off(self) -> bool:
        """What memory alone knows while the disk takes nothing; a closing; a paper that is coming out."""
        unread = self._startup.again_at is not None
        under_way = self._day.is_busy or self._printing.view().printing
        return bool(unread or self._live_payments.halted or self._live_payments.damage or under_way)

    def _take_config(self, config: EngineConfig) -> None:
        self._config = config

    def _take_set_up(self, news: SetUpNews) -> None:
        self._reconfiguring.heard(news)
        if isinstance(news, Reconfigured) and news.reconnected:
            # Whatever the old connections or secrets were refused is asked over the new ones at once.
            self._connection.probe()
            self._ask_about_all()
        self._show_terminal()

    def _of_attempt(self, event: AttemptEvent | AttemptCommand) -> None:
        news = News.NOTHING
        if isinstance(event, StatusAnswered | InitiateAnswered | CancelAnswered):
            # Before the step: what is published of the attempt then says how the line is now.
            news = self._connection.heard(event)
        self._step(event)
        if isinstance(event, StatusAnswered):
            self._startup.answered(event.attempt_id)
            self._rebuilding.answered(event.attempt_id)
            self._day.answered(event)
            self._reconciliation.answered(event)
        self._spread(news)
        self._open_for_sale()

    def _open_for_sale(self) -> None:
        if self._startup.until is not None and self._startup.over:
            self._startup.close()
            self._show_terminal()

    def _charge(self, charge: Charge, actor: str = "") -> None:
        try:
            if self.block() is not Block.NONE:
                raise Declined(Decline.BLOCKED)
            opened = self._opener.open(charge, actor)
        except Declined as declined:
            self._ask_what_is_in_the_way(charge, declined)
            self._show_terminal()
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
        for released in opened.released:
            self._live_payments.keep(released.live)
            self._carry_out(released)
        live = opened.outcome.live
        self._live_payments.keep(live)
        self._publish(ChargeOpened(charge.request_id, live.attempt.attempt_id, live.attempt.sale_id))
        self._carry_out(opened.outcome)
        self._publisher.attempt(live, self.block())

    def _ask_what_is_in_the_way(self, charge: Charge, declined: Declined) -> None:
        """An earlier attempt whose checks have run out long ago still opens its sale by one ask (rule 4)."""
        if declined.decline is Decline.EARLIER_ATTEMPT_OPEN:
            for attempt in self._live_payments.known_attempts_of(charge.sale_id):
                if not attempt.lets_another_start:
                    self._step(CheckNow(attempt.attempt_id))

    def _step(self, event: AttemptEvent | AttemptCommand) -> None:
        # Before the journal has been taken up, what memory made of an attempt would be overwritten by it.
        live = None if self._startup.again_at is not None else self._live_payments.live(event.attempt_id)
        if live is None:
            return
        if self._startup.begin(event.attempt_id):
            # Whatever comes before its turn: the flow hears first that the till has started (rule 12).
            if not isinstance(event, TillStarted):
                self._start(event.attempt_id)
            live = self._live_payments.live(event.attempt_id) or live
        self._in_turn = event.attempt_id
        outcome = self._live_payments.numbered(step(live, event, self._clock.now(), self._config.rules))
        papers = []
        if outcome.live.attempt.receipt != live.attempt.receipt:
            self._day.took_money()
            papers = self._printing.of_money(outcome.live.attempt)
        noted = self._notes.of_answer(event, live.attempt, outcome.live.attempt)
        self._live_payments.keep(outcome.live)
        if outcome.durable:
            halted = self._live_payments.halted
            records = self._live_payments.of_event(event, outcome.live, outcome.path)
            self._live_payments.write([*records, *papers, *noted.records])
            self._notes.keep(noted)
            if halted != self._live_payments.halted:
                self._show_terminal()
        self._carry_out(outcome)
        self._in_turn = ""
        self._publisher.attempt(outcome.live, self.block())
        for superseded in self._live_payments.superseded(outcome):
            self._step(superseded)

    def _carry_out(self, outcome: Outcome) -> None:
        for effect in self._dispatcher.carry_out(outcome):
            if isinstance(effect, OpenNext):
                # Rule 3c: a new code for the same sale without a touch, a few times at the most.
                if outcome.live.attempt.number < self._config.rules.automatic_qr_attempts:
                    self._charge(again(outcome.live.attempt), TERMINAL)
            else:
                self._identity.found_twice(outcome.live.attempt.attempt_id)
                self._show_terminal()

    def stop_selling(self) -> None:
        """A bug of ours was met: no new payments until the next start; open ones are still asked about."""
        self._broken = True
        if self._in_turn:
            # Whatever was under way for it, its answer may have been lost with the bug.
            self._live_payments.go_back(self._in_turn)
            self._to_take_up[self._in_turn] = self._clock.now() + AFTER_BUG_MS
        self._in_turn = ""
        self._show_terminal()

    def _spread(self, news: News) -> None:
        if news in (News.RETURNED, News.SIGN_IN_RENEWED):
            self._look_for_copies()
        if news is not News.NOTHING:
            self._tell(self._connection.meaning(news))
            self._show_terminal()

    def _look_for_copies(self) -> None:
        # A journal that was begun anew reads the whole list anyway.
        if not self._rebuilding.under_way and not self._live_payments.waits_for_another_service:
            self._identity.look()

    def _ask_about_all(self) -> None:
        self._tell(self._live_payments.to_ask_again())

    def _tell(self, facts: Sequence[AttemptEvent]) -> None:
        """The first hear it at once, the others in slices between the events."""
        for fact in facts[:AT_ONCE]:
            self._step(fact)
        self._behind.extend(facts[AT_ONCE:])
