"""A manager's work on the list of people: each change with a reason, each number proved. Signs nobody in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pos_app.domain.passcode import RESET, subject_of
from pos_app.domain.people import TERMINAL, Person
from pos_app.domain.record import Record
from pos_app.domain.staff import ChangePerson, ChooseLanguage, Enrol, Renumber
from pos_app.domain.views import Published, Purpose, SignIn, SignInStep, StaffAnswered, StaffProblem
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.staff.number_proof import NumberProof, Wanted
from pos_app.engine.staff.roster import Refusal, Roster, changes, reason_of
from pos_app.engine.staff.sessions import Sessions

ENROLLED, RENUMBERED, CHANGED = "PERSON_ENROLLED", "PERSON_RENUMBERED", "PERSON_CHANGED"


class Enrolment:
    """Judges again who asks, though the authorizer has: a code comes back later than its manager began it.

    `forget` is called with a person_id whose sign-in under way, and place at the till, are over.
    """

    def __init__(
        self,
        live_payments: LivePayments,
        roster: Roster,
        sessions: Sessions,
        publish: Callable[[Published], None],
        forget: Callable[[str], None],
    ) -> None:
        self._live_payments = live_payments
        self._roster = roster
        self._sessions = sessions
        self._publish = publish
        self._forget = forget
        self.required = True
        """Whether somebody must be signed in; without it the account of the machine is the right."""

    def begin(self, command: Enrol | Renumber, proof: NumberProof) -> None:
        """Sends a code to the number that is to be proved."""
        try:
            by = self._actor()
            if isinstance(command, Enrol):
                purpose, (person, number) = Purpose.ENROL, self._roster.newcomer(command)
                signs_for_others = person.is_manager
            else:
                purpose, (person, number) = Purpose.RENUMBER, self._roster.renumbered(command)
                signs_for_others = True
            if signs_for_others and not _is_asked_again(proof.wanted, by, person, number):
                self._see_who_is_there(by)
        except Refusal as refusal:
            self._answer(command.request_id, refusal.problem)
            return
        wanted = Wanted(
            person=person,
            number=number,
            purpose=purpose,
            request_id=command.request_id,
            by=by,
            reason=reason_of(command.reason),
        )
        proof.begin(wanted)

    def _see_who_is_there(self, by: str) -> None:
        """Whoever has somebody's number signs in as them, and whoever is a manager signs for others: a till that its
        manager has left open for a moment is not enough. It is locked then, and the manager comes back with their
        passcode. Raises Refusal.
        """
        if self.required and not self._sessions.is_fresh(by):
            self._sessions.lock(idle=False)
            raise Refusal(StaffProblem.LOCKED)

    def _actor(self) -> str:
        """The person_id of the manager at the till. Raises Refusal."""
        person = self._sessions.person
        if not self.required:
            return TERMINAL if person is None else person.person_id
        if person is None or not person.enabled:
            raise Refusal(StaffProblem.NOT_SIGNED_IN)
        if self._sessions.locked:
            raise Refusal(StaffProblem.LOCKED)
        if not person.is_manager:
            raise Refusal(StaffProblem.NOT_ALLOWED)
        return person.person_id

    def is_at_work(self, wanted: Wanted | None) -> bool:
        """Whether the manager who began it is at the till, and not behind a lock."""
        if wanted is None:
            return False
        try:
            return self._actor() == wanted.by
        except Refusal:
            return False

    def proved(self, wanted: Wanted) -> bool:
        """The number is theirs: they are on the list, or have it from now on."""
        try:
            self._check_began(wanted)
            self._roster.check_still_free(wanted.person)
            enrols = wanted.purpose is Purpose.ENROL
            records = self._enrolled(wanted) if enrols else self._renumbered(wanted)
        except Refusal as refusal:
            self._answer(wanted.request_id, refusal.problem)
            return True
        if not self._live_payments.commit(records):
            return False
        for record in records:
            if record.person is not None:
                self._roster.put(record.person)
        if not enrols and wanted.by != wanted.person.person_id:
            self._forget(wanted.person.person_id)
        self._publish(
            SignIn(
                step=SignInStep.SIGNED_IN,
                person_id=wanted.person.person_id,
                number_mask=wanted.person.number_mask,
                purpose=wanted.purpose,
                request_id=wanted.request_id,
            )
        )
        return True

    def _check_began(self, wanted: Wanted) -> None:
        """A lock that came after the code was typed takes nothing back; another person at the till does."""
        if not self.required:
            return
        person = self._sessions.person
        if person is None or person.person_id != wanted.by or not person.enabled:
            raise Refusal(StaffProblem.NOT_SIGNED_IN)
        if not person.is_manager:
            raise Refusal(StaffProblem.NOT_ALLOWED)

    def _enrolled(self, wanted: Wanted) -> list[Record]:
        content = {"role": wanted.person.role.value, "number_mask": wanted.person.number_mask}
        return [self._record(ENROLLED, wanted.person, wanted, content)]

    def _renumbered(self, wanted: Wanted) -> list[Record]:
        before = self._roster.find(wanted.person.person_id)
        if before is None:
            raise Refusal(StaffProblem.UNKNOWN_PERSON)
        number = {"number_mask": wanted.person.number_mask, "number_digest": wanted.person.number_digest}
        content = {"number_mask": {"from": before.number_mask, "to": wanted.person.number_mask}}
        records = [self._record(RENUMBERED, replace(before, **number), wanted, content)]
        if wanted.by != before.person_id:
            # Whoever has the old phone must not have the session either.
            records += self._sessions.ending(before.person_id, "renumbered")
        return records

    def _record(self, kind: str, person: Person, wanted: Wanted, content: dict[str, Any]) -> Record:
        content = {"name": person.name, "reason": wanted.reason, **content}
        own, sealed = person.person_id, wanted.number.encode()
        return self._live_payments.record(kind, own, wanted.by, person=person, content=content, sealed=sealed)

    def change(self, command: ChangePerson) -> None:
        """Another name, role or language; disabled or enabled; a passcode reset."""
        try:
            actor = self._actor()
            after = self._roster.changed(command)
            before = self._roster.find(command.person_id) or after
            if after.may_manage and not before.may_manage:
                self._see_who_is_there(actor)
        except Refusal as refusal:
            self._answer(command.request_id, refusal.problem)
            return
        records = self._changed(command, before, after, actor)
        gone = before.enabled and not after.enabled
        if gone:
            records += self._sessions.ending(after.person_id, "disabled")
        if not self._live_payments.commit(records):
            self._answer(command.request_id, StaffProblem.CANNOT_RECORD)
            return
        self._roster.put(after)
        if command.reset_passcode:
            self._sessions.unprove(after.person_id)
        if gone:
            self._forget(after.person_id)
        self._answer(command.request_id)

    def choose_language(self, command: ChooseLanguage, person: Person | None) -> None:
        """One's own: it needs no manager and no reason. What cannot be recorded is not changed."""
        if person is None:
            return
        after = self._roster.speaking(person.person_id, command.language)
        content = {"name": after.name, "reason": "", "changes": changes(person, after)}
        own = person.person_id
        if after != person and self._live_payments.commit(
            [self._live_payments.record(CHANGED, own, own, person=after, content=content)]
        ):
            self._roster.put(after)

    def _changed(self, command: ChangePerson, before: Person, after: Person, actor: str) -> list[Record]:
        reason, own = reason_of(command.reason), after.person_id
        kept = replace(after, passcode_set=before.passcode_set, passcode_dead=before.passcode_dead)
        records = []
        if kept != before:
            content = {"name": before.name, "reason": reason, "changes": changes(before, kept)}
            records.append(self._live_payments.record(CHANGED, own, actor, person=kept, content=content))
        if after != kept:
            content = {"name": after.name, "reason": reason}
            records.append(
                self._live_payments.record(RESET, subject_of(own), actor, person=after, content=content)
            )
        return records

    def _answer(self, request_id: str, problem: StaffProblem = StaffProblem.NONE) -> None:
        self._publish(StaffAnswered(request_id=request_id, problem=problem))


def _is_asked_again(wanted: Wanted | None, by: str, person: Person, number: str) -> bool:
    """Whether it is one more code for what the same manager has begun."""
    return wanted is not None and (wanted.by, wanted.person.person_id, wanted.number) == (
        by,
        person.person_id,
        number,
    )
