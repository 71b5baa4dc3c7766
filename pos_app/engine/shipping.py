"""Tells the store what the journal holds, on a thread of its own. The engine never waits for it, nor it for the engine.

`Shipper` is one turn after the other, without a thread or a clock; `Shipping` is the thread. What comes of it is posted
to the engine as StoreNews. No word of a store changes a payment, and the counter is convicted by its own signature
alone (docs/store.md).
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from pos_app.domain.membership import Conviction, Membership, StoreState, StoreView
from pos_app.domain.shipping import (
    BACKLOG_PAUSE_MS,
    FIRST_RETRY_MS,
    GATHERED_MS,
    IDLE_CALL_MS,
    LONGEST_RETRY_MS,
    MAC_LENGTH,
    Answer,
    Challenge,
    Head,
    Session,
    SessionRequest,
    Signed,
    Told,
    ToldPage,
    Verdict,
    header_of,
    posted,
    text_of,
)
from pos_app.domain.unreadable import UNREADABLE
from pos_app.engine.connection.calls import (
    StoreConvicted,
    StoreFellBehind,
    StoreNews,
    StoreSaid,
    StoreTold,
)
from pos_app.journal.device import Device
from pos_app.journal.errors import JournalTrouble
from pos_app.journal.outbox import Outbox, Place
from pos_app.services.errors import ServiceError
from pos_app.services.origin import OriginError
from pos_app.services.store import StoreRefused
from pos_app.system.atomic_file import write_whole
from pos_app.system.plain_file import read_plain

log = logging.getLogger(__name__)

MOST_HINTS = 500
"""So many forgotten payments are handed to the engine, the newest first; the others are counted."""

MOST_PAGES = 2_000
HINT_MOST = 16_384
"""Bytes of one as JSON: no payment has as many."""
REFUSED_MS = LONGEST_RETRY_MS
KEPT_EVERY_TURNS = 60
JOIN_S = 2.0

_STRANGE = "it says of this counter what this counter never signed"


class Store(Protocol):
    """One store's calls, as of `services.store.StoreClient`."""

    @property
    def has_session(self) -> bool: ...
    def challenge(self, installation: str) -> Challenge: ...
    def session(self, request: SessionRequest) -> Session: ...
    def end_session(self) -> None: ...
    def head(self) -> Head: ...
    def batch(self, body: bytes) -> Answer: ...
    def told(self, after: int) -> ToldPage: ...
    def close(self) -> None: ...


class _Kept(msgspec.Struct, frozen=True):
    """What the store has acknowledged, as the file beside the journal has it."""

    journal: str = ""
    seq: int = 0


class Acknowledged:
    """How far the store has acknowledged this journal, kept beside it: what is in the file is never too much.

    It says two things that the journal alone cannot: that a store holds less than it did, and how much of a folder
    that was put back is surely what the store holds, too.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: _Kept | None = None
        self._written = _Kept()

    def of(self, journal_there: str) -> int:
        """The newest event that was acknowledged; 0 where nobody knows of any."""
        if self._known is None:
            self._known = self._written = self._read()
        return self._known.seq if self._known.journal == journal_there else 0

    def _read(self) -> _Kept:
        try:
            return msgspec.json.decode(read_plain(self._path), type=_Kept)
        except (OSError, *UNREADABLE):
            return _Kept()

    def note(self, journal_there: str, seq: int) -> None:
        """The store has said so; `keep` writes it."""
        self._known = _Kept(journal_there, seq)

    def keep(self) -> None:
        """To the disk, where it is news; one that takes nothing is no harm."""
        if self._known is None or self._known == self._written:
            return
        try:
            write_whole(self._path, msgspec.json.encode(self._known))
        except OSError as error:
            log.info("what the store has acknowledged is not kept: %s", error.strerror)
            return
        self._written = self._known


class CounterHealth(msgspec.Struct, frozen=True):
    """What a session tells of the counter: its version, its wall clock as ISO text, and free bytes of its disk (-1)."""

    version: str
    wall: Callable[[], str]
    disk_free: Callable[[], int] = lambda: -1


class CounterSide(NamedTuple):
    """What is told, by whose signature, and how far it was acknowledged."""

    outbox: Outbox
    device: Device
    acknowledged: Acknowledged


class Shipper:
    """One counter's turns. `open_store`: the store that the membership names, with the settings of the moment.

    Everything here belongs to one thread; `close` may be called by another.
    """

    def __init__(
        self,
        counter: CounterSide,
        open_store: Callable[[Membership], Store],
        health: CounterHealth,
        post: Callable[[StoreNews], None],
        jitter: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._outbox, self._device, self._acknowledged = counter
        self._open_store = open_store
        self._health = health
        self._post = post
        self._jitter = jitter
        self._store: Store | None = None
        self._of: Membership | None = None
        self._head: Head | None = None
        self._convicted = ("", Conviction.NONE)
        self._view: StoreView | None = None
        self._tries = 0
        self._idle_ms = 0
        self._turns = 0
        self._since = ""
        self._closed = False
        self.waiting = 0
        """So many events had not been acknowledged at the last turn."""

    @property
    def view(self) -> StoreView:
        """How it stands."""
        return self._view or StoreView()

    def turn(self) -> int:
        """Does the next thing there is to do; so many ms later the next turn is due."""
        try:
            place = self._outbox.place()
        except JournalTrouble as trouble:
            log.info("the journal cannot be read for the store: %s", type(trouble).__name__)
            return self._retry()
        member = place.membership
        if member is None:
            self._let_go()
            self._show(StoreView())
            return IDLE_CALL_MS
        if member.installation_id != place.installation_id:
            # Another machine's id, or one that was begun anew: the store does not know it.
            self._let_go()
            self._tell(member, StoreState.REJOIN)
            return IDLE_CALL_MS
        if self._convicted[0] == place.installation_id:
            self._let_go()
            return IDLE_CALL_MS
        try:
            return self._ship(place, member)
        except StoreRefused as refused:
            return self._refused(member, refused)
        except (ServiceError, OriginError, OSError, ValueError, ArithmeticError) as error:
            self._head = None
            if self._store is not None:
                self._store.end_session()
            self._tell(member, StoreState.LOST, why=type(error).__name__)
            return self._retry()
        except JournalTrouble as trouble:
            log.info("the journal cannot be read for the store: %s", type(trouble).__name__)
            return self._retry()

    def renew(self) -> None:
        """Other settings hold: the store is opened anew."""
        self._let_go()

    def give_up(self) -> None:
        """Nothing is told any more, and the picture says so."""
        if self._of is not None:
            self._tell(self._of, StoreState.LOST, why="bug")

    def close(self) -> None:
        """Breaks what is under way; any thread. The turn that it breaks is the last."""
        self._closed = True
        store = self._store
        if store is not None:
            store.close()

    def keep(self) -> None:
        """What was acknowledged goes to the disk."""
        self._acknowledged.keep()

    def _let_go(self) -> None:
        store, self._store, self._head = self._store, None, None
        if store is not None:
            store.close()

    def _ship(self, place: Place, member: Membership) -> int:
        if self._store is None or self._of != member:
            self._let_go()
            self._store, self._of = self._open_store(member), member
            if self._closed:
                # `close` has been by and saw none.
                self._store.close()
        store = self._store
        head = self._head if store.has_session else None
        if head is None:
            if not self._judge(store, self._begin(store, place, member), member):
                return self._retry() if self._convicted[0] != place.installation_id else IDLE_CALL_MS
            self._idle_ms = 0
            head = self._head or Head()
        self.waiting = place.seq - head.seq
        if self.waiting > 0:
            if not self._send(store, place, head, member):
                return self._retry() if self._convicted[0] != place.installation_id else IDLE_CALL_MS
            self._idle_ms = 0
        elif self._idle_ms >= IDLE_CALL_MS:
            self._idle_ms = 0
            if not self._judge(store, store.head(), member):
                return self._retry() if self._convicted[0] != place.installation_id else IDLE_CALL_MS
        self._tries = 0
        self._since = self._health.wall()
        self._tell(member, StoreState.WELL)
        self._turns += 1
        if self._turns % KEPT_EVERY_TURNS == 1:
            self._acknowledged.keep()
        wait = BACKLOG_PAUSE_MS if self.waiting > 0 else GATHERED_MS
        self._idle_ms += wait
        return wait

    def _begin(self, store: Store, place: Place, member: Membership) -> Head:
        installation = place.installation_id
        drawn = store.challenge(installation)
        if drawn.store_id != member.store_id:
            raise ValueError("another store answers at this address")
        opened = store.session(
            SessionRequest(
                installation=installation,
                challenge=drawn.challenge,
                signature=self._device.answer_to(member.store_id, drawn.challenge),
                version=self._health.version,
                wall=self._health.wall(),
                waiting=max(0, place.seq - self._acknowledged.of(member.journal_there)),
                disk_free=self._health.disk_free(),
                acknowledged=self._acknowledged.of(member.journal_there),
            )
        )
        return opened.head

    def _send(self, store: Store, place: Place, head: Head, member: Membership) -> bool:
        """One batch, and what is said of it. False: nothing more is sent for now."""
        events = self._outbox.batch(head.seq)
        if not events:
            self.waiting = 0
            return True
        before = self._outbox.mac_at(head.seq) if head.seq else b""
        text = text_of(events)
        signed = self._device.signed(header_of(place.installation_id, before, events, text))
        answer = store.batch(posted(signed, text))
        if answer.verdict is Verdict.FORK:
            return self._judge(
                store, msgspec.structs.replace(answer.head, proof=answer.held), member, forked=True
            )
        if answer.verdict is Verdict.TAKEN and (answer.head.seq, answer.head.mac) == (
            events[-1].seq,
            events[-1].mac,
        ):
            self._hold(member.journal_there, answer.head)
            self.waiting = max(0, place.seq - answer.head.seq)
            return True
        if not self._judge(store, answer.head, member):
            return False
        if answer.head.seq <= head.seq:
            # It holds less, or takes nothing of what comes next: not asked four times a second.
            raise ValueError("the store took nothing")
        self.waiting = max(0, place.seq - answer.head.seq)
        return True

    def _hold(self, journal_there: str, head: Head) -> None:
        self._head = head
        self._acknowledged.note(journal_there, head.seq)

    def _judge(self, store: Store, head: Head, member: Membership, *, forked: bool = False) -> bool:
        """Whether the store holds a beginning of this very journal, and so may be sent the rest.

        If it does not, this counter's own signature says why, or nothing does: then the store is strange, and no
        more than that.
        """
        # Read after the store's word: whatever a second process has written and sent meanwhile is in it.
        place = self._outbox.place()
        installation = place.installation_id
        if installation != member.installation_id:
            return False
        conviction, first, last = self._conviction(head.proof, place)
        if conviction:
            self._convict(store, member, place, conviction, first, last)
            return False
        is_prefix = head.seq == 0 or (
            len(head.mac) == MAC_LENGTH
            and 0 < head.seq <= place.seq
            and self._outbox.mac_at(head.seq) == head.mac
        )
        if forked or not is_prefix:
            self._head = None
            self._tell(member, StoreState.STRANGE, why=_STRANGE)
            return False
        known = self._acknowledged.of(member.journal_there)
        if head.seq < known <= place.seq:
            self._post(StoreFellBehind(held=head.seq, acknowledged=known, epoch=head.epoch))
        self._hold(member.journal_there, head)
        return True

    def _conviction(self, proof: Signed | None, place: Place) -> tuple[Conviction, int, int]:
        header = self._device.own(proof, place.installation_id)
        if header is None:
            return Conviction.NONE, 0, 0
        if header.last > place.seq:
            return Conviction.OLDER, header.first, header.last
        own = self._outbox.mac_at(header.last)
        if own and own != header.mac:
            return Conviction.FORK, header.first, header.last
        return Conviction.NONE, 0, 0

    def _convict(
        self, store: Store, member: Membership, place: Place, why: Conviction, first: int, last: int
    ) -> None:
        installation = place.installation_id
        self._convicted = (installation, why)
        self._post(
            StoreConvicted(why=why, first=first, last=last, head=place.seq, installation_id=installation)
        )
        self._tell(member, StoreState.STOPPED, conviction=why)
        if why is Conviction.OLDER:
            try:
                self._hint(store, member, place, last)
            except BaseException:
                # It has stopped; what it forgot is asked for again with the next turn, and not at the next start.
                self._convicted = ("", Conviction.NONE)
                raise

    def _hint(self, store: Store, member: Membership, place: Place, last: int) -> None:
        """What the store was told and the journal has forgotten, from where both surely are the same.

        `last`: the newest event that this counter signed. However much a store says, no more than the newest is kept.
        """
        known = self._acknowledged.of(member.journal_there)
        after = begins = known if known <= place.seq else 0
        newest: dict[str, Told] = {}
        others = 0
        for _ in range(MOST_PAGES):
            page = store.told(after)
            read = {each.attempt_id: each for each in page.told}
            unknown = self._outbox.unknown(read)
            for attempt_id in sorted(unknown, key=lambda each: read[each].seq):
                if len(msgspec.json.encode(read[attempt_id].attempt)) > HINT_MOST:
                    others += 1
                    continue
                newest.pop(attempt_id, None)
                newest[attempt_id] = read[attempt_id]
            while len(newest) > MOST_HINTS:
                del newest[next(iter(newest))]
                others += 1
            behind = max((each.seq for each in page.told), default=after)
            if not page.more or behind <= after:
                break
            after = behind
        told = StoreTold(
            installation_id=member.installation_id,
            told=tuple(newest.values()),
            more=others,
            forgotten=max(0, last - begins),
        )
        self._post(told)

    def _refused(self, member: Membership, refused: StoreRefused) -> int:
        self._head = None
        had_session = self._store is not None and self._store.has_session
        if self._store is not None:
            self._store.end_session()
        if refused.is_busy:
            self._tell(member, StoreState.LOST, why=refused.code)
            return max(self._retry(), int(refused.retry_s * 1000))
        if refused.http_status == 401 and had_session:
            # A token lives for an hour.
            return self._retry()
        self._tell(member, StoreState.REFUSED, why=refused.code)
        return REFUSED_MS

    def _retry(self) -> int:
        """Twice as long each time, and never in step with the other counters of the shop."""
        self._tries = min(self._tries + 1, 16)
        wait = min(FIRST_RETRY_MS << (self._tries - 1), LONGEST_RETRY_MS)
        return int(wait * self._jitter(0.5, 1.0))

    def _tell(
        self,
        member: Membership,
        state: StoreState,
        *,
        why: str = "",
        conviction: Conviction = Conviction.NONE,
    ) -> None:
        away = state not in (StoreState.WELL, StoreState.REJOIN)
        self._show(
            StoreView(
                state=state,
                store_name=member.store_name,
                shop_name=member.shop_name,
                counter=member.counter,
                # While all is well it is a handful, and would be news each second.
                waiting=self._unacknowledged(member) if away else 0,
                since=self._since if away else "",
                why=why,
                conviction=conviction,
            )
        )

    def _unacknowledged(self, member: Membership) -> int:
        try:
            place = self._outbox.place()
        except JournalTrouble:
            return self.waiting
        return max(0, place.seq - self._acknowledged.of(member.journal_there))

    def _show(self, view: StoreView) -> None:
        if view != self._view:
            self._view = view
            self._post(StoreSaid(view))


class Shipping:
    """The thread on which a shipper has its turns, from `start` to `stop`; `begins`: this counter is a store's already.

    Else it begins with the first `wake`.
    """

    def __init__(self, make: Callable[[], Shipper], *, begins: bool = True) -> None:
        self._make = make
        self._begins = begins
        self._shipper: Shipper | None = None
        self._ending = threading.Event()
        self._due = threading.Event()
        self._lock = threading.Lock()
        # A daemon: neither a store nor a disk that does not answer must hold up the end of the till.
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)

    def start(self) -> None:
        """Begins, where there is a store to be told; once."""
        if self._begins:
            self._thread.start()

    def wake(self) -> None:
        """Joined, or left: its next turn is now."""
        if self._thread.ident is None and not self._ending.is_set():
            self._thread.start()
        self._due.set()

    def stop(self) -> None:
        """Ends it, bounded; it may never have been started."""
        self._ending.set()
        self._due.set()
        with self._lock:
            shipper = self._shipper
        if shipper is not None:
            shipper.close()
        if self._thread.is_alive():
            self._thread.join(JOIN_S)

    def _run(self) -> None:
        shipper = self._make()
        with self._lock:
            self._shipper = shipper
        try:
            self._turns(shipper)
        finally:
            if not self._ending.is_set():
                # A bug: the last word on the screen would be that all is well, until the next start.
                shipper.give_up()
        shipper.close()
        shipper.keep()

    def _turns(self, shipper: Shipper) -> None:
        while not self._ending.is_set():
            # Before the turn: whoever wakes it during one wants another.
            self._due.clear()
            wait_ms = shipper.turn()
            if not self._ending.is_set():
                self._due.wait(wait_ms / 1000)
