"""The shortest story that still breaks the same invariant: drops whatever it can, again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from tests.verification.simulation.checker import judge
from tests.verification.simulation.run import play
from tests.verification.simulation.story import SalePlan, Story
from tests.verification.simulation.verdict import Violation

_PARTS = ("faults", "windows", "crashes", "acts")
Fails = Callable[[Story], bool]


def shortest(story: Story, violation: Violation, *, tries: int = 600) -> Story:
    """Fewer and fewer parts, while the same invariant is violated in the same way."""
    return smallest(story, lambda other: _breaks(other, violation), tries)


def smallest(story: Story, fails: Fails, tries: int) -> Story:
    """The same for any failure."""
    left = tries
    found = True
    while found and left > 0:
        found = False
        for candidate in _smaller(story):
            left -= 1
            if fails(candidate):
                story, found = candidate, True
                break
            if left <= 0:
                break
    return story


def _breaks(story: Story, violation: Violation) -> bool:
    return any(each.invariant == violation.invariant for each in judge(play(story).history))


def _smaller(story: Story) -> Iterator[Story]:
    """Large cuts first."""
    for part in _PARTS:
        things = getattr(story, part)
        size = len(things)
        while size >= 1:
            for start in range(0, len(things), size):
                yield replace(story, **{part: things[:start] + things[start + size :]})
            size //= 2
    for place, plan in enumerate(story.sales):
        if plan.at < 10**9:
            # A sale that never comes keeps the numbers of the others.
            never = replace(plan, at=10**9, customers=plan.customers[:1], retries=0)
            yield replace(story, sales=(*story.sales[:place], never, *story.sales[place + 1 :]))
        for slimmer in _slimmer(plan):
            yield replace(story, sales=(*story.sales[:place], slimmer, *story.sales[place + 1 :]))
    for till in range(1, story.tills):
        here = {*(plan.till for plan in story.sales), *(act.till for act in story.acts)}
        if max(here) < till:
            yield replace(story, tills=till)
            break
    if len(set(story.latencies)) > 1:
        yield replace(story, latencies=(200,))


def _slimmer(plan: SalePlan) -> Iterator[SalePlan]:
    if plan.retries:
        yield replace(plan, retries=plan.retries - 1)
    if len(plan.customers) > 1:
        yield replace(plan, customers=plan.customers[:-1])
    for place, customer in enumerate(plan.customers):
        for step in range(len(customer.steps)):
            steps = customer.steps[:step] + customer.steps[step + 1 :]
            fewer = replace(customer, steps=steps)
            yield replace(plan, customers=(*plan.customers[:place], fewer, *plan.customers[place + 1 :]))
