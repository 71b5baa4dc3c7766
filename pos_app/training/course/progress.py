"""What each learner has done so far, as values and as text for a file. It opens no file and reads no clock."""

from __future__ import annotations

import msgspec

from pos_app.domain.unreadable import UNREADABLE
from pos_app.training.course.run import Outcome

LONGEST_NAME = 40
MOST_LEARNERS = 200


class Mark(msgspec.Struct, frozen=True):
    """One exercise of one learner: the last outcome, how often it was tried, and how often it went wrong."""

    outcome: Outcome
    tries: int = 1
    slips: int = 0
    at: str = ""


class Learner(msgspec.Struct, frozen=True):
    """A name and the marks by the exercises' keys."""

    name: str
    marks: dict[str, Mark] = {}

    def right(self) -> int:
        """How many exercises were done right the last time."""
        return sum(mark.outcome is Outcome.RIGHT for mark in self.marks.values())


class Register(msgspec.Struct, frozen=True):
    """All learners, whoever learnt last first."""

    learners: tuple[Learner, ...] = ()

    def of(self, name: str) -> Learner:
        """This learner, new or not. Upper and lower case make nobody another person."""
        found = (each for each in self.learners if each.name.casefold() == name.casefold())
        return next(found, Learner(name))

    def marked(self, name: str, key: str, outcome: Outcome, at: str) -> Register:
        """With one more try of one exercise."""
        learner = self.of(name)
        before = learner.marks.get(key)
        mark = Mark(
            outcome=outcome,
            tries=1 + (before.tries if before else 0),
            slips=(outcome is Outcome.SLIPPED) + (before.slips if before else 0),
            at=at,
        )
        return self.first(Learner(learner.name, learner.marks | {key: mark}))

    def first(self, learner: Learner) -> Register:
        """With this learner at its head."""
        others = [each for each in self.learners if each.name.casefold() != learner.name.casefold()]
        return Register((learner, *others[: MOST_LEARNERS - 1]))


def written(register: Register) -> bytes:
    """For a file; `read` has it back."""
    return msgspec.json.format(msgspec.json.encode(register), indent=1) + b"\n"


def read(text: bytes) -> Register:
    """Raises ValueError for what was never written by `written`."""
    try:
        return msgspec.json.decode(text, type=Register)
    except UNREADABLE as error:
        raise ValueError(str(error)) from error
