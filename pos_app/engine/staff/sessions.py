"""Who is at the till, whether it is locked, and whose code by SMS still counts. Checks no code and no passcode."""

from __future__ import annotations

import msgspec

from pos_app.domain.ages import Stamp, longest_age
from pos_app.domain.people import Person
from pos_app.domain.record import Record
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.staff.roster import Roster

SIGNED_IN, SIGNED_OUT = "SIGNED_IN", "SIGNED_OUT"
SWITCHED, LOCKED, UNLOCKED = "SWITCHED", "LOCKED", "UNLOCKED"
OF_SESSIONS = frozenset({SIGNED_IN, SIGNED_OUT, SWITCHED, LOCKED, UNLOCKED})

LOOK_BACK = 64
"""So many of somebody's newest events are looked at for their session at a start; beyond them an SMS is needed."""

FRESH_MS = 2 * 60_000
"""So long after somebody proved to be there, another passcode may be chosen for them."""


class Sessions:
    """Owns the seat at the till and the moments (stamps) at which codes by SMS opened sessions.

    After a kill nobody is signed in; a session's stamp is in each event of it, so it holds for a passcode
    until its time is over, by clocks that nobody at the till can set.
    """

    def __init__(
        self,
        session_ms: int,
        journal: JournalStore,
        live_payments: LivePayments,
        clock: Clock,
        roster: Roster,
    ) -> None:
        self.session_ms = session_ms
        self._journal = journal
        self._live_payments = live_payments
        self._clock = clock
        self._roster = roster
        self._opened: dict[str, Stamp] = {}
        self._seated = ""
        self._seated_at: Stamp | None = None
        self._proved_at: int | None = None
        self.locked = False
        self.turn = 0
        """Changes whenever somebody comes, goes or locks: what was asked in an earlier turn is asked no more."""
        self.taken = 0
        """Changes whenever somebody takes the till or locks it. A session whose time is over takes it from nobody."""

    def take_up(self) -> None:
        """Finds whose session goes on. Nobody is signed in."""
        for person in self._roster.people:
            events = self._journal.newest_of(person.person_id, LOOK_BACK)
            newest = next((each for each in reversed(events) if each.kind in OF_SESSIONS), None)
            stamp = None if newest is None else newest.content.get("session")
            if stamp is not None:
                self._opened[person.person_id] = msgspec.convert(stamp, Stamp)

    @property
    def person(self) -> Person | None:
        """Who is signed in, as they now are on the list, behind a lock or not."""
        return self._roster.find(self._seated) if self._seated else None

    @property
    def open(self) -> tuple[str, ...]:
        """Whose passcode is enough now."""
        now = self._clock.stamp()
        return tuple(each.person_id for each in self._roster.people if self._may_enter(each, now))

    def may_enter(self, person: Person) -> bool:
        """Whether their passcode is enough: to unlock what is theirs, in their session, or by a manager's leave."""
        return person.person_id == self._seated or self._may_enter(person, self._clock.stamp())

    def _may_enter(self, person: Person, now: Stamp) -> bool:
        if not person.enabled or not person.passcode_set or person.passcode_dead:
            return False
        return person.passcode_signs_in or self._goes_on(person.person_id, now)

    def _goes_on(self, person_id: str, now: Stamp) -> bool:
        opened = self._opened.get(person_id)
        age = None if opened is None else longest_age(now, opened)
        return age is not None and age < self.session_ms

    def is_fresh(self, person_id: str) -> bool:
        """Whether whoever is signed in has proved to be there a moment ago."""
        proved_at = self._proved_at
        if proved_at is None or self._seated != person_id or self.locked:
            return False
        return 0 <= self._clock.now() - proved_at <= FRESH_MS

    def proved_again(self) -> None:
        """Whoever is at the till has given their passcode once more."""
        self._proved_at = self._clock.now()

    def unprove(self, person_id: str) -> None:
        """Their passcode was reset: only a code by SMS shows now who chooses the next, whoever stands at their till."""
        if self._seated == person_id:
            self._proved_at = None
            self.turn += 1

    def entering(self, person: Person, by: str, opened: Stamp | None = None) -> Record:
        """What is written before somebody takes the seat. `opened`: by the code of this moment."""
        if self._seated == person.person_id and self.locked and by == "passcode":
            kind = UNLOCKED
        else:
            kind = SWITCHED if self._seated not in ("", person.person_id) else SIGNED_IN
        facts = {"by": by} | ({"from": self._seated} if kind == SWITCHED else {})
        return self._record(kind, person, opened or self._session_of(person.person_id), **facts)

    def enter(self, person: Person, opened: Stamp | None = None) -> None:
        """The seat is theirs, and not locked."""
        if opened is not None:
            self._opened[person.person_id] = opened
        if self._seated != person.person_id or opened is not None:
            self._seated_at = opened or self._session_of(person.person_id) or self._clock.stamp()
        self._seated = person.person_id
        self.locked = False
        self.turn += 1
        self.taken += 1
        self._proved_at = self._clock.now()

    def lock(self, *, idle: bool) -> None:
        """Whoever is signed in stays, behind their passcode."""
        person = self.person
        if person is not None and not self.locked:
            self.locked = True
            self.turn += 1
            self.taken += 1
            session = self._session_of(person.person_id)
            self._live_payments.write([self._record(LOCKED, person, session, idle=idle)])

    def ending(self, person_id: str, why: str) -> list[Record]:
        """What is written when their session, or their place at the till, ends; nothing if they have neither."""
        person = self._roster.find(person_id)
        if person is None or (person_id not in self._opened and person_id != self._seated):
            return []
        return [self._record(SIGNED_OUT, person, None, why=why)]

    def end(self, person_id: str) -> bool:
        """Their session is over; True when they were at the till, and no longer are."""
        self._opened.pop(person_id, None)
        if not person_id or self._seated != person_id:
            return False
        self._seated, self._seated_at, self.locked = "", None, False
        self.turn += 1
        return True

    def _session_of(self, person_id: str) -> Stamp | None:
        going_on = self._goes_on(person_id, self._clock.stamp())
        return self._opened.get(person_id) if going_on else None

    def _record(self, kind: str, person: Person, session: Stamp | None, **facts: object) -> Record:
        own = person.person_id
        content = {"name": person.name, "session": msgspec.to_builtins(session), **facts}
        return self._live_payments.record(kind, own, own, content=content)

    def over_at(self) -> int | None:
        """When (till time) the time of whoever is signed in is over; past, where no clock proves it is not."""
        if self._seated_at is None:
            return None
        age = longest_age(self._clock.stamp(), self._seated_at)
        return self._clock.now() + (0 if age is None else max(0, self.session_ms - age))
