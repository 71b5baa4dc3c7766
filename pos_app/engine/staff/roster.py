"""The list of cashiers and managers: what may be changed on it, and the records of it. Knows no screen, no code."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from pos_app.domain.people import LONGEST_NAME, Person, Role, is_same_name, number_in
from pos_app.domain.phone import NumberError, mask_number, parse_number
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from pos_app.domain.staff import ChangePerson, Enrol, Renumber
from pos_app.domain.text import clean_text, typed_text
from pos_app.domain.views import StaffProblem
from pos_app.engine.core.journal_store import JournalStore

FIRST = "person-1"
LONGEST_REASON = 200
LONGEST_LANGUAGE = 20


class Refusal(Exception):
    """Nothing is changed, and why."""

    def __init__(self, problem: StaffProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


class Roster:
    """Owns the list as it is written; `put` takes what has just become durable."""

    def __init__(self, journal: JournalStore, country: str) -> None:
        self._journal = journal
        self.country = country
        self.people: tuple[Person, ...] = ()
        self.known = False
        self.rebuilt = False
        """Whether the list is what a damaged record still said of it: nobody on it does not mean nobody ever was."""
        self._numbers_from = 1

    def take_up(self) -> None:
        """Reads the list; until then nobody is the first."""
        began = [each.content for each in self._journal.events_of(JOURNAL) if each.kind == REBUILT]
        self.rebuilt = bool(began)
        # Who was lost with the record may stand in it still, as the owner of a payment.
        self._numbers_from = max((int(each.get("next_person", 1)) for each in began), default=1)
        self.people = tuple(self._journal.people())
        self.known = True

    @property
    def has_manager(self) -> bool:
        """Whether somebody on the list may manage it."""
        return any(each.may_manage for each in self.people)

    def find(self, person_id: str) -> Person | None:
        """Somebody on the list."""
        return next((each for each in self.people if each.person_id == person_id), None)

    def enabled(self, person_id: str) -> Person | None:
        """The same, if they may stand at a till."""
        person = self.find(person_id)
        return person if person is not None and person.enabled else None

    def put(self, person: Person) -> None:
        """As they are now."""
        if self.find(person.person_id) is None:
            self.people = (*self.people, person)
            return
        same = person.person_id
        self.people = tuple(person if each.person_id == same else each for each in self.people)

    def first(self, name: str, number: str) -> tuple[Person, str]:
        """The first manager and their number. Raises Refusal."""
        number = self._number(number)
        person = self._new(self._next_id(), self._name(name), number, Role.MANAGER, "")
        self.check_still_free(person)
        return person, number

    def newcomer(self, command: Enrol) -> tuple[Person, str]:
        """Whom an enrolment would put on the list, and their number. Raises Refusal."""
        reason_of(command.reason)
        name, number = self._name(command.name), self._number(command.number)
        person = self._new(self._next_id(), name, number, command.role, command.language)
        self.check_still_free(person)
        return person, number

    def renumbered(self, command: Renumber) -> tuple[Person, str]:
        """The person with the new number. Raises Refusal."""
        reason_of(command.reason)
        person = self._listed(command.person_id)
        number = self._number(command.number)
        digest = self._journal.digest(number)
        if digest == person.number_digest:
            raise Refusal(StaffProblem.NO_CHANGE)
        person = replace(person, number_mask=mask_number(number), number_digest=digest)
        self.check_still_free(person)
        return person, number

    def changed(self, command: ChangePerson) -> Person:
        """The person as the command wants them. Raises Refusal."""
        reason_of(command.reason)
        before = self._listed(command.person_id)
        wanted = {
            "name": None if command.name is None else self._name(command.name),
            "role": command.role,
            "enabled": command.enabled,
            "language": None if command.language is None else _language(command.language),
            "passcode_signs_in": command.passcode_signs_in,
        }
        after = replace(before, **{field: value for field, value in wanted.items() if value is not None})
        if after.enabled > before.enabled and command.passcode_signs_in is None:
            # They come back by a code to their number, as is said before it is done.
            after = replace(after, passcode_signs_in=False)
        if command.reset_passcode:
            after = replace(after, passcode_set=False, passcode_dead=False)
        if after == before:
            raise Refusal(StaffProblem.NO_CHANGE)
        if after.name != before.name or after.enabled > before.enabled:
            self.check_still_free(after)
        self._keep_a_manager(after)
        return after

    def speaking(self, person_id: str, language: str) -> Person:
        """The person with another language. Raises Refusal."""
        return replace(self._listed(person_id), language=_language(language))

    def check_still_free(self, person: Person) -> None:
        """Nobody else who may stand at a till has the name or the number, or has taken the id. Raises Refusal."""
        for other in self.people:
            if other.person_id == person.person_id:
                continue
            if is_same_name(other.name, person.name):
                raise Refusal(StaffProblem.NAME_TAKEN)
            if other.number_digest == person.number_digest and other.enabled and person.enabled:
                raise Refusal(StaffProblem.NUMBER_TAKEN)

    def _keep_a_manager(self, after: Person) -> None:
        others = (each for each in self.people if each.person_id != after.person_id)
        managers = [each for each in (*others, after) if each.may_manage]
        if not managers:
            raise Refusal(StaffProblem.LAST_MANAGER)

    def _listed(self, person_id: str) -> Person:
        person = self.find(person_id)
        if person is None:
            raise Refusal(StaffProblem.UNKNOWN_PERSON)
        return person

    def _next_id(self) -> str:
        numbers = [number_in(each.person_id) for each in self.people]
        return f"person-{max(self._numbers_from, max(numbers, default=0) + 1)}"

    def _new(self, person_id: str, name: str, number: str, role: Role, language: str) -> Person:
        return Person(
            person_id=person_id,
            name=name,
            role=role,
            number_mask=mask_number(number),
            number_digest=self._journal.digest(number),
            language=_language(language),
        )

    def _name(self, typed: str) -> str:
        name = " ".join(typed.split())
        if not name or len(name) > LONGEST_NAME or clean_text(name) != name:
            raise Refusal(StaffProblem.BAD_NAME)
        return name

    def _number(self, typed: str) -> str:
        try:
            return parse_number(typed, self.country)
        except NumberError as error:
            raise Refusal(StaffProblem.BAD_NUMBER) from error


def reason_of(typed: str) -> str:
    """Why a manager did it, as it is written. Raises Refusal without one."""
    reason = typed_text(typed, LONGEST_REASON)
    if not reason:
        raise Refusal(StaffProblem.NO_REASON)
    return reason


def changes(before: Person, after: Person) -> dict[str, Any]:
    """What is different, for the journal: from what, to what."""
    was, now = msgspec.to_builtins(before), msgspec.to_builtins(after)
    return {field: {"from": was[field], "to": now[field]} for field in now if was[field] != now[field]}


def _language(tag: str) -> str:
    return clean_text(tag, LONGEST_LANGUAGE)
