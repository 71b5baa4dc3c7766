"""A story in which somebody handles data folders: copied, put back, cloned, lost, moved, or told another address."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from tests.verification.simulation.losing import WAYS
from tests.verification.simulation.story import Act, SalePlan, Story

FOLDERS = frozenset({1, 15, 27, 35})
"""Of forty seeds."""

HOME = "https://pay.example"
MINUTE = 60_000
DEEDS = ("put_back", "put_back", "clone", "lose", "lose", "move", "address")


def handled(story: Story, dice: Random) -> Story:
    """The same weather, sales and people; more sales for what comes after, and a service that lists as it likes."""
    span = story.stop_at
    acts: list[Act] = []
    sales = list(story.sales)
    for deed in dice.sample(DEEDS, dice.choice((1, 1, 2, 3))):
        till = dice.randrange(story.tills)
        at = dice.randrange(span)
        match deed:
            case "put_back":
                acts.append(Act(_near(sales, till, dice, span), "copy", till))
                acts.append(Act(at, deed, till, value=dice.choice((500, 3_000, 20_000, 90_000))))
            case "clone":
                if dice.random() < 0.7:
                    acts.append(Act(_near(sales, till, dice, span), "copy", till))
                acts.append(Act(at, deed, till, value=dice.randrange(2)))
                sales += [_later(plan, story.tills, at, dice, span) for plan in story.sales]
            case "lose":
                acts.append(Act(at, deed, till, value=dice.randrange(4 * len(WAYS))))
            case "move":
                acts.append(Act(at, deed, till, value=dice.choice((3_000, 20_000))))
            case "address":
                back = min(at + dice.choice((5_000, 20_000, MINUTE)), span)
                acts += [Act(at, deed, till, value=1), Act(back, deed, till, value=0)]
        if deed != "clone" and dice.random() < 0.7:
            plan = dice.choice(story.sales)
            sales.append(_later(plan, till, at, dice, span))
    return replace(
        story,
        sales=tuple(sales),
        acts=(*story.acts, *acts),
        stop_at=span + MINUTE,
        origin=HOME,
        list_cut=dice.choice((0, 0, 0, 1, 2, 3, 20)),
        list_order=dice.choice(("newest", "oldest", "shuffled")),
        list_dates=dice.choice(("inclusive", "inclusive", "exclusive", "minutes", "days")),
        list_pages=dice.choice(("number", "from_zero", "position", "ignored", "refused")),
        list_lag=dice.choice((0, 0, 0, 2_000, 30_000, 120_000)),
    )


def left_alone(story: Story) -> Story:
    """The same where nobody handles a folder: for whoever judges the files that a till itself has written."""
    acts = tuple(act for act in story.acts if act.verb not in (*DEEDS, "copy", "thin"))
    return replace(story, acts=acts, origin="")


def _near(sales: list[SalePlan], till: int, dice: Random, span: int) -> int:
    """Most copies that hurt are made while somebody pays."""
    taps = [plan.at for plan in sales if plan.till == till]
    if not taps or dice.random() < 0.4:
        return dice.randrange(span)
    return dice.choice(taps) + dice.choice((10, 60, 150, 500, 3_000, 15_000))


def _later(plan: SalePlan, till: int, after: int, dice: Random, span: int) -> SalePlan:
    """Much the same again, so that numbers, amounts and wallets meet."""
    return replace(plan, till=till, at=min(after + dice.randrange(4_000, 40_000), span + MINUTE // 2))
