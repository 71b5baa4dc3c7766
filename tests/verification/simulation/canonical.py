"""The canonical stories, and what may go wrong in each: every crash point, every single fault at every call."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from pos_app.domain.attempt import Kind
from tests.verification.simulation import faults
from tests.verification.simulation.run import Run, newest, play
from tests.verification.simulation.story import Act, CrashAt, Customer, FaultAt, SalePlan, Story

STORIES = Path(__file__).with_name("stories.toml")
STOP_AT = 400_000
HOUR = 3_600_000
Place = tuple[str, int]
"""An operation and which of its calls, from 1."""
VALUES = {"late": (6_000, 60_000), "twice": (1_000, 60_000), "twice_second": (1_000,), "slow": (60_000,)}


class Canonical(msgspec.Struct, frozen=True, kw_only=True):
    """A story as the file has it."""

    title: str
    kind: Kind
    end: str
    pays_after: float = -1
    steps: list[tuple[float, str]] = []
    then: list[tuple[float, str]] = []
    refused: str = ""
    tries: int = 0
    does: list[tuple[float, str]] = []
    after_restart: str = "wait"

    def story(self) -> Story:
        """As a run takes it."""
        steps = self.steps or ([(self.pays_after, "Payment Success")] if self.pays_after > 0 else [])
        customers = [Customer(_ms(steps), self.refused)]
        if self.then:
            customers.append(Customer(_ms(self.then)))
        plan = SalePlan(
            at=1_000,
            kind=self.kind,
            amount=Decimal("12.50"),
            number="+94771234567",
            customers=tuple(customers),
            retries=self.tries,
        )
        acts = tuple(_deed(second, deed) for second, deed in self.does)
        return Story(
            sales=(plan,),
            acts=acts,
            stop_at=STOP_AT,
            after_restart=(self.after_restart,),
            title=self.title,
        )


def _ms(steps: list[tuple[float, str]]) -> tuple[tuple[int, str], ...]:
    return tuple((int(seconds * 1000), status) for seconds, status in steps)


def _deed(second: float, deed: str) -> Act:
    at = 1_000 + int(second * 1000)
    match deed:
        case "power_cut":
            return Act(at, deed, value=5_000)
        case "an hour":
            return Act(at, "push_clock", value=HOUR)
        case "qr":
            return Act(at, "another", sale=0, value=1)
    return Act(at, deed, sale=0)


class _File(msgspec.Struct, frozen=True):
    story: list[Canonical]


@cache
def stories() -> tuple[Canonical, ...]:
    """All of the file."""
    return tuple(msgspec.convert(tomllib.loads(STORIES.read_text("utf-8")), _File).story)


def end_of(run: Run) -> str:
    """The state of the newest attempt."""
    attempts: list[Any] = sorted(newest(run.history).values(), key=lambda attempt: attempt.number)
    return str(attempts[-1].state) if attempts else ""


def crash_points(story: Story) -> Iterator[tuple[Story, Run]]:
    """The till dies before and after its first effect, its second, … until a run has no such effect any more."""
    for after in (False, True):
        effect = 0
        while True:
            effect += 1
            crashed = replace(story, crashes=(CrashAt(effect, after),))
            run = play(crashed)
            if run.crashes_left:
                break
            yield crashed, run


def single_faults(story: Story, calls: range) -> Iterator[Story]:
    """Each fault at each call."""
    for call in calls:
        for fault in all_faults(call):
            yield replace(story, faults=(fault,))


def all_faults(call: int) -> Iterator[FaultAt]:
    """Every fault with every value that makes a difference."""
    for name in faults.KINDS:
        for value in _values(name):
            yield FaultAt(0, call, name, value)


def _values(name: str) -> Iterator[int]:
    if name == "http":
        yield from range(2 * len(faults.HTTP))
    elif name == "slow_down":
        yield from range(2 * len(faults.RETRY_AFTER))
    elif name == "code":
        yield from range(2 * len(faults.CODES))
    elif name == "unknown_status":
        yield from range(len(faults.NAMES))
    elif name in faults.SILENT:
        yield from (0, 1)
    else:
        yield from VALUES.get(name, (0,))


def ordered_pairs(story: Story, first: Place, second: Place) -> Iterator[Story]:
    """Every fault at one place and every fault at another; the values take turns."""
    for row, one in enumerate(faults.KINDS):
        for column, other in enumerate(faults.KINDS):
            turn = row + column
            yield replace(story, faults=(_placed(first, one, turn), _placed(second, other, turn + row)))


def _placed(place: Place, fault: str, turn: int) -> FaultAt:
    values = tuple(_values(fault))
    return FaultAt(0, place[1], fault, values[turn % len(values)], place[0])


def triples(story: Story, calls: int, count: int, seed: int) -> Iterator[Story]:
    """Random ones, in any order of calls."""
    dice = Random(seed)
    for _ in range(count):
        places = sorted(dice.sample(range(1, calls + 3), min(3, calls + 2)))
        chosen = tuple(dice.choice(tuple(all_faults(call))) for call in places)
        yield replace(story, faults=chosen)
