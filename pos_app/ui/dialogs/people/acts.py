"""The acts on a person: button, question, and the command it becomes. Pure but for the fields; posts nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from pos_app.domain.people import LONGEST_NAME, Person, Role
from pos_app.domain.phone import NumberError, NumberProblem, example_number, parse_number, spaced
from pos_app.domain.staff import ChangePerson, Enrol, Renumber
from pos_app.domain.text import is_plain
from pos_app.domain.views import StaffProblem
from pos_app.i18n.words.people import words
from pos_app.i18n.words.set_up import words as set_up_words
from pos_app.ui.dialogs.parts.choice import Choice, Option
from pos_app.ui.dialogs.people.staff_question import Parts, QuestionForm, QuestionText, StaffQuestion
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.field import Field, for_example
from pos_app.ui.widgets.touched_fields import Takes


class ActWords(NamedTuple):
    """The words of an act: on its button, and of its question."""

    button: str
    title: str
    more: str
    do: str


class PersonAct(msgspec.Struct, frozen=True):
    """One thing to do to a person. `part` names its field, "" for none; `changes` are ChangePerson's own."""

    key: str
    said: Callable[[], ActWords]
    applies: Callable[[Person], bool]
    part: str = ""
    changes: Mapping[str, bool] = {}
    danger: bool = False


def _always(_person: Person) -> bool:
    return True


def _has_passcode(person: Person) -> bool:
    return person.passcode_set or person.passcode_dead


ACTS = (
    PersonAct(
        "rename",
        lambda: ActWords(words.RENAME, words.RENAME_TITLE, words.RENAME_MORE, words.RENAME_DO),
        _always,
        "name",
    ),
    PersonAct(
        "number",
        lambda: ActWords(words.NUMBER_ACT, words.RENUMBER_TITLE, words.RENUMBER_MORE, words.SEND),
        _always,
        "number",
    ),
    PersonAct(
        "role",
        lambda: ActWords(words.ROLE_ACT, words.ROLE_TITLE, words.ROLE_MORE, words.ROLE_DO),
        _always,
        "role",
    ),
    PersonAct(
        "language",
        lambda: ActWords(words.LANGUAGE_ACT, words.LANGUAGE_TITLE, words.LANGUAGE_MORE, words.LANGUAGE_DO),
        _always,
        "language",
    ),
    PersonAct(
        "alone_on",
        lambda: ActWords(words.ALONE_ON, words.ALONE_ON_TITLE, words.ALONE_ON_MORE, words.ALONE_ON_DO),
        lambda person: not person.passcode_signs_in,
        changes={"passcode_signs_in": True},
    ),
    PersonAct(
        "alone_off",
        lambda: ActWords(words.ALONE_OFF, words.ALONE_OFF_TITLE, words.ALONE_OFF_MORE, words.ALONE_OFF_DO),
        lambda person: person.passcode_signs_in,
        changes={"passcode_signs_in": False},
    ),
    PersonAct(
        "reset",
        lambda: ActWords(words.RESET, words.RESET_TITLE, words.RESET_MORE, words.RESET_DO),
        _has_passcode,
        changes={"reset_passcode": True},
        danger=True,
    ),
    PersonAct(
        "disable",
        lambda: ActWords(words.DISABLE, words.DISABLE_TITLE, words.DISABLE_MORE, words.DISABLE_DO),
        lambda person: person.enabled,
        changes={"enabled": False},
        danger=True,
    ),
    PersonAct(
        "enable",
        lambda: ActWords(words.ENABLE, words.ENABLE_TITLE, words.ENABLE_MORE, words.ENABLE_DO),
        lambda person: not person.enabled,
        changes={"enabled": True},
    ),
)
"""In the order of their buttons."""


class Forms:
    """Makes the questions for one counter: its country's example number, its languages."""

    def __init__(self, country: str, languages: Sequence[str]) -> None:
        self._country = country
        self._languages = tuple(languages)
        self._example = ""

    @property
    def example(self) -> str:
        """A mobile number of the country."""
        if not self._example:
            self._example = example_number(self._country)
        return self._example

    def question(self, act: PersonAct, person: Person) -> StaffQuestion:
        """What is asked before this is done to this person."""
        said = act.said()
        about = {"name": clean(person.name, LONGEST_NAME), "mask": person.number_mask}
        title, more = said.title.format(**about), said.more.format(**about)
        example = self.example if act.part == "number" else ""
        return StaffQuestion(
            QuestionText(title, more, said.do, words.REASONS[act.key]),
            QuestionForm(self._parts(act.part, person), self._check, example),
            danger=act.danger,
        )

    def enrolment(self) -> StaffQuestion:
        """Somebody new."""
        parts: Parts = {
            "name": self._name(""),
            "number": self._number(),
            "role": self._role(Role.CASHIER),
            "language": self._language(""),
        }
        return StaffQuestion(
            QuestionText(words.ENROL_TITLE, words.ENROL_MORE, words.SEND, words.REASONS["enrol"]),
            QuestionForm(parts, self._check, self.example),
        )

    def _parts(self, part: str, person: Person) -> Parts:
        match part:
            case "name":
                return {"name": self._name(person.name)}
            case "number":
                return {"number": self._number()}
            case "role":
                return {"role": self._role(person.role)}
            case "language":
                return {"language": self._language(person.language)}
            case _:
                return {}

    def whole_number(self, typed: str) -> str:
        """The number that was typed into a form of these, in its groups; "" where it is none."""
        try:
            return spaced(parse_number(typed, self._country))
        except NumberError:
            return ""

    def _check(self, field: str, text: str) -> str:
        if field == "name" and not (0 < len(text) <= LONGEST_NAME and is_plain(text)):
            return words.problem(StaffProblem.BAD_NAME)
        if field == "number":
            try:
                parse_number(text, self._country)
            except NumberError as error:
                if error.problem is NumberProblem.EMPTY:
                    # Not of whoever types: the set-up's words ask for their own.
                    return words.problem(StaffProblem.BAD_NUMBER, number=self.example)
                return set_up_words.number_problem(error, self.example)
        return ""

    def _name(self, name: str) -> Field:
        field = Field(words.NAME_FIELD, "person_name", example=for_example(words.NAME_EXAMPLE))
        field.set_text(name)
        return field

    def _number(self) -> Field:
        example = for_example(self.example)
        return Field(words.NUMBER_FIELD, "person_number", example=example, takes=Takes.FIGURES)

    def _role(self, role: Role) -> Choice:
        choice = Choice(words.ROLE_FIELD, "person_role", words.roles())
        choice.set_text(role.value)
        return choice

    def _language(self, language: str) -> Choice:
        known = dict.fromkeys(("", *self._languages, language))
        options: list[Option] = [(code, words.language_of(code)) for code in known]
        choice = Choice(words.LANGUAGE_FIELD, "person_language", options)
        choice.set_text(language)
        return choice


def command_of(
    act: PersonAct, person: Person, values: Mapping[str, str], request_id: str
) -> ChangePerson | Renumber:
    """What is posted once the question is answered."""
    reason = values["reason"]
    if act.part == "number":
        return Renumber(
            request_id=request_id, person_id=person.person_id, number=values["number"], reason=reason
        )
    command = ChangePerson(request_id=request_id, person_id=person.person_id, reason=reason)
    match act.part:
        case "name":
            return msgspec.structs.replace(command, name=values["name"])
        case "role":
            return msgspec.structs.replace(command, role=Role(values["role"]))
        case "language":
            return msgspec.structs.replace(command, language=values["language"])
        case _:
            return msgspec.structs.replace(command, **act.changes)


def enrol_of(values: Mapping[str, str], request_id: str) -> Enrol:
    """Somebody new, as typed."""
    return Enrol(
        request_id=request_id,
        name=values["name"],
        number=values["number"],
        role=Role(values["role"]),
        reason=values["reason"],
        language=values["language"],
    )
