"""One till of the simulation: the real engine driven inline, killed at any effect and started again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from pos_app.domain.attempt import MONEY, Environment
from pos_app.domain.day import Z
from pos_app.domain.draining import DrainAsked, DrainLeft, DrainStep
from pos_app.domain.flow import Rules
from pos_app.domain.money import currency
from pos_app.domain.record import Record
from pos_app.domain.replies import StatusReport
from pos_app.domain.shipping import GATHERED_MS
from pos_app.domain.views import AttemptChanged, Block, DayClosed, Published, Terminal
from pos_app.engine.core.config import EngineConfig, Printing
from pos_app.engine.core.engine import Engine
from pos_app.engine.core.mailbox import Message
from pos_app.engine.core.ports import Ports
from pos_app.engine.core.rebuild import records_of
from pos_app.engine.shipping import Shipper
from pos_app.engine.staff.machine_sends import MachineSends
from pos_app.journal import JournalTrouble
from pos_app.journal.salvage import Salvage
from tests.verification.simulation.calls import Log, SimCalls, shows
from tests.verification.simulation.clock import Machine, SimClock, World
from tests.verification.simulation.gateway import Gateway, Transaction
from tests.verification.simulation.history import Closing, Line, Moment, Seen, Written
from tests.verification.simulation.journal import Copy, DiskError, SimJournal
from tests.verification.simulation.losing import lost, rows_about, thinned
from tests.verification.simulation.network import Network, Schedule
from tests.verification.simulation.outbox import InMemory, join, shipper_of
from tests.verification.simulation.printer import SimPrinter
from tests.verification.simulation.roll import enrol
from tests.verification.simulation.store import SimStore
from tests.verification.simulation.story import Story

INSTALLATIONS = ("AAAAAAAA", "BBBBBBBB", "CCCCCCCC")
MERCHANT = "M-1"
TROUBLE = (DiskError, JournalTrouble)
OFF_AFTER_REST = 2_000
REBOOT = 10_000
"""Off for so long, the machine was off; shorter, it was the process alone that died."""


REPLACED_IN = 400
"""From the word that nothing is under way to the end of the process."""


class PowerCut(BaseException):
    """The till dies here; nothing of the engine may catch it."""


class RestlessError(AssertionError):
    """The engine never comes to rest: it would burn the machine."""


def config(index: int, *, live: bool, staffed: bool = False, origin: str = "") -> EngineConfig:
    """A counter of the shop."""
    return EngineConfig(
        environment=Environment.LIVE if live else Environment.SANDBOX,
        merchant_id=MERCHANT,
        counter_id=index + 1,
        currency=currency("LKR"),
        country="LK",
        max_amount=Decimal("999999.99"),
        give_up_after_ms=300_000,
        otp_message="Your code is {{code}}.",
        sign_in_required=staffed,
        rules=Rules(origin=origin),
    )


class SimTill:
    """Owns a journal, a line and, while it lives, an engine. `published` of each picture, `restarted` once asked."""

    most_at_once = 500
    """So many things are done at one moment; with more the engine never comes to rest."""

    def __init__(
        self,
        world: World,
        schedule: Schedule,
        story: Story,
        index: int,
        gateway: Gateway,
        log: Log,
        published: Callable[[SimTill, Published], None],
        restarted: Callable[[SimTill], None],
        journal: SimJournal,
        opener: int | None = None,
        store: SimStore | None = None,
    ) -> None:
        self.store = store
        self.acknowledged = InMemory()
        self.shipper: Shipper | None = None
        self.index = index
        self.opener = index if opener is None else opener
        """Which one of the shop's: a clone stands at that of the till it was made from."""
        self.copied: Copy | None = None
        self.left: dict[str, tuple[Written, ...]] = {}
        """The lines of events that its folder does not go on with."""
        self.lines: dict[str, Line] = {}
        self.gaps: dict[str, dict[int, int]] = {}
        """By line, the rows that somebody took out of its journal, and when."""
        self.machines: list[tuple[int, str, str]] = []
        self.opened: list[tuple[int, str, int]] = []
        self.journal = journal
        self.network = Network(world, schedule, story, index)
        self.effects = 0
        self.life = 0
        self.alive = False
        self.restarts = 0
        self.seen: list[Seen] = []
        self.days: list[tuple[int, str, Z]] = []
        self.starts: list[tuple[int, str]] = []
        self.closings: list[Closing] = []
        self._updates = False
        """Whoever asked last replaces the program as soon as nothing is under way."""
        self.accidents: list[str] = []
        self.terminal = Terminal()
        self._world = world
        self._schedule = schedule
        self._booted_at: int | None = None
        self.config = config(
            0 if story.one_counter else self.opener,
            live=story.live,
            staffed=story.staffed,
            origin=story.origin,
        )
        self.printer = SimPrinter(world, schedule, story.printer)
        if story.cashiers_close:
            self.config = replace(self.config, cashier_may_close=True)
        if story.printer:
            self.config = replace(self.config, printing=Printing(printer="network", auto="all", rests_ms=250))
        if story.staffed and not journal.written:
            enrol(journal, story.wall_start)
        self._gateway = gateway
        self._log = log
        self._published = published
        self._restarted = restarted
        self._pushed = 0
        self._wake_at: int | None = None
        self._wakes: set[int] = set()
        self._posted: deque[Message] = deque()
        self._crashes = {(each.effect, each.after): each.off for each in story.crashes if each.till == index}
        journal.before = lambda: self._effect(False)
        journal.after = lambda: self._effect(True)
        self._off = OFF_AFTER_REST
        self.crashes_left = len(self._crashes)

    @property
    def _machine(self) -> Machine:
        return self._world.machine(self.journal.machine)

    @property
    def working(self) -> bool:
        """Whether it lives and has read its journal."""
        return self.alive and self.terminal.block is not Block.JOURNAL_HALTED

    def no_more_crashes(self) -> None:
        """From now on it lives."""
        self.crashes_left = len(self._crashes)
        self._crashes.clear()

    def _effect(self, after: bool) -> None:
        """Before and after each commit and each call: whether the till dies here."""
        if not after:
            self.effects += 1
        off = self._crashes.pop((self.effects, after), None)
        if off is not None:
            self._off = off
            raise PowerCut

    def boot(self) -> None:
        """A new process on the same journal."""
        if self.alive:
            return
        self.alive = True
        self._machine.start(self._world.now)
        self.life += 1
        self.starts.append((self._world.now, self.journal.line))
        self.machines.append((self._world.now, self.journal.line, self.journal.machine))
        self._booted_at = self._world.now
        self._posted = deque()
        self._wake_at = None
        self._wakes = set()
        self.clock = SimClock(self._world, self._pushed, self.journal.last_at, self._machine)
        posted, life = self._posted, self.life

        def post(event: Message) -> None:
            if self.life == life and self.alive:
                posted.append(event)
                if not self._working:
                    self._work(None)

        def lives() -> bool:
            return self.life == life and self.alive

        calls = SimCalls(
            self._world,
            self.network,
            self._gateway,
            self.journal,
            post,
            self._effect,
            lives,
            self._log,
            self.clock.service_said,
        )
        ports = Ports(
            journal=self.journal,
            trouble=TROUBLE,
            calls=calls,
            clock=self.clock,
            publish=self._publish,
            post=post,
            list_payments=calls.list_payments,
            machine_sends=self._machine_sends(),
            printer=self.printer.line(lambda: self.journal.line, post, lives),
        )
        self.engine = Engine(self.config, ports)
        self._working = False
        self._tell_store(post)
        self._work(self.engine.start)
        if self.restarts:
            self._schedule(self._world.now + 6_000, lambda: self._restarted(self))

    def _tell_store(self, post: Callable[[Message], None]) -> None:
        """Joins again wherever it lost its membership, and begins to ship a second later."""
        if self.store is None:
            return
        if not (self.journal.unreadable or self.journal.full):
            join(self.journal, self.store, self._world.wall_start + self._world.now)
        self.shipper = shipper_of(self.journal, self.store, self.acknowledged, post)
        life = self.life
        self._schedule(self._world.now + GATHERED_MS, lambda: self._turn(life))

    def _turn(self, life: int) -> None:
        if self.shipper is None or not self.alive or self.life != life:
            return
        wait = self.shipper.turn()
        if self.alive and self.life == life:
            self._schedule(self._world.now + wait, lambda: self._turn(life))

    def _machine_sends(self) -> MachineSends | None:
        """As the product hands it in (commands/opening.py): the machine's file, whatever the folder; live alone."""
        if self.config.environment is not Environment.LIVE:
            return None
        return MachineSends(self._machine.state / "sms-sends")

    def push_clock(self, by: int) -> None:
        """Somebody sets the wall clock."""
        self._pushed += by
        self.clock.pushed = self._pushed

    def die(self, off: int) -> None:
        """Power is cut, or the process killed; it comes back later."""
        if not self.alive:
            return
        self._machine.end()
        self._no_more_closing()
        if self.shipper is not None:
            self.shipper.close()
        if off >= REBOOT and not self._machine.running:
            self._machine.boot(self._world.now + off // 2)
        self.alive = False
        self.restarts += 1
        self._posted.clear()
        self.journal.power_cut()
        self._log.shown -= {each for each in self._log.shown if each[0] == self.journal.line} - self.told_of()
        self._schedule(self._world.now + off, self.boot)

    def told_of(self) -> set[tuple[str, str]]:
        """The ids this journal says the service answered for: the rest is forgotten."""
        line = self.journal.line
        return {
            (line, each.record.subject) for each in self.journal.written if _tells(each.record, self._gateway)
        }

    def transaction(self, attempt_id: str) -> Transaction | None:
        """What the service that its settings name holds under an id."""
        return self._gateway.ledger.get(attempt_id)

    def copy(self) -> None:
        """Somebody copies the folder, whatever the till is doing."""
        self.copied = self.journal.copy()

    def put_back(self, off: int) -> None:
        """The till is ended, the folder is made what the copy was, the till is started again."""
        if self.copied is not None:
            self.die(off)
            line = self._leave("put_back", self.copied.line, len(self.copied.written), self.copied.at)
            self.journal.put_back(self.copied, line)
            self.gaps[line] = dict(self.journal.gone)
            self._log.shown |= self.told_of()

    def lose(self, left: int, off: int) -> None:
        """The till is ended and its journal is lost; `left` says what of it is still there (losing.py)."""
        self.die(off)
        self._begin_anew(lost(self.journal, self.config.environment, left))

    def thin(self, what: int, off: int) -> None:
        """The till is ended and rows are taken out of its journal; a start that finds that begins another beside it."""
        gone = rows_about(self.journal.there(), what)
        if not gone:
            return
        self.die(off)
        is_found = self.journal.take_out(gone)
        self.gaps[self.journal.line] = dict(self.journal.gone)
        if is_found:
            self._begin_anew(thinned(self.journal, self.config.environment))

    def _begin_anew(self, found: Salvage) -> None:
        line = self._leave("lost", self.journal.line, 0, self._world.now)
        wall_ms = self._world.wall_start + self._world.now + self._pushed
        wall = datetime.fromtimestamp(wall_ms / 1000, self._world.zone())
        self.journal.begin_anew(line, records_of(found, "damaged", wall_ms, wall))
        self._log.shown |= self.told_of()

    def _leave(self, how: str, parent: str, copied: int, copied_at: int) -> str:
        self.left[self.journal.line] = tuple(self.journal.written)
        line = f"{self.journal.line.split('/')[0]}/{self.index}.{len(self.left)}"
        self.lines[line] = Line(parent, how, self._world.now, copied, copied_at)
        return line

    def move(self, off: int) -> None:
        """The folder wakes on another machine."""
        self.die(off)
        self.journal.machine = f"machine {self.index}.{len(self.machines)}"

    def call_at(self, gateway: Gateway, off: int) -> None:
        """The settings name another service from the next start on."""
        self.die(off)
        self._gateway = gateway
        self.config = replace(self.config, rules=replace(self.config.rules, origin=gateway.origin))

    def update(self, wait: int, *, strict: bool, end: bool) -> None:
        """Somebody wants to update: the till is asked to close (ms), and with `end` it is replaced when it is clear."""
        if not self.alive:
            return
        self._no_more_closing()
        now, seq = self._world.now, len(self.journal.written)
        self._updates = end
        self.closings.append(
            Closing(line=self.journal.line, at=now, seq=seq, until=now + wait, strict=strict)
        )
        self.tell(DrainAsked(request_id=str(len(self.closings)), wait_ms=wait, strict=strict, end=end))

    def leave_update(self) -> None:
        """Whoever asked last waits no longer."""
        if self.closings:
            self._no_more_closing()
            self.tell(DrainLeft(request_id=str(len(self.closings))))

    def _no_more_closing(self) -> None:
        if self.closings:
            last = self.closings[-1]
            self.closings[-1] = replace(last, until=min(last.until, self._world.now))

    def _note_clear(self, terminal: Terminal) -> None:
        last = self.closings[-1]
        is_news = last.clear_at is None and terminal.drain.request_id == str(len(self.closings))
        if terminal.drain.step is not DrainStep.DRAINED or not is_news:
            return
        now, life = self._world.now, self.life
        # One that is being replaced sells nothing until it is gone, however long that takes.
        until = now + REPLACED_IN if self._updates else last.until
        self.closings[-1] = replace(last, clear_at=now, clear_seq=len(self.journal.written), until=until)
        if self._updates:
            self._schedule(now + REPLACED_IN, lambda: self.die(OFF_AFTER_REST) if self.life == life else None)

    def tell(self, event: Message) -> None:
        """A person's wish."""
        if self.alive:
            self._work(lambda: self.engine.handle(event))

    def _work(self, first: Callable[[], None] | None) -> None:
        """Until the engine rests; then its next due time is set."""
        self._working = True
        try:
            if first is not None:
                first()
            due = self._until_rest()
        except PowerCut:
            self.die(self._off)
            return
        except Exception as accident:
            # The real loop would log it and stop selling; here every bug must be told.
            self.accidents.append(f"{type(accident).__name__}: {accident}")
            self.die(OFF_AFTER_REST)
            return
        finally:
            self._working = False
        if due is not None:
            self._wake_at = at = max(self.clock.true(due), self._world.now + 1)
            if at not in self._wakes:
                self._wakes.add(at)
                life = self.life
                self._schedule(at, lambda: self._wake(at, life))

    def _wake(self, at: int, life: int) -> None:
        """What is due has moved since, if it is not this time: then another wake is on its way."""
        if self.alive and self.life == life:
            self._wakes.discard(at)
            if self._wake_at == at:
                self._work(None)

    def _until_rest(self) -> int | None:
        """Works until nothing is due; when the next thing will be."""
        engine, posted, now = self.engine, self._posted, self.clock.now()
        for _ in range(self.most_at_once):
            if posted:
                engine.handle(posted.popleft())
                continue
            due = engine.due_at()
            if due is None or due > now:
                return due
            engine.tick()
        raise RestlessError("the engine never comes to rest")

    def _publish(self, picture: Published) -> None:
        if isinstance(picture, Terminal):
            self.terminal = picture
            self._note_open(picture.block)
            if self.closings:
                self._note_clear(picture)
        elif isinstance(picture, AttemptChanged) and picture.attempt.state in MONEY:
            self.seen.append(Seen(self._world.now, self.journal.line, picture.attempt.attempt_id))
        elif isinstance(picture, DayClosed) and picture.z is not None:
            self.days.append((self._world.now, self.journal.line, picture.z))
        self._published(self, picture)

    def _note_open(self, block: Block) -> None:
        """How long it took from the start until it could sell, where the disk let it read."""
        if self._booted_at is None or block is Block.STARTING:
            return
        if block is not Block.JOURNAL_HALTED:
            self.opened.append((self._booted_at, self.journal.line, self._world.now - self._booted_at))
        self._booted_at = None

    def moment(self) -> Moment:
        """What it has in hand now."""
        timed = self.engine.in_hand() if self.alive else frozenset()
        return Moment(
            self._world.now,
            self.journal.line,
            tuple(self.journal.attempts()),
            timed,
            frozenset(each.attempt_id for each in self.terminal.attention),
            self.config.origin,
            self.terminal.block is Block.IDENTITY_USED_TWICE,
            self.terminal.block is Block.UPDATING,
        )


def _tells(record: Record, gateway: Gateway) -> bool:
    """Whether it says that the service knows this id; what it was told of another says nothing."""
    reply = record.content.get("reply", {})
    if reply.get("type") == "accepted":
        return bool(reply["wallet_transaction_id"]) and reply["external_id"] in ("", record.subject)
    is_status = reply.get("type") == "status"
    return is_status and shows(msgspec.convert(reply, StatusReport), record.subject, gateway)
