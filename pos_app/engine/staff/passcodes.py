"""Passcodes: each try is durable before it is looked at, whatever ends the till."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from pos_app.domain.ages import Stamp, ages
from pos_app.domain.passcode import (
    DEAD,
    ENDS_A_ROW,
    RIGHT,
    SET,
    TRY,
    PasscodeLimits,
    PasscodeProblem,
    is_dead,
    problem_of_choice,
    subject_of,
    wait_before_next,
    wait_left,
)
from pos_app.domain.people import Person
from pos_app.domain.record import Record
from pos_app.domain.secret import Secret
from pos_app.engine.connection.calls import Calls, PasscodeChecked, PasscodeHashed
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.staff.approvals import Verdict
from pos_app.engine.staff.roster import Roster

__all__ = ["Passcodes", "subject_of"]

P = PasscodeProblem
Heard = Callable[[Verdict], None]
Hashed = Callable[[PasscodeProblem, Record | None], None]


class _Check(msgspec.Struct, frozen=True):
    """A try being looked at, and the wrong ones in a row with it."""

    person: Person
    hashed: bytes
    wrong: int
    then: Heard


class _Choice(msgspec.Struct, frozen=True):
    """A new passcode being hashed."""

    person: Person
    then: Hashed


class Passcodes:
    """Owns the one check, or choice, under way: one at a time, so that no count is taken twice."""

    def __init__(
        self,
        limits: PasscodeLimits,
        journal: JournalStore,
        live_payments: LivePayments,
        calls: Calls,
        clock: Clock,
        roster: Roster,
    ) -> None:
        self._limits = limits
        self._journal = journal
        self._live_payments = live_payments
        self._calls = calls
        self._clock = clock
        self._roster = roster
        self._number = 0
        self._under_way: _Check | _Choice | None = None
        self.distrusted = False
        """Whether the record was found damaged under the running till: nobody knows how many wrong ones there were."""

    def take_limits(self, limits: PasscodeLimits) -> None:
        """From the next try on."""
        self._limits = limits

    def check(self, person: Person, passcode: Secret, then: Heard) -> None:
        """Whether it is theirs; `then` hears it once, at once or when it has been looked at."""
        if self._under_way is not None:
            then(Verdict(P.BUSY))
            return
        refused = self._refused_unseen(person)
        if refused is not None:
            then(refused)
            return
        wrong, hashed = self._wrong(person.person_id), self._hash_of(person.person_id)
        if wrong is None or hashed is None:
            then(Verdict(P.CANNOT_RECORD))
        elif not hashed:
            then(Verdict(P.NOT_SET))
        elif self.distrusted or is_dead(len(wrong), self._limits):
            then(self._kill(person))
        elif wait := self._wait(wrong):
            then(Verdict(P.WAIT, self._limits.tries - len(wrong), wait))
        elif not self._count(person) or (stands := self._stands(person)) is None:
            then(Verdict(P.CANNOT_RECORD))
        elif not stands:
            # Threat 29: wrong ones that somebody took out of the record are not forgotten by it.
            then(self._kill(person))
        else:
            self._number += 1
            self._under_way = _Check(person, hashed, len(wrong) + 1, then)
            self._calls.check_passcode(self._number, passcode, hashed)

    def _refused_unseen(self, person: Person) -> Verdict | None:
        if not person.enabled:
            return Verdict(P.UNKNOWN_PERSON)
        if person.passcode_dead:
            return Verdict(P.DEAD, 0)
        return None if person.passcode_set else Verdict(P.NOT_SET)

    def _wrong(self, person_id: str) -> list[Stamp] | None:
        """The wrong ones in a row, oldest first; a try whose end nobody wrote down was wrong."""
        newest = self._limits.tries + 2
        events = self._live_payments.read(
            lambda: self._journal.newest_of(subject_of(person_id), newest), None
        )
        if events is None:
            return None
        tries: list[Stamp] = []
        for event in events:
            if event.kind == TRY:
                tries.append(msgspec.convert(event.content["stamp"], Stamp))
            elif event.kind in ENDS_A_ROW:
                tries.clear()
        return tries

    def _hash_of(self, person_id: str) -> bytes | None:
        """b"" where there is none; None while the journal cannot be read."""
        read = self._live_payments.read(lambda: (self._journal.unsealed(subject_of(person_id)) or b"",), None)
        return None if read is None else read[0]

    def _wait(self, wrong: list[Stamp]) -> int:
        return wait_left(ages(self._clock.stamp(), wrong), self._limits)

    def _count(self, person: Person) -> bool:
        content = {"name": person.name, "stamp": msgspec.to_builtins(self._clock.stamp())}
        return self._live_payments.commit([self._about(TRY, person, content=content)])

    def _stands(self, person: Person) -> bool | None:
        """Whether the record is whole since the row of wrong ones began; None while it cannot be read."""
        subject = subject_of(person.person_id)
        return self._live_payments.read(lambda: self._journal.stands_since(subject, ENDS_A_ROW), None)

    def _about(self, kind: str, whose: Person, **facts: object) -> Record:
        return self._live_payments.record(kind, subject_of(whose.person_id), whose.person_id, **facts)

    def checked(self, fact: PasscodeChecked) -> None:
        """It was right or wrong; what is not known to be right stays counted as wrong."""
        check = self._under_way
        if not isinstance(check, _Check) or fact.check != self._number:
            return
        self._under_way = None
        left = self._limits.tries - check.wrong
        if self._changed_meanwhile(check):
            check.then(Verdict(P.UNKNOWN_PERSON))
        elif fact.right:
            right = self._about(RIGHT, check.person, content={"name": check.person.name})
            check.then(Verdict() if self._live_payments.commit([right]) else Verdict(P.CANNOT_RECORD))
        elif is_dead(check.wrong, self._limits):
            check.then(self._kill(check.person))
        else:
            problem = P.BUSY if fact.right is None else P.WRONG
            check.then(Verdict(problem, left, wait_before_next(check.wrong, self._limits)))

    def _changed_meanwhile(self, check: _Check) -> bool:
        """Disabled, or the passcode was reset: what was right before is no longer."""
        person = self._roster.enabled(check.person.person_id)
        return person is None or not person.passcode_set or self._hash_of(person.person_id) != check.hashed

    def _kill(self, person: Person) -> Verdict:
        now = replace(self._roster.find(person.person_id) or person, passcode_dead=True)
        self._live_payments.write([self._about(DEAD, now, person=now, content={"name": now.name})])
        self._roster.put(now)
        return Verdict(P.DEAD, 0)

    def choose(self, person: Person, passcode: Secret, then: Hashed) -> None:
        """Hashes a new one; `then` hears why not, or the record that makes it theirs once it is written."""
        number = self._live_payments.read(lambda: (self._journal.unsealed(person.person_id) or b"",), None)
        before = self._hash_of(person.person_id)
        if self._under_way is not None:
            then(P.BUSY, None)
        elif number is None or before is None:
            then(P.CANNOT_RECORD, None)
        elif problem := problem_of_choice(passcode.reveal(), number[0].decode()):
            then(problem, None)
        else:
            self._number += 1
            self._under_way = _Choice(person, then)
            self._calls.hash_passcode(self._number, passcode, before or None)

    def hashed(self, fact: PasscodeHashed) -> None:
        """A new passcode can be stored, or is the one from before."""
        choice = self._under_way
        if not isinstance(choice, _Choice) or fact.check != self._number:
            return
        self._under_way = None
        person = self._roster.enabled(choice.person.person_id)
        if person is None:
            choice.then(P.UNKNOWN_PERSON, None)
        elif fact.same:
            choice.then(P.SAME_AS_BEFORE, None)
        elif fact.hashed is None:
            choice.then(P.BUSY, None)
        else:
            now = replace(person, passcode_set=True, passcode_dead=False)
            content = {"name": now.name}
            choice.then(P.NONE, self._about(SET, now, person=now, content=content, sealed=fact.hashed))
