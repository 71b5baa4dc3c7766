"""What the course does at the sandbox's side of an exercise, as values: it plays the customer and the trouble."""

from __future__ import annotations

from typing import Any

import msgspec


class Customer(msgspec.Struct, frozen=True):
    """The customer `who` of the exercise does `verb` (verify, approve, pay, reject) with the newest request."""

    verb: str
    who: int = 0


class Trusting(msgspec.Struct, frozen=True):
    """The customer pays what this attempt asks, without a look at the amount; unless it was cancelled meanwhile."""

    attempt_id: str


class Break(msgspec.Struct, frozen=True):
    """The sandbox misbehaves: one fault of its control interface."""

    fault: dict[str, Any]


class Mend(msgspec.Struct, frozen=True):
    """It behaves again."""


class CleanUp(msgspec.Struct, frozen=True):
    """Nothing of an earlier exercise is left: no fault, and no request that somebody could still approve."""


class Patience(msgspec.Struct, frozen=True):
    """How long the till waits before it gives up, and until it says so; nobody learns by waiting five minutes."""

    give_up_s: int
    unresolved_s: int


class PhoneNumber(msgspec.Struct, frozen=True):
    """The phone on the counter is this customer's; "" answers for every number."""

    number: str


class Restart(msgspec.Struct, frozen=True):
    """The till ends, as by a power cut, and starts again."""


class Printer(msgspec.Struct, frozen=True):
    """The pretended printer stands at the counter and prints each receipt; with paper, or without."""

    paper: bool


Act = Customer | Trusting | Break | Mend | CleanUp | Patience | PhoneNumber | Restart | Printer


class Play(msgspec.Struct, frozen=True):
    """An act, and how many seconds after its step began; not at all once the step is over."""

    act: Act
    after_s: float = 0
