"""What an exercise is made of, as values: customers, steps, what the sandbox does. Its words are elsewhere."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from pos_app.training.course.acts import Act, CleanUp, PhoneNumber, Play
from pos_app.training.course.scene import Customer
from pos_app.training.course.signs import Sign, at_the_till, never, nothing_open


class Where(StrEnum):
    """What the learner's hands are at in a step."""

    TILL = "till"
    PHONE = "phone"
    BOTH = "both"
    GOODS = "goods"


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One instruction, until its sign is seen. `back_if`: then it is to be done again from `back_to`.

    `may_wait`: waiting is a decision here, and the learner can say so. `customer`: who is spoken of.
    """

    key: str
    until: Sign
    where: Where = Where.TILL
    plays: tuple[Play, ...] = ()
    may_wait: bool = False
    customer: int = 0
    back_if: Sign = never
    back_to: str = ""


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """One exercise. `set_up` is done before its first step."""

    key: str
    customers: tuple[Customer, ...]
    steps: tuple[Step, ...]
    set_up: tuple[Act, ...] = ()

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """With the two that every exercise begins with; they pass unseen where there is nothing to do."""
        return (*BEFORE, *self.steps)


BEFORE = (
    Step(key="sign_in", until=at_the_till, where=Where.BOTH, plays=(Play(PhoneNumber("")),)),
    Step(key="tidy", until=nothing_open, plays=(Play(CleanUp()),)),
)
